"""The wall clock of a series: what its rules count in, what its exceptions are told apart by (RFC 5545, 3.8.5).

A weekly event at nine stays at nine when the clocks change. So a happening is known by its wall-clock time in the zone
of the series' start; a whole day by its midnight.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from app.sources.ics.rule import read_rule
from app.sources.parsing.calendar_times import as_instant, end_of, is_whole_day
from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from icalendar import Component

    from app.sources.ics.rule import Rule

_UNTIL_IN_UTC = re.compile(r"UNTIL=(\d{8}T\d{6})Z", re.IGNORECASE | re.ASCII)
_DAY = timedelta(days=1)
_EDGES_OF_A_DAY = ("T000000", "T235959")


class WallClock:
    """The clock of one component with a start.

    Args:
        zone: the calendar's own, for whole days and for times that float.
    """

    def __init__(self, component: Component, start: datetime, zone: tzinfo) -> None:
        self.is_day = is_whole_day(component)
        self._zone = zone
        self._own = zone if self.is_day or start.tzinfo is None else start.tzinfo
        self.start = start.astimezone(self._own).replace(tzinfo=None)
        end = end_of(component, start, zone, is_all_day=self.is_day)
        self._end_zone = end.tzinfo or self._own
        if self.is_day:
            self.length = max(_DAY, end.astimezone(zone).replace(tzinfo=None) - self.start)
        else:
            self.length = end.astimezone(UTC) - start.astimezone(UTC)

    def wall(self, value: object) -> datetime | None:
        """A date or time on this clock; None for one that makes no sense."""
        if isinstance(value, datetime):
            aware = storable(value, self._own)
            if aware is None:
                return None
            wall = _day_meant(value, aware, self._zone) if self.is_day else aware.astimezone(self._own)
            return wall.replace(tzinfo=None)
        return datetime.combine(value, time.min) if isinstance(value, date) else None

    def instant(self, wall: datetime) -> datetime | None:
        """What the wall clock shows, as an aware time; a time that is skipped in spring is the one before it, later."""
        return storable(wall.replace(tzinfo=self._own), self._own)

    def end(self, wall: datetime, instant: datetime) -> datetime | None:
        """When what begins then ends."""
        try:
            if self.is_day:
                return self.instant(wall + self.length)
            return storable((instant.astimezone(UTC) + self.length).astimezone(self._end_zone), self._own)
        except OverflowError:
            return None

    def rule(self, text: str) -> Rule:
        """A rule with its last moment on this clock; raises `BadInput` for one that cannot be used."""
        return read_rule(_UNTIL_IN_UTC.sub(self._until, text))

    def _until(self, match: re.Match[str]) -> str:
        try:
            until = datetime.strptime(match[1].upper(), "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
        except ValueError:
            return match[0]
        if not self.is_day:
            return f"UNTIL={until.astimezone(self._own):%Y%m%dT%H%M%S}"
        # Some mean the day that they write, others the instant at which it begins here
        is_written = match[1].upper().endswith(_EDGES_OF_A_DAY)
        return f"UNTIL={until if is_written else until.astimezone(self._zone):%Y%m%d}"

    def listed(self, component: Component, name: str) -> Iterator[tuple[datetime, Any]]:
        """The times of EXDATE or RDATE on this clock, each with its value as it was written."""
        found = component.get(name)
        for values in found if isinstance(found, list) else [found]:
            for one in getattr(values, "dts", ()):
                value = one.dt
                start = value[0] if isinstance(value, tuple) else value
                if (wall := self.wall(start)) is not None:
                    yield wall, value

    def period_end(self, value: Any) -> datetime | None:  # noqa: ANN401 - the library's values
        """The end of its own that a date of RDATE has; None where it lasts as long as the others."""
        if not isinstance(value, tuple):
            return None
        start, end = as_instant(value[0], self._own), value[1]
        if isinstance(end, timedelta) and start is not None:
            return storable(start + end, self._own)
        return as_instant(end, self._own)


def _day_meant(value: datetime, aware: datetime, zone: tzinfo) -> datetime:
    """The day of a time that stands where a date belongs: as written, or of an instant the day here."""
    is_instant = value.utcoffset() == timedelta(0) and value.time() != time.min
    return datetime.combine((aware.astimezone(zone) if is_instant else value).date(), time.min)
