"""One conversation with a mail server: signed in, read-only but for drafts, and every failure explained.

It knows the protocol and nothing of cursors or entries. Answers are checked for what is needed of them and no more.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import imaplib
import re
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from imapclient.exceptions import LoginError
from imapclient.imap_utf7 import decode as decode_utf7
from imapclient.response_parser import parse_fetch_response

from app.domain.errors import Unavailable
from app.domain.text import Text, msg
from app.runtime import clock
from app.sources.imap.address import Security
from app.sources.imap.failures import GARBAGE, explained, refusal
from app.sources.imap.following import message_id, native_id
from app.sources.imap.transport import AnswerLimits, Budget, LimitedClient
from app.sources.parsing.blocks import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from app.domain.outgoing import EgressLedger
    from app.domain.progress import StopSignal
    from app.sources.imap.address import Address

_FLAGS = {b"\\seen": "seen", b"\\flagged": "flagged", b"\\answered": "answered", b"\\draft": "draft"}
_IDENTITY = "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID DATE FROM SUBJECT)]"
_RANGE = re.compile(rb"(\d{1,10})(?::(\d{1,10}))?")
_NEWS = frozenset((b"EXISTS", b"EXPUNGE", b"VANISHED", b"FETCH"))
_IDLE_S = 28 * 60.0  # servers may hang up after half an hour (RFC 2177)
_LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder as the server lists it. `flags` are in lower case; `raw` is its name as the server knows it."""

    name: str
    raw: bytes
    flags: frozenset[str]


@dataclass(frozen=True, slots=True)
class FolderState:
    """What a server says of a folder when it is opened.

    Attributes:
        validity: numbers of messages mean something only under the same one; 0: they never do.
        modseq: rises with every change; None: the server does not count changes.
    """

    validity: int
    next_uid: int
    count: int
    modseq: int | None


@dataclass(frozen=True, slots=True)
class Identity:
    """What tells one message from others wherever it lies.

    Attributes:
        native_id: from its Message-ID and a hash over that, its date, sender, subject and size, so that a message that
            only borrows the id of another one is not taken for it.
    """

    native_id: str
    message_id: str
    size: int
    flags: str
    received_at: datetime | None


@dataclass(frozen=True, slots=True)
class Vanished:
    """Ranges of numbers whose messages are gone."""

    ranges: tuple[tuple[int, int], ...] = ()

    def __contains__(self, uid: int) -> bool:
        return any(first <= uid <= last for first, last in self.ranges)


class Connection:
    """See the module docstring. Made by `connect`; a context manager that says goodbye.

    Every method raises `Unavailable`, and `Cancelled` when the person said stop.
    """

    def __init__(self, address: Address, budget: Budget) -> None:
        self._recipient = address.recipient
        self._budget = budget
        self._is_broken = False
        with explained(self._recipient):
            tls = None if address.security is Security.NONE else ssl.create_default_context()
            self._client = LimitedClient(
                budget, (address.host, address.port), tls if address.security is Security.TLS else None
            )
        if tls is not None and address.security is Security.STARTTLS:
            with self._speaking():
                self._encrypt(tls)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Sign out; hang up without a word where the conversation broke off."""
        self._budget.stop = None  # a goodbye is short, and the person has been heard
        harmless = (OSError, imaplib.IMAP4.error, *GARBAGE)
        if not self._is_broken:
            with contextlib.suppress(*harmless):
                self._client.logout()
        with contextlib.suppress(*harmless):
            self._client.shutdown()

    def sign_in(self, user: str, secret: str) -> None:
        """Sign in, and ask the server to count changes where it can."""
        with self._speaking():
            if self._client.is_signed_in:
                return
            self._log_in(user, secret)
            wanted = next((name for name in ("QRESYNC", "CONDSTORE") if self._client.has_capability(name)), None)
            if wanted is not None and self._client.has_capability("ENABLE"):
                self._client.enable(wanted)

    def _log_in(self, user: str, secret: str) -> None:
        """Tell the server who we are; an answer that repeats the password is shown to nobody."""
        try:
            if self._client.has_capability("AUTH=PLAIN"):
                self._client.plain_login(user, secret)
            else:
                self._client.login(user, secret)
        except imaplib.IMAP4.error as error:
            told = base64.b64encode(f"\0{user}\0{secret}".encode()).decode("ascii")
            quoted = secret.replace("\\", r"\\").replace('"', r"\"")
            if any(form in str(error) for form in (secret, quoted, repr(secret)[1:-1], told)):
                raise LoginError("the answer repeats what was said") from None
            raise

    @property
    def tells_vanished(self) -> bool:
        """Whether the server tells what vanished (QRESYNC, RFC 7162)."""
        with self._speaking():
            return bool(self._client.has_capability("QRESYNC") and self._client.has_capability("ENABLE"))

    def folders(self) -> Sequence[Folder]:
        """All folders that can be opened."""
        with self._speaking():
            self._client.folder_encode = False
            listed = self._client.list_folders()
            return [found for flags, _, name in listed if (found := _folder(flags, name)) is not None]

    def open(self, folder: Folder) -> FolderState | Text:
        """Open a folder for reading; the answer says why it cannot be."""
        if not folder.raw.isascii():
            return msg("The server gives this folder a name that is not allowed.")
        with self._speaking():
            try:
                told = self._client.select_folder(folder.raw, readonly=True)
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error as error:
                reason = refusal(str(error), self._recipient)
                if type(reason) is not Unavailable:
                    raise reason from None
                return msg("The server does not open this folder.")
            return FolderState(
                validity=int(told.get(b"UIDVALIDITY", 0)),
                next_uid=int(told.get(b"UIDNEXT", 0)),
                count=int(told[b"EXISTS"]),
                modseq=int(told[b"HIGHESTMODSEQ"]) or None if b"HIGHESTMODSEQ" in told else None,
            )

    def numbers(self) -> Sequence[int]:
        """The numbers (UIDs) of all messages in the open folder."""
        with self._speaking():
            return [int(uid) for uid in self._client.search(["ALL"])]

    def flags_since(self, modseq: int, *, with_vanished: bool) -> tuple[Mapping[int, str], Vanished]:
        """Flags of messages that are new or were changed since, and what vanished since where that is told."""
        with self._speaking():
            told, gone = self._client.flags_since(modseq, with_vanished=with_vanished)
            parsed = parse_fetch_response(told, normalise_times=False)
            ranges = [_ranges(line) for line in gone if isinstance(line, bytes)]
            return _flags_of(parsed), Vanished(tuple(pair for pairs in ranges for pair in pairs))

    def flags(self, uids: Sequence[int]) -> Mapping[int, str]:
        """Flags of some messages of the open folder."""
        with self._speaking():
            return _flags_of(self._client.fetch(uids, ["FLAGS"]))

    def identities(self, uids: Sequence[int]) -> Mapping[int, Identity]:
        """Who some messages are; those that are gone by now are missing."""
        with self._speaking():
            told = self._client.fetch(uids, ["FLAGS", "RFC822.SIZE", "INTERNALDATE", _IDENTITY])
            return {uid: _identity(fields) for uid, fields in told.items() if _FETCHED_SIZE in fields}

    def messages(self, uids: Sequence[int]) -> Mapping[int, bytes]:
        """Whole messages; those that are gone by now are missing."""
        with self._speaking():
            told = self._client.fetch(uids, ["BODY.PEEK[]"])
            return {uid: data for uid, fields in told.items() if isinstance(data := fields.get(b"BODY[]"), bytes)}

    def beginning(self, uid: int, size: int) -> bytes | None:
        """The first bytes of a message."""
        with self._speaking():
            told = self._client.fetch([uid], [f"BODY.PEEK[]<0.{size}>"])
            data = told.get(uid, {}).get(b"BODY[]<0>")
            return data[:size] if isinstance(data, bytes) else None

    def found(self, text: str) -> Sequence[int]:
        """The numbers of messages in the open folder that hold a text (RFC 3501, section 6.4.4)."""
        with self._speaking():
            words = ["TEXT", one_line(text)]
            return [int(uid) for uid in self._client.search(words, None if text.isascii() else "UTF-8")]

    def append_draft(self, folder: Folder, message: bytes) -> None:
        """Put a draft into a folder."""
        with self._speaking():
            self._client.append(folder.raw, message, ("\\Draft", "\\Seen"))

    @property
    def can_push(self) -> bool:
        """Whether the server says by itself when something is new (IDLE, RFC 2177)."""
        with self._speaking():
            return bool(self._client.has_capability("IDLE"))

    def wait(self, stop: StopSignal) -> bool:
        """Wait until something is new in the open folder; False: nothing was, for half an hour."""
        with self._speaking():
            self._client.idle()
            until_s = clock.monotonic_s() + _IDLE_S
            while clock.monotonic_s() < until_s:
                stop.checkpoint()
                self._budget.begin(0)
                told = self._client.idle_check(timeout=_LOOK_S)
                if any(part in _NEWS for answer in told for part in answer[:2]):
                    self._is_broken = True  # the server still waits for the end of IDLE; hanging up is one too
                    return True
                if self._client.is_at_end:
                    raise imaplib.IMAP4.abort("the server has hung up")
            self._is_broken = True
            return False

    def _encrypt(self, tls: ssl.SSLContext) -> None:
        """STARTTLS; a server that does not offer it is not told who we are."""
        if self._client.is_signed_in or not self._client.has_capability("STARTTLS"):
            raise Unavailable(
                msg("{server} does not offer encryption.", server=self._recipient),
                lost=msg("Nothing was deleted, and no password was sent."),
                next_step=msg(
                    "Use imaps:// instead of imap://. A server on this device may go without, with `security=none`."
                ),
            )
        self._client.starttls(tls)

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        try:
            with explained(self._recipient):
                yield
        except BaseException:
            self._is_broken = True
            self.close()
            raise


_FETCHED_SIZE = b"RFC822.SIZE"


def connect(address: Address, ledger: EgressLedger, purpose: str, stop: StopSignal | None = None) -> Connection:
    """Connect, and encrypt as the address wants it; raises `Unavailable`.

    Args:
        purpose: for the ledger.
        stop: is asked while answers are read.
    """
    budget = Budget(AnswerLimits(), ledger, address.recipient, purpose)
    budget.stop = stop
    return Connection(address, budget)


def _folder(flags: Sequence[bytes], name: object) -> Folder | None:
    lowered = frozenset(flag.decode("latin-1").lower() for flag in flags)
    if lowered & {"\\noselect", "\\nonexistent"}:
        return None
    raw = name if isinstance(name, bytes) else str(name).encode("utf-8", "replace")
    try:
        shown = decode_utf7(raw)
    except (ValueError, IndexError):
        shown = raw.decode("utf-8", "replace")
    return Folder(one_line(str(shown), 500) or "?", raw, lowered)


def _flags_of(told: Mapping[int, Mapping[bytes, Any]]) -> dict[int, str]:
    return {uid: _flag_words(fields[b"FLAGS"]) for uid, fields in told.items() if b"FLAGS" in fields}


def _flag_words(flags: object) -> str:
    names = flags if isinstance(flags, tuple) else ()
    words = {_FLAGS.get(name.lower()) for name in names if isinstance(name, bytes)}
    return " ".join(sorted(word for word in words if word is not None))


def _identity(fields: Mapping[bytes, Any]) -> Identity:
    header = next((value for key, value in fields.items() if key.startswith(b"BODY[HEADER")), None)
    header = header if isinstance(header, bytes) else b""
    size = int(fields[_FETCHED_SIZE])
    own_id = message_id(header)
    lines = sorted(b" ".join(line.split()) for line in re.split(rb"\r?\n(?![ \t])", header))
    digest = hashlib.sha256(b"\n".join((*lines, b"%d" % size))).hexdigest()
    received_at = fields.get(b"INTERNALDATE")
    return Identity(
        native_id=native_id(own_id, digest),
        message_id=own_id,
        size=size,
        flags=_flag_words(fields.get(b"FLAGS")),
        received_at=received_at if getattr(received_at, "tzinfo", None) is not None else None,
    )


def _ranges(line: bytes) -> list[tuple[int, int]]:
    """The ranges of numbers in a VANISHED answer; never unfolded, since one may span them all."""
    pairs = [(int(first), int(last or first)) for first, last in _RANGE.findall(line)]
    return [(min(pair), max(pair)) for pair in pairs]
