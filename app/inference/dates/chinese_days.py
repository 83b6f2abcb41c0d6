"""Days as Chinese says them: 今天, 大后天, 周三, 下下周三, 3月8日, 十五号, 2021-09-12, 第一个星期一, 周末, and weeks."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.chinese_numbers import COUNT, DAY, MONTH, whole
from app.inference.dates.chinese_pieces import Piece, Production, Rank, Setting, certain, each_year, one_day, sided, year_of
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from app.inference.dates.calendar import Stretch

NUMBER_STARTS = frozenset("0123456789零〇○一二两三四五六七八九十百千万廿卅俩半几数")

RELATIVE_DAYS = {
    "今天": 0, "今日": 0, "今儿": 0, "本日": 0, "即日": 0, "当天": 0, "当日": 0, "今个儿": 0, "今儿个": 0,
    "昨天": -1, "昨日": -1, "昨儿": -1, "寻日": -1, "尋日": -1, "琴日": -1, "噚日": -1, "昨儿个": -1,
    "明天": 1, "明日": 1, "明儿": 1, "听日": 1, "聽日": 1, "明儿个": 1, "次日": 1, "翌日": 1, "隔天": 1, "隔日": 1,
    "第二天": 1, "转天": 1,
    "后天": 2, "后日": 2, "后儿": 2, "大后天": 3, "大后日": 3, "大大后天": 4,
    "前天": -2, "前日": -2, "前儿": -2, "大前天": -3, "大前日": -3, "大大前天": -4,
}  # fmt: skip
_FROM_NAMED = frozenset(("次日", "翌日", "隔天", "隔日", "第二天", "转天", "当天", "当日"))
WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6} | {
    str(number + 1): number for number in range(7)
}
WEEK_WORD = r"(?:周|星期|礼拜)"
SHIFT = r"(?:这一?|本|当|今|上一?|上上|上上上|下一?|下下|下下下)"
_NOT_COUNTED = r"(?![次遍回趟场班期家人位种件项条日天]|个?(?:月|年|小时|多|半))"
_NOT_A_NAME = (
    r"(?![楼线店机门馆厅院桌房床车位球仓库口窗字码令台井段坑灯柜镇村站厂船舱棚洞炉]|[a-z]|公路|选手|文件|电池|国道|首长|工程)"
)
_NOT_LONGER = r"(?![\d.:%个年月周天小点时分秒元块])"
_DAY_UNIT = r"(?:日|号)"


def shift_of(word: str) -> int:
    """上上 is -2, 这 and 本 0, 下 1."""
    return word.count("下") - word.count("上")


def _relative_day(match: re.Match[str], setting: Setting) -> Piece:
    word = match[0]
    shift = RELATIVE_DAYS[word]
    day = (setting.named if word in _FROM_NAMED else setting.today) + timedelta(days=shift)
    return Piece(match.start(), match.end(), Rank.DAY, alone=lambda: [one_day(day)], unit="日")


def _weekday(match: re.Match[str], setting: Setting) -> Piece:
    weekday = WEEKDAYS[match["weekday"]]
    shift = match["shift"]

    def alone() -> list[Moment]:
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
    stretch = calendar.days(monday, 3, Grain.DAY) if is_first else calendar.days(monday + timedelta(days=3), 4, Grain.DAY)
    return Piece(match.start(), match.end(), Rank.WEEK, alone=lambda: certain(stretch))


def _nth_week(match: re.Match[str], setting: Setting) -> Piece:
    count = -1 if match["last"] else 1 if match["first"] else whole(match["count"])

    def within(moment: Moment) -> list[Moment]:
        if moment.start is None or moment.grain not in {Grain.MONTH, Grain.YEAR, Grain.QUARTER}:
            return []
        return _weeks_within(moment, count)

    def alone() -> list[Moment]:
        return [Moment.of(calendar.iso_week(setting.today.year, count), 0.7)] if count > 0 else []

    return Piece(match.start(), match.end(), Rank.WEEK, alone, within)


def _weeks_within(moment: Moment, count: int) -> list[Moment]:
    stretch = moment.stretch
    if count < 0:
        last = calendar.monday_of(stretch.last_day)
        return [Moment.of(calendar.days(last, 7, Grain.WEEK))]
    if moment.grain is Grain.YEAR:
        return [Moment.of(calendar.iso_week(stretch.first_day.year, count))]
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
    """Saturday and Sunday; of something that is on one day, now and then the Sunday."""
    sunday = calendar.days(weekend.stretch.last_day)
    return [replace(weekend, score=weekend.score * 0.9), Moment.of(sunday, weekend.score * 0.1, weekend.side)]


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
_AND = ("、", "和", "及", "与", "或")


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
        return [one_day(today, 0.55), *([one_day(coming, 0.3, 1)] if coming else []), *([one_day(past, 0.15, -1)] if past else [])]
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


def _production(starts: str | frozenset[str], pattern: str, make: object) -> Production:
    return Production(frozenset(starts), re.compile(pattern, re.ASCII), make)  # type: ignore[arg-type]


_WEEK_STARTS = "周星礼上下这本当今"
_RELATIVE = "|".join(sorted(RELATIVE_DAYS, key=len, reverse=True))
_FOUR = r"(?P<year>(?:1[89]|20|21)\d\d)"
_M, _D = r"(?P<month>1[0-2]|0?[1-9])", r"(?P<day>3[01]|[12]\d|0?[1-9])"
PRODUCTIONS = (
    _production({word[0] for word in RELATIVE_DAYS}, f"(?:{_RELATIVE})(?!头条|之星|重现)", _relative_day),  # type: ignore[arg-type]
    _production(
        _WEEK_STARTS,
        rf"(?P<shift>{SHIFT}?)个?{WEEK_WORD}(?P<weekday>[一二三四五六日天1-7]){_NOT_COUNTED}(?!\d)",
        _weekday,
    ),
    _production(
        "第最头",
        rf"(?:第(?P<count>[一二三四五1-5])|(?P<last>最后一?))个{WEEK_WORD}(?P<weekday>[一二三四五六日天1-7])",
        _nth_weekday,
    ),
    _production("上下这本当今", rf"(?P<shift>{SHIFT})个?{WEEK_WORD}(?:之?内|里|期间)?(?![一二三四五六日天末\d边围期刊报密转])", _week),
    _production("上下这本前后", rf"(?P<shift>(?:上|下|这|本)?(?=[上下前后]半))(?P<half>[上下前后])半(?:个)?{WEEK_WORD}", _half_week),
    _production(
        "第最首头",
        rf"(?:第(?P<count>{COUNT})个?|(?P<last>最后一?个?)|(?P<first>首个?|头一个?)){WEEK_WORD}(?![一二三四五六日天末\d])",
        _nth_week,
    ),
    _production("上下这本当今个周礼星双", rf"(?P<shift>{SHIFT}?)个?(?:(?:周|礼拜|星期)末|双休日|周六(?:周|、)?日)", _weekend),
    _production(
        NUMBER_STARTS,
        rf"(?P<month>{MONTH}) ?月份?的? ?(?P<day>{DAY}) ?{_DAY_UNIT}{_NOT_A_NAME}",
        _month_day,
    ),
    _production(
        NUMBER_STARTS,
        rf"(?P<month>{MONTH}) ?月份? ?(?P<day>3[01]|[12]\d|0?[1-9]){_NOT_LONGER}(?![一二三四五六七八九十百千万])",
        _month_day,
    ),
    _production(NUMBER_STARTS, rf"(?P<month>1[0-2]|0?[1-9])[/.](?P<day>3[01]|[12]\d|0?[1-9])[日号]", _month_day),
    _production(
        NUMBER_STARTS, r"(?P<month>\d{1,2}|[一二三四五六七八九十]{1,3}) ?月份? ?(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3}) ?[日号]", _impossible_day
    ),
    _production(NUMBER_STARTS, rf"(?P<day>{DAY}) ?(?:号|日(?!内|以内|之内|元|均|常|志|期|本|报|记|子|夜|语|剧|产|用)){_NOT_A_NAME}", _day_of_month),
    _production("12", rf"{_FOUR}(?P<mark>[-/.]){_M}[-/.]{_D}(?!\d)", _numeric),
    _production("12", rf"{_FOUR} {_M} {_D}(?!\d)", _numeric),
    _production("12", r"(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)", _numeric),
    _production("12", r"(?:1[89]|20|21)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)", _impossible_numeric),
    _production("12", rf"{_FOUR}[-/.]{_M}(?![\d./%]|-\d{{1,2}}(?!\d))", _numeric_month),
    _production("0123456789", r"(?P<first>\d{1,2})[/.](?P<second>\d{1,2})[/.](?P<year>(?:19|20)\d\d)(?!\d)", _day_first),
    _production("第最首头", r"(?:第(?P<count>[一二三四五六七八九十百\d]{1,5})|(?P<last>最后一)|(?P<first>首|头一))[天日]", _nth_day),
)  # fmt: skip

_DATE_PLACES = "在于从到至自是定改 ,，。、(（:;；-~"


def _slashed(match: re.Match[str], setting: Setting) -> Piece | None:
    """2/15, 09-01: a month and a day only where nothing else is likelier, such as a fraction or a score."""
    before = match.string[match.start() - 1] if match.start() else " "
    after = match.string[match.end() : match.end() + 1]
    is_padded = "-" in match[0] and len(match[0]) == len("09-01")
    if before not in _DATE_PLACES or (after and after not in " ,，。、)）;；-~到至早上下中晚凌的周星前之以起开截"):
        return None
    if before in ",，。、;；" and after in {"", " ", "，", ",", "。", "、"}:
        return None
    if "-" in match[0] and not is_padded:
        return None
    return _month_day(match, setting)


SLASHED = (_production("0123456789", rf"{_M}(?:/|-){_D}(?![\d/.%-])", _slashed),)
PRODUCTIONS = (*PRODUCTIONS, *SLASHED)
