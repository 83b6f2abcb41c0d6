"""Arithmetic of days, weeks, months, quarters and years, on wall-clock times without a zone.

Grammars count in wall-clock time ("next Monday at 8" is 8 whatever the clocks do between) and only `anchored` gives
the result its zone. Elapsed time ("in 2 hours") goes through `elapsed`, which counts real seconds across a change of
clocks.
Years run from 1 to 9999: what lies outside raises ValueError or OverflowError, and the readers refuse it. Weeks begin
on Monday (ISO 8601). No words of any language.
"""

from __future__ import annotations

import calendar as _stdlib
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain

if TYPE_CHECKING:
    from datetime import tzinfo

DAYS_A_WEEK = 7
WORKING_DAYS_A_WEEK = 5
MONTHS_A_YEAR = 12
MONTHS_A_QUARTER = 3
SATURDAY, SUNDAY = 5, 6
ONE_DAY = timedelta(days=1)

_LAST_INSTANT = datetime.combine(date.max, time(23, 59, 59))
_MONTHS_OF = {
    Grain.MONTH: 1,
    Grain.QUARTER: 3,
    Grain.HALF_YEAR: 6,
    Grain.YEAR: 12,
    Grain.DECADE: 120,
    Grain.CENTURY: 1200,
}
_TIMEDELTA_OF = {
    Grain.SECOND: timedelta(seconds=1),
    Grain.MINUTE: timedelta(minutes=1),
    Grain.HOUR: timedelta(hours=1),
    Grain.DAY: ONE_DAY,
    Grain.WEEK: timedelta(weeks=1),
    Grain.WEEKEND: timedelta(weeks=1),
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` up to, but not including, `end`: wall-clock times without a zone."""

    start: datetime
    end: datetime
    grain: Grain

    @property
    def first_day(self) -> date:
        """The day that it begins on."""
        return self.start.date()

    @property
    def last_day(self) -> date:
        """The last day that it touches."""
        return max(self.start.date(), (self.end - timedelta(microseconds=1)).date())

    def moved(self, count: int) -> Stretch:
        """The stretch of the same grain, `count` later (earlier when negative)."""
        if self.grain in _MONTHS_OF:
            months = _MONTHS_OF[self.grain] * count
            return replace(self, start=later_months(self.start, months), end=later_months(self.end, months))
        step = _TIMEDELTA_OF.get(self.grain, ONE_DAY) * count
        return replace(self, start=self.start + step, end=self.end + step)


def midnight(day: date) -> datetime:
    """The first instant of a day."""
    return datetime.combine(day, time.min)


def days(first: date, count: int = 1, grain: Grain = Grain.DAY) -> Stretch:
    """`count` days from `first` on."""
    return Stretch(midnight(first), midnight(first + timedelta(days=count)), grain)


def between(first: date, last: date, grain: Grain = Grain.DAY) -> Stretch:
    """From one day to another, which belongs to it; raises ValueError when they stand the wrong way round."""
    if last < first:
        raise ValueError("the last day is before the first")
    return Stretch(midnight(first), midnight(last + ONE_DAY), grain)


def monday_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def week_of(day: date) -> Stretch:
    """The week, from Monday, that a day lies in."""
    return days(monday_of(day), DAYS_A_WEEK, Grain.WEEK)


def weekend_of(day: date) -> Stretch:
    """Saturday and Sunday of a day's week."""
    return days(monday_of(day) + timedelta(days=SATURDAY), 2, Grain.WEEKEND)


def iso_week(year: int, week: int) -> Stretch:
    """A numbered week (ISO 8601); raises ValueError when the year has none such."""
    return week_of(date.fromisocalendar(year, week, 1))


def month(year: int, number: int) -> Stretch:
    """A month of a year."""
    first = midnight(date(year, number, 1))
    return Stretch(first, later_months(first, 1), Grain.MONTH)


def quarter(year: int, number: int) -> Stretch:
    """A quarter of a calendar year, 1 to 4; raises ValueError for another number."""
    return _part_of_year(year, number, Grain.QUARTER)


def half_year(year: int, number: int) -> Stretch:
    """A half of a calendar year, 1 or 2; raises ValueError for another number."""
    return _part_of_year(year, number, Grain.HALF_YEAR)


def year(number: int) -> Stretch:
    """A calendar year."""
    return _part_of_year(number, 1, Grain.YEAR)


def years(first: int, count: int, grain: Grain = Grain.YEAR) -> Stretch:
    """`count` calendar years; decades and centuries are such."""
    return Stretch(midnight(date(first, 1, 1)), _new_year(first + count), grain)


def holding(day: date, grain: Grain) -> Stretch:
    """The calendar unit of a grain, day or longer, that a day lies in."""
    if grain in {Grain.DECADE, Grain.CENTURY}:
        length = _MONTHS_OF[grain] // MONTHS_A_YEAR
        return years(max(1, day.year // length * length), length, grain)
    if grain in _MONTHS_OF:
        return _part_of_year(day.year, (day.month - 1) // _MONTHS_OF[grain] + 1, grain)
    of = {Grain.WEEK: week_of, Grain.WEEKEND: weekend_of}.get(grain, days)
    return of(day)


def holding_time(moment: datetime, grain: Grain) -> Stretch:
    """The calendar unit that an instant lies in, of any grain: its hour, its minute, its day, its month."""
    if grain not in {Grain.HOUR, Grain.MINUTE, Grain.SECOND}:
        return holding(moment.date(), grain)
    start = moment.replace(microsecond=0)
    if grain is not Grain.SECOND:
        start = start.replace(second=0)
    if grain is Grain.HOUR:
        start = start.replace(minute=0)
    return Stretch(start, start + _TIMEDELTA_OF[grain], grain)


def later_months(moment: datetime, count: int) -> datetime:
    """The same day of the month so many months later, or that month's last day; the end of 9999 is its last instant."""
    index = moment.year * MONTHS_A_YEAR + moment.month - 1 + count
    number, month_number = index // MONTHS_A_YEAR, index % MONTHS_A_YEAR + 1
    if (number, month_number, moment.day, moment.time()) == (10000, 1, 1, time.min):
        return _LAST_INSTANT
    return moment.replace(year=number, month=month_number, day=min(moment.day, days_in_month(number, month_number)))


def days_in_month(number: int, month_number: int) -> int:
    """28 to 31; raises ValueError for a year outside 1 to 9999."""
    if not 1 <= number <= 9999:  # noqa: PLR2004 - what `date` can hold
        raise ValueError("a year outside 1 to 9999")
    return _stdlib.monthrange(number, month_number)[1]


def shifted(moment: datetime, *, months: int = 0, day_count: int = 0) -> datetime:
    """Calendar distance: months first, then days, the time of day kept."""
    return later_months(moment, months) + timedelta(days=day_count)


def elapsed(reference: datetime, span: timedelta) -> datetime:
    """The wall-clock time, real seconds after an aware reference (before it when negative)."""
    zone = reference.tzinfo
    return (reference.astimezone(UTC) + span).astimezone(zone).replace(tzinfo=None)


def at_time(day: date, hour: int, minute: int = 0, second: int = 0) -> datetime:
    """A time of a day; 24:00 and later hours (up to 47) belong to the day after."""
    return midnight(day + timedelta(days=hour // 24)).replace(hour=hour % 24, minute=minute, second=second)


def hours(day: date, first: int, end: int) -> Stretch:
    """Some hours of a day, `end` exclusive and up to 47: the night of a day ends in the next."""
    return Stretch(at_time(day, first), at_time(day, end), Grain.PART_OF_DAY)


def nth_weekday(stretch: Stretch, weekday: int, count: int) -> date:
    """The `count`-th weekday (0 is Monday) of a stretch, -1 the last; raises ValueError when it has no such."""
    if count > 0:
        first = stretch.first_day
        found = first + timedelta(days=(weekday - first.weekday()) % DAYS_A_WEEK + (count - 1) * DAYS_A_WEEK)
    else:
        last = stretch.last_day
        found = last - timedelta(days=(last.weekday() - weekday) % DAYS_A_WEEK + (-count - 1) * DAYS_A_WEEK)
    if not stretch.first_day <= found <= stretch.last_day:
        raise ValueError("the stretch has no such weekday")
    return found


def coming(day: date, weekday: int) -> date:
    """The next such weekday; the day itself counts."""
    return day + timedelta(days=(weekday - day.weekday()) % DAYS_A_WEEK)


def previous(day: date, weekday: int) -> date:
    """The last such weekday before a day."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % DAYS_A_WEEK + 1)


def working_days_later(day: date, count: int) -> date:
    """So many Mondays to Fridays later (earlier when negative); public holidays are not known here."""
    step = ONE_DAY if count > 0 else -ONE_DAY
    while day.weekday() >= SATURDAY:
        day -= step  # from a weekend on is from the Friday before it, or back from the Monday after
    weeks, left = divmod(abs(count), WORKING_DAYS_A_WEEK)
    day += step * DAYS_A_WEEK * weeks
    while left:
        day += step
        left -= day.weekday() < SATURDAY
    return day


def easter(number: int) -> date:
    """Easter Sunday of the Western churches (the anonymous Gregorian computus)."""
    a, b, c = number % 19, number // 100, number % 100
    d, e = b // 4, b % 4
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    ll = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * ll) // 451
    month_number, day = divmod(h + ll - 7 * m + 114, 31)
    return date(number, month_number, day + 1)


def anchored(moment: datetime, zone: tzinfo) -> datetime:
    """Give a wall-clock time its zone; of a repeated hour the first, and a skipped one as the zone counts it."""
    return moment.replace(tzinfo=zone, fold=0)


def wall_clock(moment: datetime) -> datetime:
    """An aware time as its own zone's clock shows it."""
    return moment.replace(tzinfo=None, fold=0)


def _part_of_year(number: int, part: int, grain: Grain) -> Stretch:
    length = _MONTHS_OF[grain]
    if not 1 <= part <= MONTHS_A_YEAR // length:
        raise ValueError("a year has no such part")
    first = midnight(date(number, (part - 1) * length + 1, 1))
    return Stretch(first, later_months(first, length), grain)


def _new_year(number: int) -> datetime:
    return _LAST_INSTANT if number == 10000 else midnight(date(number, 1, 1))  # noqa: PLR2004
