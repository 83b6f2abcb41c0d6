"""Times on days, and parts of days, in English: "tomorrow at 5", "Friday morning", "8 tonight", "last night"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.english_clock import PARTS, Clock, Part, at, within
from app.inference.dates.english_context import Context, Times, day, mapped, start_of
from app.inference.dates.english_times import former, latter
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.productions import Build, Row

_STEPS = {"this": 0, "current": 0, "that": 0, "present": 0, "next": 1, "following": 1, "coming": 0, "upcoming": 0,
          "last": -1, "past": -1, "previous": -1, "preceding": -1, "prior": -1, "recent": -1}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DayPart:
    """A part of a day; `is_day_said` is False for "in the morning", whose day is a guess."""

    days: Times
    part: Part
    is_day_said: bool = True

    @property
    def times(self) -> Times:
        """Its stretches."""
        return tuple(
            replace(stretch, score=stretch.score * moment.score, side=moment.side, is_time_only=not self.is_day_said)
            for moment in self.days
            for stretch in self.part.stretches(start_of(moment).date())
        )


def zone_of(clock: Clock) -> tzinfo | None:
    """The zone that is said with a time."""
    if clock.zone is None:
        return None
    if isinstance(clock.zone, int):
        return timezone(timedelta(minutes=clock.zone))
    try:
        return ZoneInfo(clock.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def timed(days: Times, clock: Clock) -> Times:
    """A time on days, in its zone."""
    zone = zone_of(clock)
    return tuple(replace(moment, zone=zone) for moment in at(days, clock))


def time_alone(context: Context, clock: Clock) -> Times:
    """A time without a day: today's, or tomorrow's when that is over."""
    found = []
    for moment in timed(day(context.today), clock):
        start = start_of(moment)
        days = timedelta(days=1) if start <= context.now and start.date() == context.today else timedelta()
        found.append(replace(moment, start=start + days, is_time_only=True))
    return tuple(found)


def _is_days(times: Times) -> bool:
    return all(moment.grain is Grain.DAY and moment.end is not None
               and moment.stretch.first_day == moment.stretch.last_day for moment in times)  # fmt: skip


def _day_time(_: Context, days: Times, clock: Clock) -> Times | None:
    return timed(days, clock) if _is_days(days) else None


def _day_sure_time(context: Context, days: Times, clock: Clock) -> Times | None:
    return _day_time(context, days, clock) if clock.is_sure else None


def _time_day(context: Context, clock: Clock, days: Times) -> Times | None:
    return _day_time(context, days, clock)


def _part_time(_: Context, daypart: DayPart, clock: Clock) -> Times | None:
    narrowed = within(clock, daypart.part)
    if narrowed is None:
        return None
    moments = timed(daypart.days, narrowed)
    return tuple(replace(moment, is_time_only=not daypart.is_day_said) for moment in moments)


def _time_part(context: Context, clock: Clock, daypart: DayPart) -> Times | None:
    return _part_time(context, daypart, clock)


def _day_part(_: Context, days: Times, part: Part) -> DayPart | None:
    return DayPart(days, part) if _is_days(days) else None


def _part_before(_: Context, part: Part, days: Times) -> DayPart:
    """The night before Christmas."""
    return DayPart(mapped(days, lambda found: calendar.days(found.first_day - timedelta(days=1))), part)


def _listed_part(context: Context, days: Times, _: Times, part: Part) -> DayPart | None:
    """Tuesday or Wednesday morning: both are mornings."""
    return _day_part(context, days, part)


def _part_day(context: Context, part: Part, days: Times) -> DayPart | None:
    return _day_part(context, days, part)


def _shifted_part(context: Context, shift: str, part: Part) -> DayPart:
    days = _STEPS[shift]
    return DayPart(day(context.today + timedelta(days=days)), part)


def _tonight(context: Context) -> DayPart:
    return DayPart(day(context.today), PARTS["tonight"])


def _late_tonight(context: Context) -> DayPart:
    return DayPart(day(context.today), PARTS["late night"])


def _last_night(context: Context) -> DayPart:
    return DayPart(day(context.today - timedelta(days=1)), PARTS["tonight"])


def _late_last_night(context: Context) -> DayPart:
    return DayPart(day(context.today - timedelta(days=1)), PARTS["late night"])


def part_alone(context: Context, part: Part) -> DayPart:
    """In the morning: this one, or tomorrow's when it is over."""
    stretch = part.stretches(context.today)[0]
    days = 1 if stretch.end is not None and stretch.end <= context.now else 0
    return DayPart(day(context.today + timedelta(days=days)), part, is_day_said=False)


def _portion_of_day(first: int, end: int) -> Build:
    def build(_: Context, days: Times) -> DayPart | None:
        return DayPart(days, Part("portion", ((first, end),))) if _is_days(days) else None

    return build


def _end_of_day(_: Context, days: Times) -> Times | None:
    if not _is_days(days):
        return None
    found: list[Moment] = []
    for moment in days:
        which = start_of(moment).date()
        last = calendar.at_time(which, 23, 59, 59)
        found.append(replace(Moment.of(calendar.hours(which, 17, 24)), score=moment.score * 0.5, side=moment.side))
        found.append(Moment(last, last + timedelta(seconds=1), Grain.SECOND, moment.score * 0.5, moment.side))
    return tuple(found)


def _end_of_today(context: Context) -> Times | None:
    return _end_of_day(context, day(context.today))


def _rest_of_day(context: Context) -> Times:
    return (Moment(context.now, calendar.midnight(context.today + timedelta(days=1)), Grain.PART_OF_DAY),)


def _same_time(context: Context, days: Times) -> Times | None:
    if not _is_days(days):
        return None
    minute = timedelta(minutes=1)
    starts = [(datetime.combine(start_of(moment).date(), context.now.time()), moment) for moment in days]
    return tuple(replace(moment, start=start, end=start + minute, grain=Grain.MINUTE) for start, moment in starts)


def _same_time_of_week(context: Context, weeks: Times) -> Times | None:
    weekday = timedelta(days=context.today.weekday())
    days = tuple(replace(moment, start=start_of(moment) + weekday, end=start_of(moment) + weekday + timedelta(days=1),
                         grain=Grain.DAY) for moment in weeks if moment.grain is Grain.WEEK)  # fmt: skip
    return _same_time(context, days) if days else None


def _iso(_: Context, instant: datetime) -> Times:
    zone = instant.tzinfo
    return (Moment(calendar.wall_clock(instant).replace(microsecond=0), None, Grain.SECOND, zone=zone),)


def _now(context: Context) -> Times:
    return (Moment(context.now, None, Grain.SECOND),)


def _instant(context: Context, days: Times) -> Times | None:
    """What `later` gives with hours or minutes in it."""
    del context
    return days if all(moment.grain in {Grain.MINUTE, Grain.HOUR, Grain.SECOND} for moment in days) else None


def _today_later(_: Context, days: Times, later: Times) -> Times | None:
    return later if any(moment.grain is Grain.MINUTE for moment in later) and _is_days(days) else None


def _same(_: Context, value: object) -> object:
    return value


def _times(_: Context, daypart: DayPart) -> Times:
    return daypart.times


def _sure(_: Context, clock: Clock) -> Clock:
    return replace(clock, is_sure=True)


_PARTS: tuple[Row, ...] = (
    ("daypart", "late tonight", _late_tonight),
    ("daypart", "tonight late", _late_tonight),
    ("daypart", "late last night", _late_last_night),
    ("daypart", "last night", _last_night),
    ("daypart", "yesterday night", _last_night),
    ("daypart", "tonight|tonite|2nite", _tonight),
    ("daypart", "overnight", _tonight),
    ("daypart", "the? <shift> <part>", _shifted_part),
    ("daypart", "that <part>", lambda context, part: _shifted_part(context, "that", part)),
    ("daypart", "late|later <shift> <part>", lambda context, shift, part: _shifted_part(context, shift, part.latter())),
    ("daypart", "early|earlier <shift> <part>", lambda context, shift, part: _shifted_part(
        context, shift, part.former())),
    ("daypart", "<day> ,? in|during|at? the? <part>", _day_part),
    ("daypart", "<day> ,|-? <part>", _day_part),
    ("daypart", "in|during? the? <part> ,? of|on? the? <day>", _part_day),
    ("daypart", "early|earlier in|on? the? day? on? <day>", _portion_of_day(0, 12)),
    ("daypart", "<day> early|earlier in? the? day?", _portion_of_day(0, 12)),
    ("daypart", "late|later in|on? the? day? on? <day>", _portion_of_day(12, 24)),
    ("daypart", "<day> late|later in? the? day?", _portion_of_day(12, 24)),
    ("listedpart", "<day> > or|and|,|& <day> in? the? <part>", _listed_part),
    ("daypart", "early <day> <part>", lambda context, days, part: _day_part(context, days, former(part))),
    ("daypart", "late <day> <part>", lambda context, days, part: _day_part(context, days, latter(part))),
    ("daypart", "the? <part> before <anchor>", _part_before),
    ("daypart", "first thing in the morning", lambda context: part_alone(context, PARTS["early morning"])),
    ("daypart", "<day> first thing", lambda context, days: _day_part(context, days, PARTS["early morning"])),
    ("partalone", "at|during|over|around MEALTIME", lambda context, name: part_alone(context, PARTS[name])),
    ("partalone", "in|during|at|by|this? the? <part>", part_alone),
)  # fmt: skip
PRODUCTIONS: tuple[Row, ...] = (
    *_PARTS,
    ("timed", "at|@|t <clock>", _sure),
    ("timed", "at|@ about|around|approximately|exactly <clock>", _sure),
    ("timed", "at|@ <fourclock>", _sure),
    ("timed", "for|from|starting at? <clock>", _sure),
    ("timed", "<clock>", _same),
    ("moment", "now", _now),
    ("moment", "right|just now", _now),
    ("moment", "at the|this moment|time", _now),
    ("moment", "as soon as possible", _now),
    ("moment", "asap|immediately|atm", _now),
    ("moment", "<day> <timed>", _day_time),
    ("moment", "<day> ,|:|; <timed>", _day_sure_time),
    ("moment", "<fourclock> ,? on|of? <day>", _time_day),
    ("moment", "<day> 's <timed>", _day_time),
    ("moment", "<day> -|/ at? <clock>", _day_sure_time),
    ("moment", "<timed> ,|-? on|of|the? <day>", _time_day),
    ("moment", "<daypart> ,|-? <timed>", _part_time),
    ("moment", "<partalone> ,? <timed>", _part_time),
    ("moment", "<timed> ,? in|during|on? the? <daypart>", _time_part),
    ("moment", "the? end of the? <day>", _end_of_day),
    ("moment", "end of the? day", _end_of_today),
    ("moment", "the end of the? day", _end_of_today),
    ("moment", "the? eod|cob|eob", _end_of_today),
    ("moment", "the? close of business|play", _end_of_today),
    ("moment", "<day> ,? eod|cob", _end_of_day),
    ("moment", "eod|cob on|of? <day>", _end_of_day),
    ("moment", "<day> ,? <later>", _today_later),
    ("moment", "this same? time <day>", _same_time),
    ("moment", "the? same time <day>", _same_time),
    ("moment", "this same? time <week>", _same_time_of_week),
    ("moment", "the? same time <week>", _same_time_of_week),
    ("moment", "ISO", _iso),
    ("moment", "the? end|close of business|work|play ,? on? <day>", _end_of_day),
    ("moment", "the? end of business|work", _end_of_today),
    ("moment", "the? rest|remainder of the? day|today", _rest_of_day),
    ("moment", "<daypart>", _times),
    ("moment", "<later>", _instant),
)
"""`moment` is a time or a part of a day, on a day; `timed` a time of day with what may stand before it."""
