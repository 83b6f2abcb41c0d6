"""When a recurring event happens: every occurrence inside a window, within bounds of time and number.

A rule such as "every second since 1970" is legal. What a rule costs is estimated before it is expanded, and one that
costs too much is kept as its first occurrence, with a warning.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import icalendar
import recurring_ical_events
from icalendar.prop import vDDDTypes

from app.domain.entries import Occurrence
from app.sources.parsing.blocks import one_line
from app.sources.parsing.calendar_text import CALENDAR_FAULTS
from app.sources.parsing.calendar_times import as_instant, end_of, is_whole_day, moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from icalendar import Component

_PERIOD_S = {
    "SECONDLY": 1,
    "MINUTELY": 60,
    "HOURLY": 3600,
    "DAILY": 86_400,
    "WEEKLY": 604_800,
    "MONTHLY": 2_629_800,
    "YEARLY": 31_557_600,
}
# Measured: a year costs as much as ten days, whatever it yields; a weekday comes back every week
_WINDABLE = frozenset(("DAILY", "WEEKLY", "YEARLY"))
_STEPS = {"YEARLY": 10, "MONTHLY": 4}
_WEEKS = {"YEARLY": 53, "MONTHLY": 5}
_MAX_STEPS = 20_000
# All rules of one file together; a step takes about 10 to 50 microseconds
_MAX_FILE_STEPS = 60_000
_NARROW = timedelta(days=3 * 366)


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


@dataclass(frozen=True, slots=True)
class Expansion:
    """Occurrences in order. `is_cut`: more follow after the window; `is_partial`: some inside it were left out."""

    occurrences: tuple[Occurrence, ...]
    is_cut: bool = False
    is_partial: bool = False


class Expander:
    """Expands the series of one file within a budget.

    Args:
        window: start and end.
        limit: occurrences of one series at most.
    """

    def __init__(self, window: tuple[datetime, datetime], limit: int, series: Sequence[Series]) -> None:
        self._limit = limit
        steps = sum(_steps(one, window) for one in series if one.is_recurring)
        self.is_narrowed = steps > _MAX_FILE_STEPS
        start = max(window[0], window[1] - _NARROW) if self.is_narrowed else window[0]
        self._window = (start, window[1])
        self._left = 2 * _MAX_FILE_STEPS

    def expand(self, series: Series) -> Expansion:
        """Every occurrence inside the window; a single event's own, wherever it is."""
        if not series.is_recurring:
            return Expansion(tuple(_in_order(_own(component, series) for component in series.components)))
        steps = _steps(series, self._window)
        if steps > min(_MAX_STEPS, self._left):
            return Expansion(tuple(_in_order([_own(series.first, series)])), is_partial=True)
        self._left -= steps
        try:
            found = _in_order(_occurrences(series, self._window))
        except CALENDAR_FAULTS:
            return Expansion(tuple(_in_order([_own(series.first, series)])), is_partial=True)
        return Expansion(
            tuple(self._nearest(found)),
            is_cut=_goes_on(series, len(found), self._window),
            is_partial=len(found) > self._limit,
        )

    def _nearest(self, found: list[Occurrence]) -> list[Occurrence]:
        """As many as are allowed: those of this year and later first, then the ones before."""
        if len(found) <= self._limit:
            return found
        this_year = self._window[1].replace(year=self._window[1].year - 3, day=1).astimezone(UTC)
        first = next((index for index, one in enumerate(found) if one.start.astimezone(UTC) >= this_year), 0)
        first = min(first, len(found) - self._limit)
        return found[first : first + self._limit]


def _in_order(found: Iterator[Occurrence | None] | list[Occurrence | None]) -> list[Occurrence]:
    unique = {(one.start, one.end, one.title): one for one in found if one is not None}
    return sorted(unique.values(), key=lambda one: one.start.astimezone(UTC))


def _own(component: Component, series: Series) -> Occurrence | None:
    """The occurrence that a component itself describes; None when it has no time that makes sense."""
    start = moment(component, "DTSTART", series.zone)
    if start is None:
        return None
    is_all_day = is_whole_day(component)
    end = end_of(component, start, series.zone, is_all_day=is_all_day)
    return _occurrence(component, series, start, end, is_all_day=is_all_day)


def _occurrence(
    component: Component, series: Series, start: datetime, end: datetime, *, is_all_day: bool
) -> Occurrence:
    first = series.first
    title, location = (one_line(str(component.get(name, ""))) for name in ("SUMMARY", "LOCATION"))
    return Occurrence(
        start=start,
        end=end,
        is_all_day=is_all_day,
        is_canceled=series.is_canceled or is_canceled(component) or is_canceled(first),
        title=title if title and title != one_line(str(first.get("SUMMARY", ""))) else None,
        location=location if location and location != one_line(str(first.get("LOCATION", ""))) else None,
    )


def is_canceled(component: Component) -> bool:
    """Whether a component says that it is off."""
    return str(component.get("STATUS", "")).strip().upper() in ("CANCELLED", "CANCELED")


def _occurrences(series: Series, window: tuple[datetime, datetime]) -> Iterator[Occurrence | None]:
    calendar = icalendar.Calendar()
    calendar.add_component(_wound_forward(series, window[0]))
    for component in series.changed:
        calendar.add_component(component)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        query = recurring_ical_events.of(calendar)
        own_starts = _starts_of_their_own(series)
        for group in query.series:
            for happening in group.between(*window):
                is_plain = own_starts is not None and as_instant(happening.start, series.zone) not in own_starts
                component = series.first if is_plain else happening.as_component(keep_recurrence_attributes=False)
                yield _from_library(happening, component, series)


def _starts_of_their_own(series: Series) -> frozenset[datetime | None] | None:
    """When the changed occurrences begin: all others say what the master says, which saves most of the work.

    None when a change holds for all later ones too, so that every occurrence has to be asked.
    """
    if any("RANGE" in getattr(component.get("RECURRENCE-ID"), "params", {}) for component in series.changed):
        return None
    return frozenset(moment(component, "DTSTART", series.zone) for component in series.changed)


def _wound_forward(series: Series, instant: datetime) -> Component:
    """The master as if it had begun shortly before an instant, where its rule is the same from there on.

    The library steps from the beginning of a series: for what happens daily since 1990 that is far too much.
    """
    skip = _skippable(series, instant)
    if skip is None:
        return series.first
    wound = series.first.copy()
    for name in ("DTSTART", "DTEND"):
        value: Any = wound.get(name)
        if value is not None:
            wound[name] = vDDDTypes(value.dt + skip)
    return wound


def _skippable(series: Series, instant: datetime) -> timedelta | None:
    """How far a series can be wound forward: whole turns of its only rule, which counts nothing."""
    rules = _rules(series)
    start = moment(series.first, "DTSTART", series.zone)
    if len(rules) != 1 or start is None or "COUNT" in rules[0] or _frequency(rules[0]) not in _WINDABLE:
        return None
    if _frequency(rules[0]) == "YEARLY":
        return _skippable_years(start, instant, rules[0])
    turn = timedelta(seconds=_interval_s(rules[0]))
    end = end_of(series.first, start, series.zone, is_all_day=is_whole_day(series.first))
    spare = instant.astimezone(UTC) - start.astimezone(UTC) - (end.astimezone(UTC) - start.astimezone(UTC)) - 2 * turn
    turns = spare // turn
    return turns * turn if turns > 0 else None


def _skippable_years(start: datetime, instant: datetime, rule: Any) -> timedelta | None:  # noqa: ANN401
    interval = max(1, int((rule.get("INTERVAL") or [1])[0]))
    years = (instant.year - start.year - 3) // interval * interval
    if years <= 0 or (start.month, start.day) == (2, 29):
        return None
    wall = start.replace(tzinfo=None)
    return wall.replace(year=wall.year + years) - wall


def _from_library(happening: Any, component: Component, series: Series) -> Occurrence | None:  # noqa: ANN401
    start, end = as_instant(happening.start, series.zone), as_instant(happening.end, series.zone)
    if start is None:
        return None
    is_all_day = not isinstance(happening.start, datetime)
    end = end if end is not None and end.astimezone(UTC) >= start.astimezone(UTC) else start
    return _occurrence(component, series, start, end, is_all_day=is_all_day)


def _rules(series: Series) -> list[Any]:
    rules = series.first.get("RRULE", [])
    return rules if isinstance(rules, list) else [rules]


def _steps(series: Series, window: tuple[datetime, datetime]) -> int:
    """How many steps the library takes at most to expand a series inside a window."""
    start = moment(series.first, "DTSTART", series.zone)
    if start is None:
        return 0
    start += _skippable(series, window[0]) or timedelta()
    total = 0
    for rule in _rules(series):
        until = min([window[1], *_untils(rule, series.zone)], key=lambda one: one.astimezone(UTC))
        span_s = max(0.0, (until.astimezone(UTC) - start.astimezone(UTC)).total_seconds())
        total += int(span_s / _interval_s(rule) * _cost(rule)) + 1
    return total


def _interval_s(rule: Any) -> float:  # noqa: ANN401 - the library's rule
    interval = int((rule.get("INTERVAL") or [1])[0])
    return float(_PERIOD_S.get(_frequency(rule), 1) * max(1, interval))


def _cost(rule: Any) -> float:  # noqa: ANN401 - the library's rule
    """The steps in one period: those that it takes at any rate, and those for what it yields."""
    times = days = 1
    for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
        times *= max(1, len(rule.get(name, [])))
    for name in ("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYDAY"):
        days *= max(1, len(rule.get(name, [])))
    if rule.get("BYDAY"):
        days *= _WEEKS.get(_frequency(rule), 1)
    return max(_STEPS.get(_frequency(rule), 1), days * times)


def _frequency(rule: Any) -> str:  # noqa: ANN401 - the library's rule
    return str((rule.get("FREQ") or ["DAILY"])[0]).upper()


def _untils(rule: Any, zone: tzinfo) -> list[datetime]:  # noqa: ANN401 - the library's rule
    found = (as_instant(getattr(value, "dt", value), zone) for value in rule.get("UNTIL", []))
    return [instant for instant in found if instant is not None]


def _goes_on(series: Series, count: int, window: tuple[datetime, datetime]) -> bool:
    """Whether more occurrences follow after the window; when in doubt, yes."""
    for rule in _rules(series):
        if any(until.astimezone(UTC) <= window[1].astimezone(UTC) for until in _untils(rule, series.zone)):
            continue
        limit = rule.get("COUNT")
        left_out = len(series.first.get("EXDATE", [])) if "EXDATE" in series.first else 0
        start = moment(series.first, "DTSTART", series.zone)
        if limit and start is not None and start >= window[0] and count + left_out >= int(limit[0]):
            continue
        return True
    return False
