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
from app.domain.records import Subject
from app.store import records
from app.store.histories import column, contested, state, states_for
from app.store.limits import entry_limits, id_list, rights_limits
from app.store.rows import instant, stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row
    from app.store.histories import Step
    from app.store.records import StoredRecord

_MARGIN = timedelta(days=2)
_MOST = 2000
_AT_ONCE = 400
_TO_DOS = """
        SELECT entry.entry_id, source_type, source_uri, scope, task.title, owner, task.status, due_at,
               completed_at, confidence
        FROM task JOIN entry USING (entry_id)"""


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
    return _with_origin(reader, when, (low, high, high, low), visible, is_by_day=True)


def task_records(reader: Reader, visible: VisibilityFilter) -> list[tuple[StoredRecord, Origin]]:
    """Every task that a text states, done or not; and conditions that wait for something themselves."""
    # a rule of an entry that may not be seen makes no task of anything
    may_be_seen, values = rights_limits(visible, "armed")
    when = (
        "(record.kind = 'task' OR (record.kind = 'condition' AND record.due_at IS NOT NULL AND"  # noqa: S608 - our own
        " EXISTS (SELECT 1 FROM freshness_rule JOIN entry AS armed ON armed.entry_id = freshness_rule.entry_id"
        f" WHERE watched_id = record.record_id AND {may_be_seen})))"
    )
    return _with_origin(reader, when, tuple(values), visible)


def record_with_origin(reader: Reader, record_id: int, visible: VisibilityFilter) -> tuple[StoredRecord, Origin] | None:
    """One record, where it may be seen and still counts."""
    found = _with_origin(reader, "record.record_id = ?", (record_id,), visible)
    return found[0] if found else None


def to_dos(reader: Reader, visible: VisibilityFilter, entry_id: int | None = None) -> list[ToDo]:
    """The structured to-dos of current entries, done or not; of one entry alone where it is named."""
    entries = contested(reader, Subject.ENTRY, visible)
    limits, values = _limits(visible, entries)
    only = "" if entry_id is None else " AND entry.entry_id = ?"
    rows = reader.rows(
        f"""
        {_TO_DOS} WHERE {limits}{only}
        ORDER BY due_at IS NULL, due_at, entry_id LIMIT {_MOST + len(entries)}
        """,
        *values,
        *(() if entry_id is None else (entry_id,)),
    )
    tasks = states_for(reader, Subject.TASK, (row[0] for row in rows), visible)
    found = [
        _to_do(row, tasks.get(row[0], {})) for row in rows if row[0] not in entries or _holds(entries[row[0]], visible)
    ]
    if tasks:
        found.sort(key=lambda one: (one.due_at is None, stamp(one.due_at) or "", one.origin.entry_id))
    return found[:_MOST]


def to_dos_of(reader: Reader, entry_ids: Sequence[int], visible: VisibilityFilter) -> list[ToDo]:
    """The to-dos of some versions of entries, current or not, of those that may be seen."""
    rights, values = rights_limits(visible)
    tasks = states_for(reader, Subject.TASK, entry_ids, visible)
    found: list[ToDo] = []
    for start in range(0, len(entry_ids), _AT_ONCE):
        rows = reader.rows(
            f"{_TO_DOS} WHERE entry.entry_id IN ({id_list(entry_ids[start : start + _AT_ONCE])}) AND {rights}", *values
        )
        found += [_to_do(row, tasks.get(row[0], {})) for row in rows]
    return found


def _to_do(row: Row, as_seen: Mapping[str, object]) -> ToDo:
    return ToDo(
        origin=Origin(row[0], EntryKind(row[1]), row[2], row[3]),
        title=row[4],
        owner=row[5],
        status=Status(column(as_seen, "status", row[6]) or row[6]),
        due_at=instant(column(as_seen, "due_at", row[7])),
        completed_at=instant(column(as_seen, "completed_at", row[8])),
        confidence=row[9],
    )


def _holds(steps: Sequence[Step], visible: VisibilityFilter) -> bool:
    """Whether an entry holds for the viewer, as far as that differs from how it stands."""
    return visible.include_stale or state(steps).get("stale_reason") is None


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
    reader: Reader, condition: str, values: tuple[object, ...], visible: VisibilityFilter, *, is_by_day: bool = False
) -> list[tuple[StoredRecord, Origin]]:
    """Records with their entries. `is_by_day`: the condition is of days, which a change can move."""
    entries = contested(reader, Subject.ENTRY, visible)
    # what something hidden moved, or replaced, is looked at too: for this viewer it may be where it was
    contests = contested(reader, Subject.RECORD, visible)
    others = id_list(contests)
    held = [record_id for record_id, steps in contests.items() if state(steps).get("superseded_by") is None]
    gone = contests.keys() - set(held)
    limits, limit_values = _limits(visible, entries)
    rows = reader.rows(
        f"""
        SELECT record.record_id, entry.entry_id, source_type, source_uri, scope
        FROM record JOIN entry USING (entry_id)
        WHERE ({condition}{f" OR record_id IN ({others})" if is_by_day else ""})
              AND (record.superseded_by IS NULL OR record_id IN ({id_list(held)}))
              AND record_id NOT IN ({id_list(gone)}) AND {limits} AND record.sensitivity <= ?
        ORDER BY coalesce(record.due_at, record.event_at) IS NULL, coalesce(record.due_at, record.event_at),
                 entry.entry_id, record.ordinal
        LIMIT {_MOST + len(entries)}
        """,  # noqa: S608 - our own conditions
        *values,
        *limit_values,
        int(visible.ceiling),
    )
    origins = {
        row[0]: Origin(row[1], EntryKind(row[2]), row[3], row[4])
        for row in rows
        if row[1] not in entries or _holds(entries[row[1]], visible)
    }
    return [(one, origins[one.record_id]) for one in records.records_with(reader, list(origins))]


def _limits(visible: VisibilityFilter, otherwise: Iterable[int]) -> tuple[str, list[object]]:
    """The filter as a condition on `entry`, before anything is read (G4.3).

    Args:
        otherwise: entries that may hold for this viewer though they do not for the owner, or the other way round.
    """
    condition, values = entry_limits(visible)
    conditions = ["entry.is_current = 1", condition]
    if not visible.include_stale:
        conditions.append(f"(entry.stale_reason IS NULL OR entry.entry_id IN ({id_list(otherwise)}))")
    return " AND ".join(conditions), values
