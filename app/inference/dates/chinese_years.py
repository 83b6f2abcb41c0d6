"""Years, decades and centuries as Chinese says them: 2019年, 98年, 去年, 90年代, 二十世纪, 财年, 去年同期, 今明两年."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_numbers import CJK_DIGIT, CJK_NUMBER, NUMBER_STARTS, SHORT_YEAR, YEAR, whole
from app.inference.dates.chinese_pieces import Piece, Rank, Setting, certain, shift_of
from app.inference.dates.chinese_words import either, firsts, production, shifts
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re

    from app.inference.dates.calendar import Stretch

_YEARS = shifts("years")
_FROM_NAMED = shifts("years_from_named")
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
    if not is_alone and match["on"] is None:
        return None
    year = calendar.year(int(match["year"]))
    return Piece(match.start(), match.end(), Rank.YEAR, alone=lambda: certain(year), unit="年")


def _short_year(match: re.Match[str], setting: Setting) -> Piece | None:
    """98年, 零六年; 20年 may as well be how long something takes, and needs something after it that only a year has."""
    written = match["year"]
    number = whole(written)
    is_marked = written[0] in "0零〇" or match["more"] is not None
    if not is_marked and number < _FARTHEST_SHORT_YEAR:
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
    word = match[0]
    first = setting.named if word in _FROM_NAMED else setting.today
    year = calendar.year(first.year + (_FROM_NAMED[word] if word in _FROM_NAMED else _YEARS[word]))
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


def _decades(match: re.Match[str], setting: Setting) -> Piece:
    """八九十年代: two decades of the last century."""
    first, last = 10 * whole(match["decade"]), 10 * whole(match["next"])
    if last != first + 10:
        raise ValueError("not two decades in a row")
    century = setting.today.year // 100 * 100
    start = century + first if century + last <= setting.today.year else century - 100 + first
    return Piece(
        match.start(), match.end(), Rank.DECADE, alone=lambda: certain(calendar.years(start, 20, Grain.DECADE))
    )


def _fiscal(match: re.Match[str], setting: Setting) -> Piece:
    """A fiscal year: in China the calendar year; a company's own begins elsewhere, hence the doubt."""
    year = whole(match["year"]) if match["year"] else setting.today.year + shift_of(match["shift"])
    stretch = calendar.year(year)
    return Piece(
        match.start(),
        match.end(),
        Rank.YEAR,
        alone=lambda: [Moment.of(stretch, 0.7), Moment.of(_april_year(year), 0.3)],
    )


def _april_year(year: int) -> Stretch:
    first = calendar.month(year, 4)
    return calendar.Stretch(first.start, calendar.later_months(first.start, 12), Grain.YEAR)


def _same_period(match: re.Match[str], setting: Setting) -> Piece:
    """去年今天; 去年同期: as far as this year has come, this month, or the whole year: asked back."""
    shift = _SHIFTS[match["year"]]
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


_SHIFTS = {"去": -1, "上": -1, "前": -2, "明": 1, "后": 2}
# What only a year has, so that 19年 before it is 2019 and not how long something takes
_OF_A_YEAR = (
    r" ?的? ?(?:\d{1,2}|[一二三四五六七八九十]{1,3}) ?月|"
    r"的?(?:第|首|初|末|底|尾|中旬|伊始|[上下]半年|年[初底末中尾]|[一二三四1-4]季度|[春夏秋冬]|"
    r"前[一二三四五六七八九十两\d]{1,3}个?[月季]|后[一二三四五六七八九十两\d]{1,3}个?月|"
    r"元旦|春节|元宵|清明|端午|中秋|国庆|劳动节|五一|十一|除夕|大年|七夕|重阳|腊|正月|毕业|出生|生人|入学|参军)"
)
_NOT_A_YEAR = r"(?![代级龄轻限薪段间内来多])"
_NOT_AGO = r"(?!之?[前后](?![一二三四五六七八九十两\d]))"
_ON_1 = r"(?= ?(?:-{1,2}|~|到|至) ?(?:\d|[零一二三四五六七八九今去明]))"
_ON_2 = r"(?= ?(?:--?|~|到|至) ?(?:(?:19|20)?\d\d|[今去明]) ?(?:年|$))"
_FOUR = r"(?P<year>(?:1[89]|20)\d\d)"
PRODUCTIONS = (
    production("公", rf"公元前 ?(?:\d{{1,4}}|{CJK_NUMBER}{{1,6}}) ?年?", _before_our_era),
    production("公西", r"(?:公元|西元)(?P<year>\d{1,4}) ?年", _year),
    production(NUMBER_STARTS, rf"(?P<year>{YEAR}) ?年度?(?!代)(?:间(?!隔))?", _year),
    production("12", rf"{_FOUR}(?![\d年./:%-]|[a-zA-Z元块个人米万亿])(?P<on>{_ON_1})?", _bare_year),
    production("12", rf"{_FOUR}(?P<on>{_ON_2})", _bare_year),
    production("12", rf"{_FOUR}(?P<on>(?= ?[Qq][1-4](?!\d)))", _bare_year),
    production(
        NUMBER_STARTS, rf"(?P<year>{SHORT_YEAR}) ?年{_NOT_A_YEAR}(?P<more>(?={_OF_A_YEAR}))?{_NOT_AGO}", _short_year
    ),
    production(NUMBER_STARTS, r"(?P<year>[0零〇][\d零〇一二三四五六七八九]) ?年(?P<more>)(?![代级龄])", _short_year),
    production(firsts([*_YEARS, *_FROM_NAMED]), rf"(?:{either([*_YEARS, *_FROM_NAMED])})(?![级轮龄])", _relative_year),
    production(
        NUMBER_STARTS | {"第", "公"},
        rf"(?:公元|第)?(?P<number>\d{{1,2}}|{CJK_NUMBER}{{1,3}})世纪(?P<shift>)",
        _century,
    ),
    production("上下本这当", r"(?P<number>)(?P<shift>上上|上|下|本|这|当)一?个?世纪", _century),
    production(
        NUMBER_STARTS, rf"(?P<decade>(?:1[89]|20)\d0|\d0|[{CJK_DIGIT}]{{2}}|[一二三四五六七八九]?十) ?年代", _decade
    ),
    production(NUMBER_STARTS, r"(?P<decade>[五六七八])(?P<next>[六七八九])十年代", _decades),
    production(
        NUMBER_STARTS | frozenset("上下本这当"),
        r"(?:(?P<year>(?:19|20)\d\d) ?|(?P<shift>上一?个?|下一?个?|本|这个?|当前)) ?"
        r"(?:财年|财政年度|会计年度|财务年度)",
        _fiscal,
    ),
    production(
        firsts(_SHIFTS),
        r"(?P<year>[去前上明后])年的?(?:(?P<day>今天|今日|这一天|此日)|同期|同一?时[期间]?|此时|这个?时候)",
        _same_period,
    ),
    production("今去昨明", r"(?P<first>[今去昨明])[今明后]两(?P<unit>[年天日])", _both_years),
)
