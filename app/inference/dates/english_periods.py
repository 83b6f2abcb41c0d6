"""Weeks, months, quarters, seasons, years and runs of them in English, and holidays."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import DAYS_A_WEEK, Stretch
from app.inference.dates.english_context import (
    Context,
    Distance,
    Times,
    alternatives,
    distance,
    distant,
    mapped,
    of_years,
    one,
    sided,
    start_of,
    yearly,
)
from app.inference.dates.english_days import full_year
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.english_holidays import Holiday
    from app.inference.dates.english_tokens import Figures, Number
    from app.inference.dates.productions import Row

_STEPS = {"this": 0, "current": 0, "present": 0, "that": 0, "next": 1, "following": 1, "upcoming": 1, "coming": 1,
          "last": -1, "past": -1, "previous": -1, "preceding": -1, "prior": -1}  # fmt: skip
_CALENDAR = frozenset(
    {Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF_YEAR, Grain.YEAR, Grain.DECADE, Grain.CENTURY}
)
_CLOCK = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR})


# -- years, decades, centuries ----------------------------------------------------------------------------------------


def _year(_: Context, number: int) -> Times:
    return one(calendar.year(number))


def _short_year(context: Context, number: Number) -> Times | None:
    return one(calendar.year(full_year(context, number.value))) if number.digits == 2 else None  # noqa: PLR2004


def _year_in(context: Context, length: Distance) -> Times | None:
    if length.unit is not Grain.YEAR or not length.count:
        return None
    return one(calendar.year(context.today.year + length.count))


def _year_ago(context: Context, length: Distance) -> Times | None:
    if length.unit is not Grain.YEAR or not length.count:
        return None
    return one(calendar.year(context.today.year - length.count))


def _decade(_: Context, number: int) -> Times | None:
    return one(calendar.years(number, 10, Grain.DECADE)) if number % 10 == 0 else None


def _short_decade(context: Context, number: Number | int) -> Times | None:
    value = number if isinstance(number, int) else number.value
    if value % 10 or value >= 100 or (not isinstance(number, int) and number.digits != 2):  # noqa: PLR2004
        return None
    base = context.today.year // 100 * 100
    first = base + value if base + value <= context.today.year else base - 100 + value
    return one(calendar.years(first, 10, Grain.DECADE))


def _century_decade(_: Context, number: Number, decade: int) -> Times | None:
    return one(calendar.years(number.value * 100 + decade, 10, Grain.DECADE)) if 10 <= number.value <= 20 else None  # noqa: PLR2004


def _century(_: Context, number: int) -> Times:
    """The 15th century is 1400 to 1499 for most, 1401 to 1500 for the strict."""
    return one(calendar.years(max(1, (number - 1) * 100), 100, Grain.CENTURY))


# -- months, quarters, halves, seasons --------------------------------------------------------------------------------


def _month(context: Context, number: int) -> Times:
    return yearly(context, lambda year: calendar.month(year, number))


def _month_in(_: Context, number: int, years: Times) -> Times:
    return of_years(years, lambda year: calendar.month(year, number))


def _year_month(_: Context, figures: Figures) -> Times | None:
    if figures.separator == ".":
        return None
    year, month = figures.parts
    return one(calendar.month(year, month))


def _month_year(_: Context, figures: Figures) -> Times | None:
    if figures.separator == ".":
        return None
    month, year = figures.parts
    return one(calendar.month(year, month))


def _shifted_month(context: Context, shift: str, number: int) -> Times:
    """ "Next March" is the next one to come for some, that of the next year for others."""
    today = context.today
    step = _STEPS[shift]
    if step == 0 and shift != "coming":
        return one(calendar.month(today.year, number))
    coming = calendar.month(today.year + (number <= today.month), number)
    if step > 0:
        following = calendar.month(today.year + 1, number)
        if shift == "next" and following != coming:
            return alternatives((coming, 0.6), (following, 0.4))
        return one(coming)
    recent = calendar.month(today.year - (number >= today.month), number)
    before = calendar.month(today.year - 1, number)
    return one(recent) if recent == before else alternatives((recent, 0.6), (before, 0.4))


def _month_after_next(context: Context, number: int) -> Times:
    coming = calendar.month(context.today.year + (number <= context.today.month), number)
    return one(calendar.month(coming.first_day.year + 1, number))


def _quarter(context: Context, number: int) -> Times | None:
    return yearly(context, lambda year: calendar.quarter(year, number)) if 1 <= number <= 4 else None  # noqa: PLR2004


def _quarter_of(_: Context, number: int, years: Times) -> Times | None:
    return of_years(years, lambda year: calendar.quarter(year, number)) if 1 <= number <= 4 else None  # noqa: PLR2004


def _year_quarter(context: Context, years: Times, number: int) -> Times | None:
    return _quarter_of(context, number, years)


def _half_of(_: Context, number: int, years: Times) -> Times | None:
    return of_years(years, lambda year: calendar.half_year(year, number)) if number in {1, 2} else None


def _half(context: Context, number: int) -> Times | None:
    return yearly(context, lambda year: calendar.half_year(year, number)) if number in {1, 2} else None


_SEASONS = (((3, 20), (6, 20)), ((6, 21), (9, 23)), ((9, 23), (12, 20)), ((12, 21), (3, 19)))
"""First and last days in the northern half of the earth, spring first, as almanacs round them."""


def _season_of(number: int):  # type: ignore[no-untyped-def]
    first, last = _SEASONS[number]
    return lambda year: calendar.between(date(year, *first), date(year + (number == 3), *last), Grain.SEASON)  # noqa: PLR2004


def _season(context: Context, number: int) -> Times:
    return yearly(context, _season_of(number))


def _season_in(_: Context, number: int, years: Times) -> Times:
    return of_years(years, _season_of(number))


def _shifted_season(context: Context, shift: str, number: int) -> Times:
    step = _STEPS[shift]
    year = context.today.year
    if step == 0:
        running = [found for one_year in (year - 1, year) if (found := _season_of(number)(one_year)).first_day
                   <= context.today <= found.last_day]  # fmt: skip
        return one(running[0] if running else _season_of(number)(year))
    options = [_season_of(number)(one_year) for one_year in range(year - 2, year + 3)]
    if step > 0:
        return one(min((option for option in options if option.first_day > context.today), key=lambda o: o.start))
    return one(max((option for option in options if option.last_day < context.today), key=lambda o: o.start))


def _nth_season(context: Context, shift: str) -> Times:
    year = context.today.year
    options = sorted(
        (_season_of(number)(one_year) for number in range(4) for one_year in range(year - 2, year + 2)),
        key=lambda option: option.start,
    )
    current = max(place for place, option in enumerate(options) if option.first_day <= context.today)
    return one(options[current + _STEPS[shift]])


# -- weeks and weekends -----------------------------------------------------------------------------------------------


def _numbered_week(context: Context, number: Number) -> Times | None:
    return one(calendar.iso_week(context.today.year, number.value)) if 1 <= number.value <= 53 else None  # noqa: PLR2004


def _numbered_week_of(_: Context, number: Number, years: Times) -> Times | None:
    return of_years(years, lambda year: calendar.iso_week(year, number.value)) if 1 <= number.value <= 53 else None  # noqa: PLR2004


def _iso_week(_: Context, figures: Figures) -> Times:
    return one(calendar.iso_week(*figures.parts))


def _week_of_days(_: Context, days: Times) -> Times:
    """The week of a day; that of a Sunday begins with it for those whose weeks do."""
    found: list[Moment] = []
    for moment in days:
        first = moment.stretch.first_day
        this = Moment.of(calendar.week_of(first), moment.score, moment.side)
        if first.weekday() == calendar.SUNDAY:
            following = calendar.week_of(first + timedelta(days=1))
            found.append(replace(this, score=moment.score * 0.5))
            this = Moment.of(following, moment.score * 0.5, moment.side)
        found.append(this)
    return tuple(found)


def _week_from(context: Context, days: Times) -> Times:
    """Seven days from that day; or the week, from its Monday."""
    from_day = mapped(days, lambda found: calendar.days(found.first_day, DAYS_A_WEEK, Grain.WEEK))
    return (*(replace(moment, score=moment.score * 0.6) for moment in from_day),
            *(replace(moment, score=moment.score * 0.4) for moment in _week_of_days(context, days)))  # fmt: skip


def _week_until(_: Context, days: Times) -> Times:
    return mapped(
        days, lambda found: calendar.days(found.last_day - timedelta(days=DAYS_A_WEEK - 1), DAYS_A_WEEK, Grain.WEEK)
    )


def _nth_week(_: Context, count: int, periods: Times) -> Times | None:
    """The weeks whose Thursday lies in a month or year, as ISO 8601 numbers them; or the first full ones."""
    if any(moment.grain not in {Grain.MONTH, Grain.YEAR, Grain.QUARTER} for moment in periods):
        return None
    thursday = mapped(periods, lambda period: calendar.week_of(calendar.nth_weekday(period, 3, count)))
    full = mapped(periods, lambda period: calendar.week_of(calendar.nth_weekday(period, 0, count)))
    return (
        *(replace(moment, score=moment.score * 0.65) for moment in thursday),
        *(replace(moment, score=moment.score * 0.35) for moment in full),
    )


def _last_week(context: Context, periods: Times) -> Times | None:
    return _nth_week(context, -1, periods)


def _weekend_of_days(_: Context, days: Times) -> Times:
    """The weekend at a day; a holiday on the Monday after or the Friday before makes it longer."""

    def of(found: Stretch) -> Stretch:
        number = found.first_day.weekday()
        saturday = calendar.coming(found.first_day - timedelta(days=2 if number == 0 else 0), calendar.SATURDAY)
        if number == calendar.SUNDAY:
            saturday = found.first_day - timedelta(days=1)
        last = max(saturday + timedelta(days=1), found.first_day)
        first = min(saturday, found.first_day) if number == 4 else saturday  # noqa: PLR2004 - a Friday
        return calendar.between(first, last, Grain.WEEKEND)

    return mapped(days, of)


def _weekends(stretch: Stretch, score: float = 1.0) -> Times:
    """Saturday and Sunday; from Friday evening on for some."""
    early = Stretch(stretch.start - timedelta(hours=6), stretch.end, Grain.WEEKEND)
    return alternatives((stretch, 0.85 * score), (early, 0.15 * score))


# -- this, next, last -------------------------------------------------------------------------------------------------


def _shifted(context: Context, shift: str, unit: Grain) -> Times | None:
    step = _STEPS[shift]
    if unit is Grain.SEASON:
        return _nth_season(context, shift)
    if unit is Grain.WEEKEND:
        return _shifted_weekend(context, shift)
    if unit in _CALENDAR:
        return one(calendar.holding(context.today, unit).moved(step))
    if unit in _CLOCK:
        return _runs(context, distance(1, unit), step) if step else one(calendar.holding_time(context.now, unit))
    return None


def _shifted_weekend(context: Context, shift: str) -> Times:
    this = calendar.weekend_of(context.today)
    if shift in {"this", "current", "present", "that", "coming", "upcoming"}:
        return _weekends(this)
    if _STEPS[shift] < 0:
        return _weekends(this.moved(-1))
    return (*_weekends(this.moved(1), 0.75), *_weekends(this, 0.25))


def _after_next(context: Context, unit: Grain) -> Times | None:
    return one(calendar.holding(context.today, unit).moved(2)) if unit in {*_CALENDAR, Grain.WEEKEND} else None


def _before_last(context: Context, unit: Grain) -> Times | None:
    return one(calendar.holding(context.today, unit).moved(-2)) if unit in {*_CALENDAR, Grain.WEEKEND} else None


def this_unit(context: Context, unit: Grain) -> Times | None:
    if unit is Grain.WEEKEND:
        return _weekends(calendar.weekend_of(context.today))
    return one(calendar.holding(context.today, unit)) if unit in _CALENDAR else None


def _today_as_period(context: Context) -> Times:
    return one(calendar.days(context.today))


def _fortnight(context: Context, shift: str | None) -> Times:
    this = calendar.days(calendar.monday_of(context.today), 2 * DAYS_A_WEEK, Grain.WEEK)
    step = _STEPS[shift or "this"] * 2 * DAYS_A_WEEK
    moved = Stretch(this.start + timedelta(days=step), this.end + timedelta(days=step), Grain.WEEK)
    if step == 0:
        return one(moved)
    return (*(replace(moment, score=0.4) for moment in one(moved)),
            *_runs(context, distance(2, Grain.WEEK), _STEPS[shift or "this"]))  # fmt: skip


# -- runs -------------------------------------------------------------------------------------------------------------


def _runs(context: Context, length: Distance, sign: int) -> Times:
    """ "The last two weeks": the fourteen days until now, or the two whole weeks before this one."""
    if length.is_exact:
        edge = distant(context, context.now, length, sign).start
        rolling = Stretch(min(edge, context.now), max(edge, context.now), length.unit)
        if not length.count:
            return one(rolling)
        unit = calendar.holding_time(context.now, length.unit)
        aligned = _aligned(unit, length.count, sign)
        return alternatives((rolling, 0.8), (aligned, 0.2))
    if length.unit is Grain.DAY and length.count:
        return one(_aligned(calendar.days(context.today), length.count, sign))
    far = calendar.shifted(calendar.midnight(context.today), months=sign * length.months, day_count=sign * length.days)
    rolling = (
        Stretch(calendar.midnight(context.today) + timedelta(days=1), far + timedelta(days=1), Grain.DAY)
        if sign > 0
        else Stretch(far, calendar.midnight(context.today), Grain.DAY)
    )
    if not length.count or length.unit not in {*_CALENDAR, Grain.WEEKEND}:
        return one(rolling)
    unit = calendar.holding(context.today, length.unit)
    aligned = _aligned(unit, length.count, sign)
    if length.unit in {Grain.QUARTER, Grain.DECADE, Grain.CENTURY, Grain.WEEKEND}:
        current = _aligned(unit.moved(-sign), length.count, sign)
        return alternatives((aligned, 0.8), (current, 0.2))
    return alternatives((rolling, 0.5), (aligned, 0.5))


def _aligned(unit: Stretch, count: int, sign: int) -> Stretch:
    first, last = (unit.moved(1), unit.moved(count)) if sign > 0 else (unit.moved(-count), unit.moved(-1))
    return Stretch(first.start, last.end, unit.grain)


def _run(context: Context, shift: str, length: Distance) -> Times | None:
    sign = _STEPS[shift]
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
    return mapped(periods, lambda period: _inside(period, calendar.days(period.first_day, length.days)))


def _first_months_of(_: Context, length: Distance, periods: Times) -> Times | None:
    if length.is_exact or length.days or not length.months:
        return None
    return mapped(periods, lambda period: _inside(
        period, Stretch(period.start, calendar.later_months(period.start, length.months), Grain.MONTH)))  # fmt: skip


def _last_of(_: Context, length: Distance, periods: Times) -> Times | None:
    if length.is_exact:
        return None
    return mapped(periods, lambda period: _inside(
        period, Stretch(calendar.shifted(period.end, months=-length.months, day_count=-length.days), period.end,
                        Grain.MONTH if length.months else Grain.DAY)))  # fmt: skip


def _inside(period: Stretch, part: Stretch) -> Stretch:
    if part.start < period.start or part.end > period.end:
        raise ValueError("longer than the period")
    return part


def _nth_month(_: Context, count: int, unit: Grain, periods: Times) -> Times | None:
    """The third month of 2021, the second half of a year is said otherwise."""
    if unit not in {Grain.MONTH, Grain.QUARTER} or any(
        moment.grain not in {Grain.YEAR, Grain.QUARTER, Grain.DECADE} for moment in periods
    ):
        return None

    def of(period: Stretch) -> Stretch:
        first = calendar.holding(period.first_day if count > 0 else period.last_day, unit)
        return _inside(period, first.moved(count - 1 if count > 0 else count + 1))

    return mapped(periods, of)


# -- holidays ---------------------------------------------------------------------------------------------------------


def _holiday_of(holiday: Holiday):  # type: ignore[no-untyped-def]
    def of_year(year: int) -> Stretch:
        found = holiday.days(year)
        if not found:
            raise ValueError("that year has none")
        return calendar.days(found[0], holiday.length)

    return of_year


def _holiday(context: Context, holiday: Holiday) -> Times:
    return _sighted(holiday, yearly(context, _holiday_of(holiday)))


def _holiday_in(_: Context, holiday: Holiday, years: Times) -> Times:
    return _sighted(holiday, of_years(years, _holiday_of(holiday)))


def _sighted(holiday: Holiday, times: Times) -> Times:
    """A feast that begins when the moon is seen may begin a day earlier than the arithmetic calendar says."""
    if not holiday.is_sighted:
        return times
    earlier = tuple(
        replace(Moment.of(replace(moment.stretch, start=moment.stretch.start - timedelta(days=1),
                                  end=moment.stretch.end - timedelta(days=1))), score=moment.score, side=moment.side)
        for moment in times
    )  # fmt: skip
    return (*(replace(moment, score=moment.score * 0.5) for moment in times),
            *(replace(moment, score=moment.score * 0.5) for moment in earlier))  # fmt: skip


def _shifted_holiday(context: Context, shift: str, holiday: Holiday) -> Times:
    step, year = _STEPS[shift], context.today.year
    if step == 0 and shift in {"this", "current"}:
        return _holiday_in(context, holiday, one(calendar.year(year)))
    options = sided(context, [_holiday_of(holiday)(number) for number in range(year - 1, year + 3)
                              if holiday.days(number)])  # fmt: skip
    return tuple(moment for moment in options if moment.side == (step or 1)) or options


def _same(_: Context, value: object) -> object:
    return value


# -- edges of periods -------------------------------------------------------------------------------------------------

_EARLY, _MID, _LATE = "early", "mid", "late"


def _phase(name: str):  # type: ignore[no-untyped-def]
    return lambda _, periods: phase_of(name, periods)


def phase_of(name: str, periods: Times) -> Times | None:
    """The beginning, middle or end of periods, in the bounds that are customary for each grain."""
    found: list[Moment] = []
    for moment in periods:
        edges = _EDGES.get(moment.grain)
        if edges is None:
            return None
        for weight, bounds in zip((0.8, 0.12, 0.08), edges[name], strict=False):
            stretch = _portion(moment.stretch, bounds)
            found.append(replace(Moment.of(stretch), score=moment.score * weight, side=moment.side))
    return tuple(found)


Bounds = tuple[int, int]
_EDGES: dict[Grain, dict[str, tuple[Bounds, ...]]] = {
    Grain.WEEK: {_EARLY: ((0, 3), (0, 4)), _MID: ((2, 3), (1, 4), (2, 4)), _LATE: ((4, 7), (3, 7))},
    Grain.MONTH: {_EARLY: ((0, 10), (0, 15), (0, 5)), _MID: ((10, 20), (9, 20)), _LATE: ((20, 31), (15, 31))},
    Grain.QUARTER: {_EARLY: ((0, 1),), _MID: ((1, 2),), _LATE: ((2, 3),)},
    Grain.HALF_YEAR: {_EARLY: ((0, 2),), _MID: ((2, 4),), _LATE: ((4, 6),)},
    Grain.YEAR: {_EARLY: ((0, 3), (0, 4), (0, 6)), _MID: ((4, 8), (3, 9)), _LATE: ((8, 12), (9, 12), (6, 12))},
    Grain.DECADE: {_EARLY: ((0, 36), (0, 48)), _MID: ((48, 72), (36, 84)), _LATE: ((84, 120), (72, 120))},
    Grain.CENTURY: {_EARLY: ((0, 360),), _MID: ((480, 720),), _LATE: ((840, 1200),)},
}
"""Days of a week or month, months of longer periods, from the start; the first of each is the house's."""


def _portion(period: Stretch, bounds: Bounds) -> Stretch:
    first, end = bounds
    if period.grain in {Grain.WEEK, Grain.MONTH}:
        start = period.start + timedelta(days=first)
        return Stretch(start, min(period.end, period.start + timedelta(days=end)), Grain.DAY)
    start = calendar.later_months(period.start, first)
    return Stretch(start, min(period.end, calendar.later_months(period.start, end)), Grain.MONTH)


def _rest(context: Context, periods: Times) -> Times | None:
    """The rest of the week, later this month: from today on."""
    found = [moment for moment in periods if moment.stretch.start <= context.now < moment.stretch.end]
    if not found:
        return phase_of(_LATE, periods)
    return tuple(replace(moment, start=max(start_of(moment), calendar.midnight(context.today)), grain=Grain.DAY)
                 for moment in found)  # fmt: skip


def _so_far(context: Context, periods: Times) -> Times | None:
    """Earlier this week: until now; or its beginning."""
    found = [moment for moment in periods if moment.stretch.start <= context.now < moment.stretch.end]
    if not found:
        return phase_of(_EARLY, periods)
    until = tuple(replace(moment, end=calendar.midnight(context.today), grain=Grain.DAY, score=0.8) for moment in found
                  if start_of(moment) < calendar.midnight(context.today))  # fmt: skip
    return until + tuple(replace(moment, score=moment.score * 0.2) for moment in phase_of(_EARLY, periods) or ())


def _to_date(context: Context, unit: Grain) -> Times | None:
    if unit not in _CALENDAR:
        return None
    return one(Stretch(calendar.holding(context.today, unit).start, context.now, Grain.DAY))


def _end_of_unit(unit: Grain):  # type: ignore[no-untyped-def]
    return lambda context: phase_of(_LATE, one(calendar.holding(context.today, unit)))


_YEARS: tuple[Row, ...] = (
    ("yearof", "the? calendar? year of? YEAR", _year),
    ("yearof", "YEAR a . d|ad|ce .?", _year),
    ("yearof", "YEAR ad|ce?", _year),
    ("yearof", "the? <shift> year|yr", lambda context, shift: _shifted(context, shift, Grain.YEAR)),
    ("yearof", "CYNUMBER", lambda context, number: one(calendar.year(full_year(context, number) if number < 100 else number))),  # noqa: PLR2004
    ("yearin", "in <length>", _year_in),
    ("yearin", "<length> from now", _year_in),
    ("yearin", "<length> ago", _year_ago),
    ("yearin", "the? year after next", lambda context: _after_next(context, Grain.YEAR)),
    ("decade", "the? YEAR 's", _decade),
    ("decade", "the? YEAR '? s", _decade),
    ("decade", "the ' SHORT '?s", _short_decade),
    ("decade", "' SHORT s", _short_decade),
    ("decade", "the SHORT s|'s", _short_decade),
    ("decade", "the SHORT ' s", _short_decade),
    ("decade", "NUMBER DECADENAME", _century_decade),
    ("decade", "the DECADENAME", _short_decade),
    ("century", "the? ORDINAL century", _century),
)  # fmt: skip
_MONTHS: tuple[Row, ...] = (
    ("month0", "the? month of? MONTH ,? of|in? <yearof>", _month_in),
    ("month0", "MONTH ,? of|in? <yearof>", _month_in),
    ("month0", "MONTH -|/|. <yearof>", _month_in),
    ("month0", "MONTH ' SHORT", lambda context, number, short: (
        None if (years := _short_year(context, short)) is None else _month_in(context, number, years))),
    ("month0", "<yearof> -|/|. MONTH", lambda context, years, number: _month_in(context, number, years)),
    ("month0", "MONTH <yearin>", _month_in),
    ("month0", "YM", _year_month),
    ("month0", "MY", _month_year),
    ("month0", "the? <shift> MONTH", _shifted_month),
    ("month0", "the? MONTH after next", _month_after_next),
    ("month0", "the? <shift> month", lambda context, shift: _shifted(context, shift, Grain.MONTH)),
    ("month0", "the? <nth> month of|in? <yearof>", lambda context, count, years: _nth_month(
        context, count, Grain.MONTH, years)),
    ("month0", "the? month after next", lambda context: _after_next(context, Grain.MONTH)),
    ("month0", "the? month before last", lambda context: _before_last(context, Grain.MONTH)),
    ("month", "<month0>", _same),
    ("month", "the? month of? MONTH", _month),
    ("month", "the month", lambda context: this_unit(context, Grain.MONTH)),
)  # fmt: skip
_QUARTERS: tuple[Row, ...] = (
    ("qnumber", "QNUMBER", _same),
    ("qnumber", "q SHORT", lambda _, number: number.value),
    ("qnumber", "the? ORDINAL quarter|qtr", _same),
    ("qnumber", "the? SHORT quarter|qtr", lambda _, number: number.value),
    ("qnumber", "quarter SHORT", lambda _, number: number.value),
    ("hnumber", "HNUMBER", _same),
    ("hnumber", "the? ORDINAL half of? the? year?", _same),
    ("quarterly", "<qnumber> ,|-|/? of|in? <yearof>", _quarter_of),
    ("quarterly", "<yearof> ,|-|/|'s? <qnumber>", _year_quarter),
    ("quarterly", "<qnumber> of|in the year", _quarter),
    ("quarterly", "<qnumber>", _quarter),
    ("quarterly", "<hnumber> of|in? <yearof>", _half_of),
    ("quarterly", "<yearof> -? <hnumber>", lambda context, years, number: _half_of(context, number, years)),
    ("quarterly", "HNUMBER", _half),
    ("quarterly", "the? ORDINAL half of the? year", _half),
    ("season", "the? <shift> SEASON", _shifted_season),
    ("season", "SEASON ,? of|in? <yearof>", _season_in),
    ("season", "the? SEASON", _season),
)
_WEEKS: tuple[Row, ...] = (
    ("week", "the? <shift> week|wk", lambda context, shift: _shifted(context, shift, Grain.WEEK)),
    ("week", "around <shift> week|wk", lambda context, shift: _shifted(context, shift, Grain.WEEK)),
    ("week", "the? week after the? next", lambda context: _after_next(context, Grain.WEEK)),
    ("week", "the? week before last", lambda context: _before_last(context, Grain.WEEK)),
    ("week", "a week from <anchor>", lambda context, days: mapped(
        days, lambda found: calendar.week_of(found.first_day + timedelta(days=DAYS_A_WEEK)))),
    ("week", "the? week|wk|w NUMBER ,? of|in? <yearof>", _numbered_week_of),
    ("week", "<yearof> ,|'s|-? week|wk NUMBER", lambda context, years, number: _numbered_week_of(
        context, number, years)),
    ("week", "the? week|wk number|no|# NUMBER", _numbered_week),
    ("week", "the? week|wk NUMBER", _numbered_week),
    ("week", "ISOWEEK", _iso_week),
    ("week", "the? week of|containing|with the? <anchor>", _week_of_days),
    ("week", "the? week starting|beginning|commencing|from on|with? the? <anchor>", _week_from),
    ("week", "the? week ending|until on? the? <anchor>", _week_until),
    ("week", "the? <nth> week of|in <holder>", _nth_week),
    ("week", "the? <nth> week <month>", _nth_week),
    ("week", "<month0> 's last|final week", _last_week),
    ("week", "<yearof> 's last|final week", _last_week),
    ("weekend", "the? <shift> weekend|wkend", lambda context, shift: _shifted(context, shift, Grain.WEEKEND)),
    ("weekend", "the? weekend after next", lambda context: _after_next(context, Grain.WEEKEND)),
    ("weekend", "the? weekend before last", lambda context: _before_last(context, Grain.WEEKEND)),
    ("weekend", "the? weekend of|at|around the? <anchor>", _weekend_of_days),
    ("weekend", "the? <holiday> weekend", _weekend_of_days),
    ("weekend", "the? weekend HOLIDAY", _holiday),
    ("weekend", "the? HOLIDAY weekend ,? of|in? <yearof>", lambda context, holiday, years: _weekend_of_days(
        context, _holiday_in(context, holiday, years))),
    ("weekend", "that weekend", lambda context: _shifted_weekend(context, "that")),
    ("weekend", "the? weekend", lambda context: this_unit(context, Grain.WEEKEND)),
    ("fortnight", "the? SHIFT fortnight", _fortnight),
    ("fortnight", "the fortnight", lambda context: _fortnight(context, None)),
)  # fmt: skip
_HOLIDAYS: tuple[Row, ...] = (
    ("holiday", "the? HOLIDAY ,? of|in? <yearof>", _holiday_in),
    ("holiday", "<yearof> 's? HOLIDAY", lambda context, years, holiday: _holiday_in(context, holiday, years)),
    ("holiday", "HOLIDAY <yearin>", _holiday_in),
    ("holiday", "the? <shift> HOLIDAY", _shifted_holiday),
    ("holiday", "the? HOLIDAY", _holiday),
    ("holiday", "the? HOLIDAY ' SHORT", lambda context, holiday, short: (
        None if (years := _short_year(context, short)) is None else _holiday_in(context, holiday, years))),
)  # fmt: skip
_RUNS: tuple[Row, ...] = (
    ("run", "the? <shift> <length>", _run),
    ("run", "the? <count> <shift> PLURAL", _counted_run),
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
        lambda context, shift, unit: _shifted(context, shift, unit) if unit in _CLOCK else None,
    ),
)
_UNIT_PHRASES: tuple[Row, ...] = (
    ("holder0", "<month0>", _same),
    ("holder0", "<yearof>", _same),
    ("holder0", "<quarterly>", _same),
    ("holder0", "<week>", _same),
    ("holder0", "<weekend>", _same),
    ("holder0", "<decade>", _same),
    ("holder0", "<century>", _same),
    ("holder0", "<season>", _same),
    ("holder0", "MONTH", _month),
    ("holder0", "the? <shift> UNIT", _shifted),
    ("holder", "<holder0>", _same),
    ("holder", "the <unit0>", _same),
    ("unit0", "UNIT", this_unit),
    ("phased", "the? early|beginning|start part|days? of|in? <holder0>", _phase(_EARLY)),
    ("phased", "early - <holder0>", _phase(_EARLY)),
    ("phased", "the? mid|middle|midst part? -? of|in? <holder0>", _phase(_MID)),
    ("phased", "the? late|end part|days? of|in? <holder0>", _phase(_LATE)),
    ("phased", "late - <holder0>", _phase(_LATE)),
    ("phased", "the? end of around <holder0>", _phase(_LATE)),
    ("phased", "<holder0> 's? end", _phase(_LATE)),
    ("phased", "the? beginning|start of the? <unit0>", _phase(_EARLY)),
    ("phased", "early|earlier in|on? the? <unit0>", _so_far),
    ("phased", "the? middle of the? <unit0>", _phase(_MID)),
    ("phased", "midweek", lambda context: phase_of(_MID, this_unit(context, Grain.WEEK) or ())),
    ("phased", "mid -? UNIT", lambda context, unit: phase_of(_MID, this_unit(context, unit) or ()) or None),
    ("phased", "the? end of the? <unit0>", _phase(_LATE)),
    ("phased", "the? eom", _end_of_unit(Grain.MONTH)),
    ("phased", "the? eoy", _end_of_unit(Grain.YEAR)),
    ("phased", "the? eow", _end_of_unit(Grain.WEEK)),
    ("phased", "the? eoq", _end_of_unit(Grain.QUARTER)),
    ("phased", "the? bom", lambda context: phase_of(_EARLY, one(calendar.holding(context.today, Grain.MONTH)))),
    ("phased", "the? boy", lambda context: phase_of(_EARLY, one(calendar.holding(context.today, Grain.YEAR)))),
    ("phased", "later in|on? <holder0>", _rest),
    ("phased", "later in|on? the <unit0>", _rest),
    ("phased", "the? rest|remainder of the? <holder0>", _rest),
    ("phased", "the? rest|remainder of the? <unit0>", _rest),
    ("phased", "earlier in|on? <holder0>", _so_far),
    ("phased", "earlier in|on? the <unit0>", _so_far),
    ("phased", "UNIT to date", _to_date),
    ("phased", "ytd", lambda context: _to_date(context, Grain.YEAR)),
    ("phased", "mtd", lambda context: _to_date(context, Grain.MONTH)),
)
PRODUCTIONS: tuple[Row, ...] = (
    *_YEARS,
    *_MONTHS,
    *_QUARTERS,
    *_WEEKS,
    *_HOLIDAYS,
    *_RUNS,
    *_UNIT_PHRASES,
    ("period", "<phased>", _same),
    ("period", "<run>", _same),
    ("period", "<fortnight>", _same),
    ("period", "<week>", _same),
    ("period", "<weekend>", _same),
    ("period", "<month0>", _same),
    ("period", "<quarterly>", _same),
    ("period", "<season>", _same),
    ("period", "<decade>", _same),
    ("period", "<century>", _same),
    ("period", "<yearof>", _same),
    ("period", "the? <shift> UNIT", _shifted),
    ("period", "MONTH", _month),
)
"""`holder` is what days and weeks are counted in, `phased` an edge of it, `run` so many units."""
