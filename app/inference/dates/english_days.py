"""Days in English: "tomorrow", "next Friday", "the last Monday of October", "Friday the 13th"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import DAYS_A_WEEK, MONTHS_A_YEAR, Stretch
from app.inference.dates.english_context import (
    COMING,
    PAST,
    Context,
    Times,
    alternatives,
    day,
    mapped,
    of_years,
    same,
    sided,
    start_of,
    yearly,
)
from app.inference.dates.english_dates import MOST_DAYS, MonthDay, figures_without_year, of_year
from app.inference.dates.english_distances import distance_from
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.english_context import Distance
    from app.inference.dates.english_tokens import Figures
    from app.inference.dates.productions import Build, Row


def _named(context: Context, shift: int) -> Times:
    return day(context.today + timedelta(days=shift))


def _shifted(days: int) -> Build:
    return lambda context, *__: day(context.today + timedelta(days=days))


def weekday(context: Context, number: int) -> Times:
    """A weekday alone: the coming one, or the last; on that weekday itself, today and the next too."""
    today = context.today
    coming, past = calendar.coming(today, number), calendar.previous(today, number)
    back = Moment.of(calendar.days(past), 0.2, PAST)
    if coming != today:
        return (Moment.of(calendar.days(coming), 0.8, COMING), back)
    following = Moment.of(calendar.days(coming + timedelta(days=DAYS_A_WEEK)), 0.35, COMING)
    return (Moment.of(calendar.days(coming), 0.45), following, replace(back, score=0.2))


def _shifted_weekday(context: Context, shift: str, number: int) -> Times:
    today = context.today
    of_week = calendar.monday_of(today) + timedelta(days=number)
    after, before = of_week + timedelta(days=DAYS_A_WEEK), of_week - timedelta(days=DAYS_A_WEEK)
    if shift in {"this", "current", "present", "that"}:
        return day(of_week) if of_week >= today else _either(calendar.coming(today, number), 0.5, of_week)
    if shift in {"coming", "upcoming", "following"}:
        return day(calendar.coming(today + timedelta(days=1), number))
    if shift == "next":
        # on a Tuesday, "next Thursday" is in nine days for most; in two for some
        coming = calendar.coming(today + timedelta(days=1), number)
        return day(after) if coming == after else _either(after, 0.7, coming)
    recent = calendar.previous(today, number)
    return day(recent) if recent == before else _either(recent, 0.55, before)


def _either(first: date, weight: float, second: date) -> Times:
    return alternatives((calendar.days(first), weight), (calendar.days(second), 1 - weight))


def _weekday_after_next(context: Context, number: int) -> Times:
    return day(calendar.coming(context.today + timedelta(days=1), number) + timedelta(days=DAYS_A_WEEK))


def _weekday_before_last(context: Context, number: int) -> Times:
    return day(calendar.previous(context.today, number) - timedelta(days=DAYS_A_WEEK))


def _weekday_of_week(_: Context, number: int, weeks: Times) -> Times | None:
    if any(moment.grain is not Grain.WEEK for moment in weeks):
        return None
    return mapped(weeks, lambda week: calendar.days(week.first_day + timedelta(days=number)))


def _listed_weekday(context: Context, number: int, *others: object) -> Times | None:
    """Monday or Tuesday next week: both are of that week."""
    weeks = others[-1]
    return _weekday_of_week(context, number, weeks) if isinstance(weeks, tuple) else None


def _week_weekday(context: Context, weeks: Times, number: int) -> Times | None:
    return _weekday_of_week(context, number, weeks)


def _weekdays_from_now(sign: int) -> Build:
    def build(context: Context, count: float, number: int) -> Times | None:
        if count != int(count) or not 1 <= count <= 500:  # noqa: PLR2004
            return None
        weeks = timedelta(days=DAYS_A_WEEK * (int(count) - 1))
        if sign > 0:
            return day(calendar.coming(context.today + timedelta(days=1), number) + weeks)
        return day(calendar.previous(context.today, number) - weeks)

    return build


def _day_of_month(context: Context, number: int) -> Times:
    """The 15th: of this month, or the nearest that has such a day."""
    year, month = context.today.year, context.today.month
    found = []
    for shift in range(-2, 3):
        index = year * MONTHS_A_YEAR + month - 1 + shift
        if number <= calendar.days_in_month(index // MONTHS_A_YEAR, index % MONTHS_A_YEAR + 1):
            found.append(calendar.days(date(index // MONTHS_A_YEAR, index % MONTHS_A_YEAR + 1, number)))
    return sided(context, found)


def _day_in_month(_: Context, number: int, months: Times) -> Times | None:
    if any(moment.grain is not Grain.MONTH for moment in months):
        return None
    return mapped(months, lambda month: calendar.days(month.first_day.replace(day=number)))


def _weekday_and_day(_: Context, number: int, days: Times) -> Times:
    """Friday the 13th, Tue May 9: the date, where its weekday is that one; else the date, unsure."""
    agreeing = tuple(moment for moment in days if start_of(moment).weekday() == number)
    if agreeing:
        return agreeing
    return tuple(replace(moment, score=moment.score * 0.7) for moment in days)


def _weekday_and_figures(context: Context, number: int, figures: Figures) -> Times | None:
    days = figures_without_year(context, figures)
    return None if days is None else _weekday_and_day(context, number, days)


def _weekday_and_month_day(context: Context, number: int, month_day: MonthDay) -> Times:
    """A date without a year, with its weekday: the nearest years in which they agree, before those in which not."""
    year = context.today.year
    agreeing = []
    for candidate in range(year - 6, year + 7):
        try:
            stretch = of_year(month_day)(candidate)
        except (ValueError, OverflowError):
            continue
        if stretch.first_day.weekday() == number:
            agreeing.append(stretch)
    plain = yearly(context, of_year(month_day))
    near = tuple(moment for moment in plain if start_of(moment).weekday() == number)
    if near or not agreeing:
        return near or plain
    nearest = min(agreeing, key=lambda stretch: abs((stretch.first_day - context.today).days))
    return (Moment.of(nearest, 0.4), *(replace(moment, score=moment.score * 0.6) for moment in plain))


def _weekday_and_number(context: Context, number: int, day_number: int) -> Times:
    """Friday 23: the nearest Friday that is a 23rd."""
    found = []
    index = context.today.year * MONTHS_A_YEAR + context.today.month - 1
    for shift in range(-14, 15):
        year, month = divmod(index + shift, MONTHS_A_YEAR)
        if day_number <= calendar.days_in_month(year, month + 1):
            stretch = calendar.days(date(year, month + 1, day_number))
            if stretch.first_day.weekday() == number:
                found.append(stretch)
    return sided(context, found)


def _nth_weekday(_: Context, count: int, number: int, periods: Times) -> Times:
    return mapped(periods, lambda period: calendar.days(calendar.nth_weekday(period, number, count)))


def _last_weekday(context: Context, number: int, periods: Times) -> Times:
    return _nth_weekday(context, -1, number, periods)


def _nth_day(_: Context, count: int, periods: Times) -> Times | None:
    if any(moment.grain in {Grain.DAY, Grain.PART_OF_DAY} for moment in periods):
        return None

    def of(period: Stretch) -> Stretch:
        found = period.first_day + timedelta(days=count - 1)
        if found > period.last_day:
            raise ValueError("the period has no such day")
        return calendar.days(found)

    return mapped(periods, of)


def _last_day(_: Context, periods: Times) -> Times:
    return mapped(periods, lambda period: calendar.days(period.last_day))


def _first_day(_: Context, periods: Times) -> Times:
    return mapped(periods, lambda period: calendar.days(period.first_day))


def _nth_working_day(_: Context, count: int, periods: Times) -> Times:
    def of(period: Stretch) -> Stretch:
        if count > 0:
            return calendar.days(calendar.working_days_later(period.first_day - timedelta(days=1), count))
        return calendar.days(calendar.working_days_later(period.last_day + timedelta(days=1), count))

    return mapped(periods, of)


def _same_day_of_year(context: Context, years: Times) -> Times:
    return of_years(years, lambda year: calendar.days(context.today.replace(year=year)))


def _from_today(context: Context, length: Distance) -> Times | None:
    """A week ago today."""
    return None if length.is_exact else day(
        calendar.shifted(context.now, months=-length.months, day_count=-length.days).date())  # fmt: skip


def _weekday_ago(context: Context, length: Distance, number: int) -> Times | None:
    """Two weeks ago on Friday: the Friday of that week."""
    if length.unit is not Grain.WEEK or not length.count:
        return None
    week = calendar.week_of(context.today - timedelta(days=length.days))
    return day(week.first_day + timedelta(days=number))


def _nth_weekday_after(_: Context, count: int, number: int, days: Times) -> Times:
    return mapped(days, lambda one_day: calendar.days(
        calendar.coming(one_day.last_day + timedelta(days=1), number) + timedelta(days=DAYS_A_WEEK * (count - 1))
    ))  # fmt: skip


def _weekday_after(context: Context, number: int, days: Times) -> Times:
    return _nth_weekday_after(context, 1, number, days)


def _weekday_before(_: Context, number: int, days: Times) -> Times:
    return mapped(days, lambda one_day: calendar.days(calendar.previous(one_day.first_day, number)))


def _closest_weekday(_: Context, number: int, days: Times) -> Times:
    def of(one_day: Stretch) -> Stretch:
        return calendar.days(calendar.coming(one_day.first_day - timedelta(days=3), number))

    return mapped(days, of)


def _weekday_and_distance(context: Context, number: int, distances: Times) -> Times:
    agreeing = tuple(moment for moment in distances if start_of(moment).weekday() == number)
    return agreeing or _closest_weekday(context, number, distances)


_WEEKDAYS: tuple[Row, ...] = (
    ("shift", "this|the? coming|upcoming", lambda _: "coming"),
    ("shift", "this past|previous", lambda _: "past"),
    ("shift", "this|the? very? SHIFT", same),
    ("day0", "<listed>", same),
    ("weekday", "WEEKDAY", same),
    ("day0", "<weekday> > ,|or|and|& <weekday> of|in|,? <week>", _listed_weekday),
    ("day0", "<weekday> > , <weekday> ,? or|and|&? <weekday> of|in|,? <week>", _listed_weekday),
    ("day0", "either <weekday> > or <weekday> of|in|,? <week>", _listed_weekday),
    ("day0", "the? <shift> <weekday>", _shifted_weekday),
    ("day0", "that|the <weekday>", weekday),
    ("day0", "<weekday> next", lambda context, number: _shifted_weekday(context, "next", number)),
    ("day0", "<weekday> last", lambda context, number: _shifted_weekday(context, "last", number)),
    ("day0", "<weekday> after next", _weekday_after_next),
    ("day0", "on? <weekday> week", lambda context, number: day(
        calendar.coming(context.today + timedelta(days=1), number) + timedelta(days=DAYS_A_WEEK))),
    ("day0", "( <weekday> ) <date>", _weekday_and_day),
    ("day0", "( <weekday> ) <md>", _weekday_and_month_day),
    ("day0", "<count> <weekdays> later|hence", _weekdays_from_now(1)),
    ("day0", "the? <weekday> after the? next", _weekday_after_next),
    ("day0", "the? <weekday> before last", _weekday_before_last),
    ("day0", "<weekday> ,|-|(? of|in|from|on? the? <week>", _weekday_of_week),
    ("day0", "<week> ,|-|'s? on|the? <weekday>", _week_weekday),
    ("day0", "<week> maybe|perhaps ,? say? on|the? <weekday>", _week_weekday),
    ("day0", "<count> WEEKDAYS|WEEKDAY from now|today", _weekdays_from_now(1)),
    ("day0", "<count> <weekdays> from now|today", _weekdays_from_now(1)),
    ("day0", "in <count> <weekdays> time?", _weekdays_from_now(1)),
    ("day0", "<count> <weekdays> ago|back", _weekdays_from_now(-1)),
    ("weekdays", "WEEKDAYS", same),
    ("weekdays", "WEEKDAY", same),
    ("day0", "<weekday> ,|-|(|.|the? <md> )?", _weekday_and_month_day),
    ("day0", "<weekday> ,|-|(|.|the? <date> )?", _weekday_and_day),
    ("day0", "<weekday> ,? the <md>", _weekday_and_month_day),
    ("day0", "<weekday> ,? DM", _weekday_and_figures),
    ("day0", "<shift> <weekday> ,|-|(? <date> )?", lambda context, _, number, days: _weekday_and_day(
        context, number, days)),
    ("day0", "<date> ,|-? ( <weekday> )", lambda context, days, number: _weekday_and_day(context, number, days)),
    ("day0", "<date> ,? on? a|the? <weekday>", lambda context, days, number: _weekday_and_day(context, number, days)),
    ("day0", "<weekday> ,? the? <ordinalday>", _weekday_and_number),
    ("day0", "<weekday> SHORT", lambda context, number, short: (
        _weekday_and_number(context, number, short.value) if MONTHS_A_YEAR < short.value <= MOST_DAYS else None)),
    ("day0", "<weekday> ,? <later>", _weekday_and_distance),
    ("day0", "<weekday>", weekday),
)  # fmt: skip


_NAMED: tuple[Row, ...] = (
    ("day0", "the? day after tomorrow", _shifted(2)),
    ("day0", "the? day after the? next", _shifted(2)),
    ("day0", "the? day before yesterday", _shifted(-2)),
    ("day0", "overmorrow", _shifted(2)),
    ("day0", "the|this|that day before", _shifted(-1)),
    ("day0", "the next|following|coming|upcoming day", _shifted(1)),
    ("day0", "next|following|coming|upcoming day", _shifted(1)),
    ("day0", "the? previous|preceding|past day", _shifted(-1)),
    ("day0", "the day after", _shifted(1)),
    ("day0", "2 ~moro", _shifted(1)),
    ("day0", "this|same|current|my|same day", _shifted(0)),
    ("day0", "the same day", _shifted(0)),
    ("day0", "NAMEDDAY", _named),
)


_OF_PERIODS: tuple[Row, ...] = (
    ("nth", "ORDINAL", same),
    ("nth", "NUMBER", lambda _, number: number.value if number.digits and number.value <= 5 else None),  # noqa: PLR2004
    ("nth", "last|final", lambda _: -1),
    ("day0", "the? <nth> <weekday> of|in|during <holder>", _nth_weekday),
    ("day0", "the? <nth> <weekday> <holder>", _nth_weekday),
    ("day0", "the? <weekday> last of|in <holder>", _last_weekday),
    ("day0", "the? <nth> <weekday> after|following <anchor>", _nth_weekday_after),
    ("day0", "the? <weekday> after|following <anchor>", _weekday_after),
    ("day0", "the? <weekday> before|preceding <anchor>", _weekday_before),
    ("day0", "the? closest|nearest <weekday> to <anchor>", _closest_weekday),
    ("day0", "the? <weekday> closest|nearest to <anchor>", _closest_weekday),
    ("day0", "the? last|final day of|in <holder>", _last_day),
    ("day0", "the? first day of <holiday>", _first_day),
    ("day0", "the? last day of <holiday>", _last_day),
    ("day0", "the? <nth> business|working|work day of|in <holder>", _nth_working_day),
    ("day0", "this|the|that same? day <yearof>", _same_day_of_year),
    ("day0", "<length> ago today", _from_today),
    ("day0", "<length> ago on? <weekday>", _weekday_ago),
    ("day0", "<weekday> ,? <length> ago", lambda context, number, length: _weekday_ago(context, length, number)),
    ("day0", "<month0> 's last day", _last_day),
    ("day0", "<yearof> 's last day", _last_day),
    ("day0", "the? ORDINAL day of|in <holder>", _nth_day),
    ("day0", "the? <ordinalday> of|in? <month>", _day_in_month),
    ("day0", "the? <dom> of|in? <month>", _day_in_month),
    ("day0", "day <dom> of <month>", _day_in_month),
    ("day0", "the NTHDAY", _day_of_month),
    ("day0", "on|by|until|till the? NTHDAY", _day_of_month),
    ("day0", "on the? NTHWORD", _day_of_month),
    ("day0", "on|from the BAREHOUR", lambda context, number: _day_of_month(context, number.value)),
)


_FROM_ANCHORS: tuple[Row, ...] = (
    ("day0", "<later>", same),
    ("anchor", "<holiday>", same),
    ("anchor", "<date>", same),
    ("anchor", "the? <shift> <weekday>", _shifted_weekday),
    ("anchor", "NAMEDDAY", _named),
    ("anchor", "<weekday>", weekday),
    ("anchor", "the? end of the? <holder0>", _last_day),
    ("anchor", "the? end of the? <unit0>", _last_day),
    ("anchor", "the? beginning|start of the? <holder0>", _first_day),
    ("anchor", "the? beginning|start of the? <unit0>", _first_day),
    ("anchor", "the NTHDAY", _day_of_month),
    ("anchor", "the NTHWORD", _day_of_month),
    ("day0", "in? <length> after|from|since|following the? <anchor>", distance_from(1)),
    ("day0", "<length> before|prior|preceding to? the? <anchor>", distance_from(-1)),
    ("day0", "in? <length> after|from|since the? <period>", distance_from(1)),
    ("day0", "<length> before the? <period>", distance_from(-1)),
    ("day0", "the day after <anchor>", lambda _, days: mapped(days, lambda found: found.moved(1))),
    ("day0", "the day before <anchor>", lambda _, days: mapped(days, lambda found: found.moved(-1))),
)


PRODUCTIONS: tuple[Row, ...] = (
    *_WEEKDAYS,
    *_NAMED,
    *_OF_PERIODS,
    *_FROM_ANCHORS,
    ("day0", "<holiday>", same),
    ("day0", "<date>", same),
    ("day", "on|for? around|about|circa|approximately <day0>", same),
    ("day", "on <day0>", same),
    ("day", "<day0>", same),
)
"""`date` has a month; `day` is any one day; `anchor` what distances are counted from."""
