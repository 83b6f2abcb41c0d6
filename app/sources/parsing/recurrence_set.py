"""All that happens of one series inside a window: its rules, its extra dates, what is left out and what was changed.

RFC 5545, 3.8.4.4 and 3.8.5. A rule that cannot be used costs what it would yield, and not the event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.entries import Occurrence
from app.domain.errors import BadInput
from app.sources.ics.rule_instances import stream
from app.sources.parsing.blocks import one_line
from app.sources.parsing.calendar_times import end_of, is_whole_day, moment
from app.sources.parsing.recurrence_clock import WallClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from icalendar import Component

_DAY = timedelta(days=1)
_MOST_RULES = 20


@dataclass(frozen=True, slots=True)
class Series:
    """All components of one UID: the master, if the file has it, and the changed occurrences.

    Attributes:
        zone: for floating times and whole days.
        is_canceled: whether the calendar as a whole says that its events are off (METHOD:CANCEL).
    """

    master: Component | None
    changed: tuple[Component, ...]
    zone: tzinfo
    is_canceled: bool = False

    @property
    def first(self) -> Component:
        """The component that stands for the series."""
        return self.master if self.master is not None else self.changed[0]

    @property
    def components(self) -> list[Component]:
        """All of them, the master first."""
        return [*([self.master] if self.master is not None else []), *self.changed]

    @property
    def is_recurring(self) -> bool:
        """Whether it may happen more than once."""
        return self.master is not None and any(name in self.master for name in ("RRULE", "RDATE"))


class OutOfSteps(Exception):
    """A rule takes more steps than it may."""


@dataclass(slots=True)
class Steps:
    """How many more steps may be taken."""

    left: int

    def take(self) -> None:
        """Count one; raises `OutOfSteps`."""
        self.left -= 1
        if self.left < 0:
            raise OutOfSteps


@dataclass(slots=True)
class Happenings:
    """Wall-clock times of a series, each with an end of its own or None.

    Attributes:
        goes_on: more follows after the window. is_partial: a rule could not be used.
    """

    walls: dict[datetime, datetime | None] = field(default_factory=dict)
    goes_on: bool = False
    is_partial: bool = False


class Unfolding:
    """One recurring series, unfolded inside a window (start, end)."""

    def __init__(self, series: Series, start: datetime, window: tuple[datetime, datetime], steps: Steps) -> None:
        self._series = series
        self._clock = WallClock(series.first, start, series.zone)
        self._window = window
        self._steps = steps
        wall = self._clock.wall
        # A day's margin, so that no zone's offset matters
        self._since = (wall(window[0]) or datetime.min) - self._clock.length - _DAY  # noqa: DTZ901 - on a wall clock
        self._until = (wall(window[1]) or datetime.max - _DAY) + _DAY  # noqa: DTZ901 - on a wall clock
        self._words = _Words(series.first, series)

    def occurrences(self) -> tuple[list[Occurrence], Happenings]:
        """What happens inside the window; raises `OutOfSteps`."""
        found = self.happenings()
        singles, ranges = self._changes()
        result = [self._as_changed(wall, ranges, end) for wall, end in found.walls.items() if wall not in singles]
        result += [own_occurrence(component, self._series, self._words) for component in singles.values()]
        result += [
            own_occurrence(component, self._series, self._words)
            for wall, component in ranges
            if wall not in found.walls and wall not in singles
        ]
        return [one for one in result if one is not None and self._is_inside(one)], found

    def happenings(self) -> Happenings:
        """All times without what is left out; changed ones are under the time that they had. Raises `OutOfSteps`."""
        found = Happenings()
        component = self._series.first
        if self._clock.start < self._until:
            found.walls[self._clock.start] = None
        for text in rules_of(component, "RRULE"):
            found.walls |= dict.fromkeys(self._of_rule(text, found))
        for wall, value in self._clock.listed(component, "RDATE"):
            found.goes_on |= wall >= self._until
            if self._since <= wall < self._until:
                found.walls[wall] = self._clock.period_end(value)
        for wall in self._left_out(found):
            found.walls.pop(wall, None)
        return found

    def left_open(self) -> datetime | None:
        """The first time that is not among the changed ones; None when there is none. Raises `OutOfSteps`."""
        singles, _ = self._changes()
        open_walls = sorted(wall for wall in self.happenings().walls if wall not in singles)
        return self._clock.instant(open_walls[0]) if open_walls else None

    def _of_rule(self, text: str, found: Happenings) -> Iterator[datetime]:
        """The times of one rule, up to the end of the window."""
        try:
            for wall in stream(self._clock.rule(text), self._clock.start, self._since):
                self._steps.take()
                if wall is not None and wall >= self._until:
                    found.goes_on = True
                    return
                if wall is not None and wall >= self._since:
                    yield wall
        except BadInput:
            found.is_partial = True

    def _left_out(self, found: Happenings) -> set[datetime]:
        """What EXDATE and EXRULE take away; a date without a time takes away all of its day."""
        component = self._series.first
        out: set[datetime] = set()
        days = set()
        for wall, value in self._clock.listed(component, "EXDATE"):
            if isinstance(value, datetime):
                out.add(wall)
                # one that floats is meant on the clock of the event, whatever the calendar's zone is
                if value.tzinfo is self._series.zone:
                    out.add(value.replace(tzinfo=None))
            else:
                days.add(wall.date())
        if days:
            out.update(wall for wall in found.walls if wall.date() in days)
        for text in rules_of(component, "EXRULE"):
            out.update(self._of_rule(text, Happenings()))
        return out

    def _changes(self) -> tuple[dict[datetime, Component], list[tuple[datetime, Component]]]:
        """Changed happenings by the time that they had; and those that hold for all later ones too, in order."""
        singles: dict[datetime, Component] = {}
        ranges: dict[datetime, Component] = {}
        for component in sorted(self._series.changed, key=sequence_of):
            value = component.get("RECURRENCE-ID")
            wall = self._clock.wall(getattr(value, "dt", None))
            if wall is None:
                continue
            is_range = "THISANDFUTURE" in str(getattr(value, "params", {}).get("RANGE", "")).upper()
            (ranges if is_range else singles)[wall] = component
        return singles, sorted(ranges.items())

    def _as_it_is(self, wall: datetime, own_end: datetime | None) -> Occurrence | None:
        start = self._clock.instant(wall)
        if start is None:
            return None
        return self._words.occurrence(start, own_end or self._clock.end(wall, start), is_all_day=self._clock.is_day)

    def _as_changed(
        self, wall: datetime, ranges: list[tuple[datetime, Component]], own_end: datetime | None
    ) -> Occurrence | None:
        """As the last change before it says, moved as far as that one was."""
        change = next(((at, component) for at, component in reversed(ranges) if at <= wall), None)
        if change is None:
            return self._as_it_is(wall, own_end)
        at, component = change
        begun = moment(component, "DTSTART", self._series.zone)
        if begun is None:
            return self._as_it_is(wall, own_end)
        clock = WallClock(component, begun, self._series.zone)
        moved = wall + (clock.start - at)
        start = clock.instant(moved)
        if start is None:
            return None
        words = _Words(component, self._series)
        return words.occurrence(start, clock.end(moved, start), is_all_day=clock.is_day)

    def _is_inside(self, one: Occurrence) -> bool:
        start, end = one.start.astimezone(UTC), one.end.astimezone(UTC)
        first, last = (edge.astimezone(UTC) for edge in self._window)
        return start < last and (end > first or start >= first)


class _Words:
    """What a component says of its happenings, beside the times: read once for all of them."""

    def __init__(self, component: Component, series: Series) -> None:
        first = series.first
        self._is_canceled = series.is_canceled or is_canceled(component) or is_canceled(first)
        self._title = self._location = None
        if component is not first:
            self._title = _other(component, first, "SUMMARY")
            self._location = _other(component, first, "LOCATION")

    def occurrence(self, start: datetime, end: datetime | None, *, is_all_day: bool) -> Occurrence:
        """One happening."""
        return Occurrence(
            start=start,
            end=end if end is not None and end.astimezone(UTC) >= start.astimezone(UTC) else start,
            is_all_day=is_all_day,
            is_canceled=self._is_canceled,
            title=self._title,
            location=self._location,
        )


def own_occurrence(component: Component, series: Series, of_first: _Words | None = None) -> Occurrence | None:
    """The happening that a component itself describes; None when it has no time that makes sense."""
    start = moment(component, "DTSTART", series.zone)
    if start is None:
        return None
    is_all_day = is_whole_day(component)
    words = of_first if of_first is not None and component is series.first else _Words(component, series)
    return words.occurrence(start, end_of(component, start, series.zone, is_all_day=is_all_day), is_all_day=is_all_day)


def is_canceled(component: Component) -> bool:
    """Whether a component says that it is off."""
    return str(component.get("STATUS", "")).strip().upper() in ("CANCELLED", "CANCELED")


def sequence_of(component: Component) -> int:
    """How often it was revised."""
    try:
        return int(str(component.get("SEQUENCE", 0)))
    except ValueError:
        return 0


def _other(component: Component, first: Component, name: str) -> str | None:
    """What a changed happening says, where it is something else than the series."""
    text = one_line(str(component.get(name, "")))
    return text if text and text != one_line(str(first.get(name, ""))) else None


def rules_of(component: Component, name: str) -> list[str]:
    """The rules of a component as they are written."""
    found = component.get(name)
    texts = [one.to_ical() for one in (found if isinstance(found, list) else [found]) if hasattr(one, "to_ical")]
    return [text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text) for text in texts][:_MOST_RULES]
