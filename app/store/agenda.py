"""Exact questions of time, from structure (G3.2): what happens, and what is due, in a span."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time, timedelta
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.labels import EntryKind, Status
from app.domain.records import Subject
from app.store.histories import column, contested, state
from app.store.limits import entry_limits, id_list
from app.store.reading import people_of
from app.store.rows import instant

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row

_ENTRY = "entry.entry_id, source_uri, scope, acl, sensitivity, entry.source_id, entry.native_id"

_TASKS = f"SELECT task.title, due_at, task.status, {_ENTRY} FROM task JOIN entry USING (entry_id)"  # noqa: S608


@dataclass(frozen=True, slots=True)
class _Otherwise:
    """Entries and to-dos that stand otherwise for this viewer: the columns that were ever changed."""

    entries: Mapping[int, Mapping[str, object]]
    tasks: Mapping[int, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class AgendaRow:
    """An occurrence of an event, or a task with a due time (`start` and `end` are then both the due time, or None)."""

    kind: EntryKind
    entry_id: int
    title: str
    start: datetime | None
    end: datetime | None
    is_all_day: bool
    is_canceled: bool
    location: str
    status: Status | None
    source_uri: str
    scope: str
    people: tuple[str, ...]


def agenda(reader: Reader, start: datetime, end: datetime, visible: VisibilityFilter) -> list[AgendaRow]:
    """Occurrences that touch the span [start, end), and tasks due in it; by time, all-day ones first in their day.

    All-day occurrences float: they are on their calendar day wherever the viewer is, so they are compared by the days
    of the span in its own zone. Canceled occurrences are given too, and labelled; what is no longer valid (G4.4),
    an older version among it, is not given.
    """
    otherwise = _Otherwise(
        {row: state(steps) for row, steps in contested(reader, Subject.ENTRY, visible).items()},
        {row: state(steps) for row, steps in contested(reader, Subject.TASK, visible).items()},
    )
    rows = [
        _occurrence(reader, row, visible, otherwise)
        for row in _occurrences_in(reader, start, end, visible, otherwise)
        if _holds(row[7], otherwise)
    ]
    rows += [
        one
        for row in _tasks_in(reader, start, end, visible, otherwise)
        if _holds(row[3], otherwise)
        and (one := _task(reader, row, visible, otherwise)).start is not None
        and start <= one.start < end
    ]
    return sorted(rows, key=lambda row: _order(row, start))


def _holds(entry_id: int, otherwise: _Otherwise) -> bool:
    return otherwise.entries.get(entry_id, {}).get("stale_reason") is None


def _tasks_in(
    reader: Reader, start: datetime, end: datetime, visible: VisibilityFilter, otherwise: _Otherwise
) -> list[Row]:
    limits, values = _limits(visible, otherwise)
    return reader.rows(
        f"{_TASKS} WHERE (due_at >= ? AND due_at < ? OR entry.entry_id IN ({id_list(otherwise.tasks)})) AND {limits}"
        " ORDER BY entry.entry_id",
        to_ixdtf(start),
        to_ixdtf(end),
        *values,
    )


def _occurrences_in(
    reader: Reader, start: datetime, end: datetime, visible: VisibilityFilter, otherwise: _Otherwise
) -> list[Row]:
    limits, values = _limits(visible, otherwise)
    first, last = _days(start, end)
    # the second half of each condition finds what has no length
    return reader.rows(
        f"""
        SELECT coalesce(occurrence.title, entry.title), start_at, end_at, is_all_day, is_canceled,
               coalesce(occurrence.location, event.location), status, {_ENTRY}
        FROM occurrence JOIN entry USING (entry_id) JOIN event USING (entry_id)
        WHERE ((is_all_day = 0 AND start_at < ?1 AND (end_at > ?2 OR start_at >= ?2))
               OR (is_all_day = 1 AND first_day <= ?3 AND (end_day > ?4 OR first_day >= ?4)))
              AND {limits}
        ORDER BY entry.entry_id, start_at, occurrence_id
        """,  # noqa: S608 - our own column names
        to_ixdtf(end),
        to_ixdtf(start),
        last.isoformat(),
        first.isoformat(),
        *values,
    )


def _days(start: datetime, end: datetime) -> tuple[date, date]:
    """The first and the last calendar day that the span [start, end) touches, in its own zone."""
    return start.date(), max(start.date(), (end - timedelta(microseconds=1)).date())


def _limits(visible: VisibilityFilter, otherwise: _Otherwise) -> tuple[str, list[object]]:
    """What holds, within the filter, before anything is read (G4.3); and what may hold for this viewer alone."""
    condition, values = entry_limits(visible)
    holds = f"(entry.stale_reason IS NULL OR entry.entry_id IN ({id_list(otherwise.entries)}))"
    return f"is_current = 1 AND {holds} AND {condition}", values


def _occurrence(reader: Reader, row: Row, visible: VisibilityFilter, otherwise: _Otherwise) -> AgendaRow:
    title, start, end, is_all_day, is_canceled, location, status = row[:7]
    status = column(otherwise.entries.get(row[7], {}), "status", status)
    return AgendaRow(
        kind=EntryKind.EVENT,
        entry_id=row[7],
        title=title,
        start=from_ixdtf(start),
        end=from_ixdtf(end),
        is_all_day=bool(is_all_day),
        is_canceled=bool(is_canceled),
        location=location,
        status=None if status is None else Status(status),
        source_uri=row[8],
        scope=row[9],
        people=tuple(name for name, _ in people_of(reader, row[7], is_owner=visible.is_unrestricted) if name),
    )


def _task(reader: Reader, row: Row, visible: VisibilityFilter, otherwise: _Otherwise) -> AgendaRow:
    title, due, status = row[:3]
    as_seen = otherwise.tasks.get(row[3], {})
    due, status = instant(column(as_seen, "due_at", due)), column(as_seen, "status", status)
    return AgendaRow(
        kind=EntryKind.TASK,
        entry_id=row[3],
        title=title,
        start=due,
        end=due,
        is_all_day=due is not None and due.time() == time.min,  # a list that names a day alone
        is_canceled=status == Status.CANCELED.value,
        location="",
        status=None if status is None else Status(status),
        source_uri=row[4],
        scope=row[5],
        people=tuple(name for name, _ in people_of(reader, row[3], is_owner=visible.is_unrestricted) if name),
    )


def _order(row: AgendaRow, span_start: datetime) -> tuple[date, bool, datetime, str, int]:
    start = row.start or span_start
    day = start.date() if row.is_all_day else start.astimezone(span_start.tzinfo).date()
    return day, not row.is_all_day, start, row.title, row.entry_id
