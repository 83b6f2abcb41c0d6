"""From what was read in an entry to what it states: records that can be written, and how they hang together (G2.7).

    extraction (spans, dates, clauses) -> sentences in the author's own words -> tasks, decisions, plans, conditions
            -> conditions linked to what they wait for and to what they take back -> rules to be armed

Nothing here is written, and nothing is asked of the database but the records of the same conversation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.govern.understanding.linking import linked
from app.govern.understanding.sentence_reader import SentenceReader
from app.govern.understanding.statements import Stated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.govern.extraction import Extraction
    from app.govern.understanding.contract import StoredEntry
    from app.store.records import StoredRecord


def state(entry: StoredEntry, extraction: Extraction, thread: Sequence[StoredRecord] = ()) -> Stated:
    """What an entry states in its author's own words.

    Args:
        thread: the records of the same conversation, for a condition may speak of them.
    """
    reader = SentenceReader(entry, extraction)
    found = sorted(reader.statements(), key=lambda one: (one.record.span.start, one.record.span.end))
    statements, armings = linked(entry.text, found, thread)
    return Stated(tuple(statements), tuple(armings), reader.valid_to())


def as_extraction(extraction: Extraction, stated: Stated) -> Extraction:
    """The extraction with those records alone that are written."""
    return replace(extraction, records=tuple(one.record for one in stated.statements))
