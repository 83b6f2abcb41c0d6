"""Weeks and weekends in English: "week 12", "the week of 4 May", "the last week of July"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.calendar import DAYS_A_WEEK, Stretch
from app.inference.dates.english_context import (
    Context,
    Times,
    mapped,
    of_years,
    one,
)
from app.inference.dates.english_feasts import holiday, holiday_in
from app.inference.dates.english_shifts import after_next, before_last, fortnight, shifted, shifted_weekend, this_unit
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.english_tokens import Figures, Number
    from app.inference.dates.productions import Build, Row


def _numbered_week(context: Context, number: Number) -> Times | None:
    return one(calendar.iso_week(context.today.year, number.value)) if 1 <= number.value <= 53 else None  # noqa: PLR2004


def _numbered_week_of(_: Context, number: Number, years: Times) -> Times | None:
    return of_years(years, lambda year: calendar.iso_week(year, number.value)) if 1 <= number.value <= 53 else None  # noqa: PLR2004


def _iso_week(_: Context, figures: Figures) -> Times:
    return one(calendar.iso_week(*figures.parts))


def _week_of_days(_: Context, days: Times) -> Times:
    """The week of a day; that of a Sunday begins with it for those whose weeks do."""
    found: list[Moment] = []
    for moment in days:
        first = moment.stretch.first_day
        this = Moment.of(calendar.week_of(first), moment.score, moment.side)
        if first.weekday() == calendar.SUNDAY:
            following = calendar.week_of(first + timedelta(days=1))
            found.append(replace(this, score=moment.score * 0.5))
            this = Moment.of(following, moment.score * 0.5, moment.side)
        found.append(this)
    return tuple(found)


def _week_from(context: Context, days: Times) -> Times:
    """Seven days from that day; or the week, from its Monday."""
    from_day = mapped(days, lambda found: calendar.days(found.first_day, DAYS_A_WEEK, Grain.WEEK))
    return (*(replace(moment, score=moment.score * 0.6) for moment in from_day),
            *(replace(moment, score=moment.score * 0.4) for moment in _week_of_days(context, days)))  # fmt: skip


def _week_until(_: Context, days: Times) -> Times:
    return mapped(
        days, lambda found: calendar.days(found.last_day - timedelta(days=DAYS_A_WEEK - 1), DAYS_A_WEEK, Grain.WEEK)
    )


def _nth_week(_: Context, count: int, periods: Times) -> Times | None:
    """The weeks whose Thursday lies in a month or year, as ISO 8601 numbers them; or the first full ones."""
    if any(moment.grain not in {Grain.MONTH, Grain.YEAR, Grain.QUARTER} for moment in periods):
        return None
    thursday = mapped(periods, lambda period: calendar.week_of(calendar.nth_weekday(period, 3, count)))
    full = mapped(periods, lambda period: calendar.week_of(calendar.nth_weekday(period, 0, count)))
    return (
        *(replace(moment, score=moment.score * 0.65) for moment in thursday),
        *(replace(moment, score=moment.score * 0.35) for moment in full),
    )


def _last_week(context: Context, periods: Times) -> Times | None:
    return _nth_week(context, -1, periods)


def _week_beside(step: int) -> Build:
    return lambda _, days: mapped(days, lambda found: calendar.week_of(found.first_day).moved(step))


def _weekend_beside(step: int) -> Build:
    """The weekend after a day is the next that begins after it; that before it has ended by then."""

    def build(_: Context, days: Times) -> Times:
        def of(found: Stretch) -> Stretch:
            if step > 0:
                saturday = calendar.coming(found.last_day + timedelta(days=1), calendar.SATURDAY)
                return calendar.days(saturday, 2, Grain.WEEKEND)
            sunday = calendar.previous(found.first_day, calendar.SUNDAY)
            return calendar.days(sunday - timedelta(days=1), 2, Grain.WEEKEND)

        return mapped(days, of)

    return build


def _weekend_of_days(_: Context, days: Times) -> Times:
    """The weekend at a day; a holiday on the Monday after or the Friday before makes it longer."""

    def of(found: Stretch) -> Stretch:
        number = found.first_day.weekday()
        saturday = calendar.coming(found.first_day - timedelta(days=2 if number == 0 else 0), calendar.SATURDAY)
        if number == calendar.SUNDAY:
            saturday = found.first_day - timedelta(days=1)
        last = max(saturday + timedelta(days=1), found.first_day)
        first = min(saturday, found.first_day) if number == 4 else saturday  # noqa: PLR2004 - a Friday
        return calendar.between(first, last, Grain.WEEKEND)

    return mapped(days, of)


PRODUCTIONS: tuple[Row, ...] = (
    ("week", "the? <shift> week|wk", lambda context, shift: shifted(context, shift, Grain.WEEK)),
    ("week", "around <shift> week|wk", lambda context, shift: shifted(context, shift, Grain.WEEK)),
    ("week", "the? week after the? next", lambda context: after_next(context, Grain.WEEK)),
    ("week", "the? week before last", lambda context: before_last(context, Grain.WEEK)),
    ("week", "a week from <anchor>", lambda _, days: mapped(
        days, lambda found: calendar.week_of(found.first_day + timedelta(days=DAYS_A_WEEK)))),
    ("week", "the? week|wk|w NUMBER ,? of|in? <yearof>", _numbered_week_of),
    ("week", "<yearof> ,|'s|-? week|wk NUMBER", lambda context, years, number: _numbered_week_of(
        context, number, years)),
    ("week", "the? week|wk number|no|# NUMBER", _numbered_week),
    ("week", "the? week|wk NUMBER", _numbered_week),
    ("week", "ISOWEEK", _iso_week),
    ("week", "the? week of|containing|with the? <anchor>", _week_of_days),
    ("week", "the? week starting|beginning|commencing|from on|with? the? <anchor>", _week_from),
    ("week", "the? week after|following the? <anchor>", _week_beside(1)),
    ("week", "the? week before|preceding the? <anchor>", _week_beside(-1)),
    ("weekend", "the? weekend after|following the? <anchor>", _weekend_beside(1)),
    ("weekend", "the? weekend before|preceding the? <anchor>", _weekend_beside(-1)),
    ("week", "the? <holiday> week", _week_of_days),
    ("week", "the? week ending|until on? the? <anchor>", _week_until),
    ("week", "the? <nth> week of|in <holder>", _nth_week),
    ("week", "the? <nth> week <month>", _nth_week),
    ("week", "<month0> 's last|final week", _last_week),
    ("week", "<yearof> 's last|final week", _last_week),
    ("weekend", "the? <shift> weekend|wkend", lambda context, shift: shifted(context, shift, Grain.WEEKEND)),
    ("weekend", "the? weekend after next", lambda context: after_next(context, Grain.WEEKEND)),
    ("weekend", "the? weekend before last", lambda context: before_last(context, Grain.WEEKEND)),
    ("weekend", "the? weekend of|at|around the? <anchor>", _weekend_of_days),
    ("weekend", "the? <holiday> weekend", _weekend_of_days),
    ("weekend", "the? weekend HOLIDAY", holiday),
    ("weekend", "the? HOLIDAY weekend ,? of|in? <yearof>", lambda context, holiday, years: _weekend_of_days(
        context, holiday_in(context, holiday, years))),
    ("weekend", "that weekend", lambda context: shifted_weekend(context, "that")),
    ("weekend", "the? weekend", lambda context: this_unit(context, Grain.WEEKEND)),
    ("fortnight", "the? SHIFT fortnight", fortnight),
    ("fortnight", "the fortnight", lambda context: fortnight(context, None)),
)  # fmt: skip
