"""Dates of the lunar calendar, and years of animals, stems and eras: 农历八月十五, 闰四月, 龙年, 甲辰年, 康熙二十年."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar, lunar
from app.inference.dates.chinese_festivals import LUNAR_FESTIVALS, known, yearly
from app.inference.dates.chinese_numbers import CJK_NUMBER, NUMBER_STARTS, YEAR, whole
from app.inference.dates.chinese_pieces import Piece, Production, Rank, Setting, each_year, one_day, year_of
from app.inference.dates.chinese_words import either, firsts, production
from app.inference.dates.moments import Moment
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from app.inference.dates.calendar import Stretch

_ANIMALS = "鼠牛虎兔龙蛇马羊猴鸡狗猪"
_STEMS, _BRANCHES = "甲乙丙丁戊己庚辛壬癸", "子丑寅卯辰巳午未申酉戌亥"
_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}
# Days that are known by their lunar date, so that 八月十五 without 日 is the festival
_KNOWN_LUNAR_DAYS = frozenset(LUNAR_FESTIVALS.values())
LUNAR_DAY = (
    r"(?:初[一二三四五六七八九十]|廿[一二三四五六七八九]?|三十|"
    r"二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])"
)
LUNAR_MONTH = r"(?:十[一二]|[正腊冬一二三四五六七八九十])"
LUNAR_MARK = r"农历|阴历|旧历|夏历|古历"


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
        return calendar.days(known(lunar.day(year, month, day, is_leap=is_leap)))

    if is_marked:
        piece = yearly(build, match, setting)
        rank = Rank.DAY if day is not None else Rank.MONTH
        return Piece(piece.start, piece.end, rank, piece.alone, piece.within, unit="日")
    if day is None:
        return None
    return _either_calendar(match, setting, (month, day), build)


def _lunar_day_of_year(match: re.Match[str], setting: Setting) -> Piece:
    """农历2021年八月十五, the mark before the year."""
    del setting
    month = _LUNAR_MONTHS.get(match["month"]) or whole(match["month"])
    day = _lunar_day(match["day"]) or 0
    found = lunar.day(whole(match["year"]), month, day, is_leap=bool(match["leap"]))
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: [one_day(known(found))], unit="日")


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
    return [Moment(one.start, one.end, one.grain, one.score * weight, one.side, one.is_time_only) for one in moments]


def lunar_month_day(month: str, day: str) -> tuple[int, int]:
    """The numbers of a month and a day as they are written; raises ValueError for other words."""
    return _LUNAR_MONTHS.get(month) or whole(month), whole(day.removeprefix("初"))


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
    return {name: tuple(years) for name, years in resource_table("dates", "eras.toml")["eras"].items()}


def _era(match: re.Match[str], setting: Setting) -> Piece | None:
    del setting
    firsts = eras().get(match["era"])
    if firsts is None:
        return None
    number = 1 if match["number"] == "元" else whole(match["number"])
    moments = [Moment.of(calendar.year(first + number - 1), 1 / len(firsts)) for first in firsts]
    return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: moments)


_NOT_A_SOLAR_DAY = r"(?![日号天点个年月一二三四五六七八九十百千多几分份块元%度周时刻])"
_MARK = rf"(?P<mark>{LUNAR_MARK})的? ?"
PRODUCTIONS = (
    production(
        "农阴旧夏古",
        rf"{_MARK}(?P<leap>闰)?(?P<month>{LUNAR_MONTH}|1[0-2]|[1-9])月份?(?P<day>{LUNAR_DAY}|\d{{1,2}})?日?",
        _lunar_date,
    ),
    production(
        "农阴旧夏古",
        rf"{_MARK}(?P<year>{YEAR}) ?年(?P<leap>闰)?(?P<month>{LUNAR_MONTH}|1[0-2]|[1-9])月"
        rf"(?P<day>{LUNAR_DAY}|\d{{1,2}})日?",
        _lunar_day_of_year,
    ),
    production("闰", rf"(?P<leap>闰)(?P<month>{LUNAR_MONTH})月份?(?P<day>{LUNAR_DAY})?", _lunar_date),
    production("正腊冬", rf"(?P<month>[正腊冬])月(?P<day>{LUNAR_DAY}|)", _lunar_date),
    production(NUMBER_STARTS, rf"(?P<month>{LUNAR_MONTH})月份?(?P<day>{LUNAR_DAY}){_NOT_A_SOLAR_DAY}", _lunar_date),
    production(_ANIMALS, rf"(?P<animal>[{_ANIMALS}])年(?![货龄轻级代])", _animal),
    production(_STEMS, rf"(?P<stem>[{_STEMS}])(?P<branch>[{_BRANCHES}])年", _ganzhi),
)


@cache
def era_productions() -> tuple[Production, ...]:
    """The eras, whose names are read when a text has a 年."""
    names = eras()
    pattern = rf"(?P<era>{either(names)})(?P<number>元|\d{{1,2}}|{CJK_NUMBER}{{1,3}})年"
    return (production(firsts(names), pattern, _era),)
