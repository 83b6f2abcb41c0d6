"""Ranges in English: "from 3 to 5 pm", "July 13-15", "since Monday", "before 2018", "two weeks starting 20 May"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import Stretch
from app.inference.dates.english_clock import WHOLE_DAY, Clock, Hour, Part, open_clock, within
from app.inference.dates.english_context import (
    Context,
    Distance,
    Times,
    day,
    distant,
    end_of,
    of_years,
    one,
    start_of,
    yearly,
)
from app.inference.dates.english_moments import DayPart, time_alone, timed, zone_of
from app.inference.dates.english_periods import phase_of
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.inference.dates.english_tokens import Figures, Number
    from app.inference.dates.productions import Row

_CLOCKS = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR, Grain.PART_OF_DAY})
_MOST_HOURS = 16


@dataclass(frozen=True, slots=True)
class ClockRange:
    """From one time of day to another; `ways` are (first, end, score), the end after the first."""

    ways: tuple[tuple[Hour, Hour, float], ...]
    first: Clock
    last: Clock
    is_sure: bool = False


# -- ranges within a day ----------------------------------------------------------------------------------------------


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
        grain = Grain.MINUTE if length.is_exact or moment.grain in _CLOCKS else Grain.DAY
        found.append(replace(moment, end=end, grain=grain))
    return tuple(found)


def _days_for(_: Context, days: Times, length: Distance) -> Times | None:
    if length.is_exact and any(moment.grain not in _CLOCKS for moment in days):
        return None
    return _lasting(days, length)


def _for_days(context: Context, length: Distance, days: Times) -> Times | None:
    return _days_for(context, days, length)


# -- ranges of days and periods ---------------------------------------------------------------------------------------


def spanning(first: Times, last: Times) -> Times | None:
    """From the start of the first to the end of the last; of the possible pairs those nearest together.

    A period at the end ("from May to September") is meant with it by most; the other way is kept.
    """
    found: list[Moment] = []
    for start in first:
        ways = [(end_of(end) - start_of(start), end) for end in last if end_of(end) > start_of(start)]
        shiftable = [(end_of(moved) - start_of(start), moved) for end in last
                     if (moved := _a_year_later(end)) is not None and end_of(moved) > start_of(start)]  # fmt: skip
        ways = ways or shiftable
        if not ways:
            continue
        nearest = min(length for length, _ in ways)
        for end in (end for length, end in ways if length == nearest):
            found += _paired(start, end, len(first) == 1 or len(last) == 1)
    return tuple(_least(found)) or None


def _a_year_later(moment: Moment) -> Moment | None:
    if moment.side == 0 or moment.start is None or moment.end is None:
        return None
    return replace(moment, start=calendar.later_months(moment.start, 12), end=calendar.later_months(moment.end, 12))


def _paired(start: Moment, end: Moment, is_either_sure: bool) -> list[Moment]:
    grain = Grain.MINUTE if end.grain in _CLOCKS or start.grain in _CLOCKS else end.grain
    score = start.score if not is_either_sure else start.score * end.score
    whole = Moment(start_of(start), end_of(end), grain, score, start.side or end.side)
    if end.grain in {Grain.DAY, *_CLOCKS} or end.start is None or end.start <= start_of(start):
        return [whole]
    return [replace(whole, score=score * 0.8), replace(whole, end=end.start, score=score * 0.2)]


def _least(moments: list[Moment]) -> list[Moment]:
    """Of ranges that begin or end together the shortest; ranges over three times the shortest are other years'."""
    if not moments:
        return []
    shortest = min((end_of(moment) - start_of(moment)) for moment in moments)
    return [moment for moment in moments if end_of(moment) - start_of(moment) <= shortest * 3 + timedelta(days=370 * 1)
            or len(moments) == 1]  # fmt: skip


def _span(_: Context, first: Times, last: Times) -> Times | None:
    return spanning(first, last)


def _span_to_now(context: Context, first: Times) -> Times | None:
    found = [replace(moment, end=context.now, grain=Grain.DAY) for moment in first
             if start_of(moment) < context.now]  # fmt: skip
    return tuple(found) or None


def _hour_to_now(context: Context, clock: Clock) -> Times | None:
    found = [replace(moment, end=context.now) for moment in timed(day(context.today), clock)
             if start_of(moment) < context.now]  # fmt: skip
    return tuple(found) or None


def _month_days(context: Context, month: int, first: int, last: int) -> Times | None:
    if last <= first:
        return None
    return yearly(context, lambda year: calendar.between(date(year, month, first), date(year, month, last)))


def _month_days_in(_: Context, month: int, first: int, last: int, years: Times) -> Times | None:
    if last <= first:
        return None
    return of_years(years, lambda year: calendar.between(date(year, month, first), date(year, month, last)))


def _days_month(context: Context, first: int, last: int, month: int) -> Times | None:
    """ "The 27th to the 3rd of April" begins in the month before."""
    if first < last:
        return _month_days(context, month, first, last)

    def of_year(year: int) -> Stretch:
        start = calendar.later_months(datetime.combine(date(year, month, 1), datetime.min.time()), -1).replace(
            day=first
        )
        return calendar.between(start.date(), date(year, month, last))

    def from_this_month(year: int) -> Stretch:
        start = date(context.today.year, context.today.month, first)
        return calendar.between(start, date(year, month, last))

    near = tuple(moment for moment in yearly(context, from_this_month) if moment.side >= 0)
    return (*(replace(moment, score=moment.score * 0.7) for moment in yearly(context, of_year)),
            *(replace(moment, score=moment.score * 0.3) for moment in near))  # fmt: skip


def _days_month_in(context: Context, first: int, last: int, month: int, years: Times) -> Times | None:
    return _month_days_in(context, month, first, last, years)


def _days_of_month(context: Context, first: int, last: int) -> Times | None:
    """From the 3rd to the 7th."""
    if last <= first:
        return None
    found = []
    for shift in (-1, 0, 1):
        start = calendar.later_months(calendar.midnight(context.today.replace(day=1)), shift)
        try:
            stretch = calendar.between(start.date().replace(day=first), start.date().replace(day=last))
        except ValueError:
            continue
        found.append(stretch)
    coming = [stretch for stretch in found if stretch.last_day >= context.today]
    return one(coming[0]) if coming else None


def _figures(context: Context, first: Figures, last: Figures) -> Times | None:
    """10/1-11/7: both in the order in which both are possible, the American first."""
    found: list[Moment] = []
    for month, number, weight in ((0, 1, 0.65), (1, 0, 0.35)):
        try:
            starts = _yearly(context, first.parts[month], first.parts[number])
            ends = _yearly(context, last.parts[month], last.parts[number])
        except ValueError:
            continue
        found += [replace(moment, score=moment.score * weight) for moment in spanning(starts, ends) or ()]
    return tuple(found) or None


def _yearly(context: Context, month: int, number: int) -> Times:
    return yearly(context, lambda year: calendar.days(date(year, month, number)))


def _figures_in_years(_: Context, first: Figures, last: Figures, years: Times) -> Times | None:
    year = start_of(years[0]).year
    found: list[Moment] = []
    for month, number, weight in ((0, 1, 0.65), (1, 0, 0.35)):
        try:
            end = date(year, last.parts[month], last.parts[number])
            start = date(year, first.parts[month], first.parts[number])
            stretch = calendar.between(start, end)
        except ValueError:
            continue
        found.append(Moment.of(stretch, weight))
    return tuple(found) or None


def _figures_and_date(context: Context, first: Figures, last: Figures) -> Times | None:
    """10/1-11/2/2017: the year of the second is that of the first."""
    if last.widths[2] != 4:  # noqa: PLR2004
        return None
    return _figures_in_years(context, first, last, one(calendar.year(last.parts[2])))


def _date_in_its_year(month_day: tuple[int, int], years: Times) -> Times:
    return of_years(years, lambda year: calendar.days(date(year, *month_day)))


def _md_to_date(_: Context, first: tuple[int, int], last: tuple[int, int], years: Times) -> Times | None:
    """Feb 3 to March 5, 2018."""
    starts = _date_in_its_year(first, years)
    ends = _date_in_its_year(last, years)
    if first > last:
        starts = tuple(
            replace(
                moment,
                start=calendar.later_months(start_of(moment), -12),
                end=calendar.later_months(end_of(moment), -12),
            )
            for moment in starts
        )
    return spanning(starts, ends)


def _month_to_month(_: Context, first: int, last: int, years: Times) -> Times | None:
    """March to May 2018."""
    starts = of_years(years, lambda year: calendar.month(year - (first > last), first))
    return spanning(starts, of_years(years, lambda year: calendar.month(year, last)))


def _weekday_to_weekday(context: Context, first: int, last: int) -> Times:
    """Monday to Friday: the coming one, or the one that lasts."""
    start = calendar.coming(context.today, first)
    length = (last - first) % 7
    this = calendar.previous(context.today + timedelta(days=1), first)
    coming = Moment.of(calendar.days(start, length + 1), 0.7, 1)
    if this + timedelta(days=length) >= context.today and this != start:
        return (coming, Moment.of(calendar.days(this, length + 1), 0.3))
    before = start - timedelta(days=7)
    return (coming, Moment.of(calendar.days(before, length + 1), 0.3, -1))


def _weekdays_of_week(_: Context, first: int, last: int, weeks: Times) -> Times | None:
    if last < first:
        return None
    return tuple(
        replace(moment, start=start_of(moment) + timedelta(days=first), end=start_of(moment) + timedelta(days=last + 1),
                grain=Grain.DAY)
        for moment in weeks
    )  # fmt: skip


# -- open ranges ------------------------------------------------------------------------------------------------------


def since(_: Context, times: Times) -> Times:
    """From its start on."""
    return tuple(replace(moment, start=start_of(moment), end=None) for moment in times)


def _end_instant(_: Context, periods: Times) -> Times:
    """ "Before the end of the year": its last moment, where an end or a start is named; or its last part."""
    ends = tuple(
        Moment(end_of(moment), end_of(moment), Grain.DAY, moment.score * 0.7, moment.side) for moment in periods
    )
    return (*ends, *(replace(moment, score=moment.score * 0.3) for moment in phase_of("late", periods) or ()))


def _start_instant(_: Context, periods: Times) -> Times:
    starts = tuple(
        Moment(start_of(moment), start_of(moment), Grain.DAY, moment.score * 0.7, moment.side) for moment in periods
    )
    return (*starts, *(replace(moment, score=moment.score * 0.3) for moment in phase_of("early", periods) or ()))


def _from(_: Context, times: Times) -> Times:
    """ "From Monday" is on and after it; "photos from last week" are of that week."""
    found = []
    for moment in times:
        is_long = moment.grain not in {Grain.DAY, Grain.MINUTE, Grain.HOUR, Grain.SECOND}
        weight = 0.6 if is_long else 0.35
        found += [replace(moment, score=moment.score * weight),
                  replace(moment, end=None, score=moment.score * (1 - weight))]  # fmt: skip
    return tuple(found)


def _through(context: Context, times: Times) -> Times:
    """Until its end; "through 2014" is all of it for some."""
    if all(moment.grain in {Grain.DAY, Grain.MINUTE, Grain.HOUR} for moment in times):
        return until(context, times)
    return (*(replace(moment, score=moment.score * 0.6) for moment in until(context, times)),
            *(replace(moment, score=moment.score * 0.4) for moment in times))  # fmt: skip


def after(_: Context, times: Times) -> Times:
    """From its end on; "after 2014" is from the start of it for some, "after Monday" still on that day."""
    found = []
    for moment in times:
        is_point = moment.end is None
        found.append(replace(moment, start=end_of(moment), end=None, score=moment.score * (1 if is_point else 0.85)))
        if not is_point:
            found.append(replace(moment, end=None, score=moment.score * 0.15))
    return tuple(found)


def before(_: Context, times: Times) -> Times:
    """Until its start."""
    return tuple(replace(moment, start=None, end=start_of(moment)) for moment in times)


def until(context: Context, times: Times) -> Times:
    """Until its end, from now when that is to come."""
    found = []
    for moment in times:
        end = end_of(moment)
        found.append(replace(moment, start=context.now if end > context.now else None, end=end))
    return tuple(found)


def _after_clock(context: Context, clock: Clock) -> Times:
    return since(context, time_alone(context, clock))


def _before_clock(context: Context, clock: Clock) -> Times:
    return tuple(replace(moment, start=None, end=start_of(moment)) for moment in time_alone(context, clock))


def _day_after_clock(context: Context, days: Times, clock: Clock) -> Times:
    return since(context, timed(days, clock))


def _day_before_clock(_: Context, days: Times, clock: Clock) -> Times:
    return tuple(replace(moment, start=None, end=start_of(moment)) for moment in timed(days, clock))


def _after_part(context: Context, part: Part) -> Times:
    return tuple(replace(moment, start=moment.end, end=None, is_time_only=True)
                 for moment in part.stretches(context.today))  # fmt: skip


def _before_part(context: Context, part: Part) -> Times:
    return tuple(replace(moment, start=None, end=moment.start, is_time_only=True)
                 for moment in part.stretches(context.today))  # fmt: skip


def _day_after_part(_: Context, days: Times, part: Part) -> Times:
    return tuple(replace(moment, start=moment.end, end=None) for moment in DayPart(days, part).times)


def _part_after_day(context: Context, part: Part, days: Times) -> Times:
    return _day_after_part(context, days, part)


def _more_than(sign: int):  # type: ignore[no-untyped-def]
    def build(context: Context, length: Distance, days: Times) -> Times | None:
        if length.is_exact:
            return None
        found = []
        for moment in days:
            edge = distant(context, start_of(moment), length, sign).start
            ends = {"start": None, "end": edge} if sign < 0 else {"start": edge, "end": None}
            found.append(replace(moment, **ends))  # type: ignore[arg-type]
        return tuple(found)

    return build


def _more_than_ago(context: Context, length: Distance) -> Times:
    edge = distant(context, context.now, length, -1).start
    return (Moment(None, edge, Grain.MINUTE if length.is_exact else Grain.DAY),)


def _more_than_hence(context: Context, length: Distance) -> Times:
    edge = distant(context, context.now, length, 1).start
    return (Moment(edge, None, Grain.MINUTE if length.is_exact else Grain.DAY),)


def _day_lasting(_: Context, length: Distance, moments: Times) -> Times:
    return _lasting(moments, length)


def plain_hour(_: Context, number: Number) -> Clock | None:
    """A number as an hour, where a range makes it one: 9-11, 0730-0930."""
    hour, minute = divmod(number.value, 100) if number.digits == 4 else (number.value, 0)  # noqa: PLR2004
    if minute >= 60 or number.digits == 3 or (number.digits == 0 and not 1 <= number.value <= 12):  # noqa: PLR2004
        return None
    found = open_clock(hour, minute, grain=Grain.MINUTE, is_zero_led=number.is_zero_led)
    return None if found is None else replace(found, is_sure=False)


def _slashed_only(context: Context, first: Figures, last: Figures) -> Times | None:
    return _figures(context, first, last) if first.separator == last.separator == "/" else None


def _figures_alike(context: Context, first: Figures, last: Figures) -> Times | None:
    return _figures(context, first, last) if first.separator == last.separator in {"/", "-"} else None


def _time_to_moment(context: Context, clock: Clock, moments: Times) -> Times | None:
    """ "7 pm to 4 pm tomorrow" begins today."""
    if not clock.is_sure or any(moment.is_time_only or start_of(moment).date() <= context.today for moment in moments):
        return None
    return spanning(timed(day(context.today), clock), moments)


def _same(_: Context, value: object) -> object:
    return value


def _open(build: Callable[[Context, Times], Times]):  # type: ignore[no-untyped-def]
    return lambda context, times: build(context, times)


_TO = "to|-|~|until|till|til|through|thru|upto"
_HOURS: tuple[Row, ...] = (
    ("hours", f"from|between <clock> {_TO}|and <clock>", _sure_range),
    ("hours", f"from|between at? <clock> {_TO}|and at? <clock>", _sure_range),
    ("hours", f"from|between <eitherhour> {_TO}|and <eitherhour> in the HALF", _hours_in_half),
    ("hours", "at|around|about? <eitherhour> {} <eitherhour>".format(_TO), _clock_range),
    ("hours", f"from|between? <fourhour> {_TO} <fourhour>", _sure_range),
    ("hours", "between <fourhour> and <fourhour>", _sure_range),
    ("eitherhour", "<clock>", _same),
    ("eitherhour", "NUMBER", lambda context, number: plain_hour(context, number)),
    ("hours", "later|after than? <clock> but|and before|until than? <clock>", _sure_range),
    ("fourhour", "FOUR", lambda context, number: plain_hour(context, number)),
    ("hours1", "<hours> in the <part>", _hours_in_part),
    ("hours1", "<hours>", _same),
    ("hoursday", "<day> ,|-|:? from|between|for? <hours1>", _day_hours),
    ("hoursday", "<hours1> ,? on|of|the? <day>", _hours_day),
    ("hoursday", "<daypart> ,|-? <hours1>", _part_hours),
    ("hoursday", "<hours1> ,? in|on? the? <daypart>", _hours_part),
    ("hoursday", "from? <moment0> for <length>", _days_for),
    ("hoursday", "for? <length> ,? starting|beginning|commencing from|at|on? <moment0>", _day_lasting),
    ("hoursday", "for <length> ,? from|on|at? <moment0>", _day_lasting),
    ("moment0", "<moment>", lambda _, times: times if all(moment.end is None for moment in times) else None),
    ("hoursfor", "from|starting|beginning? at|from? <clock> for <length>", _time_for),
    ("hoursfor", "for <length> ,? starting|from|beginning? at|from? <clock>", _for_time),
)
_DAYS: tuple[Row, ...] = (
    ("span", f"from|between? MONTH the? <dom> {_TO}|and the? <dom> ,? of|in? <yearof>", _month_days_in),
    ("span", f"from? MONTH the? <dom> {_TO} the? <dom>", _month_days),
    ("span", "from|between MONTH the? <dom> and the? <dom>", _month_days),
    ("span", f"from? the? <dom> {_TO} the? <dom> of? MONTH ,? of|in? <yearof>", _days_month_in),
    ("span", f"from? the? <dom> {_TO} the? <dom> of? MONTH", _days_month),
    ("span", "from|between the? <dom> and the? <dom> of? MONTH ,? <yearof>", _days_month_in),
    ("span", "from|between the? <dom> and the? <dom> of? MONTH", _days_month),
    ("span", f"from|between the? <ordinalday> {_TO}|and the? <ordinalday>", _days_of_month),
    ("span", "from|between? DM to|-|~|and|until|till|through DM ,? of|in? <yearof>", _figures_in_years),
    ("span", "from|between? DM to|-|~|until|till|through DMY", _figures_and_date),
    ("span", "from|between DM and DMY", _figures_and_date),
    ("span", "from|between? DM -|~ DM", _slashed_only),
    ("span", "from|between? DM to|until|till|through DM", _figures_alike),
    ("span", "from|between DM and DM", _figures_alike),
    ("span", f"from|between? <timed> {_TO}|and <moment>", _time_to_moment),
    ("span", f"from|between? <md> {_TO}|and <md> ,? of|in? <yearof>", _md_to_date),
    ("span", f"from|between? MONTH {_TO}|and MONTH ,? of|in? <yearof>", _month_to_month),
    ("span", f"from|between? <weekday> {_TO} <weekday> of|in|,? <week>", _weekdays_of_week),
    ("span", f"from|between? <weekday> {_TO}|and <weekday>", _weekday_to_weekday),
    ("span", "from|between <point> and|through|until <point>", _span),
    ("span", f"from|between? <point> {_TO} <point>", _span),
    ("span", "after|since|from <point> and|but before|until|till <point>", _span),
    ("span", "from|between|since? <point> to|until|till|through|-|and now|date|present|today", _span_to_now),
    ("span", "from|between|since <clock> to|until|till|and now", _hour_to_now),
    ("point", "the? end of the? <holder0>", _end_instant),
    ("point", "the? end of the? <unit0>", _end_instant),
    ("point", "the? beginning|start of the? <holder0>", _start_instant),
    ("point", "the? beginning|start of the? <unit0>", _start_instant),
    ("point", "the? <day>", _same),
    ("point", "<moment>", _same),
    ("point", "the? <period0>", _same),
    ("period0", "<period>", _same),
    ("lasting", "for? <length> ,? starting|beginning|commencing from|on|at? the? <day>", _for_days),
    ("lasting", "for <length> ,? from|since on? the? <day>", _for_days),
    ("lasting", "for? <length> ,? starting|beginning <period>", _for_days),
    ("lasting", "from|starting|beginning on|from? <day> ,? for <length>", _days_for),
    ("lasting", "<day> for <length>", _days_for),
)
_OPEN: tuple[Row, ...] = (
    ("open", "ever? since <point>", since),
    ("open", "from <point> onwards|onward|on|forward|forwards", since),
    ("open", "from <point>", _from),
    ("open", "starting|beginning|commencing|effective from|on|in|at|with? <point>", since),
    ("open", "<point> and|or later|onwards|onward|after|thereafter", since),
    ("open", "<point> onwards|onward", since),
    ("open", "on or after <point>", since),
    ("open", "not|no earlier|sooner than|before <point>", since),
    ("open", "as early as <point>", since),
    ("open", "anytime|sometime|sometimes|any|right|shortly|soon|immediately? time? after|following <point>", after),
    ("open", "later|newer than <point>", after),
    ("open", "anytime|sometime|sometimes|any|right|shortly|just? time? before <point>", before),
    ("open", "earlier|sooner|older|less than <point>", before),
    ("open", "prior to <point>", before),
    ("open", "<point> or before|earlier|sooner", until),
    ("open", "<point> and earlier", until),
    ("open", "on or before <point>", until),
    ("open", "as late as <point>", until),
    ("open", "anytime? through|thru <point>", _through),
    ("open", "more than|over <length> before|prior to? <day>", _more_than(-1)),
    ("open", "more than|over <length> after|from <day>", _more_than(1)),
    ("open", "more than|over <length> ago", _more_than_ago),
    ("open", "more than|over <length> from now", _more_than_hence),
    ("open", "at least <length> ago", _more_than_ago),
    ("openclock", "after|since|past <clock>", _after_clock),
    ("openclock", "as early as <clock>", _after_clock),
    ("openclock", "not|no earlier|sooner than|before <clock>", _after_clock),
    ("openclock", "later than <clock>", _after_clock),
    ("openclock", "from <clock> on|onwards|onward", _after_clock),
    ("openclock", "<clock> and|or later|onwards|after", _after_clock),
    ("openclock", "before <clock>", _before_clock),
    ("openclock", "prior to <clock>", _before_clock),
    ("openclock", "earlier than <clock>", _before_clock),
    ("openclock", "as late as <clock>", _before_clock),
    ("openclock", "<clock> or|and before|earlier", _before_clock),
    ("openday", "<day> ,? anytime? after|since|from|past <clock>", _day_after_clock),
    ("openday", "<day> ,? no|not earlier|sooner than <clock>", _day_after_clock),
    ("openday", "<day> ,? as early as <clock>", _day_after_clock),
    ("openday", "after <clock> ,? on? <day>", lambda context, clock, days: _day_after_clock(context, days, clock)),
    ("openday", "<day> ,? anytime? before|until|till|by <clock>", _day_before_clock),
    ("openday", "<day> ,? no|not later than <clock>", _day_before_clock),
    ("openday", "<day> ,? as late as <clock>", _day_before_clock),
    ("openday", "before <clock> ,? on? <day>", lambda context, clock, days: _day_before_clock(context, days, clock)),
    ("openpart", "after the? <mealpart>", _after_part),
    ("openpart", "before the? <mealpart>", _before_part),
    ("openpart", "after the? <part>", _after_part),
    ("openday", "after the? <mealpart> on? <day>", _part_after_day),
    ("openday", "<day> after the? <mealpart>", _day_after_part),
)
PRODUCTIONS: tuple[Row, ...] = (*_HOURS, *_DAYS, *_OPEN)
"""`hours` is a range within a day, `span` one of days and longer, `open` what has one end."""
