"""Ranges with one end in English: "since Monday", "before 2018", "after lunch", "Thursday before 5 pm"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates.english_context import (
    Context,
    Distance,
    Times,
    distant,
    end_of,
    start_of,
)
from app.inference.dates.english_moments import DayPart, time_alone, timed
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.english_clock import Clock, Part
    from app.inference.dates.productions import Build, Row


def since(_: Context, times: Times) -> Times:
    """From its start on."""
    return tuple(replace(moment, start=start_of(moment), end=None) for moment in times)


def _ever_since(context: Context, times: Times) -> Times:
    """What has lasted since Monday began on a Monday that was, where one is meant that was or will be."""
    begun = tuple(moment for moment in times if start_of(moment) <= context.now)
    return since(context, begun or times)


def _from(_: Context, times: Times) -> Times:
    """Said as "From Monday" is on and after it; "photos from last week" are of that week."""
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


def _more_than(sign: int) -> Build:
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


def _less_than_ago(context: Context, length: Distance) -> Times:
    edge = distant(context, context.now, length, -1).start
    return (Moment(edge, context.now, Grain.MINUTE if length.is_exact else Grain.DAY),)


def _more_than_hence(context: Context, length: Distance) -> Times:
    edge = distant(context, context.now, length, 1).start
    return (Moment(edge, None, Grain.MINUTE if length.is_exact else Grain.DAY),)


PRODUCTIONS: tuple[Row, ...] = (
    ("open", "ever? since <point>", _ever_since),
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
    ("open", "earlier|sooner|older than <point>", before),
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
    ("open", "less than <length> ago", _less_than_ago),
    ("open", "not more than <length> ago", _less_than_ago),
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
