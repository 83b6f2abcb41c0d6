"""Records by their days, and tasks that are to be done: exact questions of what texts state (G3.2, G2.7).

Only of current entries that still hold, and only within what a viewer may see (G4.3). How a record stood at a moment is
worked out by `app.govern.freshness.view`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf
from app.domain.labels import EntryKind, Status
from app.store import records
from app.store.rows import instant

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.records import StoredRecord

_MARGIN = timedelta(days=2)
_MOST = 2000


@dataclass(frozen=True, slots=True)
class Origin:
    """The entry that a record or a to-do stands in."""

    entry_id: int
    kind: EntryKind
    source_uri: str
    scope: str


@dataclass(frozen=True, slots=True)
class ToDo:
    """A structured to-do of an entry. `completed_at`: when its source, or the person, says that it was done."""

    origin: Origin
    title: str
    owner: str | None
    status: Status
    due_at: datetime | None
    completed_at: datetime | None
    confidence: float


def dated_records(
    reader: Reader, start: datetime, end: datetime, visible: VisibilityFilter
) -> list[tuple[StoredRecord, Origin]]:
    """Records with a day or a moment within the span, or a little around it: whole days are compared by the caller."""
    low, high = to_ixdtf(start - _MARGIN), to_ixdtf(end + _MARGIN)
    when = (
        "((record.due_at >= ? AND record.due_at <= ?) OR (record.event_at <= ? AND"
        " coalesce(record.event_end, record.event_at) >= ?))"
    )
    return _with_origin(reader, when, (low, high, high, low), visible)


def task_records(reader: Reader, visible: VisibilityFilter) -> list[tuple[StoredRecord, Origin]]:
    """Every task that a text states, done or not; and conditions that wait for something themselves."""
    when = (
        "(record.kind = 'task' OR (record.kind = 'condition' AND record.due_at IS NOT NULL AND"
        " EXISTS (SELECT 1 FROM freshness_rule WHERE watched_id = record.record_id)))"
    )
    return _with_origin(reader, when, (), visible)


def record_with_origin(reader: Reader, record_id: int, visible: VisibilityFilter) -> tuple[StoredRecord, Origin] | None:
    """One record, where it may be seen and still counts."""
    found = _with_origin(reader, "record.record_id = ?", (record_id,), visible)
    return found[0] if found else None


def to_dos(reader: Reader, visible: VisibilityFilter, entry_id: int | None = None) -> list[ToDo]:
    """The structured to-dos of current entries, done or not; of one entry alone where it is named."""
    limits, values = _limits(visible)
    only = "" if entry_id is None else " AND entry.entry_id = ?"
    rows = reader.rows(
        f"""
        SELECT entry.entry_id, source_type, source_uri, scope, task.title, owner, task.status, due_at,
               completed_at, confidence
        FROM task JOIN entry USING (entry_id) WHERE {limits}{only}
        ORDER BY due_at IS NULL, due_at, entry_id LIMIT {_MOST}
        """,  # noqa: S608 - our own names
        *values,
        *(() if entry_id is None else (entry_id,)),
    )
    return [
        ToDo(
            origin=Origin(row[0], EntryKind(row[1]), row[2], row[3]),
            title=row[4],
            owner=row[5],
            status=Status(row[6]),
            due_at=instant(row[7]),
            completed_at=instant(row[8]),
            confidence=row[9],
        )
        for row in rows
    ]


def current_entry_ids(reader: Reader, source_id: str, native_ids: list[str]) -> list[int]:
    """The current entries of a source with some native ids."""
    found: list[int] = []
    for start in range(0, len(native_ids), 500):
        some = native_ids[start : start + 500]
        places = ", ".join("?" * len(some))
        rows = reader.rows(
            f"SELECT entry_id FROM entry WHERE source_id = ? AND native_id IN ({places}) AND is_current = 1",  # noqa: S608
            source_id,
            *some,
        )
        found += [row[0] for row in rows]
    return found


def _with_origin(
    reader: Reader, condition: str, values: tuple[object, ...], visible: VisibilityFilter
) -> list[tuple[StoredRecord, Origin]]:
    limits, limit_values = _limits(visible)
    rows = reader.rows(
        f"""
        SELECT record.record_id, entry.entry_id, source_type, source_uri, scope
        FROM record JOIN entry USING (entry_id)
        WHERE {condition} AND {limits} AND record.superseded_by IS NULL AND record.sensitivity <= ?
        ORDER BY coalesce(record.due_at, record.event_at) IS NULL, coalesce(record.due_at, record.event_at), record_id
        LIMIT {_MOST}
        """,  # noqa: S608 - our own conditions
        *values,
        *limit_values,
        int(visible.ceiling),
    )
    origins = {row[0]: Origin(row[1], EntryKind(row[2]), row[3], row[4]) for row in rows}
    return [(one, origins[one.record_id]) for one in records.records_with(reader, list(origins))]


def _limits(visible: VisibilityFilter) -> tuple[str, list[object]]:
    """The filter as a condition on `entry`, before anything is read (G4.3)."""
    conditions = ["entry.is_current = 1", "entry.sensitivity <= ?"]
    values: list[object] = [int(visible.ceiling)]
    if not visible.include_stale:
        conditions.append("entry.stale_reason IS NULL")
    for column, allowed in (("scope", visible.scopes), ("acl", visible.acls)):
        if allowed is not None:
            conditions.append(f"entry.{column} IN ({', '.join('?' * len(allowed))})")
            values += sorted(allowed)
    return " AND ".join(conditions), values
