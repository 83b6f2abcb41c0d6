"""How Chinese says when: the expressions that are understood, each with its reading (X9.3)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from app.context.spans import Span, Today

    Reading = Callable[[re.Match[str], Today], Span]

_DIGITS = "零一二三四五六七八九"
_NUMBER = r"(?:\d{1,3}|[零〇一二两三四五六七八九十]{1,3})"
_WEEK = "(?:周|星期|礼拜)"
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_WEEKDAY = rf"{_WEEK}(?P<weekday>[一二三四五六日天])"
_SHIFTS = {
    "这": 0,
    "本": 0,
    "这个": 0,
    "本个": 0,
    "下": 1,
    "下个": 1,
    "上": -1,
    "上个": -1,
    "下下": 2,
    "下下个": 2,
    "上上": -2,
}
_SHIFT = r"(?P<shift>下下个|下下|上上|下个|上个|这个|下|上|这|本)"
_DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨日": -1,
    "今天": 0,
    "今日": 0,
    "明天": 1,
    "明日": 1,
    "后天": 2,
    "大后天": 3,
}
_DAYS_A_UNIT = {"天": 1, "日": 1, "周": 7, "个星期": 7, "星期": 7, "个礼拜": 7}
_AMOUNT = rf"(?P<count>{_NUMBER})(?P<unit>天|日|周|个?星期|个礼拜|个月)"
_YEARS = {"去年": -1, "今年": 0, "明年": 1, "后年": 2, "前年": -2}


def number(text: str) -> int:
    """Read a number of up to three signs: 14, 十四, 二十, 两. Raises ValueError for anything else."""
    if text.isdecimal() and text.isascii():
        return int(text)
    text = text.replace("两", "二").replace("〇", "零")
    if "十" in text:
        tens, _, ones = text.partition("十")
        return (_DIGITS.index(tens) if tens else 1) * 10 + (_DIGITS.index(ones) if ones else 0)
    return int("".join(str(_DIGITS.index(sign)) for sign in text))


def _named_day(match: re.Match[str], today: Today) -> Span:
    return today.offset(_DAYS[match["name"]])


def _tonight(_: re.Match[str], today: Today) -> Span:
    return today.part(today.offset(0), 18, 24)


def _tomorrow_night(_: re.Match[str], today: Today) -> Span:
    return today.part(today.offset(1), 18, 24)


def _weekday(match: re.Match[str], today: Today) -> Span:
    return today.coming(_WEEKDAYS[match["weekday"]])


def _shifted_weekday(match: re.Match[str], today: Today) -> Span:
    return today.weekday_of_week(_WEEKDAYS[match["weekday"]], _SHIFTS[match["shift"]])


def _period(match: re.Match[str], today: Today) -> Span:
    shift = _SHIFTS[match["shift"]]
    if match["period"] == "周末":
        return today.weekend(shift)
    return today.month(shift) if match["period"] == "月" else today.week(shift)


def _distance(sign: int) -> Reading:
    def read(match: re.Match[str], today: Today) -> Span:
        count, unit = number(match["count"]) * sign, match["unit"]
        return today.days(today.months_later(count)) if unit == "个月" else today.offset(count * _DAYS_A_UNIT[unit])

    return read


def _run(sign: int) -> Reading:
    def read(match: re.Match[str], today: Today) -> Span:
        count, unit = number(match["count"]) * sign, match["unit"]
        is_months = unit == "个月"
        other = today.months_later(count) if is_months else today.day + timedelta(days=count * _DAYS_A_UNIT[unit])
        return today.days(min(other, today.day), abs((other - today.day).days))

    return read


def _date(match: re.Match[str], today: Today) -> Span:
    return today.days(date(int(match["year"]), number(match["month"]), number(match["day"])))


def _date_of_named_year(match: re.Match[str], today: Today) -> Span:
    year = today.day.year + _YEARS[match["named_year"]]
    return today.days(date(year, number(match["month"]), number(match["day"])))


def _date_without_year(match: re.Match[str], today: Today) -> Span:
    return today.nearest(number(match["month"]), number(match["day"]))


def _day_of_month(match: re.Match[str], today: Today) -> Span:
    return today.days(today.day.replace(day=number(match["day"])))


def _day_of_shifted_month(match: re.Match[str], today: Today) -> Span:
    first = today.month(_SHIFTS[match["shift"]]).start.date()
    return today.days(first.replace(day=number(match["day"])))


def _month(match: re.Match[str], today: Today) -> Span:
    return today.month_of(int(match["year"]), number(match["month"]))


def _month_of_named_year(match: re.Match[str], today: Today) -> Span:
    return today.month_of(today.day.year + _YEARS[match["named_year"]], number(match["month"]))


def _month_without_year(match: re.Match[str], today: Today) -> Span:
    return today.nearest_month(number(match["month"]))


def _named_year(match: re.Match[str], today: Today) -> Span:
    return today.year(_YEARS[match["named_year"]])


_YEAR = r"(?P<year>(?:19|20)\d\d)年"
_NAMED_YEAR = rf"(?P<named_year>{'|'.join(_YEARS)})"
_MONTH = rf"(?P<month>{_NUMBER})月"
_DAY = rf"(?P<day>{_NUMBER})[日号]"

RULES: tuple[tuple[str, Reading], ...] = (
    (rf"{_YEAR}{_MONTH}{_DAY}", _date),
    (rf"{_NAMED_YEAR}{_MONTH}{_DAY}", _date_of_named_year),
    (rf"{_MONTH}{_DAY}", _date_without_year),
    (rf"{_YEAR}{_MONTH}份?", _month),
    (rf"{_NAMED_YEAR}{_MONTH}份?", _month_of_named_year),
    (rf"{_SHIFT}月{_DAY}", _day_of_shifted_month),
    (rf"(?<!第){_DAY.replace('[日号]', '号')}(?!线|楼|院|门|店)", _day_of_month),
    (rf"(?<!\d)(?<![一二两三四五六七八九十]){_MONTH}份?(?!底|初)", _month_without_year),
    (rf"(?P<name>{'|'.join(sorted(_DAYS, key=len, reverse=True))})", _named_day),
    (r"今晚", _tonight),
    (r"明晚", _tomorrow_night),
    (rf"(?:未来|接下来|今后|往后)的?{_AMOUNT}", _run(1)),
    (rf"(?:最近|过去)的?{_AMOUNT}", _run(-1)),
    (rf"{_AMOUNT}(?:之内|以内|内)", _run(1)),
    (rf"{_AMOUNT}(?:之后|以后|后)", _distance(1)),
    (rf"{_AMOUNT}(?:之前|以前|前)", _distance(-1)),
    (rf"{_SHIFT}(?P<period>周末)", _period),
    (rf"{_SHIFT}{_WEEKDAY}", _shifted_weekday),
    (rf"{_SHIFT}(?P<period>周|星期|礼拜|月)", _period),
    (r"周末", lambda _, today: today.weekend()),
    (rf"{_WEEKDAY}", _weekday),
    (rf"{_NAMED_YEAR}", _named_year),
)
"""Patterns with their readings, the more exact ones first."""

PARTS: tuple[tuple[str, tuple[int, int]], ...] = (
    (r"的?(?:早上|早晨|上午|一早)", (0, 12)),
    (r"的?(?:中午|午间)", (11, 14)),
    (r"的?下午", (12, 18)),
    (r"的?(?:晚上|傍晚|夜里)", (18, 24)),
)
"""What may follow a day, with the hours that it narrows the day to."""
