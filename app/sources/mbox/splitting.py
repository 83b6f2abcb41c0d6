"""A mailbox file as its messages, one after another, however big the file is. Nothing in them is understood here.

A message begins at a line `From ...` with a year that stands after an empty line (or at the beginning) and in front of
a header. Lines that were escaped for the file's sake get back what they had.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SEPARATOR = b"From "
_SEPARATOR_LINE = re.compile(rb"From [^\r\n]{1,300}\b(?:19|20)\d\d\b[^\r\n]{0,20}\r?\n?\Z")
_HEADER_LINE = re.compile(rb"[!-9;-~]{1,70}[ \t]*:")
_ESCAPED = re.compile(rb">{1,100}From ")
# What mail programs write into a message while it lies there: read or not, how long
_NOTED = re.compile(
    rb"(?:X-)?Status:|X-Mozilla-[\w-]{1,30}:|X-UID(?:L)?:|X-Keywords:|Content-Length:|Lines:", re.IGNORECASE
)
_LETTERS = {b"R": "seen", b"A": "answered", b"F": "flagged", b"T": "draft"}
_BITS = {1: "seen", 2: "answered", 4: "flagged"}
_EXPUNGED_BIT = 8
_HEX = re.compile(rb"[0-9A-Fa-f]{1,8}")
_LINE_BYTES = 64 * 1024
_EMPTY = (b"\n", b"\r\n")


@dataclass(frozen=True, slots=True)
class RawMessage:
    """One message.

    Attributes:
        data: its bytes, up to the limit.
        size: of all of it.
        digest: sha256 (hex) of all of it, without what mail programs note in its header.
        flags: as `Entry.metadata` has them, from those notes.
        is_expunged: it was deleted, and only waits for the file to be written anew.
    """

    data: bytes
    size: int
    digest: str
    flags: str = ""
    is_expunged: bool = False


class _Gathering:
    """One message while its lines come."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self._data = bytearray()
        self._hash = hashlib.sha256()
        self._size = 0
        self._in_header = True
        self._notes: dict[bytes, bytes] = {}

    def add(self, line: bytes, *, is_begin: bool) -> None:
        if is_begin and line in _EMPTY:
            self._in_header = False
        text = line.rstrip(b"\r\n")
        is_note = self._in_header and is_begin and _NOTED.match(line) is not None
        if is_note:
            name, _, value = text.partition(b":")
            self._notes[name.lower()] = value.strip()
        # empty lines do not count: the one at the end is there only when another message follows
        if text and not is_note:
            self._hash.update(text + b"\n")
        self._size += len(line)
        if len(self._data) < self._limit_bytes:
            self._data += line[: self._limit_bytes - len(self._data)]

    def message(self) -> RawMessage:
        flags, is_expunged = _noted(self._notes)
        return RawMessage(bytes(self._data), self._size, self._hash.hexdigest(), flags, is_expunged)


def _noted(notes: Mapping[bytes, bytes]) -> tuple[str, bool]:
    """The flags that mail programs keep in a header (Unix: letters; Mozilla: bits), and whether it was deleted."""
    letters = notes.get(b"status", b"") + notes.get(b"x-status", b"")
    words = {word for letter, word in _LETTERS.items() if letter in letters}
    bits = int(mozilla, 16) if _HEX.fullmatch(mozilla := notes.get(b"x-mozilla-status", b"")) else 0
    words |= {word for bit, word in _BITS.items() if bits & bit}
    return " ".join(sorted(words)), bool(bits & _EXPUNGED_BIT)


def messages(file: BinaryIO, limit_bytes: int) -> Iterator[RawMessage]:
    """The messages of a mailbox file, lazily; one that does not begin with a separator is one message."""
    current: _Gathering | None = None
    separator: bytes | None = None
    is_begin, was_empty = True, True
    while line := file.readline(_LINE_BYTES):
        if separator is not None:
            if current is None or _HEADER_LINE.match(line):
                if current is not None:
                    yield current.message()
                current = _Gathering(limit_bytes)
            else:
                current.add(separator, is_begin=True)
            separator = None
        if is_begin and was_empty and line.startswith(SEPARATOR) and _SEPARATOR_LINE.match(line):
            separator = line
        else:
            current = current or _Gathering(limit_bytes)
            is_escaped = is_begin and _ESCAPED.match(line) is not None
            current.add(line[1:] if is_escaped else line, is_begin=is_begin)
        was_empty = is_begin and line in _EMPTY
        is_begin = line.endswith(b"\n")
    if current is not None:
        yield current.message()


def single(data: bytes) -> RawMessage:
    """A file that is one message; Apple Mail writes its size in front of it, and more behind it."""
    head, newline, rest = data.partition(b"\n")
    if newline and head.strip().isdigit() and len(head) < len(b"1234567890"):
        data = rest[: int(head)]
    return RawMessage(data, len(data), hashlib.sha256(data).hexdigest())
