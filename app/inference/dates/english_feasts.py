"""Holidays in English sentences: "Easter 2026", "next Thanksgiving", "the last Christmas"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.inference.dates import calendar
from app.inference.dates.english_context import (
    Context,
    Times,
    of_years,
    one,
    sided,
    yearly,
)
from app.inference.dates.english_shifts import STEPS
from app.inference.dates.english_years import short_year
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.calendar import Stretch
    from app.inference.dates.english_context import OfYear
    from app.inference.dates.english_holidays import Holiday
    from app.inference.dates.productions import Row


def _holiday_of(holiday: Holiday) -> OfYear:
    def of_year(year: int) -> Stretch:
        found = holiday.days(year)
        if not found:
            raise ValueError("that year has none")
        return calendar.days(found[0], holiday.length)

    return of_year


def holiday(context: Context, holiday: Holiday) -> Times:
    """A holiday without its year."""
    return _sighted(holiday, yearly(context, _holiday_of(holiday)))


def holiday_in(_: Context, holiday: Holiday, years: Times) -> Times:
    """A holiday of a year."""
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
    step, year = STEPS[shift], context.today.year
    if step == 0 and shift in {"this", "current"}:
        return holiday_in(context, holiday, one(calendar.year(year)))
    options = sided(context, [_holiday_of(holiday)(number) for number in range(year - 1, year + 3)
                              if holiday.days(number)])  # fmt: skip
    return tuple(moment for moment in options if moment.side == (step or 1)) or options


PRODUCTIONS: tuple[Row, ...] = (
    ("holiday", "the? HOLIDAY ,? of|in? <yearof>", holiday_in),
    ("holiday", "<yearof> 's? HOLIDAY", lambda context, years, holiday: holiday_in(context, holiday, years)),
    ("holiday", "HOLIDAY <yearin>", holiday_in),
    ("holiday", "the? <shift> HOLIDAY", _shifted_holiday),
    ("holiday", "the? HOLIDAY", holiday),
    ("holiday", "the? HOLIDAY ' SHORT", lambda context, holiday, short: (
        None if (years := short_year(context, short)) is None else holiday_in(context, holiday, years))),
)  # fmt: skip
