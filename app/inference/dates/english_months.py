"""Months, quarters, halves of years and seasons in English: "next March", "Q3 2018", "summer of 2020"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import Stretch
from app.inference.dates.english_context import (
    Context,
    Times,
    alternatives,
    mapped,
    of_years,
    one,
    same,
    yearly,
)
from app.inference.dates.english_shifts import STEPS, after_next, before_last, inside, season_of, shifted, this_unit
from app.inference.dates.english_years import full_year, short_year

if TYPE_CHECKING:
    from app.inference.dates.english_tokens import Figures
    from app.inference.dates.productions import Row


def month(context: Context, number: int) -> Times:
    """A month without its year."""
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
    """Said as "Next March" is the next one to come for some, that of the next year for others."""
    today = context.today
    step = STEPS[shift]
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


def _short_quarter(context: Context, figures: Figures) -> Times | None:
    """3Q18: the year may be in two digits."""
    number, year = figures.parts
    return one(calendar.quarter(full_year(context, year) if year < 100 else year, number))  # noqa: PLR2004


def _quarter_first(context: Context, figures: Figures) -> Times | None:
    """18q4: the year stands first."""
    return _short_quarter(context, replace(figures, parts=(figures.parts[1], figures.parts[0])))


def _half_of(_: Context, number: int, years: Times) -> Times | None:
    return of_years(years, lambda year: calendar.half_year(year, number)) if number in {1, 2} else None


def _half(context: Context, number: int) -> Times | None:
    return yearly(context, lambda year: calendar.half_year(year, number)) if number in {1, 2} else None


def _half_of_period(_: Context, number: int, periods: Times) -> Times | None:
    """The second half of next month: to the day for a month, to the month for longer."""
    grains = {Grain.MONTH, Grain.QUARTER, Grain.DECADE}
    if number not in {1, 2} or any(moment.grain not in grains for moment in periods):
        return None

    def half(period: Stretch) -> Stretch:
        middle = period.start + timedelta(days=15) if period.grain is Grain.MONTH else None
        if middle is None:
            months = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month
            middle = calendar.later_months(period.start, months // 2)
        ends = (period.start, middle) if number == 1 else (middle, period.end)
        return Stretch(*ends, Grain.DAY)

    return mapped(periods, half)


def _season(context: Context, number: int) -> Times:
    return yearly(context, season_of(number))


def _season_in(_: Context, number: int, years: Times) -> Times:
    return of_years(years, season_of(number))


def _shifted_season(context: Context, shift: str, number: int) -> Times:
    step = STEPS[shift]
    year = context.today.year
    if step == 0:
        running = [found for one_year in (year - 1, year) if (found := season_of(number)(one_year)).first_day
                   <= context.today <= found.last_day]  # fmt: skip
        return one(running[0] if running else season_of(number)(year))
    options = [season_of(number)(one_year) for one_year in range(year - 2, year + 3)]
    if step > 0:
        return one(min((option for option in options if option.first_day > context.today), key=lambda o: o.start))
    return one(max((option for option in options if option.last_day < context.today), key=lambda o: o.start))


def _nth_month(_: Context, count: int, unit: Grain, periods: Times) -> Times | None:
    """The third month of 2021, the second half of a year is said otherwise."""
    if unit not in {Grain.MONTH, Grain.QUARTER} or any(
        moment.grain not in {Grain.YEAR, Grain.QUARTER, Grain.DECADE} for moment in periods
    ):
        return None

    def of(period: Stretch) -> Stretch:
        first = calendar.holding(period.first_day if count > 0 else period.last_day, unit)
        return inside(period, first.moved(count - 1 if count > 0 else count + 1))

    return mapped(periods, of)


_MONTHS: tuple[Row, ...] = (
    ("month0", "the? month of? MONTH ,? of|in? <yearof>", _month_in),
    ("month0", "MONTH ,? of|in? <yearof>", _month_in),
    ("month0", "MONTH -|/|. <yearof>", _month_in),
    ("month0", "MONTH ' SHORT", lambda context, number, short: (
        None if (years := short_year(context, short)) is None else _month_in(context, number, years))),
    ("month0", "<yearof> -|/|. MONTH", lambda context, years, number: _month_in(context, number, years)),
    ("month0", "MONTH <yearin>", _month_in),
    ("month0", "YM", _year_month),
    ("month0", "MY", _month_year),
    ("month0", "the? <shift> MONTH", _shifted_month),
    ("month0", "the? MONTH after next", _month_after_next),
    ("month0", "the? <shift> month", lambda context, shift: shifted(context, shift, Grain.MONTH)),
    ("month0", "the? <nth> month of|in? <yearof>", lambda context, count, years: _nth_month(
        context, count, Grain.MONTH, years)),
    ("month0", "the? month after next", lambda context: after_next(context, Grain.MONTH)),
    ("month0", "the? month before last", lambda context: before_last(context, Grain.MONTH)),
    ("month", "<month0>", same),
    ("month", "the? month of? MONTH", month),
    ("month", "the month", lambda context: this_unit(context, Grain.MONTH)),
)  # fmt: skip


_QUARTERS: tuple[Row, ...] = (
    ("qnumber", "QNUMBER", same),
    ("qnumber", "q SHORT", lambda _, number: number.value),
    ("qnumber", "the? ORDINAL quarter|qtr", same),
    ("qnumber", "the? SHORT quarter|qtr", lambda _, number: number.value),
    ("qnumber", "quarter SHORT", lambda _, number: number.value),
    ("hnumber", "HNUMBER", same),
    ("hnumber", "the? ORDINAL half of? the? year?", same),
    ("quarterly", "<qnumber> ,|-|/? of|in? <yearof>", _quarter_of),
    ("quarterly", "<yearof> ,|-|/|'s? <qnumber>", _year_quarter),
    ("quarterly", "QY", _short_quarter),
    ("quarterly", "YQ", _quarter_first),
    ("quarterly", "<qnumber> of|in the year", _quarter),
    ("quarterly", "<qnumber>", _quarter),
    ("quarterly", "<hnumber> of|in? <yearof>", _half_of),
    ("quarterly", "<yearof> -? <hnumber>", lambda context, years, number: _half_of(context, number, years)),
    ("halved", "the? ORDINAL half of|in <holder>", _half_of_period),
    ("quarterly", "HNUMBER", _half),
    ("quarterly", "the? ORDINAL half of the? year", _half),
    ("season", "the? <shift> SEASON", _shifted_season),
    ("season", "SEASON ,? of|in? <yearof>", _season_in),
    ("season", "the? SEASON", _season),
)

PRODUCTIONS: tuple[Row, ...] = (*_MONTHS, *_QUARTERS)
