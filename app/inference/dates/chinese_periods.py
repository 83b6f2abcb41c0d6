"""Months, quarters, seasons, years, decades and centuries as Chinese says them, and their parts: 上个季度, 年底, 六月中旬, 90年代初."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar, lunar
from app.inference.dates.chinese_days import NUMBER_STARTS, shift_of
from app.inference.dates.chinese_numbers import CJK_DIGIT, CJK_NUMBER, MONTH, SHORT_YEAR, YEAR, whole
from app.inference.dates.chinese_pieces import Piece, Production, Rank, Setting, certain, each_year, year_of
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.inference.dates.calendar import Stretch

RELATIVE_YEARS = {
    "今年": 0, "本年": 0, "当年": 0, "这一年": 0, "这年": 0, "同年": 0, "今个年": 0, "本年度": 0, "今年度": 0,
    "去年": -1, "上年": -1, "上一年": -1, "昨年": -1, "旧年": -1, "上年度": -1, "去年度": -1, "上一年度": -1, "头年": -1,
    "明年": 1, "下年": 1, "下一年": 1, "来年": 1, "次年": 1, "翌年": 1, "出年": 1, "下年度": 1, "明年度": 1, "下一年度": 1, "转年": 1,
    "后年": 2, "大后年": 3, "前年": -2, "大前年": -3, "大大前年": -4, "上上年": -2, "下下年": 2,
}  # fmt: skip
_SEASONS = {"春": ("立春", "立夏"), "夏": ("立夏", "立秋"), "秋": ("立秋", "立冬"), "冬": ("立冬", "立春")}
_ORDINAL = {"一": 1, "二": 2, "三": 3, "四": 4, "首": 1, "末": 4, "1": 1, "2": 2, "3": 3, "4": 4}
_FARTHEST_SHORT_YEAR = 50


def _year(match: re.Match[str], setting: Setting) -> Piece:
    del setting
    number = _full_year(match["year"])
    return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: certain(calendar.year(number)), unit="年")


def _before_our_era(match: re.Match[str], setting: Setting) -> Piece:
    """A year that the calendar of this program does not reach: no reading, and no part of it is another date."""
    del setting

    def never() -> list[Moment]:
        raise ValueError("before our era")

    return Piece(match.start(), match.end(), Rank.YEAR, alone=never)


def _full_year(written: str) -> int:
    if written == "千禧":
        return 2000
    return whole(written)


def _bare_year(match: re.Match[str], setting: Setting) -> Piece | None:
    """2018 without 年: where a range goes on from it, or where the text says nothing else."""
    del setting
    is_alone = not match.string[: match.start()].strip() and not match.string[match.end() :].strip()
    if not is_alone and not match["on"]:
        return None
    year = calendar.year(int(match["year"]))
    return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: certain(year), unit="年")


def _short_year(match: re.Match[str], setting: Setting) -> Piece | None:
    """98年, 零六年; 20年 may as well be how long something takes, and needs something after it that only a year has."""
    written = match["year"]
    number = whole(written)
    is_marked = written[0] in "0零〇" or match["more"] is not None
    if not is_marked and not _FARTHEST_SHORT_YEAR <= number:
        return None
    years = sorted(
        (century + number for century in range(setting.today.year // 100 * 100 - 100, setting.today.year + 200, 100)),
        key=lambda year: abs(year - setting.today.year),
    )[:2]
    near, far = (abs(year - setting.today.year) for year in years)
    moments = [Moment.of(calendar.year(years[0]), 0.95 if far - near > 20 else 0.6)]  # noqa: PLR2004
    moments.append(Moment.of(calendar.year(years[1]), 1 - moments[0].score))
    return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: moments, unit="年")


def _relative_year(match: re.Match[str], setting: Setting) -> Piece:
    day = setting.named if match[0] in {"同年", "次年", "翌年", "当年"} else setting.today
    year = calendar.year(day.year + RELATIVE_YEARS[match[0]])
    return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: certain(year), unit="年")


def _century(match: re.Match[str], setting: Setting) -> Piece:
    if match["number"]:
        first = (whole(match["number"]) - 1) * 100
    else:
        first = setting.today.year // 100 * 100 + 100 * shift_of(match["shift"])
    if not 0 < first < 9900:  # noqa: PLR2004 - what `date` can hold
        raise ValueError("no such century")
    return Piece(
        match.start(), match.end(), Rank.CENTURY, alone=lambda: certain(calendar.years(first, 100, Grain.CENTURY))
    )


def _decade(match: re.Match[str], setting: Setting) -> Piece:
    written = match["decade"]
    number = whole(written)

    def within(moment: Moment) -> list[Moment]:
        if moment.grain is not Grain.CENTURY or moment.start is None:
            return []
        return certain(calendar.years(moment.start.year + number % 100, 10, Grain.DECADE))

    def alone() -> list[Moment]:
        if number > 100:  # noqa: PLR2004 - 1990年代
            return certain(calendar.years(number, 10, Grain.DECADE))
        this = setting.today.year // 100 * 100
        first = this + number if this + number <= setting.today.year else this - 100 + number
        return certain(calendar.years(first, 10, Grain.DECADE))

    if number % 10:
        raise ValueError("no decade")
    return Piece(match.start(), match.end(), Rank.DECADE, alone, within)


def _half_year(match: re.Match[str], setting: Setting) -> Piece:
    half = 1 if match["half"] in "上前头" else 2
    return _part_of_year(match, setting, Rank.QUARTER, lambda year: calendar.half_year(year, half))


def _quarter(match: re.Match[str], setting: Setting) -> Piece:
    number = _ORDINAL[match["number"]]
    return _part_of_year(match, setting, Rank.QUARTER, lambda year: calendar.quarter(year, number))


def _part_of_year(
    match: re.Match[str], setting: Setting, rank: Rank, build: Callable[[int], Stretch], unit: str = ""
) -> Piece:
    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        return [] if year is None else certain(build(year))

    return Piece(match.start(), match.end(), rank, lambda: certain(build(setting.today.year)), within, unit)


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
    return Piece(match.start(), match.end(), Rank.QUARTER, lambda: each_year(build, setting), piece.within)


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

    return Piece(match.start(), match.end(), Rank.PART, alone if grain is not None else None, within)


_FIRST, _MIDDLE, _LAST = "初", "中", "底"
_PARTS = {
    **dict.fromkeys(("初", "头", "伊始", "初期", "开头"), _FIRST),
    **dict.fromkeys(("中", "中期", "中叶", "中间"), _MIDDLE),
    **dict.fromkeys(("底", "末", "尾", "末期", "后期", "终", "末尾", "年关"), _LAST),
    "上旬": "上旬", "中旬": "中旬", "下旬": "下旬", "中下旬": "中下旬", "上中旬": "上中旬", "中上旬": "上中旬",
}  # fmt: skip


def _part_of(moment: Moment, name: str) -> list[Moment]:
    """Where the part of a period lies: as people mean it, which is wider than a day and not agreed to the day."""
    if moment.start is None or moment.end is None:
        return []
    part = _PARTS[name]
    first, last = moment.stretch.first_day, moment.stretch.last_day
    if moment.grain is Grain.MONTH and moment.stretch.last_day.month == first.month:
        return [Moment.of(calendar.between(*_part_of_month(first, last, part)))]
    if moment.grain is Grain.YEAR:
        number = first.year
        months = {_FIRST: (1, 1 if name == "伊始" else 2), _MIDDLE: (5, 8), _LAST: (11, 12)}[part]
        return [Moment.of(_months_of(number, *months))]
    if moment.grain is Grain.QUARTER:
        shift = {_FIRST: 0, _MIDDLE: 1, _LAST: 2}[part]
        return certain(calendar.month(first.year, first.month + shift))
    if moment.grain is Grain.WEEK:
        shift = {_FIRST: 0, _MIDDLE: 2, _LAST: 4}[part]
        return certain(calendar.days(first + timedelta(days=shift), 3 if part == _LAST else 2))
    if moment.grain in {Grain.DECADE, Grain.CENTURY}:
        return [Moment.of(_years_of(first.year, moment.grain, part))]
    return []


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
    }[part]
    return first.replace(day=days[0]), first.replace(day=days[1])


def _months_of(year: int, first: int, last: int) -> Stretch:
    return calendar.Stretch(calendar.month(year, first).start, calendar.month(year, last).end, Grain.MONTH)


def _years_of(first: int, grain: Grain, part: str) -> Stretch:
    if grain is Grain.DECADE:
        shift, count = {_FIRST: (0, 3), _MIDDLE: (4, 3), _LAST: (7, 3)}[part]
    else:
        shift, count = {_FIRST: (0, 20), _MIDDLE: (40, 20), _LAST: (80, 20)}[part]
    return calendar.years(first + shift, count)


def _half_month(match: re.Match[str], setting: Setting) -> Piece:
    is_first = match["half"] in "上前"

    def half(moment: Moment) -> list[Moment]:
        if moment.grain is not Grain.MONTH:
            return []
        first, last = moment.stretch.first_day, moment.stretch.last_day
        middle = first.replace(day=15)
        return certain(calendar.between(first, middle) if is_first else calendar.between(middle + timedelta(days=1), last))

    def alone() -> list[Moment]:
        return half(Moment.of(calendar.holding(setting.today, Grain.MONTH)))

    return Piece(match.start(), match.end(), Rank.PART, alone, half)


def _fiscal(match: re.Match[str], setting: Setting) -> Piece:
    """A fiscal year: in China the calendar year; a company's own begins elsewhere, hence the doubt."""
    year = whole(match["year"]) if match["year"] else setting.today.year + shift_of(match["shift"])
    stretch = calendar.year(year)
    return Piece(
        match.start(), match.end(), Rank.YEAR, alone=lambda: [Moment.of(stretch, 0.7), Moment.of(_april_year(year), 0.3)]
    )


def _april_year(year: int) -> Stretch:
    first = calendar.month(year, 4)
    return calendar.Stretch(first.start, calendar.later_months(first.start, 12), Grain.YEAR)


def _same_period(match: re.Match[str], setting: Setting) -> Piece:
    """去年同期: as far as this year has come, this month, or the whole year: asked back."""
    shift = -1 if match["year"] in "去上" else -2
    today = calendar.later_months(calendar.midnight(setting.today), 12 * shift).date()
    if match["day"]:
        return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: certain(calendar.days(today)))
    moments = [
        Moment.of(calendar.holding(today, Grain.MONTH), 0.4),
        Moment.of(calendar.between(date(today.year, 1, 1), today), 0.3),
        Moment.of(calendar.year(today.year), 0.3),
    ]
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: moments)


def _both_years(match: re.Match[str], setting: Setting) -> Piece:
    """今明两年, 今明两天, 去今两年."""
    this = setting.today
    first = {"今": 0, "去": -1, "昨": -1, "明": 1}[match["first"]]
    if match["unit"] == "年":
        stretch = calendar.years(this.year + first, 2)
        return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: certain(stretch))
    two = calendar.days(this + timedelta(days=first), 2)
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: certain(two))


def _made(starts: object, pattern: str, make: object) -> Production:
    return Production(frozenset(starts), re.compile(pattern, re.ASCII), make)  # type: ignore[call-overload,arg-type]


_YEAR_WORDS = "|".join(sorted(RELATIVE_YEARS, key=len, reverse=True))
_CONNECTOR_AHEAD = r"(?= ?(?:-{1,2}|~|到|至) ?(?:\d|[零一二三四五六七八九今去明]))"
_SHIFT = r"(?P<shift>上上|上一?|下下|下一?|这一?|本|当|今|同)"
_AFTER_SHORT_YEAR = (
    r"(?= ?的? ?(?:\d{1,2}|[一二三四五六七八九十]{1,3}) ?月|的?(?:第|首|初|末|底|尾|中旬|伊始|[上下]半年|年[初底末中尾]|[一二三四1-4]季度|"
    r"[春夏秋冬]|前[一二三四五六七八九十两\d]{1,3}个?[月季]|后[一二三四五六七八九十两\d]{1,3}个?月|"
    r"元旦|春节|元宵|清明|端午|中秋|国庆|劳动节|五一|十一|除夕|大年|七夕|重阳|腊|正月|毕业|出生|生人|入学|参军))"
)
PRODUCTIONS = (
    _made("公", rf"公元前 ?(?:\d{{1,4}}|{CJK_NUMBER}{{1,6}}) ?年?", _before_our_era),
    _made("公", r"(?:公元|西元)(?P<year>\d{1,4}) ?年", _year),
    _made(NUMBER_STARTS | {"千"}, rf"(?P<year>{YEAR}) ?年度?(?!代)(?:间(?!隔))?", _year),
    _made("12", rf"(?P<year>(?:1[89]|20)\d\d)(?![\d年./:%-]|[a-zA-Z元块个人米万亿])(?P<on>{_CONNECTOR_AHEAD})?", _bare_year),
    _made("12", rf"(?P<year>(?:1[89]|20)\d\d)(?P<on>(?= ?(?:--?|~|到|至) ?(?:(?:19|20)?\d\d|[今去明]) ?(?:年|$)))", _bare_year),
    _made(
        NUMBER_STARTS,
        rf"(?P<year>{SHORT_YEAR}) ?年(?![代级龄轻限薪段间内来多])(?P<more>{_AFTER_SHORT_YEAR})?(?!之?[前后](?![一二三四五六七八九十两\d]))",
        _short_year,
    ),
    _made(NUMBER_STARTS, r"(?P<year>[0零〇][\d零〇一二三四五六七八九]) ?年(?P<more>)(?![代级龄])", _short_year),
    _made({word[0] for word in RELATIVE_YEARS}, rf"(?:{_YEAR_WORDS})(?!级|轮|龄)", _relative_year),
    _made(NUMBER_STARTS | {"第"}, rf"(?:公元|第)?(?P<number>\d{{1,2}}|{CJK_NUMBER}{{1,3}})世纪(?P<shift>)", _century),
    _made("上下本这当", r"(?P<number>)(?P<shift>上上|上|下|本|这|当)一?个?世纪", _century),
    _made(NUMBER_STARTS, rf"(?P<decade>(?:1[89]|20)\d0|\d0|[{CJK_DIGIT}]{{2}}|[一二三四五六七八九]?十) ?年代", _decade),
    _made("上下前后", r"(?P<half>[上下前后])半年度?(?![之以]?[前后内])", _half_year),
    _made("上下这本", rf"{_SHIFT}个半年", _relative_half),
    _made("第", r"第(?P<number>[一二三四1-4])个?季度?", _quarter),
    _made(NUMBER_STARTS | frozenset("首末"), r"(?P<number>[一二三四1-4首末])季度", _quarter),
    _made("Qq", r"[Qq](?P<number>[1-4])(?![\d\w])", _quarter),
    _made("上下这本当", rf"{_SHIFT}一?个?季度?(?!节)", _relative_quarter),
    _made("春夏秋冬今去明来前", r"(?P<year>[今去明来前]?(?=[春夏秋冬]))(?P<season>[春夏秋冬])(?:天|季|日(?!本)|(?<=[今去明来前].))(?!节|至|分|装|款|服|令营|游|游会|晚)", _season),
    _made(NUMBER_STARTS, rf"(?P<month>{MONTH}) ?月(?:份|间)?(?![一二三四五六七八九十]?[^ ]?[日号](?!本)|经|饼|薪|租|供|票|卡)", _month),
    _made(NUMBER_STARTS, r"(?P<month>[一二三四五六七八九])、?(?P<next>[二三四五六七八九])月份?(?![一二三四五六七八九十\d]{1,3}[日号])", _months),
    _made("上下这本当今同次翌", r"(?P<shift>上上上|上上|上一?|下下下|下下|下一?|这一?|本|当|今|同|次|翌)个?月份?(?!亮|经|球|饼|薪|台|子|票)", _relative_month),
    _made("第首最头", r"(?:第(?P<count>[一二三四五六七八九十\d]{1,2})个?|(?P<last>最后一?个|末)|(?P<first>首个?|头一?个))月(?!份?[一二三四五六七八九十\d])", _nth_month),
    _made(
        "年岁月季周星礼初底末中上下伊后",
        r"(?P<unit>(?<![一二三四五六七八九十百千万零〇两几多数半整每\d个])(?:年|月)|(?<=[年月])[年月]|岁|季度|季|周(?!末)|星期(?!末)|礼拜(?!末))?的?(?P<part>上旬|中下旬|上中旬|中上旬|中旬|下旬|初期|中期|末期|后期|伊始|中叶|初|底|末|尾|头|终|中)"
        r"(?!国|午|间|旬|学|秋|心|级|部|断|止|伏|考|奖|次|步|恋|衷|始|文|稿|端|层|下|片|点|的时候|端|脑|发|像|条|盘|雾|[一二三四五六七八九十廿](?!年|季|月))",
        _part,
    ),
    _made("上下前后", r"(?P<half>[上下前后])半个?月(?!之?[前后内])", _half_month),
    _made(NUMBER_STARTS | frozenset("上下本这当"), r"(?:(?P<year>(?:19|20)\d\d) ?|(?P<shift>上一?个?|下一?个?|本|这个?|当前)) ?(?:财年|财政年度|会计年度|财务年度)", _fiscal),
    _made("去前上", r"(?P<year>去|前|上)年的?(?:(?P<day>今天|今日|这一天|此日)|同期|同一?时[期间]?|此时|这个?时候)", _same_period),
    _made("今去昨明", r"(?P<first>[今去昨明])[今明后]两(?P<unit>[年天日])", _both_years),
)  # fmt: skip
