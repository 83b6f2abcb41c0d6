"""Passwords and tokens of sources: in the system keychain, and nowhere else.

Not in the database, not in a settings file, not in a log. A system without a keychain cannot have sources that need a
password; it says so when one is added, before anything is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import KeychainLocked, KeychainMissing, KeyMissing, Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.runtime.secrets import Keychain


class Credentials:
    """The secrets of sources by their ids. Methods can block on a prompt of the keychain: off the loop, please."""

    def __init__(self, keychain: Keychain) -> None:
        self._keychain = keychain

    def keep(self, source_id: str, secret: str) -> None:
        """Keep a secret; raises `Unavailable` where it cannot be kept."""
        try:
            self._keychain.set(_name(source_id), secret)
        except (KeychainMissing, KeychainLocked) as error:
            raise _not_kept(error) from None

    def reader(self, source_id: str) -> Callable[[], str]:
        """What a source is given to ask for its secret; raises `Unavailable` when it is not there."""

        def read() -> str:
            try:
                return self._keychain.get(_name(source_id))
            except KeyMissing:
                raise Unavailable(
                    msg("The keychain does not hold the password of this source."),
                    next_step=msg("Give it again: famulus sources change {source} --password", source=source_id),
                ) from None
            except (KeychainMissing, KeychainLocked) as error:
                raise _not_kept(error) from None

        return read

    def forget(self, source_id: str) -> None:
        """Forget a secret; that there is no keychain to forget it in is no error."""
        try:
            self._keychain.delete(_name(source_id))
        except (KeychainMissing, KeychainLocked):
            return


def _not_kept(error: KeychainMissing | KeychainLocked) -> Unavailable:
    """A source's password is no reason to call the database locked."""
    if isinstance(error, KeychainMissing):
        return Unavailable(
            msg("This source needs a password, and this system has no keychain to keep it in."),
            next_step=msg("Set up a keychain (GNOME Keyring, KWallet), or collect an export of it as files instead."),
        )
    return Unavailable(error.what, next_step=error.next_step)


def _name(source_id: str) -> str:
    return f"source:{source_id}"
