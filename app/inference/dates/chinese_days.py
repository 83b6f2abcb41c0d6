"""Days as Chinese says them: 今天, 大后天, 次日, 3月8日, 十五号, 第十天, 2021-09-12, 20240307, 2/15."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_numbers import DAY, MONTH, NUMBER_STARTS, whole
from app.inference.dates.chinese_pieces import Piece, Rank, Setting, certain, each_year, one_day, sided, year_of
from app.inference.dates.chinese_words import either, firsts, production, shifts

if TYPE_CHECKING:
    import re

    from app.inference.dates.calendar import Stretch
    from app.inference.dates.moments import Moment

_DAYS = shifts("days")
_FROM_NAMED = shifts("days_from_named")
# 6月20日和21日: the second is of the same month
_AND = ("、", "和", "及", "与", "或")
_DATE_PLACES = "在于从到至自是定改 ,，。、(（:;；-~"
_AFTER_A_DATE = " ,，。、)）;；-~到至早上下中晚凌的周星前之以起开截"


def _relative_day(match: re.Match[str], setting: Setting) -> Piece:
    word = match["word"]
    first = setting.named if word in _FROM_NAMED else setting.today
    day = first + timedelta(days=_FROM_NAMED[word] if word in _FROM_NAMED else _DAYS[word])

    def within(moment: Moment) -> list[Moment]:
        if moment.grain is not Grain.WEEK or moment.start is None:
            return []
        return [one_day(moment.start.date() + timedelta(days=setting.today.weekday()))]

    # 下周的今天; other days narrow nothing
    narrower = within if word in {"今天", "今日"} else None
    return Piece(match.start(), match.end(), Rank.DAY, lambda: [one_day(day)], narrower, unit="日")


def _tomorrow_and_after(match: re.Match[str], setting: Setting) -> Piece:
    """明后天: one of two days, or both."""
    two = calendar.days(setting.today + timedelta(days=1), 2)
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: certain(two))


def _month_day(match: re.Match[str], setting: Setting) -> Piece:
    month, day = whole(match["month"]), whole(match["day"])
    calendar.days(date(2000, month, day))

    def build(year: int) -> Stretch:
        return calendar.days(date(year, month, day))

    return Piece(
        match.start(),
        match.end(),
        Rank.DAY,
        alone=lambda: each_year(build, setting),
        within=lambda moment: _in_year(moment, month, day),
        unit="日",
        outer=_month_piece(match, setting, month),
    )


def _month_piece(match: re.Match[str], setting: Setting, month: int) -> Piece:
    def within(moment: Moment) -> list[Moment]:
        year = year_of(moment)
        return [] if year is None else certain(calendar.month(year, month))

    return Piece(
        match.start(),
        match.end("month"),
        Rank.MONTH,
        lambda: each_year(lambda year: calendar.month(year, month), setting),
        within,
    )


def _in_year(moment: Moment, month: int, day: int) -> list[Moment]:
    if moment.start is None:
        return []
    if moment.grain is Grain.DAY:
        return [moment] if (moment.start.month, moment.start.day) == (month, day) else []
    return [one_day(date(moment.start.year, month, day))] if moment.grain is Grain.YEAR else []


def _impossible_day(match: re.Match[str], setting: Setting) -> Piece:
    """9月31日, 13月1日: read as a whole, so that no part of it is taken for a date."""
    del setting
    month, day = whole(match["month"]), whole(match["day"])
    try:
        calendar.days(date(2000, month, day))
    except ValueError:
        return Piece(match.start(), match.end(), Rank.DAY, _never, lambda _: _never())
    raise ValueError("a possible day")


def _never() -> list[Moment]:
    raise ValueError("no such day")


def _day_of_month(match: re.Match[str], setting: Setting) -> Piece:
    day = whole(match["day"])
    calendar.days(date(2000, 1, day))

    def within(moment: Moment) -> list[Moment]:
        if moment.start is None:
            return []
        if moment.grain is Grain.DAY:
            return [moment] if moment.start.day == day else []
        return [one_day(moment.start.date().replace(day=day))] if moment.grain is Grain.MONTH else []

    def alone() -> list[Moment]:
        if setting.last_named is not None and match.string[: match.start()].endswith(_AND):
            return [one_day(setting.last_named.replace(day=day))]
        return _nearest_day(day, setting.today)

    return Piece(match.start(), match.end(), Rank.DAY, alone, within, unit="日")


# 6月20日和21日: the second is of the same month


def _nearest_day(day: int, today: date) -> list[Moment]:
    """That day of this month and of the nearest month on the other side that has it."""
    around = []
    for shift in range(-2, 3):
        index = today.year * 12 + today.month - 1 + shift
        try:
            around.append(date(index // 12, index % 12 + 1, day))
        except ValueError:
            continue
    past = max((one for one in around if one < today), default=None)
    coming = min((one for one in around if one > today), default=None)
    if today.day == day:
        return [
            one_day(today, 0.55),
            *([one_day(coming, 0.3, 1)] if coming else []),
            *([one_day(past, 0.15, -1)] if past else []),
        ]
    behind = 31 if past is None else (today - past).days
    ahead = 31 if coming is None else (coming - today).days
    return sided(
        None if past is None else calendar.days(past),
        None if coming is None else calendar.days(coming),
        coming_score=0.3 + 0.5 * behind / (behind + ahead),
    )


def _numeric(match: re.Match[str], setting: Setting) -> Piece:
    day = date(int(match["year"]), int(match["month"]), int(match["day"]))
    return _on(match, setting, day)


def _on(match: re.Match[str], setting: Setting, day: date) -> Piece:
    del setting
    month = Piece(
        match.start(), match.end("month"), Rank.MONTH, alone=lambda: certain(calendar.holding(day, Grain.MONTH))
    )
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: [one_day(day)], unit="日", outer=month)


def _impossible_numeric(match: re.Match[str], setting: Setting) -> Piece:
    del setting
    return Piece(match.start(), match.end(), Rank.DAY, _never)


def _numeric_month(match: re.Match[str], setting: Setting) -> Piece:
    del setting
    month = calendar.month(int(match["year"]), int(match["month"]))
    return Piece(match.start(), match.end(), Rank.MONTH, alone=lambda: certain(month), unit="月")


def _day_first(match: re.Match[str], setting: Setting) -> Piece:
    """1/2/2020: nobody knows; 13/2/2020 is the thirteenth."""
    del setting
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    days = set()
    for month, day in ((first, second), (second, first)):
        try:
            days.add(date(year, month, day))
        except ValueError:
            continue
    moments = [one_day(day, 1 / len(days)) for day in sorted(days)]
    if not moments:
        return Piece(match.start(), match.end(), Rank.DAY, _never)
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: moments)


def _nth_day(match: re.Match[str], setting: Setting) -> Piece:
    """第十天 of a year or a month, 最后一天, 首日."""
    del setting
    count = -1 if match["last"] else 1 if match["first"] else whole(match["count"])

    def within(moment: Moment) -> list[Moment]:
        if moment.grain not in {Grain.YEAR, Grain.MONTH, Grain.WEEK, Grain.QUARTER, Grain.HALF_YEAR}:
            return []
        stretch = moment.stretch
        day = stretch.last_day if count < 0 else stretch.first_day + timedelta(days=count - 1)
        if not stretch.first_day <= day <= stretch.last_day:
            raise ValueError("it is not that long")
        return [one_day(day)]

    return Piece(match.start(), match.end(), Rank.DAY, within=within)


def _slashed(match: re.Match[str], setting: Setting) -> Piece | None:
    """2/15, 09-01: a month and a day only where nothing else is likelier, such as a fraction or a score."""
    before = match.string[match.start() - 1] if match.start() else " "
    after = match.string[match.end() : match.end() + 1]
    is_padded = "-" in match[0] and len(match[0]) == len("09-01")
    if before not in _DATE_PLACES or (after and after not in _AFTER_A_DATE):
        return None
    if before in ",，。、;；" and after in {"", " ", "，", ",", "。", "、"}:
        return None
    if "-" in match[0] and not is_padded:
        return None
    return _month_day(match, setting)


NOT_A_NAME = (
    r"(?![楼线店机门馆厅院桌房床车位球仓库口窗字码令台井段坑灯柜镇村站厂船舱棚洞炉a-z]|"
    r"公路|选手|文件|电池|国道|首长|工程|特工)"
)
_NOT_LONGER = r"(?![\d.:%个年月周天小点时分秒元块一二三四五六七八九十百千万])"
_NOT_A_DATE = r"(?![内元均常志期本报记子夜语剧产用游历]|以内|之内)"
_NOT_AN_ADDRESS = r"(?<![路街巷弄道里村院区园苑城岸])"
_YEAR = r"(?P<year>(?:1[89]|20|21)\d\d)"
_M, _D = r"(?P<month>1[0-2]|0?[1-9])", r"(?P<day>3[01]|[12]\d|0?[1-9])"
_MM, _DD = r"(?P<month>0[1-9]|1[0-2])", r"(?P<day>0[1-9]|[12]\d|3[01])"
_ANY = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
PRODUCTIONS = (
    production(
        firsts([*_DAYS, *_FROM_NAMED]),
        rf"(?P<word>{either([*_DAYS, *_FROM_NAMED])})(?:全天|一整天|一天)?(?!头条|之星|重现|(?<=本日)[记志语元报历])",
        _relative_day,
    ),
    production("明", r"明后[天日]", _tomorrow_and_after),
    production(NUMBER_STARTS, rf"(?P<month>{MONTH}) ?月份?的? ?(?P<day>{DAY}) ?[日号]{NOT_A_NAME}", _month_day),
    production(NUMBER_STARTS, rf"(?P<month>{MONTH}) ?月份? ?{_D}{_NOT_LONGER}", _month_day),
    production(NUMBER_STARTS, rf"{_M}[/.]{_D}[日号]", _month_day),
    production(NUMBER_STARTS, rf"(?P<month>{_ANY}) ?月份? ?(?P<day>{_ANY}) ?[日号]", _impossible_day),
    production(
        NUMBER_STARTS, rf"{_NOT_AN_ADDRESS}(?!一日)(?P<day>{DAY}) ?(?:号|日{_NOT_A_DATE}){NOT_A_NAME}", _day_of_month
    ),
    production("12", rf"{_YEAR}[-/.]{_M}[-/.]{_D}(?!\d)", _numeric),
    production("12", rf"{_YEAR} {_M} {_D}(?!\d)", _numeric),
    production("12", rf"(?P<year>(?:19|20)\d\d){_MM}{_DD}(?!\d)", _numeric),
    production("12", r"(?:1[89]|20|21)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)", _impossible_numeric),
    production("12", rf"{_YEAR}[-/.]{_M}(?![\d./%]|-\d{{1,2}}(?!\d)|赛季|学年|年度)", _numeric_month),
    production("0123456789", r"(?P<first>\d{1,2})[/.](?P<second>\d{1,2})[/.](?P<year>(?:19|20)\d\d)(?!\d)", _day_first),
    production("0123456789", rf"{_M}[/-]{_D}(?![\d/.%-])", _slashed),
    production(
        "第最首头",
        r"(?:第 ?(?P<count>[一二三四五六七八九十百\d]{1,5}) ?|(?P<last>最后一)|(?P<first>首|头一))[天日]",
        _nth_day,
    ),
)
