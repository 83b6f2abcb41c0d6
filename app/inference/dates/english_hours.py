"""Ranges of hours in English: "from 3 to 5 pm", "9-11", "4 pm for 30 minutes"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.english_clock import WHOLE_DAY, Clock, Hour, Part, open_clock, within
from app.inference.dates.english_context import (
    Context,
    Distance,
    Times,
    day,
    same,
    start_of,
)
from app.inference.dates.english_moments import DayPart, time_alone, zone_of
from app.inference.dates.english_words import TO
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.english_tokens import Number
    from app.inference.dates.productions import Row


CLOCKS = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.PART_OF_DAY})


_MOST_HOURS = 16


@dataclass(frozen=True, slots=True)
class ClockRange:
    """From one time of day to another; `ways` are (first, end, score), the end after the first."""

    ways: tuple[tuple[Hour, Hour, float], ...]
    first: Clock
    last: Clock
    is_sure: bool = False


def clock_range(first: Clock, last: Clock) -> ClockRange | None:
    """Two times of day as a range: of the ways to understand them those that make the shortest.

    "5 to 6 pm" begins in the afternoon, "11-4" in the morning, "10 pm to 2 am" ends the day after.
    """
    pairs: list[tuple[Hour, Hour, float]] = []
    for start in first.hours:
        ends = [end for way in last.hours for end in (way, replace(way, hour=way.hour + WHOLE_DAY))]
        after = [end for end in ends if end.minutes > start.minutes]
        if after:
            end = min(after, key=lambda one_end: one_end.minutes)
            pairs.append((start, end, start.score))
    if not pairs:
        return None
    if not (first.is_open and last.is_open):
        shortest = min(end.minutes - start.minutes for start, end, _ in pairs)
        pairs = [pair for pair in pairs if pair[1].minutes - pair[0].minutes == shortest]
    if min(end.minutes - start.minutes for start, end, _ in pairs) > _MOST_HOURS * 60:
        return None
    zone = last.zone if last.zone is not None else first.zone
    is_sure = first.is_sure or last.is_sure
    return ClockRange(tuple(pairs), replace(first, zone=zone), replace(last, zone=zone), is_sure)


def _clock_range(_: Context, first: Clock, last: Clock) -> ClockRange | None:
    return clock_range(first, last)


def _sure_range(_: Context, first: Clock, last: Clock) -> ClockRange | None:
    found = clock_range(first, last)
    return None if found is None else replace(found, is_sure=True)


def on_days(days: Times, clocks: ClockRange, *, is_time_only: bool = False) -> Times:
    """A range of hours on days."""
    zone = zone_of(clocks.first)
    found = []
    for moment in days:
        which = start_of(moment).date()
        for first, last, score in clocks.ways:
            found.append(Moment(
                calendar.at_time(which, first.hour, first.minute, first.second),
                calendar.at_time(which, last.hour, last.minute, last.second),
                Grain.MINUTE, moment.score * score, moment.side, is_time_only, zone,
            ))  # fmt: skip
    return tuple(found)


def _day_hours(_: Context, days: Times, clocks: ClockRange) -> Times | None:
    if any(moment.grain is not Grain.DAY or moment.end is None or moment.stretch.first_day != moment.stretch.last_day
           for moment in days):  # fmt: skip
        return None
    return on_days(days, clocks)


def _hours_day(context: Context, clocks: ClockRange, days: Times) -> Times | None:
    return _day_hours(context, days, clocks)


def _part_hours(_: Context, daypart: DayPart, clocks: ClockRange) -> Times | None:
    narrowed = _within_part(clocks, daypart.part)
    return None if narrowed is None else on_days(daypart.days, narrowed, is_time_only=not daypart.is_day_said)


def _hours_part(context: Context, clocks: ClockRange, daypart: DayPart) -> Times | None:
    return _part_hours(context, daypart, clocks)


def _within_part(clocks: ClockRange, part: Part) -> ClockRange | None:
    first = within(clocks.first, part)
    if first is None:
        return None
    return clock_range(replace(first, zone=clocks.first.zone), clocks.last)


def _hours_in_part(_: Context, clocks: ClockRange, part: Part) -> ClockRange | None:
    narrowed = _within_part(clocks, part)
    return None if narrowed is None else replace(narrowed, is_sure=True)


def _hours_in_half(context: Context, first: Clock, last: Clock, half: str) -> ClockRange | None:
    hours = tuple(hour for hour in last.hours if (hour.hour >= 12) == (half == "p"))  # noqa: PLR2004
    return _sure_range(context, first, last.chosen(hours)) if hours else None


def hours_alone(context: Context, clocks: ClockRange) -> Times:
    """Hours without a day: today's, or tomorrow's when they are over."""
    found = on_days(day(context.today), clocks, is_time_only=True)
    step = timedelta(days=1)
    return tuple(
        moment
        if moment.end is None or moment.end > context.now
        else replace(moment, start=start_of(moment) + step, end=moment.end + step)
        for moment in found
    )


def _time_for(context: Context, clock: Clock, length: Distance) -> Times | None:
    if not length.is_exact or not clock.is_sure:
        return None
    return _lasting(time_alone(context, clock), length)


def _for_time(context: Context, length: Distance, clock: Clock) -> Times | None:
    return _time_for(context, clock, length)


def _lasting(starts: Times, length: Distance) -> Times:
    """From each start, so long: hours from a time, days from a day."""
    found = []
    for moment in starts:
        start = start_of(moment)
        end = calendar.shifted(start, months=length.months, day_count=length.days) + length.time
        if end <= start:
            raise ValueError("no time at all")
        grain = Grain.MINUTE if length.is_exact or moment.grain in CLOCKS else Grain.DAY
        found.append(replace(moment, end=end, grain=grain))
    return tuple(found)


def days_for(_: Context, days: Times, length: Distance) -> Times | None:
    """From days on, so long."""
    if length.is_exact and any(moment.grain not in CLOCKS for moment in days):
        return None
    return _lasting(days, length)


def for_days(context: Context, length: Distance, days: Times) -> Times | None:
    """So long, from days on."""
    return days_for(context, days, length)


def _day_lasting(_: Context, length: Distance, moments: Times) -> Times:
    return _lasting(moments, length)


def plain_hour(_: Context, number: Number) -> Clock | None:
    """A number as an hour, where a range makes it one: 9-11, 0730-0930."""
    hour, minute = divmod(number.value, 100) if number.digits == 4 else (number.value, 0)  # noqa: PLR2004
    if minute >= 60 or number.digits == 3 or (number.digits == 0 and not 1 <= number.value <= 12):  # noqa: PLR2004
        return None
    found = open_clock(hour, minute, grain=Grain.MINUTE, is_zero_led=number.is_zero_led)
    return None if found is None else replace(found, is_sure=False)


PRODUCTIONS: tuple[Row, ...] = (
    ("hours", f"from|between <clock> {TO}|and <clock>", _sure_range),
    ("hours", f"from|between at? <clock> {TO}|and at? <clock>", _sure_range),
    ("hours", f"from|between <eitherhour> {TO}|and <eitherhour> in the HALF", _hours_in_half),
    ("hours", f"at|around|about? <eitherhour> {TO} <eitherhour>", _clock_range),
    ("hours", f"from|between? <fourhour> {TO} <fourhour>", _sure_range),
    ("hours", "between <fourhour> and <fourhour>", _sure_range),
    ("eitherhour", "<clock>", same),
    ("eitherhour", "NUMBER", plain_hour),
    ("hours", "later|after than? <clock> but|and before|until than? <clock>", _sure_range),
    ("fourhour", "FOUR", plain_hour),
    ("hours1", "<hours> in the <part>", _hours_in_part),
    ("hours1", "<hours>", same),
    ("hoursday", "<day> ,|-|:? from|between|for? <hours1>", _day_hours),
    ("hoursday", "<hours1> ,? on|of|the? <day>", _hours_day),
    ("hoursday", "<daypart> ,|-? <hours1>", _part_hours),
    ("hoursday", "<hours1> ,? in|on? the? <daypart>", _hours_part),
    ("hoursday", "from? <moment0> for <length>", days_for),
    ("hoursday", "for? <length> ,? starting|beginning|commencing from|at|on? <moment0>", _day_lasting),
    ("hoursday", "for <length> ,? from|on|at? <moment0>", _day_lasting),
    ("moment0", "<moment>", lambda _, times: times if all(moment.end is None for moment in times) else None),
    ("hoursfor", "from|starting|beginning? at|from? <clock> for <length>", _time_for),
    ("hoursfor", "for <length> ,? starting|from|beginning? at|from? <clock>", _for_time),
)
