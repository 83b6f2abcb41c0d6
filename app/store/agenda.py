"""Exact questions of time, from structure (G3.2): what happens, and what is due, in a span."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.labels import EntryKind, Status
from app.store.reading import people_of
from app.store.rows import instant

if TYPE_CHECKING:
    from datetime import date, datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row

_ENTRY = "entry.entry_id, source_uri, scope, acl, sensitivity, entry.source_id, entry.native_id"

_TASKS = f"SELECT task.title, due_at, task.status, {_ENTRY} FROM task JOIN entry USING (entry_id)"  # noqa: S608


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
    limits, values = _limits(visible)
    due = reader.rows(
        f"{_TASKS} WHERE due_at >= ? AND due_at < ? AND {limits}", to_ixdtf(start), to_ixdtf(end), *values
    )
    rows = [_occurrence(reader, row, visible) for row in _occurrences_in(reader, start, end, visible)]
    rows += [_task(reader, row, visible) for row in due]
    return sorted(rows, key=lambda row: _order(row, start))


def _occurrences_in(reader: Reader, start: datetime, end: datetime, visible: VisibilityFilter) -> list[Row]:
    limits, values = _limits(visible)
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


def _limits(visible: VisibilityFilter) -> tuple[str, list[object]]:
    """The filter as a condition on `entry`, before anything is read (G4.3)."""
    conditions = ["is_current = 1", "stale_reason IS NULL", "sensitivity <= ?"]
    values: list[object] = [int(visible.ceiling)]
    for column, allowed in (("scope", visible.scopes), ("acl", visible.acls)):
        if allowed is not None:
            conditions.append(f"{column} IN ({', '.join('?' * len(allowed))})")
            values += sorted(allowed)
    return " AND ".join(conditions), values


def _occurrence(reader: Reader, row: Row, visible: VisibilityFilter) -> AgendaRow:
    title, start, end, is_all_day, is_canceled, location, status = row[:7]
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


def _task(reader: Reader, row: Row, visible: VisibilityFilter) -> AgendaRow:
    title, due, status = row[:3]
    return AgendaRow(
        kind=EntryKind.TASK,
        entry_id=row[3],
        title=title,
        start=instant(due),
        end=instant(due),
        is_all_day=False,
        is_canceled=status == Status.CANCELED.value,
        location="",
        status=Status(status),
        source_uri=row[4],
        scope=row[5],
        people=tuple(name for name, _ in people_of(reader, row[3], is_owner=visible.is_unrestricted) if name),
    )


def _order(row: AgendaRow, span_start: datetime) -> tuple[date, bool, datetime, str]:
    start = row.start or span_start
    day = start.date() if row.is_all_day else start.astimezone(span_start.tzinfo).date()
    return day, not row.is_all_day, start, row.title
