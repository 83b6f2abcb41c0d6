"""This, next and last in English, of any unit, and runs of units: "next month", "the last two weeks"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import DAYS_A_WEEK, Stretch
from app.inference.dates.english_context import (
    COMING,
    PAST,
    Context,
    Distance,
    Times,
    alternatives,
    distance,
    distant,
    mapped,
    one,
)

if TYPE_CHECKING:
    from app.inference.dates.english_context import OfYear
    from app.inference.dates.productions import Row


STEPS = {"this": 0, "current": 0, "present": 0, "that": 0, "next": 1, "following": 1, "upcoming": 1, "coming": 1,
          "last": -1, "past": -1, "previous": -1, "preceding": -1, "prior": -1, "recent": -1}  # fmt: skip


CALENDAR = frozenset({Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF_YEAR, Grain.YEAR, Grain.DECADE, Grain.CENTURY})


_CLOCK = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR})


_SEASONS = (((3, 20), (6, 20)), ((6, 21), (9, 23)), ((9, 23), (12, 20)), ((12, 21), (3, 19)))
"""First and last days in the northern half of the earth, spring first, as almanacs round them."""


def season_of(number: int) -> OfYear:
    """A season of a year, by its number from spring."""
    first, last = _SEASONS[number]
    return lambda year: calendar.between(date(year, *first), date(year + (number == 3), *last), Grain.SEASON)  # noqa: PLR2004


def _nth_season(context: Context, shift: str) -> Times:
    year = context.today.year
    options = sorted(
        (season_of(number)(one_year) for number in range(4) for one_year in range(year - 2, year + 2)),
        key=lambda option: option.start,
    )
    current = max(place for place, option in enumerate(options) if option.first_day <= context.today)
    return one(options[current + STEPS[shift]])


def _weekends(stretch: Stretch, score: float = 1.0) -> Times:
    """Saturday and Sunday; from Friday evening on for some."""
    early = Stretch(stretch.start - timedelta(hours=6), stretch.end, Grain.WEEKEND)
    return alternatives((stretch, 0.85 * score), (early, 0.15 * score))


def shifted(context: Context, shift: str, unit: Grain) -> Times | None:
    """This, the next or the last of a unit."""
    step = STEPS[shift]
    if unit is Grain.SEASON:
        return _nth_season(context, shift)
    if unit is Grain.WEEKEND:
        return shifted_weekend(context, shift)
    if unit in CALENDAR:
        return one(calendar.holding(context.today, unit).moved(step))
    if unit in _CLOCK:
        return _runs(context, distance(1, unit), step) if step else one(calendar.holding_time(context.now, unit))
    return None


def _past_unit(context: Context, unit: Grain) -> Times | None:
    """The past year is the last calendar year, or the twelve months until now."""
    if unit not in {Grain.WEEK, Grain.MONTH, Grain.YEAR}:
        return None
    whole = calendar.holding(context.today, unit).moved(-1)
    running = tuple(replace(moment, score=moment.score * 0.4) for moment in _runs(context, distance(1, unit), -1))
    return (*one(whole, 0.6), *running)


def shifted_weekend(context: Context, shift: str) -> Times:
    """Said as "Next weekend" is the one after this for most."""
    this = calendar.weekend_of(context.today)
    if shift in {"this", "current", "present", "that", "coming", "upcoming"}:
        return _weekends(this)
    if STEPS[shift] < 0:
        return _weekends(this.moved(-1))
    return (*_weekends(this.moved(1), 0.75), *_weekends(this, 0.25))


def after_next(context: Context, unit: Grain) -> Times | None:
    """The unit after the next."""
    return one(calendar.holding(context.today, unit).moved(2)) if unit in {*CALENDAR, Grain.WEEKEND} else None


def before_last(context: Context, unit: Grain) -> Times | None:
    """The unit before the last."""
    return one(calendar.holding(context.today, unit).moved(-2)) if unit in {*CALENDAR, Grain.WEEKEND} else None


def _the_weekend(context: Context) -> Times:
    """The weekend that comes or runs, or the one that is just over."""
    coming = calendar.weekend_of(context.today)
    return tuple(
        replace(moment, side=side)
        for stretch, score, side in ((coming, 0.75, COMING), (coming.moved(-1), 0.25, PAST))
        for moment in _weekends(stretch, score)
    )


def this_unit(context: Context, unit: Grain) -> Times | None:
    """Said as "The week": this one; weeks and longer only."""
    if unit is Grain.WEEKEND:
        return _the_weekend(context)
    return one(calendar.holding(context.today, unit)) if unit in CALENDAR else None


def fortnight(context: Context, shift: str | None) -> Times:
    """Two weeks from the Monday of this one."""
    this = calendar.days(calendar.monday_of(context.today), 2 * DAYS_A_WEEK, Grain.WEEK)
    step = STEPS[shift or "this"] * 2 * DAYS_A_WEEK
    moved = Stretch(this.start + timedelta(days=step), this.end + timedelta(days=step), Grain.WEEK)
    if step == 0:
        return one(moved)
    return (*(replace(moment, score=0.4) for moment in one(moved)),
            *_runs(context, distance(2, Grain.WEEK), STEPS[shift or "this"]))  # fmt: skip


def _runs(context: Context, length: Distance, sign: int) -> Times:
    """Said as "The last two weeks": the fourteen days until now, or the two whole weeks before this one."""
    if length.is_exact:
        edge = distant(context, context.now, length, sign).start
        rolling = Stretch(min(edge, context.now), max(edge, context.now), length.unit)
        if not length.count:
            return one(rolling)
        unit = calendar.holding_time(context.now, length.unit)
        aligned = _aligned(unit, length.count, sign)
        return alternatives((rolling, 0.8), (aligned, 0.2))
    if length.unit is Grain.DAY and length.count:
        aligned = _aligned(calendar.days(context.today), length.count, sign)
        return one(aligned) if sign < 0 else alternatives((aligned, 0.85), (_from_now(context, length), 0.15))
    return _long_runs(context, length, sign)


def _long_runs(context: Context, length: Distance, sign: int) -> Times:
    """Runs of weeks and longer: the days from tomorrow on or until yesterday, or whole units."""
    far = calendar.shifted(calendar.midnight(context.today), months=sign * length.months, day_count=sign * length.days)
    rolling = (
        Stretch(calendar.midnight(context.today) + timedelta(days=1), far + timedelta(days=1), Grain.DAY)
        if sign > 0
        else Stretch(far, calendar.midnight(context.today), Grain.DAY)
    )
    if not length.count or length.unit not in {*CALENDAR, Grain.WEEKEND}:
        return one(rolling)
    if sign > 0 and length.unit in {Grain.WEEK, Grain.MONTH, Grain.YEAR}:
        unit = calendar.holding(context.today, length.unit)
        return alternatives(
            (rolling, 0.45), (_aligned(unit, length.count, sign), 0.4), (_from_now(context, length), 0.15)
        )
    unit = calendar.holding(context.today, length.unit)
    aligned = _aligned(unit, length.count, sign)
    if length.unit in {Grain.QUARTER, Grain.DECADE, Grain.CENTURY, Grain.WEEKEND}:
        current = _aligned(unit.moved(-sign), length.count, sign)
        return alternatives((aligned, 0.8), (current, 0.2))
    return alternatives((rolling, 0.5), (aligned, 0.5))


def _from_now(context: Context, length: Distance) -> Stretch:
    end = calendar.shifted(context.now, months=length.months, day_count=length.days)
    return Stretch(context.now, end, Grain.DAY)


def _aligned(unit: Stretch, count: int, sign: int) -> Stretch:
    first, last = (unit.moved(1), unit.moved(count)) if sign > 0 else (unit.moved(-count), unit.moved(-1))
    return Stretch(first.start, last.end, unit.grain)


def _run(context: Context, shift: str, length: Distance) -> Times | None:
    sign = STEPS[shift]
    if sign == 0:
        return None
    if length.is_working:
        other = calendar.working_days_later(context.today, sign * length.days)
        return one(calendar.between(min(other, context.today), max(other, context.today)))
    return _runs(context, length, sign)


def _counted_run(context: Context, count: float, shift: str, unit: Grain) -> Times | None:
    return _run(context, shift, distance(count, unit))


def _within(context: Context, length: Distance) -> Times:
    """Within a week: from now until then."""
    far = distant(context, context.now, length, 1)
    return one(
        Stretch(context.now, far.start if length.is_exact else far.end, Grain.MINUTE if length.is_exact else Grain.DAY)
    )


def _first_of(_: Context, length: Distance, periods: Times) -> Times | None:
    if length.is_exact or length.months:
        return None
    return mapped(periods, lambda period: inside(period, calendar.days(period.first_day, length.days)))


def _first_months_of(_: Context, length: Distance, periods: Times) -> Times | None:
    if length.is_exact or length.days or not length.months:
        return None
    return mapped(periods, lambda period: inside(
        period, Stretch(period.start, calendar.later_months(period.start, length.months), Grain.MONTH)))  # fmt: skip


def _last_of(_: Context, length: Distance, periods: Times) -> Times | None:
    if length.is_exact:
        return None
    return mapped(periods, lambda period: inside(
        period, Stretch(calendar.shifted(period.end, months=-length.months, day_count=-length.days), period.end,
                        Grain.MONTH if length.months else Grain.DAY)))  # fmt: skip


def inside(period: Stretch, part: Stretch) -> Stretch:
    """A part, which must lie in its period; raises ValueError otherwise."""
    if part.start < period.start or part.end > period.end:
        raise ValueError("longer than the period")
    return part


PRODUCTIONS: tuple[Row, ...] = (
    ("run", "the? <shift> <length>", _run),
    ("run", "the? <count> <shift> PLURAL", _counted_run),
    ("run", "the|this? past|recent UNIT", _past_unit),
    ("run", "the? one <shift> UNIT", lambda context, shift, unit: _counted_run(context, 1, shift, unit)),
    ("run", "these|those? past|last|previous <length>", lambda context, length: _run(context, "last", length)),
    ("run", "within|inside the? next|coming? <length>", _within),
    ("run", "in under|less than? <length>", _within),
    ("run", "in the next|coming <length>", lambda context, length: _run(context, "next", length)),
    ("run", "in the last|past <length>", lambda context, length: _run(context, "last", length)),
    ("run", "the? first <length> of|in <holder>", _first_of),
    ("run", "the? first <length> of|in <holder>", _first_months_of),
    ("run", "the? last|final <length> of|in <holder>", _last_of),
    (
        "run",
        "the? <shift> UNIT",
        lambda context, shift, unit: shifted(context, shift, unit) if unit in _CLOCK else None,
    ),
)
