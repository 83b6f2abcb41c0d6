"""Festivals, solar terms, dates of the lunar calendar, and years of animals, stems and eras: 中秋, 清明, 农历八月十五, 龙年, 康熙二十年."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar, lunar
from app.inference.dates.chinese_days import NUMBER_STARTS
from app.inference.dates.chinese_numbers import CJK_NUMBER, whole
from app.inference.dates.chinese_pieces import (
    Piece,
    Production,
    Rank,
    Setting,
    certain,
    each_year,
    one_day,
    year_of,
)
from app.inference.dates.moments import Moment
from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.inference.dates.calendar import Stretch

FIXED = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "三八节": (3, 8), "女神节": (3, 8), "植树节": (3, 12),
    "消费者权益日": (3, 15), "愚人节": (4, 1), "世界地球日": (4, 22), "劳动节": (5, 1), "五一": (5, 1), "青年节": (5, 4), "五四": (5, 4),
    "护士节": (5, 12), "儿童节": (6, 1), "六一": (6, 1), "建党节": (7, 1), "建军节": (8, 1), "八一": (8, 1),
    "教师节": (9, 10), "国庆": (10, 1), "程序员节": (10, 24), "万圣夜": (10, 31), "万圣节": (11, 1), "记者节": (11, 8),
    "双十一": (11, 11), "双11": (11, 11), "光棍节": (11, 11), "双十二": (12, 12), "双12": (12, 12), "平安夜": (12, 24), "圣诞": (12, 25),
    "跨年夜": (12, 31), "公祭日": (12, 13),
}  # fmt: skip
LUNAR = {
    "春节": (1, 1), "大年初一": (1, 1), "年初一": (1, 1), "元宵": (1, 15), "灯节": (1, 15), "龙抬头": (2, 2), "花朝节": (2, 15), "上巳": (3, 3), "端午": (5, 5),
    "端阳": (5, 5), "七夕": (7, 7), "乞巧节": (7, 7), "中元": (7, 15), "鬼节": (7, 15), "盂兰盆节": (7, 15), "中秋": (8, 15),
    "重阳": (9, 9), "寒衣节": (10, 1), "下元": (10, 15), "腊八": (12, 8), "小年": (12, 23),
}  # fmt: skip
NTH_WEEKDAY = {"母亲节": (5, 6, 2), "父亲节": (6, 6, 3), "感恩节": (11, 3, 4), "黑色星期五": (11, 4, 4)}
_EVES = ("除夕", "大年三十", "年三十", "大年夜", "年夜")
_ANIMALS = "鼠牛虎兔龙蛇马羊猴鸡狗猪"
_STEMS, _BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
# Solar terms that are mostly weather
_WEATHER = frozenset(("大雪", "小雪", "大寒", "大暑", "雨水"))
_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}
# Days that are known by their lunar date, so that 八月十五 without 日 is the festival
_KNOWN_LUNAR_DAYS = frozenset(LUNAR.values())


def _festival(build: Callable[[int], Stretch], match: re.Match[str], setting: Setting) -> Piece:
    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        return [] if year is None else certain(build(year))

    return Piece(match.start(), match.end(), Rank.DAY, lambda: _festivals(build, setting), within, unit="日")


def _festivals(build: Callable[[int], Stretch], setting: Setting) -> list[Moment]:
    """A festival of today is today's; a past one of this year is likelier meant than one as far back last year."""
    return each_year(build, setting)


def _fixed(match: re.Match[str], setting: Setting) -> Piece:
    month, day = FIXED[match["name"]]
    return _festival(lambda year: calendar.days(date(year, month, day)), match, setting)


def _lunar_festival(match: re.Match[str], setting: Setting) -> Piece:
    month, day = LUNAR[match["name"]]
    return _festival(lambda year: calendar.days(_known(lunar.day(year, month, day))), match, setting)


def _known(day: date | None) -> date:
    if day is None:
        raise ValueError("no such day of the lunar calendar, or outside the known years")
    return day


def _eve(match: re.Match[str], setting: Setting) -> Piece:
    """除夕 of 2023: of the lunar year, or the day in the Gregorian one; alone, the nearest."""

    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        if year is None:
            return []
        return [one_day(_known(lunar.eve(year)), 0.5), one_day(_known(lunar.eve(year - 1)), 0.5)]

    def build(year: int) -> Stretch:
        return calendar.days(_known(lunar.eve(year - 1)))

    return Piece(match.start(), match.end(), Rank.DAY, lambda: _festivals(build, setting), within, unit="日")


def _nth_weekday(match: re.Match[str], setting: Setting) -> Piece:
    month, weekday, count = NTH_WEEKDAY[match["name"]]
    shift = timedelta(days=1) if match["name"] == "黑色星期五" else timedelta()
    weekday = 3 if shift else weekday
    return _festival(
        lambda year: calendar.days(calendar.nth_weekday(calendar.month(year, month), weekday, count) + shift), match, setting
    )


def _easter(match: re.Match[str], setting: Setting) -> Piece:
    return _festival(lambda year: calendar.days(calendar.easter(year)), match, setting)


def _term(match: re.Match[str], setting: Setting) -> Piece:
    name = match["name"]
    piece = _festival(lambda year: calendar.days(_known(lunar.solar_term(year, name))), match, setting)
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

    return _festival(build, match, setting)


def _holiday(match: re.Match[str], setting: Setting) -> Piece:
    """国庆假期: from the festival on, for about as long as it lasts; how long is decided anew every year."""
    name = match["name"]
    days = {"国庆": 7, "十一": 7, "春节": 8, "五一": 5, "劳动节": 5}.get(name, 3)

    def build(year: int) -> Stretch:
        if name in LUNAR:
            first = _known(lunar.day(year, *LUNAR[name]))
        elif name == "清明":
            first = _known(lunar.solar_term(year, name))
        else:
            first = date(year, *((10, 1) if name == "十一" else FIXED[name]))
        return calendar.days(first, days)

    return _festival(build, match, setting)


def _lunar_date(match: re.Match[str], setting: Setting) -> Piece | None:
    """A month, mostly with a day, of the lunar calendar; without a sign of it both calendars are candidates."""
    groups = match.groupdict()
    written, day = groups["month"], _lunar_day(groups["day"])
    month = _LUNAR_MONTHS.get(written) or whole(written)
    is_leap = bool(groups.get("leap"))
    is_marked = bool(
        groups.get("mark") or is_leap or written in _LUNAR_MONTHS or (groups["day"] and groups["day"][0] in "初廿")
    )

    def build(year: int) -> Stretch:
        if day is None:
            span = lunar.month(year, month, is_leap=is_leap)
            if span is None:
                raise ValueError("no such month")
            return calendar.between(span[0], span[1] - timedelta(days=1), Grain.MONTH)
        return calendar.days(_known(lunar.day(year, month, day, is_leap=is_leap)))

    if is_marked:
        piece = _festival(build, match, setting)
        rank = Rank.DAY if day is not None else Rank.MONTH
        return Piece(piece.start, piece.end, rank, piece.alone, piece.within, unit="日")
    if day is None:
        return None
    return _either_calendar(match, setting, (month, day), build)


def _either_calendar(
    match: re.Match[str], setting: Setting, named: tuple[int, int], build: Callable[[int], Stretch]
) -> Piece:
    share = 0.8 if named in _KNOWN_LUNAR_DAYS else 0.35

    def solar(year: int) -> Stretch:
        return calendar.days(date(year, *named))

    def alone() -> list[Moment]:
        return [*_weighed(each_year(build, setting), share), *_weighed(each_year(solar, setting), 1 - share)]

    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        if year is None:
            return []
        found = []
        for calculate, weight in ((build, share), (solar, 1 - share)):
            try:
                found.append(Moment.of(calculate(year), weight))
            except ValueError:
                continue
        if not found:
            raise ValueError("a day of neither calendar")
        return found

    return Piece(match.start(), match.end(), Rank.DAY, alone, within, unit="日")


def _weighed(moments: list[Moment], weight: float) -> list[Moment]:
    return [
        Moment(one.start, one.end, one.grain, one.score * weight, one.side, one.is_time_only) for one in moments
    ]


def _lunar_day(written: str | None) -> int | None:
    if not written:
        return None
    return whole(written.removeprefix("初"))


def _animal(match: re.Match[str], setting: Setting) -> Piece:
    return _cyclic(match, setting, _ANIMALS.index(match["animal"]), len(_ANIMALS))


def _ganzhi(match: re.Match[str], setting: Setting) -> Piece:
    stem, branch = _STEMS.index(match["stem"]), _BRANCHES.index(match["branch"])
    index = next(number for number in range(60) if number % 10 == stem and number % 12 == branch)
    return _cyclic(match, setting, index, 60)


def _cyclic(match: re.Match[str], setting: Setting, index: int, turn: int) -> Piece:
    """A lunar year that comes again after 12 or 60 years; year 4 began a turn."""
    this = lunar.year_of(setting.today) or setting.today.year
    past = this - (this - 4 - index) % turn
    years = [(past, 0.95 if past == this else 0.5), (past + turn, 0.05 if past == this else 0.5)]

    def alone() -> list[Moment]:
        moments = []
        for year, score in years:
            span = lunar.year(year)
            if span is not None:
                stretch = calendar.between(span[0], span[1] - timedelta(days=1), Grain.YEAR)
                moments.append(Moment.of(stretch, score, 0 if past == this else (1 if year > this else -1)))
        return moments

    return Piece(match.start(), match.end(), Rank.YEAR, alone=alone)


@cache
def eras() -> Mapping[str, tuple[int, ...]]:
    """The first years of the eras of the Chinese empire and of the Republic."""
    return {
        name: tuple(years)
        for name, years in tomllib.loads(resource("dates", "eras.toml").read_text(encoding="utf-8"))["eras"].items()
    }


def _era(match: re.Match[str], setting: Setting) -> Piece | None:
    del setting
    firsts = eras().get(match["era"])
    if firsts is None:
        return None
    number = 1 if match["number"] == "元" else whole(match["number"])
    moments = [Moment.of(calendar.year(first + number - 1), 1 / len(firsts)) for first in firsts]
    return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: moments)


def _made(starts: object, pattern: str, make: object) -> Production:
    return Production(frozenset(starts), re.compile(pattern, re.ASCII), make)  # type: ignore[call-overload,arg-type]


def _words(names: object) -> str:
    return "|".join(sorted(names, key=len, reverse=True))  # type: ignore[call-overload]


def _starts(names: object) -> frozenset[str]:
    return frozenset(name[0] for name in names)  # type: ignore[attr-defined]


_TAIL = r"(?:佳节|节日|节)?(?:当天|当日|那天|这天)?"
_HOLIDAY_TAIL = r"节?(?:假期|长假|小长假|黄金周|期间|放假|假日)"
_LUNAR_DAY = r"(?:初[一二三四五六七八九十]|廿[一二三四五六七八九]?|三十|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])"
_LUNAR_MONTH = r"(?:十[一二]|[正腊冬一二三四五六七八九十])"
_NOT_A_SOLAR_DAY = r"(?![日号天点个年月一二三四五六七八九十百千多几分份块元%度周时刻])"
_MARK = r"(?:农历|阴历|旧历|夏历|古历)"
PRODUCTIONS = (
    _made(_starts(FIXED), rf"(?P<name>{_words(FIXED)}){_TAIL}(?!路|街|广场|村|台|学|运动|厂|大道|中学|小学|公司|制片|[\d\-]|[一二三四五六七八九十百千])", _fixed),
    _made("农阴旧夏" + "".join(_starts(LUNAR)), rf"{_MARK}?的?(?P<name>{_words(LUNAR)}){_TAIL}(?!路|街|广场|轻)", _lunar_festival),
    _made(_starts(_EVES), rf"(?:{_words(_EVES)})(?:夜|当天|那天|晚上(?=吃))?(?!饭)", _eve),
    _made(_starts(NTH_WEEKDAY), rf"(?P<name>{_words(NTH_WEEKDAY)}){_TAIL}", _nth_weekday),
    _made("复", rf"复活节{_TAIL}", _easter),
    _made(_starts(lunar.SOLAR_TERMS), rf"(?P<name>{_words(lunar.SOLAR_TERMS)})(?:节气|节|那天|当天|这天)?(?!上河图|线|日?点|路)", _term),
    _made("入出头初中末三伏", r"(?P<name>入伏|出伏|头伏|初伏|中伏|末伏|三伏天?|伏天)", _dog_days),
    _made("国十春五劳元端中清", rf"(?P<name>国庆|十一|春节|五一|劳动节|元旦|端午|中秋|清明){_HOLIDAY_TAIL}", _holiday),
    _made("农阴旧夏古", rf"(?P<mark>{_MARK})的? ?(?P<leap>闰)?(?P<month>{_LUNAR_MONTH}|1[0-2]|[1-9])月份?(?P<day>{_LUNAR_DAY}|\d{{1,2}})?日?", _lunar_date),
    _made("闰", rf"(?P<leap>闰)(?P<month>{_LUNAR_MONTH})月份?(?P<day>{_LUNAR_DAY})?", _lunar_date),
    _made("正腊冬", rf"(?P<month>[正腊冬])月(?P<day>{_LUNAR_DAY}|)", _lunar_date),
    _made(NUMBER_STARTS, rf"(?P<month>{_LUNAR_MONTH})月份?(?P<day>{_LUNAR_DAY}){_NOT_A_SOLAR_DAY}", _lunar_date),
    _made("大年", rf"大?年(?P<month>)(?P<day>初[二三四五六七八九十])", lambda match, setting: _new_year_day(match, setting)),
    _made("年", r"(?<![一二三四五六七八九十百千万零〇两几多数半整周每今去明后前来\d])年(?=[前后](?![一二三四五六七八九十两\d]{1,3}个?[月天周]))", lambda match, setting: _new_year(match, setting)),
    _made("".join(_ANIMALS), rf"(?P<animal>[{_ANIMALS}])年(?!货|龄|轻|级|代)", _animal),
    _made(_STEMS, rf"(?P<stem>[{_STEMS}])(?P<branch>[{_BRANCHES}])年", _ganzhi),
)  # fmt: skip


def _new_year_day(match: re.Match[str], setting: Setting) -> Piece:
    day = whole(match["day"].removeprefix("初"))
    return _festival(lambda year: calendar.days(_known(lunar.day(year, 1, day))), match, setting)


def _new_year(match: re.Match[str], setting: Setting) -> Piece:
    """年前 and 年后 alone: before and after the Spring Festival, the coming one, or the one just past."""

    def build(year: int) -> Stretch:
        return calendar.days(_known(lunar.day(year, 1, 1)))

    return Piece(match.start(), match.end(), Rank.DAY, lambda: _festivals(build, setting))


@cache
def era_productions() -> tuple[Production, ...]:
    """The eras, whose names are read when a text has a 年 after one of their signs."""
    names = eras()
    pattern = rf"(?P<era>{_words(names)})(?P<number>元|\d{{1,2}}|{CJK_NUMBER}{{1,3}})年"
    return (_made(_starts(names), pattern, _era),)
