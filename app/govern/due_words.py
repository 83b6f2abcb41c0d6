"""When a to-do is due that says so in words: "pay the rent by Friday", 周五前交房租 (G2.4).

A list of to-dos is structure, and no records are read out of its text; but its own words may hold the day that its form
has no place for. Only a deadline that is certain counts, seen from the day on which the task was written. A task that
has a due date keeps it, and one that is done needs none.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from app.domain.labels import EntryKind, Status
from app.domain.readings import DateKind, Grain
from app.inference.dates.reader import read_dates

if TYPE_CHECKING:
    from app.domain.entries import Entry
    from app.domain.readings import DateReading

_CLOCK = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR})
_VAGUE = frozenset({Grain.QUARTER, Grain.HALF_YEAR, Grain.SEASON, Grain.YEAR, Grain.DECADE, Grain.CENTURY})
_LONGEST = 400
_FURTHEST = timedelta(days=400)


def with_due(entry: Entry) -> Entry:
    """The entry, with a due date where it is an open to-do whose words say one; a day is its first instant."""
    task = entry.task
    if entry.kind is not EntryKind.TASK or task is None or task.due_at is not None or task.status is not Status.ACTIVE:
        return entry
    written_at = entry.created_at
    found = [
        due for one in read_dates(entry.title[:_LONGEST], written_at) if (due := _due(one, written_at)) is not None
    ]
    if len(found) != 1:
        return entry
    return replace(entry, event_time=found[0], task=replace(task, due_at=found[0]))


def _due(reading: DateReading, written_at: datetime) -> datetime | None:
    moment = reading.deadline
    is_told = reading.is_deadline and reading.is_certain and reading.kind in {DateKind.POINT, DateKind.RANGE}
    if moment is None or not is_told or reading.candidates[0].is_time_only or reading.candidates[0].grain in _VAGUE:
        return None
    if reading.candidates[0].grain not in _CLOCK:
        # the end is exclusive: what is due by Friday ends with the night after it, and is due on Friday
        moment = datetime.combine((moment - timedelta(microseconds=1)).date(), time.min, moment.tzinfo)
    return moment if written_at.date() <= moment.date() and moment <= written_at + _FURTHEST else None
