"""What a source is, and what it tells (L6.2, G1.3).

A source has four methods: authenticate, pull changes since a cursor, search at the source, write. The cursor is a set
of rows, one for each item (a file, a calendar), and not one growing blob: a folder of 100,000 files moves it by a few
hundred bytes for each file that changed. A source never writes its cursor. It reads the rows through `CursorReader`
and yields `CursorMoved`; whoever consumes the changes writes them.

The order is the promise: a `CursorMoved` covers what was yielded before it. A consumer may gather many changes into one
transaction, but writes a `CursorMoved` together with, or after, everything ahead of it. Then a crash at any moment
makes the next sync tell some changes again (which the content hash makes harmless), and never loses one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo
    from pathlib import Path

    from app.domain.collecting import SourceInfo
    from app.domain.entries import Entry
    from app.domain.outgoing import EgressLedger
    from app.domain.progress import StopSignal
    from app.domain.text import Text
    from app.sources.deletion_guard import DeletionLimits
    from app.sources.parsing.limits import ParseLimits
    from app.sources.parsing.parsed import Sense

Parse = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Runs `parsing.worker.handle` in the parse process; blocks. Raises `Unreadable` over time, over memory or crashed."""


class Capability(StrEnum):
    """What a kind of source can do beyond telling its changes."""

    WATCH = "watch"
    PUSH = "push"
    SEARCH = "search"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Added:
    """An entry that the cursor did not know."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Changed:
    """A known entry with new content."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Deleted:
    """An entry that its source no longer has; it is invalidated, not forgotten (G1.3).

    Attributes:
        moved_to: the native id under which the source still holds the same bytes, when it was renamed or moved. The
            entry at the new place is told as `Added` (a native id is a place, and never changes its meaning).
    """

    native_id: str
    moved_to: str | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A known entry of which only what is noted beside its content is new: a mail's flags, the folder that it lies in.

    Attributes:
        metadata: the keys of `Entry.metadata` that are new; an empty value takes the key away, others stay.
    """

    native_id: str
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Unchanged:
    """So many entries are as they were."""

    count: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item that cannot be read, and why. What was known of it stays as it was."""

    native_id: str
    reason: Text


@dataclass(frozen=True, slots=True)
class Warned:
    """Something a person should know about the sync; nothing was lost by it."""

    text: Text


@dataclass(frozen=True, slots=True)
class CursorMoved:
    """New cursor rows by key; None removes the row. See the module docstring for when to write them."""

    rows: Mapping[str, str | None]


Change = Added | Changed | Deleted | Marked | Unchanged | Skipped | Warned | CursorMoved


class CursorReader(Protocol):
    """The cursor rows of one source, as they were when the sync began."""

    def get(self, key: str) -> str | None:
        """One row, or None."""

    def items(self) -> Iterator[tuple[str, str]]:
        """All rows, in any order."""


class CursorRows:
    """A `CursorReader` over rows in memory: loaded from the store, or empty for a one-off import."""

    def __init__(self, rows: Mapping[str, str] | None = None) -> None:
        self._rows = dict(rows or {})

    def get(self, key: str) -> str | None:
        """One row, or None."""
        return self._rows.get(key)

    def items(self) -> Iterator[tuple[str, str]]:
        """All rows, in the order in which they came."""
        yield from self._rows.items()

    def move(self, moved: CursorMoved) -> None:
        """Take new rows in."""
        for key, row in moved.rows.items():
            if row is None:
                self._rows.pop(key, None)
            else:
                self._rows[key] = row


class Senses(Protocol):
    """Reads what is no text, on this device (L6.5). Blocks; called on a lane for blocking work.

    A file is decoded in the parse process; what comes here is plain samples.
    """

    @property
    def abilities(self) -> frozenset[Sense]:
        """What can be read now, by what is installed and what the person allows."""

    def read_picture(self, pixels: bytes, width: int, height: int) -> Sequence[str]:
        """The lines of text in a picture, from top to bottom; `pixels` are RGB, 8 bits each, row by row."""

    def transcribe(self, samples: bytes, rate: int) -> Sequence[tuple[int, str]] | None:
        """What is said in a recording of 16-bit mono samples: stretches in order, each with the second of its start.

        None where there is no model for it.
        """


@dataclass(frozen=True, slots=True)
class SourceContext:
    """What a source is given to work with.

    Attributes:
        parse: reads one file in the parse process.
        zone: the person's time zone, for times that name none.
        excluded: folders that are never collected: Famulus' own.
        is_deletion_confirmed: whether the person allowed many deletions in this sync.
        secret: the source's password or token from the keychain; raises `Unavailable` where it is not to be had.
            None: its kind needs none.
        ledger: every connection out of the device is noted there before bytes leave; None: nothing may leave.
        senses: what reads pictures and recordings; None: they are not read.
        original_bytes: originals of pictures and recordings up to this size are kept; 0: none.
    """

    source: SourceInfo
    parse: Parse
    limits: ParseLimits
    deletions: DeletionLimits
    zone: tzinfo
    excluded: tuple[Path, ...] = ()
    is_deletion_confirmed: bool = False
    secret: Callable[[], str] | None = None
    ledger: EgressLedger | None = None
    senses: Senses | None = None
    original_bytes: int = 0


class Source(Protocol):
    """One configured source. Methods block; they are called on a lane for blocking work."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What it can do beyond `changes`."""

    def authenticate(self) -> None:
        """Prove that the source can be reached; raises `Unavailable` with a next step when not.

        It is asked before the first `changes`, and after a failure. A source that was reached last time is not: with
        every sync that would be a second login.
        """

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """Tell what is new since the cursor, lazily.

        `stop.checkpoint()` is asked between items. A deletion is told only after the whole source was seen, and never
        concluded from what could not be read.

        Raises:
            Unavailable: the source cannot be read now (missing, unmounted, forbidden); nothing is deleted.
            Refused: too much would be deleted at once; everything else was told already.
            Cancelled: from `stop`.
        """

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Search at the source; raises `Refused` where it cannot."""

    def write(self, entry: Entry) -> None:
        """Write back to the source, after the person confirmed; raises `Refused` where it cannot."""

    def watched(self) -> Sequence[Path]:
        """The files and folders whose changes mean that a sync is due; empty where there are none."""


@runtime_checkable
class PushingSource(Protocol):
    """A source whose server says by itself that something is new (`Capability.PUSH`)."""

    def wait_for_change(self, stop: StopSignal) -> bool:
        """Wait on a connection of its own until the server has news; blocks, for up to half an hour.

        `stop.checkpoint()` is asked about every second, so this belongs on a lane of its own.

        Returns:
            Whether a sync is due; False: nothing happened for so long, wait again.

        Raises:
            Unavailable: the server cannot be reached; wait again when it next could be synced.
            Refused: this server does not tell; its schedule has to do.
            Cancelled: from `stop`.
        """
