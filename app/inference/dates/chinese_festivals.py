"""Festivals and solar terms as Chinese says them: 国庆节, 中秋, 大年初三, 清明, 母亲节, 三伏天, 春节假期."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar, lunar
from app.inference.dates.chinese_numbers import whole
from app.inference.dates.chinese_pieces import (
    Impossible,
    OutOfReach,
    Piece,
    Rank,
    Setting,
    certain,
    each_year,
    one_day,
    year_of,
)
from app.inference.dates.chinese_words import either, firsts, numbers, production, words
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from app.inference.dates.calendar import Stretch

_FIXED = numbers("festivals")
LUNAR_FESTIVALS = numbers("lunar_festivals")
_ON_WEEKDAYS = numbers("weekday_festivals")
_EVES = ("除夕", "大年三十", "年三十", "大年夜", "年夜")
# Solar terms that are mostly weather
_WEATHER = frozenset(("大雪", "小雪", "大寒", "大暑", "雨水"))


def yearly(build: Callable[[int], Stretch], match: re.Match[str], setting: Setting) -> Piece:
    """A piece that is built anew for every year: the nearest alone, or that of a year before it."""

    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        if year is None:
            return []
        try:
            return certain(build(year))
        except ValueError:
            raise (Impossible if lunar.FIRST_YEAR <= year <= lunar.LAST_YEAR else OutOfReach) from None

    return Piece(match.start(), match.end(), Rank.DAY, lambda: each_year(build, setting), within, unit="日")


def _fixed(match: re.Match[str], setting: Setting) -> Piece:
    month, day = _FIXED[match["name"]]
    return yearly(lambda year: calendar.days(date(year, month, day)), match, setting)


def _lunar_festival(match: re.Match[str], setting: Setting) -> Piece:
    month, day = LUNAR_FESTIVALS[match["name"]]
    return yearly(lambda year: calendar.days(known(lunar.day(year, month, day))), match, setting)


def known(day: date | None) -> date:
    """A day of the lunar calendar; raises ValueError when there is none."""
    if day is None:
        raise ValueError("no such day of the lunar calendar, or outside the known years")
    return day


def _eve(match: re.Match[str], setting: Setting) -> Piece:
    """除夕 of 2023: of the lunar year, or the day in the Gregorian one; alone, the nearest."""

    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        if year is None:
            return []
        return [one_day(known(lunar.eve(year)), 0.5), one_day(known(lunar.eve(year - 1)), 0.5)]

    def build(year: int) -> Stretch:
        return calendar.days(known(lunar.eve(year - 1)))

    return Piece(match.start(), match.end(), Rank.DAY, lambda: each_year(build, setting), within, unit="日")


def _nth_weekday(match: re.Match[str], setting: Setting) -> Piece:
    month, weekday, count = _ON_WEEKDAYS[match["name"]]
    return yearly(
        lambda year: calendar.days(calendar.nth_weekday(calendar.month(year, month), weekday, count)), match, setting
    )


def _easter(match: re.Match[str], setting: Setting) -> Piece:
    return yearly(lambda year: calendar.days(calendar.easter(year)), match, setting)


def _term(match: re.Match[str], setting: Setting) -> Piece:
    name = match["name"]
    piece = yearly(lambda year: calendar.days(known(lunar.solar_term(year, name))), match, setting)
    if name in _WEATHER and match[0] == name and match[0] != match.string.strip():
        return replace(piece, alone=None)
    return piece


def _dog_days(match: re.Match[str], setting: Setting) -> Piece:
    name = match["name"]

    def build(year: int) -> Stretch:
        days = lunar.dog_days(year)
        if days is None:
            raise ValueError("outside the known years")
        first, middle, last, end = days
        if name == "入伏":
            return calendar.days(first)
        if name == "出伏":
            return calendar.days(end)
        spans = {"头伏": (first, middle), "初伏": (first, middle), "中伏": (middle, last), "末伏": (last, end)}
        start, stop = spans.get(name, (first, end))
        return calendar.between(start, stop - timedelta(days=1))

    return yearly(build, match, setting)


def _holiday(match: re.Match[str], setting: Setting) -> Piece:
    """国庆假期: from the festival on, for about as long as it lasts; how long is decided anew every year."""
    name = match["name"]
    days = words()["holidays"][name]

    def build(year: int) -> Stretch:
        if name in LUNAR_FESTIVALS:
            first = known(lunar.day(year, *LUNAR_FESTIVALS[name]))
        elif name == "清明":
            first = known(lunar.solar_term(year, name))
        else:
            first = date(year, *_FIXED["国庆" if name == "十一" else name])
        return calendar.days(first, days)

    return yearly(build, match, setting)


def _either_new_year(match: re.Match[str], setting: Setting) -> Piece:
    """新年: of the Gregorian or of the lunar year."""
    builds: tuple[Callable[[int], Stretch], ...] = (
        lambda year: calendar.days(date(year, 1, 1)),
        lambda year: calendar.days(known(lunar.day(year, 1, 1))),
    )

    def alone() -> list[Moment]:
        return [replace(one, score=one.score / 2) for build in builds for one in each_year(build, setting)]

    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        return [] if year is None else [Moment.of(build(year), 0.5) for build in builds]

    return Piece(match.start(), match.end(), Rank.DAY, alone, within, unit="日")


def _vacation(match: re.Match[str], setting: Setting) -> Piece:
    """暑假, 寒假: when schools begin them is decided anew every year, the winter's by the Spring Festival."""

    def build(year: int) -> Stretch:
        if match["name"] != "寒假":
            return calendar.between(date(year, 7, 1), date(year, 8, 31), Grain.SEASON)
        festival = known(lunar.day(year, 1, 1))
        return calendar.between(festival - timedelta(days=21), festival + timedelta(days=16), Grain.SEASON)

    return replace(yearly(build, match, setting), rank=Rank.QUARTER)


def _new_year_day(match: re.Match[str], setting: Setting) -> Piece:
    """大年初三, 正月初一到初七."""
    first = whole(match["day"].removeprefix("初"))
    last = whole((match["last"] or match["day"]).removeprefix("初"))
    return yearly(
        lambda year: calendar.between(known(lunar.day(year, 1, first)), known(lunar.day(year, 1, last))), match, setting
    )


def _new_year(match: re.Match[str], setting: Setting) -> Piece:
    """年前 and 年后 alone: before and after the Spring Festival, the coming one, or the one just past."""

    def build(year: int) -> Stretch:
        return calendar.days(known(lunar.day(year, 1, 1)))

    return Piece(match.start(), match.end(), Rank.DAY, lambda: each_year(build, setting))


_TAIL = r"(?:佳节|节日|节)?(?:当天|当日|那天|这天)?"
_HOLIDAY_TAIL = r"节?(?:假期|长假|小长假|黄金周|期间|放假|假日)"
_NOT_A_NAME = (
    r"(?![路街村台学厂树帽卡歌袜\d一二三四五六七八九十百千-]|广场|运动|大道|中学|小学|公司|制片|红旗|军区|老人)"
)
_BARE_NEW_YEAR = (
    r"(?<![一二三四五六七八九十百千万零〇两几多数半整周每今去明后前来\d])年"
    r"(?=[前后](?![一二三四五六七八九十两\d]{1,3}个?[月天周]))"
)
PRODUCTIONS = (
    production(firsts(_FIXED), rf"(?P<name>{either(_FIXED)}){_TAIL}{_NOT_A_NAME}", _fixed),
    production(
        firsts(LUNAR_FESTIVALS) | frozenset("农阴旧夏"),
        rf"(?:农历|阴历|旧历|夏历)?的?(?P<name>{either(LUNAR_FESTIVALS)}){_TAIL}(?![路街轻]|广场)",
        _lunar_festival,
    ),
    production("农阴", r"(?:农历|阴历)新年", _new_year),
    production("新", r"新年(?:前夕|期间|当天|那天|假期)?(?![快好愉贺祝愿礼音联晚钟第新])", _either_new_year),
    production(firsts(_EVES), rf"(?:{either(_EVES)})(?:夜|当天|那天)?(?!饭)", _eve),
    production(firsts(_ON_WEEKDAYS), rf"(?P<name>{either(_ON_WEEKDAYS)}){_TAIL}", _nth_weekday),
    production("复", rf"复活节{_TAIL}", _easter),
    production(
        firsts(lunar.SOLAR_TERMS),
        rf"(?P<name>{either(lunar.SOLAR_TERMS)})(?:节气|节|那天|当天|这天)?(?!上河图|线|日?点|路)",
        _term,
    ),
    production("入出头初中末三伏", r"(?P<name>入伏|出伏|头伏|初伏|中伏|末伏|三伏天?|伏天)", _dog_days),
    production(firsts(words()["holidays"]), rf"(?P<name>{either(words()['holidays'])}){_HOLIDAY_TAIL}", _holiday),
    production("暑寒", r"(?P<name>暑假|暑期|寒假)(?:期间|里)?(?!工|作业)", _vacation),
    production(
        "大年正春",
        r"(?:大?年|正月|春节)(?P<day>初[一二三四五六七八九十])(?:[到至-]{1,2}(?:大?年|正月)?(?P<last>初[一二三四五六七八九十]))?",
        _new_year_day,
    ),
    production("年", _BARE_NEW_YEAR, _new_year),
)
