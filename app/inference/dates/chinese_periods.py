"""Months, quarters, seasons, halves of years as Chinese says them, and their parts: 上个季度, 三月, 年底, 六月中旬."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar, lunar
from app.inference.dates.chinese_numbers import MONTH, NUMBER_STARTS, whole
from app.inference.dates.chinese_pieces import Piece, Rank, Setting, certain, each_year, shift_of, year_of
from app.inference.dates.chinese_words import production
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from app.inference.dates.calendar import Stretch

_SEASONS = {"春": ("立春", "立夏"), "夏": ("立夏", "立秋"), "秋": ("立秋", "立冬"), "冬": ("立冬", "立春")}
_ORDINAL = {"一": 1, "二": 2, "三": 3, "四": 4, "首": 1, "末": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_FIRST, _MIDDLE, _LAST = "初", "中", "底"
_THIRDS = (_FIRST, _MIDDLE, _LAST)
_PARTS = {
    **dict.fromkeys(("初", "头", "伊始", "初期", "开头"), _FIRST),
    **dict.fromkeys(("中", "中期", "中叶", "中间"), _MIDDLE),
    **dict.fromkeys(("底", "末", "尾", "末期", "后期", "终", "末尾", "年关"), _LAST),
    "上旬": "上旬", "中旬": "中旬", "下旬": "下旬", "中下旬": "中下旬", "上中旬": "上中旬", "中上旬": "上中旬",
}  # fmt: skip


def _half_year(match: re.Match[str], setting: Setting) -> Piece:
    half = 1 if match["half"] in "上前头" else 2
    return _part_of_year(match, setting, Rank.QUARTER, lambda year: calendar.half_year(year, half))


def _quarter(match: re.Match[str], setting: Setting) -> Piece:
    """第三季度; without 度 only of a year that stands before: 第三季 alone is one of a series."""
    number = _ORDINAL[match["number"]]
    piece = _part_of_year(match, setting, Rank.QUARTER, lambda year: calendar.quarter(year, number))
    return piece if match["sure"] is not None else replace(piece, alone=None)


def _part_of_year(
    match: re.Match[str], setting: Setting, rank: Rank, build: Callable[[int], Stretch], unit: str = ""
) -> Piece:
    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        return [] if year is None else certain(build(year))

    return Piece(match.start(), match.end(), rank, lambda: certain(build(setting.today.year)), within, unit)


def _whole_year(match: re.Match[str], setting: Setting) -> Piece:
    """全年 alone, and after a year, of which it says nothing new."""
    year = calendar.year(setting.today.year)

    def within(moment: Moment) -> list[Moment]:
        return [moment] if moment.grain is Grain.YEAR else []

    return Piece(match.start(), match.end(), Rank.QUARTER, lambda: certain(year), within)


def _relative_quarter(match: re.Match[str], setting: Setting) -> Piece:
    quarter = calendar.holding(setting.today, Grain.QUARTER).moved(shift_of(match["shift"]))
    return Piece(match.start(), match.end(), Rank.QUARTER, alone=lambda: certain(quarter))


def _relative_half(match: re.Match[str], setting: Setting) -> Piece:
    half = calendar.holding(setting.today, Grain.HALF_YEAR).moved(shift_of(match["shift"]))
    return Piece(match.start(), match.end(), Rank.QUARTER, alone=lambda: certain(half))


def _season(match: re.Match[str], setting: Setting) -> Piece:
    terms = _SEASONS[match["season"]]

    def build(year: int) -> Stretch:
        span = lunar.season(year, *terms)
        if span is None:
            raise ValueError("outside the known years")
        return calendar.between(span[0], span[1] - timedelta(days=1), Grain.SEASON)

    if match["year"]:
        year = setting.today.year + {"今": 0, "去": -1, "明": 1, "来": 1, "前": -2}[match["year"]]
        return Piece(match.start(), match.end(), Rank.QUARTER, alone=lambda: certain(build(year)))
    piece = _part_of_year(match, setting, Rank.QUARTER, build)
    # 夏 in one sign only after a year
    alone = None if match[0] == match["season"] else lambda: each_year(build, setting)
    return Piece(match.start(), match.end(), Rank.QUARTER, alone, piece.within)


def _month(match: re.Match[str], setting: Setting) -> Piece:
    number = whole(match["month"])
    piece = _part_of_year(match, setting, Rank.MONTH, lambda year: calendar.month(year, number))

    def alone() -> list[Moment]:
        if number == setting.today.month:
            return certain(calendar.month(setting.today.year, number))
        return each_year(lambda year: calendar.month(year, number), setting)

    return Piece(match.start(), match.end(), Rank.MONTH, alone, piece.within, unit="月")


def _months(match: re.Match[str], setting: Setting) -> Piece:
    """三四月份: from the one to the end of the other."""
    first, last = whole(match["month"]), whole(match["next"])
    if last != first + 1:
        raise ValueError("not two months in a row")

    def build(year: int) -> Stretch:
        return calendar.Stretch(calendar.month(year, first).start, calendar.month(year, last).end, Grain.MONTH)

    piece = _part_of_year(match, setting, Rank.MONTH, build)
    return Piece(match.start(), match.end(), Rank.MONTH, lambda: each_year(build, setting), piece.within)


def _relative_month(match: re.Match[str], setting: Setting) -> Piece:
    day = setting.named if match["shift"] in {"同", "次", "翌", "当"} else setting.today
    month = calendar.holding(day, Grain.MONTH).moved(shift_of(match["shift"]) + (match["shift"] in {"次", "翌"}))
    return Piece(match.start(), match.end(), Rank.MONTH, alone=lambda: certain(month), unit="月")


def _nth_month(match: re.Match[str], setting: Setting) -> Piece:
    del setting
    number = 12 if match["last"] else 1 if match["first"] else whole(match["count"])

    def within(moment: Moment) -> list[Moment]:
        if moment.start is None or moment.grain not in {Grain.YEAR, Grain.QUARTER, Grain.HALF_YEAR}:
            return []
        if match["last"]:
            return certain(calendar.holding(moment.stretch.last_day, Grain.MONTH))
        month = calendar.holding(moment.start.date(), Grain.MONTH).moved(number - 1)
        if month.start >= moment.stretch.end:
            raise ValueError("it has no such month")
        return certain(month)

    return Piece(match.start(), match.end(), Rank.MONTH, within=within)


def _part(match: re.Match[str], setting: Setting) -> Piece | None:
    """初, 底, 中旬 of what stands before; 月底 and 年初 also alone."""
    unit, name = match["unit"] or "", match["part"]
    grain = {"年": Grain.YEAR, "岁": Grain.YEAR, "月": Grain.MONTH, "季": Grain.QUARTER, "周": Grain.WEEK}.get(unit[:1])
    if "旬" in name and grain is None:
        grain = Grain.MONTH

    def within(moment: Moment) -> list[Moment]:
        if grain is not None and moment.grain is not grain:
            return []
        return _part_of(moment, name)

    def alone() -> list[Moment]:
        if grain is None:
            raise ValueError("a part of what?")
        return _part_of(Moment.of(calendar.holding(setting.today, grain)), name)

    can_open = grain is not None and unit != "季"
    return Piece(match.start(), match.end(), Rank.PART, alone if can_open else None, within)


def _part_of(moment: Moment, name: str) -> list[Moment]:
    """Where the part of a period lies: as people mean it, which is wider than a day and not agreed to the day."""
    if moment.start is None or moment.end is None:
        return []
    part, first, last = _PARTS[name], moment.stretch.first_day, moment.stretch.last_day
    if moment.grain is Grain.MONTH:
        is_one_month = (first.year, first.month) == (last.year, last.month)
        return [Moment.of(calendar.between(*_part_of_month(first, last, part)))] if is_one_month else []
    if part not in _THIRDS:
        return []
    return [Moment.of(_third(moment, first, _THIRDS.index(part), is_very_first=name == "伊始"))]


def _third(moment: Moment, first: date, index: int, *, is_very_first: bool) -> Stretch:
    """The first, middle or last third; raises ValueError for a grain that has none."""
    if moment.grain is Grain.YEAR:
        return _months_of(first.year, *((1, 1) if is_very_first else ((1, 2), (5, 8), (11, 12))[index]))
    if moment.grain is Grain.QUARTER:
        return calendar.month(first.year, first.month + index)
    if moment.grain is Grain.WEEK:
        return calendar.days(first + timedelta(days=2 * index), (2, 2, 3)[index])
    if moment.grain is Grain.DECADE:
        return calendar.years(first.year + (0, 4, 7)[index], 3)
    if moment.grain is Grain.CENTURY:
        return calendar.years(first.year + 40 * index, 20)
    raise ValueError("it has no thirds")


def _part_of_month(first: date, last: date, part: str) -> tuple[date, date]:
    days = {
        _FIRST: (1, 5),
        _MIDDLE: (11, 20),
        _LAST: (25, last.day),
        "上旬": (1, 10),
        "中旬": (11, 20),
        "下旬": (21, last.day),
        "中下旬": (11, last.day),
        "上中旬": (1, 20),
        "中上旬": (1, 20),
    }[part]
    return first.replace(day=days[0]), first.replace(day=days[1])


def _months_of(year: int, first: int, last: int) -> Stretch:
    return calendar.Stretch(calendar.month(year, first).start, calendar.month(year, last).end, Grain.MONTH)


def _half_month(match: re.Match[str], setting: Setting) -> Piece:
    is_first = match["half"] in "上前"

    def half(moment: Moment) -> list[Moment]:
        if moment.grain is not Grain.MONTH:
            return []
        first, last = moment.stretch.first_day, moment.stretch.last_day
        middle = first.replace(day=15)
        return certain(
            calendar.between(first, middle) if is_first else calendar.between(middle + timedelta(days=1), last)
        )

    def alone() -> list[Moment]:
        return half(Moment.of(calendar.holding(setting.today, Grain.MONTH)))

    return Piece(match.start(), match.end(), Rank.PART, alone, half)


_SHIFT = r"(?P<shift>上上上|上上|上一?|下下下|下下|下一?|这一?|本|当|今|呢|同|次|翌)"
_NAMED_UNIT = r"(?:(?<![一二三四五六七八九十百千万零〇两几多数半整每\d个])(?:年|月)|(?<=[年月])[年月])"
_NOT_A_PART = (
    r"(?![国午间旬学秋心级部断止伏考奖次步恋衷始文稿端层下片点脑发像条盘雾]|"
    r"的时候|[一二三四五六七八九十廿](?!年|季|月))"
)
_NOT_A_MONTH = r"(?![一二三四五六七八九十]?[^ ]?[日号](?!本)|[经饼薪租供票卡天])"
_NOT_MOON = r"(?![亮经球饼薪台子票])"
PRODUCTIONS = (
    production("上下前后", r"(?P<half>[上下前后])半年度?(?![之以]?[前后内](?![一二三四五六七八九十两\d]))", _half_year),
    production("上下这本", rf"{_SHIFT}个半年", _relative_half),
    production("第", r"第 ?(?P<number>[一二三四1-4]) ?个?季(?P<sure>度)?", _quarter),
    production(
        NUMBER_STARTS | frozenset("首末"), r"(?P<number>[一二三四1-4首末])季(?P<sure>度|(?=[初中末]))", _quarter
    ),
    production("Qq", r"(?P<sure>[Qq])(?P<number>[1-4])(?![\d\w])", _quarter),
    production("上下这本当", rf"{_SHIFT}个?季度", _relative_quarter),
    production(
        "春夏秋冬今去明来前",
        r"(?P<year>[今去明来前]?(?=[春夏秋冬]))(?P<season>[春夏秋冬])(?:天|季|(?<=[今去明来前].)|(?=$|[，。,、 ]))"
        r"(?![节至分装款服晚]|令营|游)",
        _season,
    ),
    production("全", r"全年(?!龄)", _whole_year),
    production(NUMBER_STARTS, rf"(?P<month>{MONTH}) ?月[份间]?{_NOT_A_MONTH}", _month),
    production(
        NUMBER_STARTS,
        r"(?P<month>[一二三四五六七八九])、?(?P<next>[二三四五六七八九])月份?(?![一二三四五六七八九十\d]{1,3}[日号])",
        _months,
    ),
    production("上下这本当今呢同次翌", rf"{_SHIFT}个?月份?{_NOT_MOON}", _relative_month),
    production(
        "第首最头末",
        r"(?:第 ?(?P<count>[一二三四五六七八九十\d]{1,2}) ?个?|(?P<last>最后一?个|末)|(?P<first>首个?|头一?个))月"
        r"(?!份?[一二三四五六七八九十\d])",
        _nth_month,
    ),
    production(
        "年岁月季周星礼初底末中上下伊后",
        rf"(?P<unit>{_NAMED_UNIT}|岁|季度|季|周(?!末)|星期(?!末)|礼拜(?!末))?的?"
        r"(?P<part>上旬|中下旬|上中旬|中上旬|中旬|下旬|初期|中期|末期|后期|伊始|中叶|初|底|末|尾|头|终|中)"
        + _NOT_A_PART,
        _part,
    ),
    production("上下前后", r"(?P<half>[上下前后])半个?月(?!之?[前后内])", _half_month),
)
