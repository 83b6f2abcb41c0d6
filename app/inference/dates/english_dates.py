"""Days of the calendar in English: "3 May 2026", "May the third", "5/14", "2026-05-14", "23/Sep/2026"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from app.inference.dates import calendar
from app.inference.dates.english_context import (
    PAST,
    Context,
    Times,
    day,
    of_years,
    yearly,
)
from app.inference.dates.english_years import full_year

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.inference.dates.english_context import OfYear
    from app.inference.dates.english_tokens import Figures, Number
    from app.inference.dates.productions import Row


MonthDay = tuple[int, int]


MOST_DAYS, MONTHS = 31, 12


def _day_number(_: Context, number: Number | int) -> int | None:
    value = number if isinstance(number, int) else number.value
    return value if 1 <= value <= MOST_DAYS else None


def _month_day(_: Context, month: int, number: int) -> MonthDay:
    return (month, number)


def _day_month(_: Context, number: int, month: int) -> MonthDay:
    return (month, number)


def of_year(month_day: MonthDay) -> OfYear:
    """A day of every year; raises ValueError in a year that has none."""
    month, number = month_day
    return lambda year: calendar.days(date(year, month, number))


def _every_year(context: Context, month_day: MonthDay) -> Times:
    return yearly(context, of_year(month_day))


def _in_years(_: Context, month_day: MonthDay, years: Times) -> Times:
    return of_years(years, of_year(month_day))


def _year_first(_: Context, year: int, month_day: MonthDay) -> Times:
    return day(date(year, *month_day))


def _in_short_year(context: Context, month_day: MonthDay, number: Number) -> Times | None:
    if number.digits != 2:  # noqa: PLR2004
        return None
    return day(date(full_year(context, number.value), *month_day))


def _day_month_short_year(context: Context, number: int, month: int, year: Number) -> Times | None:
    return _in_short_year(context, (month, number), year)


def _month_day_short_year(context: Context, month: int, number: int, year: Number) -> Times | None:
    return _in_short_year(context, (month, number), year)


def _year_day_month(_: Context, year: int, number: int, month: int) -> Times:
    return day(date(year, month, number))


def _in_late_short_year(context: Context, month_day: MonthDay, number: Number) -> Times | None:
    """Said as "14th April 15": not where the number may be an hour or a day."""
    return _in_short_year(context, month_day, number) if number.value > MONTHS else None


def _listed_day(context: Context, number: int, *others: int) -> Times:
    """The 4th and 5th of May: each has the month."""
    return _every_year(context, (others[-1], number))


def _ides(context: Context, month: int) -> Times:
    return yearly(context, of_year((month, 15 if month in {3, 5, 7, 10} else 13)))


def _year_month_day(_: Context, figures: Figures) -> Times:
    year, month, number = figures.parts
    if month > MONTHS >= number:
        return day(date(year, number, month))
    return day(date(year, month, number))


def _figures_with_year(context: Context, figures: Figures) -> Times | None:
    """10/11/2026: the American order first, the day first after a full stop; both where both are possible."""
    year = figures.parts[2]
    if figures.widths[2] == 2:  # noqa: PLR2004
        if figures.separator == ".":
            return None
        year = full_year(context, year)
    return _both_orders(figures, lambda month, number: day(date(year, month, number)))


def figures_without_year(context: Context, figures: Figures) -> Times | None:
    """30/11: the nearest of every year."""
    return _both_orders(figures, lambda month, number: _every_year(context, (month, number)))


def _slashed(context: Context, figures: Figures) -> Times | None:
    is_always = figures.parts == (24, 7)
    return figures_without_year(context, figures) if figures.separator == "/" and not is_always else None


def _figures_in_years(_: Context, figures: Figures, years: Times) -> Times | None:
    return _both_orders(figures, lambda month, number: of_years(years, of_year((month, number))))


def _both_orders(figures: Figures, build: Callable[[int, int], Times]) -> Times:
    first, second = figures.parts[:2]
    month_first = 0.2 if figures.separator == "." else 0.65
    if first > MONTHS or second > MONTHS or first == second:
        return (
            build(min(first, second), max(first, second))
            if first == second or first <= MONTHS
            else build(second, first)
        )
    american = [replace(moment, score=moment.score * month_first) for moment in build(first, second)]
    other = [replace(moment, score=moment.score * (1 - month_first)) for moment in build(second, first)]
    return (*american, *other)


def _compact(_: Context, figures: Figures) -> Times | None:
    return day(date(*figures.parts))


def _iso_day(_: Context, figures: Figures) -> Times:
    return day(date.fromisocalendar(*figures.parts))


def _next_figures(context: Context, figures: Figures) -> Times | None:
    """Said as "Next 5/12": the one to come."""
    found = _slashed(context, figures)
    return None if found is None else tuple(moment for moment in found if moment.side != PAST)


_MONTH_DAYS: tuple[Row, ...] = (
    ("dom", "SHORT", _day_number),
    ("dom", "SPELLED", _day_number),
    ("dom", "ORDINAL", _day_number),
    ("ordinalday", "ORDINAL", _day_number),
    ("md", "MONTH the? <dom>", _month_day),
    ("md", "MONTH -|/|.|, <dom>", _month_day),
    ("md", "<dom> of? MONTH", _day_month),
    ("md", "<dom> -|/|. MONTH", _day_month),
    ("md", "the <dom> of|in? MONTH", _day_month),
    ("md", "the? <dom> day of|in MONTH", _day_month),
    ("mdordinal", "MONTH the? <ordinalday>", _month_day),
    ("mdordinal", "the? <ordinalday> of? MONTH", _day_month),
)


_DATES: tuple[Row, ...] = (
    ("date", "<md> ,? of|in? <yearof>", _in_years),
    ("date", "<md> -|/|. <yearof>", _in_years),
    ("date", "<md> ' SHORT", _in_short_year),
    ("date", "<dom> -|/|. MONTH -|/|. SHORT", _day_month_short_year),
    ("date", "MONTH -|/|. <dom> -|/|. SHORT", _month_day_short_year),
    ("date", "<md> of SHORT", _in_short_year),
    ("date", "<mdordinal> SHORT", _in_late_short_year),
    ("date", "YEAR ,|-|/|.? <md>", _year_first),
    ("date", "YEAR / <dom> / MONTH", _year_day_month),
    ("date", "YMD", _year_month_day),
    ("date", "DMY", _figures_with_year),
    ("date", "COMPACT", _compact),
    ("date", "ISODAY", _iso_day),
    ("date", "DM ,? of|in? <yearof>", _figures_in_years),
    ("date", "the? ides of MONTH", _ides),
    ("date", "<md>", _every_year),
    ("listed", "the? <dom> > ,|and|or|& the? <dom> of? MONTH", _listed_day),
    ("listed", "the? <dom> > , the? <dom> ,? and|or|& the? <dom> of? MONTH", _listed_day),
    ("listed", "the? <dom> > , the? <dom> , the? <dom> ,? and|or|& the? <dom> of? MONTH", _listed_day),
    ("date", "DM", _slashed),
    ("date", "next|coming|upcoming DM", _next_figures),
)

PRODUCTIONS: tuple[Row, ...] = (*_MONTH_DAYS, *_DATES)
