"""Distances from now and from other days in English: "in three days", "two weeks ago", "a week after Easter"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import Stretch
from app.inference.dates.english_context import (
    Context,
    Distance,
    Times,
    alternatives,
    day,
    distant,
    end_of,
    mapped,
    one,
    start_of,
)
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.productions import Build, Row


_VAGUENESS: dict[Grain, tuple[Grain, float]] = {
    Grain.WEEK: (Grain.WEEK, 0.2),
    Grain.MONTH: (Grain.MONTH, 0.3),
    Grain.QUARTER: (Grain.MONTH, 0.3),
    Grain.HALF_YEAR: (Grain.MONTH, 0.3),
    Grain.YEAR: (Grain.YEAR, 0.25),
    Grain.DECADE: (Grain.YEAR, 0.3),
    Grain.CENTURY: (Grain.YEAR, 0.3),
}
"""What else a distance in such units may mean: "three years ago" is that day, its month or its year."""


def from_now(context: Context, length: Distance, sign: int) -> Times:
    """Said as "In three days", "two years ago": the day; for longer units perhaps only the month that it lies in."""
    if length.unit is Grain.WEEKEND and length.count:
        return one(calendar.weekend_of(context.today).moved(sign * length.count))
    if length.is_working:
        return day(calendar.working_days_later(context.today, sign * length.days))
    stretch = distant(context, context.now, length, sign)
    if length.is_exact:
        return one(stretch)
    grain, weight = _VAGUENESS.get(length.unit, (Grain.DAY, 0.0))
    if grain is Grain.YEAR and not length.count:
        grain = Grain.MONTH  # a year and a half
    if grain is not Grain.DAY:
        longer = [(calendar.holding(stretch.first_day, grain), weight)]
        if grain is Grain.YEAR:
            longer.append((calendar.holding(stretch.first_day, Grain.MONTH), weight))
        return alternatives((stretch, 1 - weight * len(longer)), *longer)
    hour = calendar.holding_time(stretch.start + (context.now - calendar.midnight(context.today)), Grain.HOUR)
    return alternatives((stretch, 0.9), (hour, 0.1))


def _later(context: Context, length: Distance) -> Times:
    return from_now(context, length, 1)


def _ago(context: Context, length: Distance) -> Times:
    return from_now(context, length, -1)


def _exactly_later(context: Context, length: Distance) -> Times:
    """Said as "A day from right now": to the minute."""
    moved = calendar.shifted(context.now, months=length.months, day_count=length.days)
    return one(Stretch(moved + length.time, moved + length.time + timedelta(minutes=1), Grain.MINUTE))


def distance_from(sign: int) -> Build:
    """So long before (-1) or after (1) another day."""

    def build(context: Context, length: Distance, days: Times) -> Times | None:
        if length.is_working:
            return mapped(days, lambda one_day: calendar.days(
                calendar.working_days_later(one_day.first_day, sign * length.days)
            ))  # fmt: skip
        if length.is_exact and any(moment.grain not in {Grain.MINUTE, Grain.HOUR, Grain.SECOND} for moment in days):
            return None
        found = []
        for moment in days:
            base = start_of(moment) if sign < 0 or moment.grain is not Grain.WEEK else end_of(moment)
            found.append(replace(Moment.of(distant(context, base, length, sign)), score=moment.score, side=moment.side))
        return tuple(found)

    return build


PRODUCTIONS: tuple[Row, ...] = (
    ("later", "in about|around|exactly|another? <length> from|after now|today", _later),
    ("later", "in about|around|exactly|another? <length> time?", _later),
    ("later", "in <length> ' s? time", _later),
    ("later", "<length> from now|today|hence", _later),
    ("later", "<length> from right now", _exactly_later),
    ("later", "<length> hence|later|after", _later),
    ("later", "after <length>", _later),
    ("later", "<length> after now|today", _later),
    ("later", "<length> ago", _ago),
    ("later", "<length> before now|today", _ago),
    ("later", "<length> back|earlier|previously", _ago),
    ("later", "<length> prior to now|today", _ago),
    ("later", "this|last time <length> ago", _ago),
)
