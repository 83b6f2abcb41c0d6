"""Periods in English: the edges of weeks, months and years, and all that lasts longer than a day."""

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
    one,
    same,
    start_of,
)
from app.inference.dates.english_months import month
from app.inference.dates.english_shifts import CALENDAR, shifted, this_unit
from app.inference.dates.english_years import short_decade
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.english_tokens import Number
    from app.inference.dates.productions import Build, Row


_EARLY, _MID, _LATE = "early", "mid", "late"


def _phase(name: str) -> Build:
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


def _decade_phase(name: str) -> Build:
    """Late 80s: without an article the decade is only read behind such a word."""

    def build(context: Context, number: Number) -> Times | None:
        decade = short_decade(context, number)
        return None if decade is None else phase_of(name, decade)

    return build


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
    if unit not in CALENDAR:
        return None
    return one(Stretch(calendar.holding(context.today, unit).start, context.now, Grain.DAY))


def _end_of_unit(unit: Grain) -> Build:
    return lambda context: phase_of(_LATE, one(calendar.holding(context.today, unit)))


_UNIT_PHRASES: tuple[Row, ...] = (
    ("holder0", "<month0>", same),
    ("holder0", "<yearof>", same),
    ("holder0", "<quarterly>", same),
    ("holder0", "<week>", same),
    ("holder0", "<weekend>", same),
    ("holder0", "<decade>", same),
    ("holder0", "<century>", same),
    ("holder0", "<season>", same),
    ("holder0", "MONTH", month),
    ("holder0", "the? <shift> UNIT", shifted),
    ("holder", "<holder0>", same),
    ("holder", "the <unit0>", same),
    ("unit0", "UNIT", this_unit),
    ("phased", "the? early|beginning|start part|days? of|in? <holder0>", _phase(_EARLY)),
    ("phased", "early - <holder0>", _phase(_EARLY)),
    ("phased", "the? mid|middle|midst part? -? of|in? <holder0>", _phase(_MID)),
    ("phased", "the? late|end part|days? of|in? <holder0>", _phase(_LATE)),
    ("phased", "late - <holder0>", _phase(_LATE)),
    ("phased", "the? early -? SHORT ~s", _decade_phase(_EARLY)),
    ("phased", "the? mid -? SHORT ~s", _decade_phase(_MID)),
    ("phased", "the? late -? SHORT ~s", _decade_phase(_LATE)),
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
    *_UNIT_PHRASES,
    ("period", "<phased>", same),
    ("period", "<halved>", same),
    ("period", "<run>", same),
    ("period", "<fortnight>", same),
    ("period", "<week>", same),
    ("period", "<weekend>", same),
    ("period", "<month0>", same),
    ("period", "<quarterly>", same),
    ("period", "<season>", same),
    ("period", "<decade>", same),
    ("period", "<century>", same),
    ("period", "<yearof>", same),
    ("period", "the? <shift> UNIT", shifted),
    ("period", "MONTH", month),
)
"""`holder` is what days and weeks are counted in, `phased` an edge of it, `run` so many units."""
