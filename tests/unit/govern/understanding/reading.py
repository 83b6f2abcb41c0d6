"""What a text states, without a database and without the model: the ways of saying it alone."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from app.domain.entries import Place
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.govern.extraction import Extractor
from app.govern.understanding.contract import Passage, StoredEntry
from app.govern.understanding.statements import Stated
from app.govern.understanding.stating import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.store.records import StoredRecord

SATURDAY = datetime(2025, 5, 10, 12, 0, tzinfo=timezone(timedelta(hours=8)))


def entry_of(text: str, kind: EntryKind = EntryKind.NOTE, place: Place | None = None) -> StoredEntry:
    return StoredEntry(
        entry_id=1,
        source_id="notes",
        native_id="a.md",
        kind=kind,
        title="a",
        text=text,
        passages=(Passage(1, 0, len(text), place or Place()),),
        written_at=SATURDAY,
        event_time=None,
        language=None,
        status=None,
        people=(),
        thread=None,
        metadata={},
        scope="personal",
        acl="owner",
        sensitivity=Sensitivity.INTERNAL,
        trust=Trust.OWN_FILES,
        version=1,
    )


def stated(
    text: str,
    kind: EntryKind = EntryKind.NOTE,
    *,
    place: Place | None = None,
    thread: Sequence[StoredRecord] = (),
) -> Stated:
    return state(entry_of(text, kind, place), Extractor().read(text, SATURDAY), thread)
