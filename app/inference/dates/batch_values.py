"""Dates of a labelled row, as a batch prints them: wall-clock values in the row's own zone, every candidate."""

from __future__ import annotations

from datetime import UTC, datetime, time, tzinfo
from typing import TYPE_CHECKING, Any

from app.domain.readings import DateKind, Grain
from app.inference.dates.calendar import wall_clock
from app.inference.dates.moments import Moment, instant, ranked
from app.inference.dates.reader import find_dates
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Mapping

_WHOLE_DAYS = frozenset({
    Grain.DAY, Grain.WEEKEND, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF_YEAR, Grain.SEASON, Grain.YEAR,
    Grain.DECADE, Grain.CENTURY,
})  # fmt: skip
_LAST_SECOND = time(23, 59, 59)


def result(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row {id, text, ref, lang?} as {id, values: [{start, end}]}.

    Values of days are dates, those of minutes datetimes without an offset, in the zone of `ref`; a time of day without
    a day is a time. `end` is exclusive, and None for a point. Durations and recurrences have no values.

    Raises:
        ValueError: `ref` is no ISO time.
        KeyError: the row has no text.
    """
    said = datetime.fromisoformat(row["ref"]) if row.get("ref") else clock.now()
    zone = said.tzinfo
    reference = said if zone is not None else said.replace(tzinfo=UTC)
    values: list[dict[str, str | None]] = []
    for found in find_dates(str(row["text"]), reference, row.get("lang")):
        if found.kind in {DateKind.POINT, DateKind.RANGE}:
            values += [_value(moment, zone) for moment in ranked(found.moments)]
    return {"id": row["id"], "values": values}


def _value(moment: Moment, zone: tzinfo | None) -> dict[str, str | None]:
    """A moment as texts; a row whose reference has no zone keeps every time as it is said."""
    start, end = _said(moment.start, moment, zone), _said(moment.end, moment, zone)
    if moment.is_time_only:
        return {"start": _time(start), "end": _time(end, is_end=True) if start is None or _is_range(moment) else None}
    if moment.grain in _WHOLE_DAYS and _is_midnight(start) and _is_midnight(end):
        return {"start": _day(start), "end": _day(end)}
    return {"start": None if start is None else start.isoformat(), "end": None if end is None else end.isoformat()}


def _said(wall: datetime | None, moment: Moment, zone: tzinfo | None) -> datetime | None:
    if wall is None or zone is None:
        return wall
    return wall_clock(instant(wall, moment.zone, zone))


def _is_range(moment: Moment) -> bool:
    return moment.start is not None and moment.end is not None


def _is_midnight(wall: datetime | None) -> bool:
    return wall is None or wall.time() == time.min


def _day(wall: datetime | None) -> str | None:
    return None if wall is None else wall.date().isoformat()


def _time(wall: datetime | None, *, is_end: bool = False) -> str | None:
    if wall is None:
        return None
    return (_LAST_SECOND if is_end and _is_midnight(wall) else wall.time()).isoformat("seconds")
