"""Marks: which entries a question should find, and which not, as the person said (G7).

A mark is of the thing and not of one version of it: where an entry was replaced by a newer version from its source, the
mark is that one's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.instants import from_ixdtf
from app.domain.text import msg
from app.store.rows import stamp, storable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.store.connection import Reader, Writer

MOST_ID = 2**63 - 1
"""A number that a column can hold."""
_IDS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A mark on an entry that is there now.

    Attributes:
        query: as it was asked. asked_at: when the question was first marked.
        entry_id: of the version that is current, or of the last one where none is.
        is_findable: whether a search may find it: it is current, and no reason says that it is no longer so.
        scope, acl, sensitivity: of the entry.
    """

    query: str
    asked_at: datetime
    entry_id: int
    is_wanted: bool
    is_findable: bool
    scope: str
    acl: str
    sensitivity: int


def folded(query: str) -> str:
    """By which a question is known again: its words in small letters."""
    return " ".join(query.casefold().split())


def put_mark(tx: Writer, query: str, entry_id: int, *, is_wanted: bool, now: datetime) -> None:
    """Mark an entry for a question; a mark that is there is replaced.

    Raises:
        BadInput: there is no such entry.
    """
    is_known = 0 < entry_id <= MOST_ID and tx.row("SELECT 1 FROM entry WHERE entry_id = ?", entry_id) is not None
    if not is_known:
        raise BadInput(
            msg("There is no such entry to mark."), next_step=msg("Take one of those that the question finds.")
        )
    asked_at = tx.value("SELECT min(asked_at) FROM mark WHERE query = ?", storable(query))
    drop_mark(tx, query, entry_id)
    tx.insert(
        "INSERT INTO mark (query, asked_at, entry_id, is_wanted, marked_at) VALUES (?, ?, ?, ?, ?)",
        storable(query),
        asked_at or stamp(now),
        entry_id,
        int(is_wanted),
        stamp(now),
    )


def drop_mark(tx: Writer, query: str, entry_id: int) -> None:
    """Take a mark back, on whichever version of the entry it is; nothing where there is none."""
    if not 0 < entry_id <= MOST_ID:
        return
    tx.run(
        """
        DELETE FROM mark WHERE query = ? AND entry_id IN (
            SELECT other.entry_id FROM entry JOIN entry AS other USING (source_id, native_id) WHERE entry.entry_id = ?
        )
        """,
        storable(query),
        entry_id,
    )


def marks(reader: Reader) -> list[MarkRow]:
    """All marks, the newest question first."""
    rows = reader.rows(
        """
        SELECT query, asked_at, shown.entry_id, is_wanted, shown.is_current AND shown.stale_reason IS NULL,
               shown.scope, shown.acl, shown.sensitivity
        FROM mark JOIN entry USING (entry_id)
        JOIN entry AS shown ON shown.entry_id = coalesce(
            (SELECT latest.entry_id FROM entry AS latest WHERE latest.source_id = entry.source_id
             AND latest.native_id = entry.native_id AND latest.is_current = 1),
            entry.entry_id)
        ORDER BY asked_at DESC, mark_id
        """
    )
    return [
        MarkRow(row[0], from_ixdtf(row[1]), row[2], bool(row[3]), bool(row[4]), row[5], row[6], row[7]) for row in rows
    ]


def current_ids(reader: Reader, entry_ids: Sequence[int]) -> dict[int, int]:
    """The current version of each entry, or its own id where none is; ids that are gone are absent."""
    found: dict[int, int] = {}
    for start in range(0, len(entry_ids), _IDS_AT_ONCE):
        some = entry_ids[start : start + _IDS_AT_ONCE]
        places = ", ".join("?" * len(some))
        rows = reader.rows(
            "SELECT entry.entry_id, coalesce(latest.entry_id, entry.entry_id) FROM entry"  # noqa: S608 - places alone
            " LEFT JOIN entry AS latest ON latest.source_id = entry.source_id AND latest.native_id = entry.native_id"
            f" AND latest.is_current = 1 WHERE entry.entry_id IN ({places})",
            *some,
        )
        found.update(rows)
    return found


def entries_of_chunks(reader: Reader, chunk_ids: Sequence[int]) -> dict[int, int]:
    """The entry of each chunk; ids that are gone are absent."""
    places = ", ".join("?" * len(chunk_ids))
    return dict(reader.rows(f"SELECT chunk_id, entry_id FROM chunk WHERE chunk_id IN ({places})", *chunk_ids))  # noqa: S608
