"""When a recurring event happens: every occurrence inside a window, within bounds of time and number.

A rule such as "every second since 1970" is legal. The steps that rules take are counted, and one that takes too many is
kept as its first occurrence, with a warning; of a file with very many recurring events fewer years are taken in.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.runtime import clock
from app.sources.ics.rule import Frequency, read_rule
from app.sources.parsing.calendar_text import CALENDAR_FAULTS
from app.sources.parsing.calendar_times import moment
from app.sources.parsing.recurrence_set import (
    OutOfSteps,
    Series,
    Steps,
    Unfolding,
    is_canceled,
    own_occurrence,
    rules_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.entries import Occurrence
    from app.sources.ics.rule import Rule

_PERIOD_S = {
    Frequency.SECONDLY: 1,
    Frequency.MINUTELY: 60,
    Frequency.HOURLY: 3600,
    Frequency.DAILY: 86_400,
    Frequency.WEEKLY: 604_800,
    Frequency.MONTHLY: 2_629_800,
    Frequency.YEARLY: 31_557_600,
}
_MAX_STEPS = 20_000
# All rules of one file together; a step takes about 5 to 20 microseconds, and an occurrence as much again later
_MAX_FILE_STEPS = 60_000
_MOST_TAKEN = 3
# For all series of a file, however much a step may cost
_MOST_SECONDS = 6.0
_NARROW = timedelta(days=3 * 366)


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
        steps = sum(_estimate(one, window) for one in series if one.is_recurring)
        self.is_narrowed = steps > _MAX_FILE_STEPS
        start = max(window[0], window[1] - _NARROW) if self.is_narrowed else window[0]
        self._window = (start, window[1])
        self._left = _MOST_TAKEN * _MAX_FILE_STEPS
        self._last_s = clock.monotonic_s() + _MOST_SECONDS

    def expand(self, series: Series) -> Expansion:
        """Every occurrence inside the window; a single event's own, wherever it is."""
        if not series.is_recurring:
            return Expansion(tuple(_in_order(own_occurrence(component, series) for component in series.components)))
        start = moment(series.first, "DTSTART", series.zone)
        if start is None:
            own = _in_order(own_occurrence(component, series) for component in series.components)
            return Expansion(tuple(own), is_partial=True)
        steps = Steps(min(_MAX_STEPS, self._left) if clock.monotonic_s() < self._last_s else 0)
        allowed = steps.left
        try:
            inside, happenings = Unfolding(series, start, self._window, steps).occurrences()
        except (OutOfSteps, *CALENDAR_FAULTS):
            return Expansion(tuple(_in_order([own_occurrence(series.first, series)])), is_partial=True)
        finally:
            self._left -= allowed - max(0, steps.left)
        found: list[Occurrence | None] = [*inside]
        if happenings.is_partial:
            found.append(own_occurrence(series.first, series))
        ordered = _in_order(found)
        return Expansion(
            tuple(self._nearest(ordered)),
            is_cut=happenings.goes_on,
            is_partial=happenings.is_partial or len(ordered) > self._limit,
        )

    def _nearest(self, found: list[Occurrence]) -> list[Occurrence]:
        """As many as are allowed: those of this year and later first, then the ones before."""
        if len(found) <= self._limit:
            return found
        this_year = self._window[1].replace(year=self._window[1].year - 3, day=1).astimezone(UTC)
        first = next((index for index, one in enumerate(found) if one.start.astimezone(UTC) >= this_year), 0)
        first = min(first, len(found) - self._limit)
        return found[first : first + self._limit]


def next_due(series: Series, window: tuple[datetime, datetime], due: datetime) -> datetime | None:
    """When a recurring to-do is due next: the first of its times that is neither left out nor done.

    Args:
        due: when the master is due; the others keep the distance.

    Returns:
        None when none is left.
    """
    start = moment(series.first, "DTSTART", series.zone) or due
    ended = [one for one in series.changed if is_canceled(one) or "COMPLETED" in one or _is_done(one)]
    open_ones = Series(series.master, tuple(ended), series.zone)
    try:
        unfolding = Unfolding(open_ones, start, (start, window[1]), Steps(_MAX_STEPS))
        left = unfolding.left_open()
    except (OutOfSteps, *CALENDAR_FAULTS):
        return due
    return left + (due - start) if left is not None else None


def _is_done(component: object) -> bool:
    said = getattr(component, "get", lambda *_: "")("STATUS", "")
    return str(said).strip().upper() == "COMPLETED"


def _in_order(found: Iterable[Occurrence | None]) -> list[Occurrence]:
    unique = {(one.start, one.end, one.title): one for one in found if one is not None}
    return sorted(unique.values(), key=lambda one: one.start.astimezone(UTC))


def _estimate(series: Series, window: tuple[datetime, datetime]) -> int:
    """About how many steps a series takes inside a window."""
    start = moment(series.first, "DTSTART", series.zone)
    if start is None:
        return 0
    span_s = (window[1].astimezone(UTC) - max(start, window[0], key=_utc).astimezone(UTC)).total_seconds()
    total = 0.0
    for text in rules_of(series.first, "RRULE"):
        try:
            rule = read_rule(text)
        except BadInput:
            continue
        steps = max(0.0, span_s) / (_PERIOD_S[rule.frequency] * rule.interval) * _yield_of(rule)
        total += min(steps, rule.count or steps)
    return int(total)


def _utc(instant: datetime) -> datetime:
    return instant.astimezone(UTC)


def _yield_of(rule: Rule) -> int:
    """At most so many times in one period, roughly."""
    times = max(1, len(rule.hours)) * max(1, len(rule.minutes)) * max(1, len(rule.seconds))
    days = max(1, len(rule.days)) * max(1, len(rule.month_days)) * max(1, len(rule.months))
    return times * days
