"""The error tree: whose fault, and what now.

    FamulusError
    |-- Expected            the world's fault: shown to the person, exit code 3
    |   |-- BadInput        what was given cannot be used; data is as it was
    |   |   `-- Unreadable  a file or message that cannot be understood
    |   |-- Locked          the database cannot be opened yet (passphrase, keychain)
    |   |   |-- KeychainLocked, KeychainMissing, KeyMissing, PassphraseNeeded, WrongKey
    |   |-- Damaged         the database is corrupt; says how to repair
    |   |-- FromTheFuture   written by a newer Famulus
    |   |-- DiskFull, ReadOnly
    |   |-- Unavailable     a source, a model or another process is not there now
    |   |   `-- RateLimited a server asked for patience
    |   |-- Refused         a safety limit or a rule said no
    |   |   `-- TooBig      one thing is bigger than any that can be meant
    |   `-- Cancelled       the person said stop
    `-- Bug                 ours: logged with its traceback, exit code 1

Every `Expected` says three things: what happened, whether anything was lost, and what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from app.domain.text import Text, msg

if TYPE_CHECKING:
    from datetime import datetime


class FamulusError(Exception):
    """Root of all errors that Famulus raises on purpose."""


class Bug(FamulusError):
    """Our own fault. Carries no personal data in its message."""


class Expected(FamulusError):
    """The world's fault.

    Args:
        what: what happened.
        lost: whether anything was lost; None says that nothing was.
        next_step: what the person can do now.
    """

    code: ClassVar[str] = "expected"

    def __init__(self, what: Text, *, next_step: Text, lost: Text | None = None) -> None:
        super().__init__(str(what))
        self.what = what
        self.lost = lost if lost is not None else msg("Nothing was lost.")
        self.next_step = next_step


class BadInput(Expected):
    """What was given cannot be used."""

    code = "bad_input"


class Unreadable(BadInput):
    """A file or a message that cannot be understood."""

    code = "unreadable"


class Locked(Expected):
    """The database cannot be opened yet."""

    code = "locked"


class KeychainLocked(Locked):
    """The system keychain did not answer, or is locked."""

    code = "keychain_locked"


class KeychainMissing(Locked):
    """This system has no keychain, and no passphrase was given."""

    code = "keychain_missing"


class KeyMissing(Locked):
    """The keychain works, but does not hold the key of this database."""

    code = "key_missing"


class PassphraseNeeded(Locked):
    """The key is wrapped by a passphrase that was not given."""

    code = "passphrase_needed"


class WrongKey(Locked):
    """A passphrase, a recovery key or a stored key that does not fit."""

    code = "wrong_key"


class Damaged(Expected):
    """The database, or a part of it, is corrupt."""

    code = "damaged"


class FromTheFuture(Expected):
    """The database or a settings file was written by a newer Famulus."""

    code = "from_the_future"


class DiskFull(Expected):
    """No room left on the device."""

    code = "disk_full"


class ReadOnly(Expected):
    """The data folder cannot be written."""

    code = "read_only"


class Unavailable(Expected):
    """A source, a model or another process cannot be reached now."""

    code = "unavailable"


class RateLimited(Unavailable):
    """A server asked for patience.

    Args:
        retry_at: not before then; None: it did not say.
    """

    code = "rate_limited"

    def __init__(
        self, what: Text, *, next_step: Text, lost: Text | None = None, retry_at: datetime | None = None
    ) -> None:
        super().__init__(what, next_step=next_step, lost=lost)
        self.retry_at = retry_at


class Refused(Expected):
    """A safety limit or a rule said no."""

    code = "refused"


class TooBig(Refused):
    """One thing is bigger than any that can be meant; others of its source may be fine."""

    code = "too_big"


class Denied(Refused):
    """Who asks may not: no token, one that does not hold, or no consent yet. Tells nothing of what there is."""

    code = "denied"


class Cancelled(Expected):
    """The person said stop."""

    code = "cancelled"


def expected_types() -> dict[str, type[Expected]]:
    """All kinds of `Expected` by their code, for carrying them between processes."""
    found: dict[str, type[Expected]] = {}
    waiting: list[type[Expected]] = [Expected]
    while waiting:
        kind = waiting.pop()
        found[kind.code] = kind
        waiting.extend(kind.__subclasses__())
    return found
