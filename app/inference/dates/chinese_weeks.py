"""Weekdays, weeks and weekends as Chinese says them: 周三, 下下周三, 上个礼拜, 第一个星期一, 三月第三周, 周末."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_numbers import COUNT, whole
from app.inference.dates.chinese_pieces import Piece, Rank, Setting, certain, one_day, shift_of, sided
from app.inference.dates.chinese_words import production
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re

WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6} | {
    str(number + 1): number for number in range(7)
}
_OR = ("、", "和", "及", "与", "或", "或者", "还是")
WEEK_WORD = r"(?:周|星期|礼拜)"
_SHIFT = r"(?:这一?|本|当|今|呢|上一?|上上|上上上|下一?|下下|下下下)"
_NOT_COUNTED = r"(?![次遍回趟场班期家人位种件项条日天]|个?(?:月|年|小时|多|半))"


def _weekday(match: re.Match[str], setting: Setting) -> Piece:
    weekday = WEEKDAYS[match["weekday"]]
    shift = match["shift"]

    def alone() -> list[Moment]:
        if not shift and setting.last_named is not None and match.string[: match.start()].endswith(_OR):
            # 下周三或周四: of the same week
            return [one_day(calendar.coming(setting.last_named, weekday))]
        if not shift:
            return _nearest_weekday(weekday, setting.today)
        return _shifted_weekday(weekday, shift_of(shift), setting.today)

    def within(moment: Moment) -> list[Moment]:
        if moment.start is None or moment.end is None or shift:
            return []
        if moment.grain is Grain.WEEK:
            return [one_day(moment.start.date() + timedelta(days=weekday))]
        if moment.grain is Grain.DAY:
            return [moment] if moment.start.weekday() == weekday else []
        return []

    return Piece(match.start(), match.end(), Rank.WEEKDAY, alone, within, unit="周")


def _nearest_weekday(weekday: int, today: date) -> list[Moment]:
    coming, past = calendar.coming(today, weekday), calendar.previous(today, weekday)
    if coming == today:
        return [
            one_day(coming, 0.55, 1),
            one_day(coming + timedelta(weeks=1), 0.3, 1),
            one_day(past, 0.15, -1),
        ]
    return sided(calendar.days(past), calendar.days(coming))


def _shifted_weekday(weekday: int, shift: int, today: date) -> list[Moment]:
    day = calendar.monday_of(today) + timedelta(days=weekday, weeks=shift)
    moments = [one_day(day, 0.85)]
    # "下周三" on a Monday is now and then the coming one, "这周一" after it the next; "上周五" on a Sunday two days ago
    if shift == 1 and calendar.coming(today + timedelta(days=1), weekday) != day:
        moments.append(one_day(calendar.coming(today + timedelta(days=1), weekday), 0.15))
    elif shift == 0 and day < today:
        moments.append(one_day(day + timedelta(weeks=1), 0.15))
    elif shift == -1 and calendar.previous(today, weekday) != day:
        moments.append(one_day(calendar.previous(today, weekday), 0.15))
    return moments


def _nth_weekday(match: re.Match[str], setting: Setting) -> Piece:
    weekday = WEEKDAYS[match["weekday"]]
    count = -1 if match["last"] else whole(match["count"])

    def within(moment: Moment) -> list[Moment]:
        if moment.grain not in {Grain.MONTH, Grain.QUARTER, Grain.YEAR, Grain.HALF_YEAR}:
            return []
        return [one_day(calendar.nth_weekday(moment.stretch, weekday, count))]

    def alone() -> list[Moment]:
        month = calendar.month(setting.today.year, setting.today.month)
        return [one_day(calendar.nth_weekday(month, weekday, count), 0.6)]

    return Piece(match.start(), match.end(), Rank.WEEKDAY, alone, within)


def _week(match: re.Match[str], setting: Setting) -> Piece:
    week = calendar.week_of(setting.today + timedelta(weeks=shift_of(match["shift"])))
    return Piece(match.start(), match.end(), Rank.WEEK, alone=lambda: certain(week))


def _half_week(match: re.Match[str], setting: Setting) -> Piece:
    monday = calendar.monday_of(setting.today + timedelta(weeks=shift_of(match["shift"] or "")))
    is_first = match["half"] in "上前"
    stretch = (
        calendar.days(monday, 3, Grain.DAY) if is_first else calendar.days(monday + timedelta(days=3), 4, Grain.DAY)
    )
    return Piece(match.start(), match.end(), Rank.WEEK, alone=lambda: certain(stretch))


def _nth_week(match: re.Match[str], setting: Setting) -> Piece:
    count = -1 if match["last"] else 1 if match["first"] else whole(match["count"])

    def within(moment: Moment) -> list[Moment]:
        if moment.start is None or moment.grain not in {Grain.MONTH, Grain.YEAR, Grain.QUARTER}:
            return []
        return _weeks_within(moment, count)

    def alone() -> list[Moment]:
        return certain(calendar.iso_week(setting.today.year, count))

    return Piece(match.start(), match.end(), Rank.WEEK, alone if match["count"] else None, within)


def _weeks_within(moment: Moment, count: int) -> list[Moment]:
    stretch = moment.stretch
    if count < 0:
        last = calendar.monday_of(stretch.last_day)
        return [Moment.of(calendar.days(last, 7, Grain.WEEK))]
    if moment.grain is Grain.YEAR:
        return _weeks_of_year(stretch.first_day.year, count)
    full = calendar.coming(stretch.first_day, 0) + timedelta(weeks=count - 1)
    touched = calendar.monday_of(stretch.first_day) + timedelta(weeks=count - 1)
    if full > stretch.last_day:
        raise ValueError("the month has no such week")
    if full == touched:
        return [Moment.of(calendar.days(full, 7, Grain.WEEK))]
    return [
        Moment.of(calendar.days(full, 7, Grain.WEEK), 0.6),
        Moment.of(calendar.days(touched, 7, Grain.WEEK), 0.4),
    ]


def _weeks_of_year(year: int, count: int) -> list[Moment]:
    """By the number of the week (ISO 8601), or counted from the first Monday of the year."""
    by_number = calendar.iso_week(year, count)
    counted = calendar.days(calendar.coming(date(year, 1, 1), 0) + timedelta(weeks=count - 1), 7, Grain.WEEK)
    if by_number == counted:
        return certain(by_number)
    return [Moment.of(by_number, 0.78), Moment.of(counted, 0.22)]


def _weekend(match: re.Match[str], setting: Setting) -> Piece:
    shift = match["shift"]
    weekend = calendar.weekend_of(setting.today + timedelta(weeks=shift_of(shift or "")))

    def alone() -> list[Moment]:
        weekends = certain(weekend) if shift else sided(weekend.moved(-1), weekend, coming_score=0.85)
        return [one for moment in weekends for one in _or_sunday(moment)]

    def within(moment: Moment) -> list[Moment]:
        if moment.grain is Grain.WEEK and moment.start is not None and not shift:
            return certain(calendar.weekend_of(moment.start.date()))
        return []

    return Piece(match.start(), match.end(), Rank.WEEKDAY, alone, within)


def _or_sunday(weekend: Moment) -> list[Moment]:
    """Saturday and Sunday; of something that is on one day, now and then the Sunday; or from Friday evening on."""
    stretch = weekend.stretch
    sunday = calendar.days(stretch.last_day)
    return [
        replace(weekend, score=weekend.score * 0.88),
        Moment.of(sunday, weekend.score * 0.07, weekend.side),
        replace(weekend, start=stretch.start - timedelta(hours=6), score=weekend.score * 0.05),
    ]


_DAY = r"(?P<weekday>[一二三四五六日天]|[1-7](?!\d))"
# 周一三五 is each of the three, every week: no one day
_NOT_SEVERAL = r"(?![一二三四五六日][一二三四五六日天](?![点时:号年月日个]))"
_NO_DAY = r"(?![一二三四五六日天末\d边围期刊报密转])"
PRODUCTIONS = (
    production(
        "周星礼上下这本当今呢",
        rf"(?P<shift>{_SHIFT}?)个?{WEEK_WORD}{_DAY}{_NOT_COUNTED}{_NOT_SEVERAL}(?!\d{{1,2}}[号日])",
        _weekday,
    ),
    production("第最", rf"(?:第 ?(?P<count>[一二三四五1-5]) ?|(?P<last>最后一?))个{WEEK_WORD}{_DAY}", _nth_weekday),
    production("上下这本当今呢", rf"(?P<shift>{_SHIFT})个?{WEEK_WORD}(?:之?内|里|期间)?{_NO_DAY}", _week),
    production(
        "上下这本前后", rf"(?P<shift>[上下这本]?(?=[上下前后]半))(?P<half>[上下前后])半个?{WEEK_WORD}", _half_week
    ),
    production(
        "第最首头",
        rf"(?:第 ?(?P<count>{COUNT}) ?个?|(?P<last>最后一?个?)|(?P<first>首个?|头一个?)){WEEK_WORD}{_NO_DAY}",
        _nth_week,
    ),
    production(
        "上下这本当今个呢周礼星双",
        rf"(?P<shift>{_SHIFT}?)个?(?:{WEEK_WORD}末|双休日|周六(?:周|、)?日)",
        _weekend,
    ),
)
