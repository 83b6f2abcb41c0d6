"""What the English builders work with: the reference, and the small steps that most of them share."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import Stretch
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date, datetime

    OfYear = Callable[[int], Stretch]
    """What comes back every year: its stretch in a year."""

Times = tuple[Moment, ...]
"""The ways to understand one expression."""

PAST, COMING = -1, 1
_SEARCHED_YEARS = 9
"""How far a 29 February can lie away: 1896 to 1904."""


@dataclass(frozen=True, slots=True)
class Context:
    """The time from which a text is read.

    Attributes:
        reference: aware.
        now: the same as its zone's clock shows it, to the second.
        today: its day.
    """

    reference: datetime
    now: datetime
    today: date

    @classmethod
    def of(cls, reference: datetime) -> Context:
        """The context of an aware reference."""
        now = calendar.wall_clock(reference).replace(microsecond=0)
        return cls(reference, now, now.date())


def one(stretch: Stretch, score: float = 1.0) -> Times:
    """The only way to understand it."""
    return (Moment.of(stretch, score),)


def day(which: date, score: float = 1.0) -> Times:
    """One day."""
    return one(calendar.days(which), score)


def yearly(context: Context, of_year: Callable[[int], Stretch]) -> Times:
    """What comes back every year, said without its year: the nearest past one and the nearest to come.

    The likelier is the nearer, the past counting double, since calendars look ahead; the tense of the sentence may
    turn it round. A year without it (29 February) is passed over; raises ValueError when no year has it.
    """
    year = context.today.year
    stretches = [found for number in range(year - _SEARCHED_YEARS, year + _SEARCHED_YEARS)
                 if (found := _possible(of_year, number)) is not None]  # fmt: skip
    return sided(context, stretches)


def _possible(of_year: Callable[[int], Stretch], year: int) -> Stretch | None:
    try:
        return of_year(year)
    except (ValueError, OverflowError):
        return None


def sided(context: Context, stretches: Iterable[Stretch]) -> Times:
    """Of stretches that come back, the last that is over, and the first that is not."""
    ordered = sorted(stretches, key=lambda stretch: stretch.start)
    past = [stretch for stretch in ordered if stretch.last_day < context.today]
    coming = [stretch for stretch in ordered if stretch.last_day >= context.today]
    if not past and not coming:
        raise ValueError("there is no such date")
    chosen = [(past[-1], PAST)] if past else []
    chosen += [(coming[0], COMING)] if coming else []
    if len(chosen) == 1:
        return one(chosen[0][0])
    back = (context.today - chosen[0][0].last_day).days
    ahead = max(0, (chosen[1][0].first_day - context.today).days)
    weight = 0.8 if ahead <= 2 * back else 0.45
    return (Moment.of(chosen[1][0], weight, COMING), Moment.of(chosen[0][0], 1 - weight, PAST))


def of_years(years: Times, of_year: Callable[[int], Stretch]) -> Times:
    """What comes back every year, in the years that are said."""
    return tuple(replace(Moment.of(of_year(start_of(one).year)), score=one.score, side=one.side) for one in years)


def mapped(times: Times, change: Callable[[Stretch], Stretch]) -> Times:
    """Every way to understand it, changed alike; raises ValueError when it is possible in none."""
    changed = []
    for moment in times:
        try:
            stretch = change(moment.stretch)
        except (ValueError, OverflowError):
            continue
        changed.append(replace(Moment.of(stretch), score=moment.score, side=moment.side))
    if not changed:
        raise ValueError("impossible in every reading")
    return tuple(changed)


def alternatives(*weighted: tuple[Stretch, float]) -> Times:
    """Several ways to understand it, the first of equal ones kept."""
    return tuple(Moment.of(stretch, score) for stretch, score in weighted)


def start_of(moment: Moment) -> datetime:
    """Its start; raises ValueError when it is open to the past."""
    if moment.start is None:
        raise ValueError("an open moment has no start")
    return moment.start


def end_of(moment: Moment) -> datetime:
    """Its end; that of a point is itself."""
    return moment.end if moment.end is not None else start_of(moment)


def distant(context: Context, start: datetime, length: Distance, sign: int) -> Stretch:
    """The unit that lies a distance away from a time: minutes exactly, days and longer as days."""
    if length.is_exact:
        moment = (
            calendar.elapsed(context.reference, sign * length.time)
            if start == context.now
            else start + sign * length.time
        ).replace(microsecond=0)
        moved = calendar.shifted(moment, months=sign * length.months, day_count=sign * length.days)
        return Stretch(moved, moved + timedelta(minutes=1), Grain.MINUTE)
    moved = calendar.shifted(start, months=sign * length.months, day_count=sign * length.days)
    return calendar.days(moved.date())


@dataclass(frozen=True, slots=True)
class Distance:
    """How long, in calendar units: "2 months and 3 days", "an hour and a half".

    Attributes:
        unit: the finest unit that is said.
        count: of how many units, where one unit is said and the number is whole; else 0.
        is_working: days from Monday to Friday.
        is_vague: "a few", "several", "about".
    """

    months: int = 0
    days: int = 0
    time: timedelta = timedelta()
    unit: Grain = Grain.DAY
    count: int = 0
    is_working: bool = False
    is_vague: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether hours, minutes or seconds are said."""
        return bool(self.time)

    @property
    def nominal(self) -> timedelta:
        """Its length with months of 30 days and years of 365."""
        years, months = divmod(self.months, 12)
        return timedelta(days=years * 365 + months * 30 + self.days) + self.time

    def plus(self, other: Distance) -> Distance:
        """Both together."""
        return Distance(
            self.months + other.months, self.days + other.days, self.time + other.time, other.unit,
            is_vague=self.is_vague or other.is_vague,
        )  # fmt: skip


_MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.HALF_YEAR: 6, Grain.YEAR: 12, Grain.DECADE: 120, Grain.CENTURY: 1200}
_DAYS = {Grain.DAY: 1, Grain.WEEK: 7, Grain.WEEKEND: 7, Grain.SEASON: 91}
_SECONDS = {Grain.SECOND: 1, Grain.MINUTE: 60, Grain.HOUR: 3600}
MOST_UNITS = 100_000


def distance(count: float, unit: Grain) -> Distance:
    """So many units; half a month is 15 days, half a year 6 months. Raises ValueError for more than can be counted."""
    if count > MOST_UNITS:
        raise ValueError("too many")
    whole = int(count) if count == int(count) else 0
    if unit in _SECONDS:
        return Distance(time=timedelta(seconds=round(count * _SECONDS[unit])), unit=unit, count=whole)
    if unit in _DAYS:
        days = count * _DAYS[unit]
        rest = timedelta(days=days) - timedelta(days=int(days))
        return Distance(days=int(days), time=rest, unit=unit, count=whole)
    months = count * _MONTHS[unit]
    return Distance(months=int(months), days=round((months - int(months)) * 30), unit=unit, count=whole)


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole expression of time, as the topmost productions build it."""

    kind: DateKind
    times: Times = ()
    is_deadline: bool = False
    duration: timedelta | None = None
    rrule: str | None = None


def same(_: Context, value: object) -> object:
    """For productions that only give another name."""
    return value
