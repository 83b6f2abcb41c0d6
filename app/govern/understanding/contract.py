"""What the steps of understanding are given, and what they are.

An entry is understood once by each version of the rules, in the background, after it was written (G2.8). Every step
looks at the same reading of it: first without a transaction (`look`, which may take its time), then inside the one in
which all steps write (`apply`, which does not). So an entry is understood whole or not at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.domain.entries import PersonRef, Place
    from app.domain.labels import EntryKind, Sensitivity, Status, Trust
    from app.govern.extraction import Extraction
    from app.store.connection import Reader, Writer
    from app.store.records import StoredRecord


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk within the text that was read: characters [start, end) of `StoredEntry.text`."""

    chunk_id: int
    start: int
    end: int
    place: Place


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """An entry as it stands in the database.

    Attributes:
        text: its passages, joined by blank lines.
        written_at: when what it says was said: its event time for mails and chats, else its last change; aware.
        version: of its content, from 1; a later version supersedes the earlier ones.
    """

    entry_id: int
    source_id: str
    native_id: str
    kind: EntryKind
    title: str
    text: str
    passages: Sequence[Passage]
    written_at: datetime
    event_time: datetime | None
    language: str | None
    status: Status | None
    people: Sequence[PersonRef]
    thread: str | None
    metadata: Mapping[str, str]
    scope: str
    acl: str
    sensitivity: Sensitivity
    trust: Trust
    version: int


@dataclass(frozen=True, slots=True)
class Understood:
    """An entry with what was read out of it.

    Attributes:
        extraction: `records` are those that are written, plans among them (`SpanLabel.PLAN`), without what is unsure;
            their spans are places in `entry.text`.
        record_ids: of `extraction.records`, in their order; known in `apply`, and empty before.
        records: the rows of `record_ids` as they were written, for `apply`; later changes are in the database alone.
    """

    entry: StoredEntry
    extraction: Extraction
    record_ids: Sequence[int] = ()
    records: Sequence[StoredRecord] = ()


class Step(Protocol):
    """One thing that follows from an entry. Steps run in a fixed order; a later one sees what earlier ones wrote.

    The order and the list: `app.govern.understanding.steps`. What a step changes of a record or an entry it changes by
    `app.store.change_rows.make_change`; rules that watch a record changed so are looked at again by themselves.
    """

    @property
    def version(self) -> str:
        """Of the rules that it works by, recorded with all that it writes."""

    def look(self, reader: Reader, understood: Understood) -> object:
        """Find out what there is to do; blocks, on a lane for reading. What it returns goes to `apply`."""

    def apply(self, tx: Writer, understood: Understood, found: object, now: datetime) -> None:
        """Write it, in the transaction of the whole entry; checks again what may have changed since `look`."""
