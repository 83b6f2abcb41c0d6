"""Ranges of days, months and years in English: "July 13-15", "from Monday to Friday", "2014 to 2018"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.english_context import (
    Context,
    Times,
    day,
    end_of,
    mapped,
    of_years,
    one,
    same,
    start_of,
    yearly,
)
from app.inference.dates.english_hours import CLOCKS, days_for, for_days
from app.inference.dates.english_moments import timed
from app.inference.dates.english_periods import phase_of
from app.inference.dates.english_words import TO
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.calendar import Stretch
    from app.inference.dates.english_clock import Clock
    from app.inference.dates.english_hours import ClockRange
    from app.inference.dates.english_tokens import Figures
    from app.inference.dates.productions import Row


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
            found += _paired(start, end, is_either_sure=len(first) == 1 or len(last) == 1)
    return tuple(_least(found)) or None


def _a_year_later(moment: Moment) -> Moment | None:
    if moment.side == 0 or moment.start is None or moment.end is None:
        return None
    return replace(moment, start=calendar.later_months(moment.start, 12), end=calendar.later_months(moment.end, 12))


def _paired(start: Moment, end: Moment, *, is_either_sure: bool) -> list[Moment]:
    grain = Grain.MINUTE if end.grain in CLOCKS or start.grain in CLOCKS else end.grain
    score = start.score if not is_either_sure else start.score * end.score
    whole = Moment(start_of(start), end_of(end), grain, score, start.side or end.side)
    if end.grain in {Grain.DAY, *CLOCKS} or end.start is None or end.start <= start_of(start):
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
    """Said as "The 27th to the 3rd of April" begins in the month before."""
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


def _month_day_to_day(context: Context, first: tuple[int, int], last: int) -> Times | None:
    """From the 28th of November to the 3rd: of the same month, or the next."""
    month, number = first

    def of_year(year: int) -> Stretch:
        start = date(year, month, number)
        end = start.replace(day=last) if last > number else calendar.later_months(
            calendar.midnight(start.replace(day=1)), 1).date().replace(day=last)  # fmt: skip
        return calendar.between(start, end)

    return yearly(context, of_year)


def _days_month_in(context: Context, first: int, last: int, month: int, years: Times) -> Times | None:
    return _month_days_in(context, month, first, last, years)


def _days_of_period(_: Context, first: int, last: int, months: Times) -> Times | None:
    """From 4 to 22 next month."""
    if last <= first or any(moment.grain is not Grain.MONTH for moment in months):
        return None
    return mapped(months, lambda month: calendar.between(
        month.first_day.replace(day=first), month.first_day.replace(day=last)
    ))  # fmt: skip


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


def _open_hours(context: Context, first: int, last: int, _: ClockRange) -> Times:
    """Monday to Friday 9-5: the days, since no one range has such hours."""
    return _weekday_to_weekday(context, first, last)


def _weekdays_of_week(_: Context, first: int, last: int, weeks: Times) -> Times | None:
    if last < first:
        return None
    return tuple(
        replace(moment, start=start_of(moment) + timedelta(days=first), end=start_of(moment) + timedelta(days=last + 1),
                grain=Grain.DAY)
        for moment in weeks
    )  # fmt: skip


def _end_instant(_: Context, periods: Times) -> Times:
    """Said as "Before the end of the year": its last moment, where an end or a start is named; or its last part."""
    ends = tuple(
        Moment(end_of(moment), end_of(moment), Grain.DAY, moment.score * 0.7, moment.side) for moment in periods
    )
    return (*ends, *(replace(moment, score=moment.score * 0.3) for moment in phase_of("late", periods) or ()))


def _start_instant(_: Context, periods: Times) -> Times:
    starts = tuple(
        Moment(start_of(moment), start_of(moment), Grain.DAY, moment.score * 0.7, moment.side) for moment in periods
    )
    return (*starts, *(replace(moment, score=moment.score * 0.3) for moment in phase_of("early", periods) or ()))


def _slashed_only(context: Context, first: Figures, last: Figures) -> Times | None:
    return _figures(context, first, last) if first.separator == last.separator == "/" else None


def _figures_alike(context: Context, first: Figures, last: Figures) -> Times | None:
    return _figures(context, first, last) if first.separator == last.separator in {"/", "-"} else None


def _time_to_moment(context: Context, clock: Clock, moments: Times) -> Times | None:
    """Said as "7 pm to 4 pm tomorrow" begins today."""
    if not clock.is_sure or any(moment.is_time_only or start_of(moment).date() <= context.today for moment in moments):
        return None
    return spanning(timed(day(context.today), clock), moments)


PRODUCTIONS: tuple[Row, ...] = (
    ("span", f"from|between? MONTH the? <dom> {TO} the? <dom> ,? of|in? <yearof>", _month_days_in),
    ("span", "between MONTH the? <dom> and the? <dom> ,? of|in? <yearof>", _month_days_in),
    ("span", f"from? MONTH the? <dom> {TO} the? <dom>", _month_days),
    ("span", "from|between MONTH the? <dom> and the? <dom>", _month_days),
    ("span", f"from? the? <dom> {TO} the? <dom> of? MONTH ,? of|in? <yearof>", _days_month_in),
    ("span", f"from? the? <dom> {TO} the? <dom> of? MONTH", _days_month),
    ("span", "from|between the? <dom> and the? <dom> of? MONTH ,? <yearof>", _days_month_in),
    ("span", "from|between the? <dom> and the? <dom> of? MONTH", _days_month),
    ("span", f"from|between the? <ordinalday> {TO}|and the? <ordinalday>", _days_of_month),
    ("span", "from|between? DM to|-|~|until|till|through DM ,? of|in? <yearof>", _figures_in_years),
    ("span", "between DM and DM ,? of|in? <yearof>", _figures_in_years),
    ("span", "from|between? DM to|-|~|until|till|through DMY", _figures_and_date),
    ("span", "from|between DM and DMY", _figures_and_date),
    ("span", "from|between? DM -|~ DM", _slashed_only),
    ("span", "from|between? DM to|until|till|through DM", _figures_alike),
    ("span", "from|between DM and DM", _figures_alike),
    ("span", f"from|between? <timed> {TO} <moment>", _time_to_moment),
    ("span", "between <timed> and <moment>", _time_to_moment),
    ("span", f"from? the? <dom> {TO} the? <dom> ,? of|in? the? <month>", _days_of_period),
    ("span", "between the? <dom> and the? <dom> ,? of|in? the? <month>", _days_of_period),
    ("span", f"from? <md> {TO} the? <ordinalday>", _month_day_to_day),
    ("span", "between <md> and the? <ordinalday>", _month_day_to_day),
    ("span", f"from|between? <md> {TO} <md> ,? of|in? <yearof>", _md_to_date),
    ("span", "between <md> and <md> ,? of|in? <yearof>", _md_to_date),
    ("span", f"from|between? MONTH {TO} MONTH ,? of|in? <yearof>", _month_to_month),
    ("span", "between MONTH and MONTH ,? of|in? <yearof>", _month_to_month),
    ("span", f"from|between? <weekday> {TO} <weekday> of|in|,? <week>", _weekdays_of_week),
    ("span", f"from|between? <weekday> {TO} <weekday>", _weekday_to_weekday),
    ("span", f"from? <weekday> {TO} <weekday> ,? from|between? <hours1>", _open_hours),
    ("span", "between <weekday> and <weekday>", _weekday_to_weekday),
    ("span", "from|between <point> and|through|until <point>", _span),
    ("span", f"from|between? <point> {TO} <point>", _span),
    ("span", "after|since|from <point> and|but before|until|till <point>", _span),
    ("span", "from|between|since? <point> to|until|till|through|-|and now|date|present|today", _span_to_now),
    ("span", "from|between|since <clock> to|until|till|and now", _hour_to_now),
    ("point", "the? end of the? <holder0>", _end_instant),
    ("point", "the? end of the? <unit0>", _end_instant),
    ("point", "the? beginning|start of the? <holder0>", _start_instant),
    ("point", "the? beginning|start of the? <unit0>", _start_instant),
    ("point", "the? <day>", same),
    ("point", "<moment>", same),
    ("point", "the? <period0>", same),
    ("period0", "<period>", same),
    ("lasting", "for? <length> ,? starting|beginning|commencing from|on|at? the? <day>", for_days),
    ("lasting", "for <length> ,? from|since on? the? <day>", for_days),
    ("lasting", "for? <length> ,? starting|beginning <period>", for_days),
    ("lasting", "from|starting|beginning on|from? <day> ,? for <length>", days_for),
    ("lasting", "<day> for <length>", days_for),
)
