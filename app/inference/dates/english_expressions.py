"""The topmost productions of the English grammar: what makes a whole expression of time, and when it is one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.inference.dates import (
    english_dates,
    english_days,
    english_distances,
    english_feasts,
    english_hours,
    english_lengths,
    english_moments,
    english_months,
    english_open,
    english_periods,
    english_sets,
    english_shifts,
    english_spans,
    english_times,
    english_weeks,
    english_years,
)
from app.inference.dates.english_clock import open_clock
from app.inference.dates.english_context import Expression, Times, end_of, start_of
from app.inference.dates.english_dates import figures_without_year
from app.inference.dates.english_hours import clock_range, hours_alone, on_days
from app.inference.dates.english_moments import DayPart, time_alone
from app.inference.dates.english_open import until
from app.inference.dates.productions import Grammar

if TYPE_CHECKING:
    from app.inference.dates.english_clock import Clock
    from app.inference.dates.english_context import Context, Distance
    from app.inference.dates.english_hours import ClockRange
    from app.inference.dates.english_tokens import Figures
    from app.inference.dates.productions import Row

_POINTS = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.DAY})


def _point(_: Context, times: Times) -> Expression:
    kind = DateKind.POINT if times[0].grain in _POINTS else DateKind.RANGE
    return Expression(kind, times)


def _figures_of_weekday(context: Context, weekday: int, figures: Figures) -> Expression | None:
    """Said as "Friday 7-6" it may be a date, where the weekday is right, and hours."""
    if figures.separator != "-":
        return None
    days = tuple(
        replace(moment, score=moment.score * 0.4)
        for moment in figures_without_year(context, figures) or ()
        if start_of(moment).weekday() == weekday
    )
    if not days:
        return None
    first, last = (open_clock(hour, grain=Grain.HOUR) for hour in figures.parts)
    clocks = clock_range(first, last) if first is not None and last is not None else None
    hours = on_days(english_days.weekday(context, weekday), clocks) if clocks is not None else ()
    return Expression(DateKind.RANGE, (*hours, *days))


def _range(_: Context, times: Times) -> Expression:
    return Expression(DateKind.RANGE, times)


def _by(context: Context, times: Times) -> Expression:
    """By Friday: the coming one, and due at its end."""
    return Expression(DateKind.RANGE, until(context, _to_come(context, times)), is_deadline=True)


def _due(context: Context, times: Times) -> Expression:
    return Expression(DateKind.POINT, _to_come(context, times), is_deadline=True)


def _to_come(context: Context, times: Times) -> Times:
    """A deadline is to come: what is over counts only where nothing else is possible."""
    coming = tuple(moment for moment in times if moment.start is None or end_of(moment) > context.now)
    return coming or times


def _by_clock(context: Context, clock: Clock) -> Expression:
    return Expression(DateKind.RANGE, until(context, time_alone(context, clock)), is_deadline=True)


def _time(context: Context, clock: Clock) -> Expression | None:
    return Expression(DateKind.POINT, time_alone(context, clock)) if clock.is_sure else None


def _said_time(context: Context, clock: Clock) -> Expression:
    return Expression(DateKind.POINT, time_alone(context, clock))


def _hours(context: Context, clocks: ClockRange) -> Expression | None:
    return Expression(DateKind.RANGE, hours_alone(context, clocks)) if clocks.is_sure else None


def _part(_: Context, daypart: DayPart) -> Expression:
    return Expression(DateKind.RANGE, daypart.times)


def _length(_: Context, length: Distance) -> Expression:
    return Expression(DateKind.DURATION, duration=length.nominal)


def _this_unit(context: Context, unit: Grain) -> Expression | None:
    times = english_shifts.this_unit(context, unit)
    return None if times is None else Expression(DateKind.RANGE, times)


def _unresolved(_: Context, *__: object) -> Expression:
    """Recognised, and not understood: whose school year it is is not said."""
    return Expression(DateKind.RANGE)


_BY = "by|due|until|till|til"
_PRODUCTIONS: tuple[Row, ...] = (
    ("expr", "on? <weekday> DM", _figures_of_weekday),
    ("expr", "<hoursday>", _range),
    ("expr", "<hoursfor>", _range),
    ("expr", "<lasting>", _range),
    ("expr", "<span>", _range),
    ("expr", "<openday>", _range),
    ("expr", "<open>", _range),
    ("expr", f"{_BY} at|on|the? <point>", _by),
    ("expr", "due by|on|at|before? the? <point>", _by),
    ("expr", "no|not later than <point>", _by),
    ("expr", "deadline|due date is|:|of|on? <point>", _due),
    ("expr", "up to|until <point>", _by),
    ("expr", f"{_BY} about|around? <clock>", _by_clock),
    ("expr", "no|not later than <clock>", _by_clock),
    ("expr", "<openclock>", _range),
    ("expr", "<openpart>", _range),
    ("expr", "<listedpart>", _part),
    ("expr", "<day>", _point),
    ("expr", "<moment>", _point),
    ("expr", "sometime|anytime in|on|during? <day>", _point),
    ("expr", "<period>", _range),
    ("expr", "in|for|during|over|throughout the UNIT", _this_unit),
    ("expr", "<hours1>", _hours),
    ("expr", "at|@ <clock>", _said_time),
    ("expr", "at|@ <fourclock>", _said_time),
    ("expr", "at|@ around|about|approximately <clock>", _said_time),
    ("expr", "<clock>", _time),
    ("expr", "<partalone>", _part),
    ("expr", "<part>", lambda context, part: _part(context, english_moments.part_alone(context, part))),
    ("expr", "school|fiscal|financial|academic year YEAR?", _unresolved),
    ("expr", "<qnumber> of|in? FYNUMBER", _unresolved),
    ("expr", "<qnumber> of|in? fy|fiscal|financial year? YEAR?", _unresolved),
    ("expr", "SYNUMBER", _unresolved),
    ("expr", "FYNUMBER", _unresolved),
    ("expr", "sy|fy YEAR", _unresolved),
    ("expr", "for|over|lasts|lasting? <length>", _length),
)


def grammar() -> Grammar:
    """All tables, compiled."""
    return Grammar(
        (
            english_sets.PRODUCTIONS, _PRODUCTIONS, english_hours.PRODUCTIONS, english_spans.PRODUCTIONS,
            english_open.PRODUCTIONS, english_moments.PRODUCTIONS, english_distances.PRODUCTIONS,
            english_dates.PRODUCTIONS, english_days.PRODUCTIONS, english_years.PRODUCTIONS,
            english_months.PRODUCTIONS, english_weeks.PRODUCTIONS, english_feasts.PRODUCTIONS,
            english_shifts.PRODUCTIONS, english_periods.PRODUCTIONS, english_times.PRODUCTIONS,
            english_lengths.PRODUCTIONS,
        )
    )  # fmt: skip
