"""The first and last of a period, and what is beside a day: 2021年前两周, 这个月后三天, 今年前三季度, 国庆节前一周."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_amounts import UNITS
from app.inference.dates.chinese_numbers import CJK_NUMBER, number
from app.inference.dates.chinese_pieces import Piece, Rank, Setting
from app.inference.dates.chinese_words import production
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re

_SIDES = {"前": -1, "后": 1}
_LARGER = {
    Grain.YEAR: (Grain.DECADE, Grain.CENTURY),
    Grain.QUARTER: (Grain.YEAR,),
    Grain.MONTH: (Grain.YEAR, Grain.HALF_YEAR, Grain.QUARTER),
    Grain.WEEK: (Grain.YEAR, Grain.QUARTER, Grain.MONTH),
    Grain.DAY: (Grain.YEAR, Grain.QUARTER, Grain.MONTH, Grain.WEEK),
}


def _first_of(match: re.Match[str], setting: Setting) -> Piece | None:
    """2021年前两周, 这个月后三天: the first or last of it; 国庆节前一周: what is before or after a day."""
    count = int(number(match["count"]))
    unit = match["unit"]
    grain = UNITS[unit][0]
    is_first = match["prefix"][0] in "前头首"

    def within(moment: Moment) -> list[Moment]:
        if moment.grain is Grain.DAY and match["prefix"] in _SIDES:
            return _beside(moment, grain, _SIDES[match["prefix"]] * count)
        if moment.grain not in _LARGER.get(grain, ()):
            return []
        return _edge(moment, grain, count, is_first=is_first)

    def alone() -> list[Moment]:
        if grain is not Grain.QUARTER:
            raise ValueError("the first of what?")
        return _edge(Moment.of(calendar.year(setting.today.year)), grain, count, is_first=is_first)

    return Piece(match.start(), match.end(), Rank.WEEKDAY, alone if grain is Grain.QUARTER else None, within)


def _beside(moment: Moment, grain: Grain, count: int) -> list[Moment]:
    """So many days, weeks or months before or after a day: all of them, or the day at the far end."""
    if moment.start is None or moment.end is None:
        return []
    months, days = {Grain.MONTH: (1, 0), Grain.WEEK: (0, 7), Grain.DAY: (0, 1)}.get(grain, (0, 0))
    if not months and not days:
        return []
    far = calendar.shifted(moment.start, months=months * count, day_count=days * count)
    day = Moment.of(calendar.days(far.date()), 0.4)
    if abs(count) == 1 and grain is Grain.DAY:
        return [replace(day, score=1.0)]
    stretch = (far, moment.start) if count < 0 else (moment.end, far + calendar.ONE_DAY)
    return [Moment(*stretch, grain, 0.6), day]


def _edge(moment: Moment, grain: Grain, count: int, *, is_first: bool) -> list[Moment]:
    stretch = moment.stretch
    months = {Grain.YEAR: 12, Grain.QUARTER: 3, Grain.MONTH: 1}.get(grain, 0) * count
    days = {Grain.WEEK: 7, Grain.DAY: 1}.get(grain, 0) * count
    start, end = stretch.start, stretch.end
    if is_first:
        if grain is Grain.WEEK:
            start = calendar.week_of((start + timedelta(days=3)).date()).start
        end = calendar.later_months(start, months) + timedelta(days=days)
    else:
        start = calendar.later_months(end, -months) - timedelta(days=days)
    if start < stretch.start - timedelta(days=3) or end > stretch.end + timedelta(days=3):
        raise ValueError("it is not that long")
    return [Moment(start, end, grain)]


PRODUCTIONS = (
    production(
        "前头首最后末",
        rf"(?P<prefix>前|头|首|最后(?!一个?(?:周|星期|礼拜))|后|末)的?(?P<count>\d{{1,3}}|{CJK_NUMBER}{{1,4}})个?"
        r"(?P<unit>年|季度|季|月|周|星期|礼拜|天|日)(?![一二三四五六日天末份底初]|[前后]\Z)",
        _first_of,
    ),
)
