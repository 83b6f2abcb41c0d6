"""What recurs, as Chinese says it: 每天早上8点, 每周一三五, 每两周的周三, 每月最后一个周五, 每年中秋, 隔天."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.inference.dates import chinese_clock, chinese_parts
from app.inference.dates.chinese_festivals import LUNAR_FESTIVALS
from app.inference.dates.chinese_lunar import LUNAR_DAY, LUNAR_MARK, LUNAR_MONTH, lunar_month_day
from app.inference.dates.chinese_numbers import CJK_NUMBER, DAY, MONTH, whole
from app.inference.dates.chinese_pieces import Impossible, Piece, Rank, Setting, produced, resolved
from app.inference.dates.chinese_ranges import CONNECTOR
from app.inference.dates.chinese_weeks import WEEK_WORD, WEEKDAYS
from app.inference.dates.chinese_words import either, numbers
from app.inference.dates.moments import Found
from app.inference.dates.recurrence import WEEKEND, WORKDAYS, Recurrence

if TYPE_CHECKING:
    from collections.abc import Callable

_TIMES = (*chinese_parts.PRODUCTIONS, *chinese_clock.PRODUCTIONS)
_COUNT = rf"(?P<count>\d{{1,3}}|{CJK_NUMBER}{{1,3}})?"
_EACH = r"(?:每逢|每|逢)"
_DAY_LIST = r"(?P<days>[一二三四五六日天](?:(?:、|,|，|和|与|及|至|到|-|~)?(?:周|星期|礼拜)?[一二三四五六日天]){0,6})"
_ONE_OR_RANGE = re.compile(r"[一二三四五六日天]|[至到\-~]")
_WEEKDAY_FESTIVALS = numbers("weekday_festivals")
_FESTIVALS = numbers("festivals") | _WEEKDAY_FESTIVALS
_UNIT = rf"(?:天|日|{WEEK_WORD}|季度|季|月|年)"
_DAYS_OF_MONTH = rf"{DAY}[日号]?(?:[、,，和与及]{DAY}[日号]?){{0,5}}(?<=[日号])"
_NTH = r"(?:第(?P<nth>[一二三四五1-5])|(?P<last>最后一?))个"
STARTS = frozenset("每逢隔周星礼工")

_MINUTES = {
    "分钟": ("MINUTELY", 1),
    "小时": ("HOURLY", 1),
    "钟头": ("HOURLY", 1),
    "刻钟": ("MINUTELY", 15),
    "秒": ("SECONDLY", 1),
    "秒钟": ("SECONDLY", 1),
}
_SHIFTED = {
    **dict.fromkeys(("日", "天"), ("DAILY", 1)),
    **dict.fromkeys(("周", "星期", "礼拜"), ("WEEKLY", 1)),
    "月": ("MONTHLY", 1),
    **dict.fromkeys(("季", "季度"), ("MONTHLY", 3)),
    "年": ("YEARLY", 1),
}


def _weekly(match: re.Match[str]) -> Recurrence:
    interval = whole(match["count"]) if match["count"] else 1
    return Recurrence("WEEKLY", interval=interval, weekdays=_days(match["days"]))


def _days(written: str) -> tuple[int, ...]:
    """一三五 are three days, 一到五 five."""
    signs = _ONE_OR_RANGE.findall(written.replace("星期", "").replace("礼拜", "").replace("周", ""))
    days: list[int] = []
    is_range = False
    for sign in signs:
        if sign not in WEEKDAYS:
            is_range = True
            continue
        day = WEEKDAYS[sign]
        if is_range and days:
            days += range(days[-1] + 1, day + 1)
            is_range = False
        else:
            days.append(day)
    return tuple(days)


def _every_other_week(match: re.Match[str]) -> Recurrence:
    return Recurrence("WEEKLY", interval=2, weekdays=_days(match["days"]) if match["days"] else ())


def _weekends(match: re.Match[str]) -> Recurrence:
    del match
    return Recurrence("WEEKLY", weekdays=WEEKEND)


def _workdays(match: re.Match[str]) -> Recurrence:
    del match
    return Recurrence("WEEKLY", weekdays=WORKDAYS)


def _month_days(match: re.Match[str]) -> Recurrence:
    interval = whole(match["count"]) if match["count"] else 1
    if match["end"]:
        return Recurrence("MONTHLY", interval=interval, month_days=(-1,))
    days = tuple(whole(day) for day in re.split(r"[日号、,，和与及]+", match["days"]) if day)
    return Recurrence("MONTHLY", interval=interval, month_days=days)


def _nth_weekday(match: re.Match[str]) -> Recurrence:
    return Recurrence(
        "MONTHLY",
        weekdays=(WEEKDAYS[match["weekday"]],),
        position=-1 if match["last"] else whole(match["nth"]),
    )


def _yearly(match: re.Match[str]) -> Recurrence:
    return Recurrence("YEARLY", months=(whole(match["month"]),), month_days=(whole(match["day"]),))


def _festival(match: re.Match[str]) -> Recurrence:
    """每年国庆, 每年母亲节; festivals of the lunar year have no rule in the Gregorian calendar."""
    name = match["name"]
    if name in _WEEKDAY_FESTIVALS:
        month, weekday, position = _WEEKDAY_FESTIVALS[name]
        return Recurrence("YEARLY", months=(month,), weekdays=(weekday,), position=position)
    month, day = _FESTIVALS[name]
    return Recurrence("YEARLY", months=(month,), month_days=(day,))


def _lunar(match: re.Match[str]) -> Recurrence:
    """每年农历八月十五, 每年中秋, 每年除夕: of the lunar year, as RFC 7529 writes it."""
    if match["eve"]:
        return Recurrence("YEARLY", months=(12,), month_days=(-1,))
    if match["name"]:
        month, day = LUNAR_FESTIVALS[match["name"]]
    else:
        month, day = lunar_month_day(match["month"], match["day"])
    return Recurrence("YEARLY", months=(month,), month_days=(day,))


def _monthly_workday(match: re.Match[str]) -> Recurrence:
    """每月最后一个工作日: all workdays, of which the position takes one."""
    del match
    return Recurrence("MONTHLY", weekdays=WORKDAYS)


def _each(match: re.Match[str]) -> Recurrence:
    frequency, times = _SHIFTED[match["unit"]]
    count = whole(match["count"]) if match["count"] else 1
    if match["half"]:
        if frequency != "YEARLY":
            raise ValueError("half a month is no interval of a calendar")
        return Recurrence("MONTHLY", interval=6)
    return Recurrence(frequency, interval=(count + bool(match["apart"])) * times)


def _each_short(match: re.Match[str]) -> Recurrence:
    frequency, times = _MINUTES[match["unit"]]
    if match["half"]:
        return Recurrence("MINUTELY", interval=30)
    return Recurrence(frequency, interval=(whole(match["count"]) if match["count"] else 1) * times)


def _apart(match: re.Match[str]) -> Recurrence:
    frequency, times = _SHIFTED[match["unit"]]
    return Recurrence(frequency, interval=2 * times)


def _daily_part(match: re.Match[str]) -> Recurrence:
    """每晚, 每早: the part is read again with the hour that follows."""
    del match
    return Recurrence("DAILY")


_LUNAR_DAY = (
    rf"{_EACH}年的?(?P<lunar>(?:{LUNAR_MARK})?)的?"
    rf"(?:(?P<eve>除夕|大年三十|年三十)|(?P<name>{either(LUNAR_FESTIVALS)})节?|"
    rf"(?:(?<={LUNAR_MARK})|(?=[正腊冬]))(?P<month>{LUNAR_MONTH})月(?P<day>{LUNAR_DAY}))"
)
_PATTERNS: tuple[tuple[str, str, Callable[[re.Match[str]], Recurrence]], ...] = (
    # the signs that it can begin with: a weekday stands in every second sentence, and is mostly no recurrence
    ("每逢", rf"{_EACH}(?:个)?{_COUNT}个?{WEEK_WORD}的?(?:{WEEK_WORD})?{_DAY_LIST}(?![次遍回个])", _weekly),
    ("每隔", rf"(?:隔|每隔一个?){WEEK_WORD}的?(?:{WEEK_WORD}{_DAY_LIST})?", _every_other_week),
    ("周星礼", rf"{WEEK_WORD}{_DAY_LIST}(?P<count>)(?:的?)每[天日]", _weekly),
    ("每逢", rf"{_EACH}个?(?:周末|{WEEK_WORD}末|双休日)", _weekends),
    ("每逢工", rf"(?:{_EACH}个?(?:工作日|上班日)|工作日每天)", _workdays),
    ("每逢", rf"{_EACH}个?{_COUNT}个?月的?(?:(?P<days>{_DAYS_OF_MONTH})|(?P<end>最后一天|月?末|月?底))", _month_days),
    ("每逢", rf"{_EACH}个?月的?(?P<workday>第一个|最后一?个)工作日", _monthly_workday),
    ("每逢", rf"{_EACH}个?月的?{_NTH}{WEEK_WORD}(?P<weekday>[一二三四五六日天])", _nth_weekday),
    ("每逢", rf"{_EACH}年的?(?P<month>{MONTH})月(?P<day>{DAY})[日号]?", _yearly),
    ("每逢", rf"{_EACH}年的?(?P<name>{either(_FESTIVALS)})节?", _festival),
    ("每逢", _LUNAR_DAY, _lunar),
    ("每", r"每[隔]?(?:(?P<half>半)个?|" + _COUNT + r"个?)(?P<unit>分钟|小时|钟头|刻钟|秒钟|秒)", _each_short),
    ("每", rf"每(?P<apart>隔)?一?(?:(?P<half>半)个?|{_COUNT}个?)(?P<unit>{_UNIT})(?![薪报刊])", _each),
    ("隔", r"隔(?P<unit>天|日|周|星期|月|年)(?![壁离早晚就又]|三差五|[上下中]午)", _apart),
    ("每", r"每(?=[晚早夜晨]|早上|晚上|上午|下午|中午)", _daily_part),
)  # fmt: skip
_RULES = {
    sign: tuple((re.compile(pattern, re.ASCII), build) for starts, pattern, build in _PATTERNS if sign in starts)
    for sign in STARTS
}


def recurring(text: str, position: int, setting: Setting) -> Found | None:
    """What recurs and begins at a position, with the times of day that follow."""
    if text[position] not in STARTS:
        return None
    for pattern, build in _RULES[text[position]]:
        match = pattern.match(text, position)
        if match is None:
            continue
        try:
            recurrence = build(match)
        except (ValueError, OverflowError):
            continue
        return _with_times(text, match, recurrence, setting)
    return None


_FILLER = re.compile(r"的? ?")
_SHORT = frozenset(("HOURLY", "MINUTELY", "SECONDLY"))


def _with_times(text: str, match: re.Match[str], recurrence: Recurrence, setting: Setting) -> Found:
    filler = _FILLER.match(text, match.end())
    times, end = _times(text, filler.end() if filler else match.end(), setting)
    if times is not None and recurrence.frequency not in _SHORT:
        recurrence = replace(recurrence, times=(times,))
        end = _past_range(text, end, setting)
    else:
        end = max(end, match.end()) if match[0] != "每" else end
    rule = recurrence.rrule()
    groups = match.re.groupindex
    if "lunar" in groups:
        rule = f"RSCALE=CHINESE;{rule}"
    if "workday" in groups:
        rule += f";BYSETPOS={'-1' if match['workday'].startswith('最后') else '1'}"
    return Found(match.start(), end, DateKind.RECURRENCE, rrule=rule)


def _past_range(text: str, end: int, setting: Setting) -> int:
    """每天8点到9点: a rule has only the beginning; the end of the range is read so that it is no time of its own."""
    connector = CONNECTOR.match(text, end)
    if connector is None or connector.end() >= len(text):
        return end
    times, last = _times(text, connector.end(), setting)
    return end if times is None else last


def _times(text: str, position: int, setting: Setting) -> tuple[tuple[int, int] | None, int]:
    """The time of day that follows, if a clock is said; where it ends."""
    pieces: list[Piece] = []
    at = position
    while at < len(text) and len(pieces) < 2:  # noqa: PLR2004 - a part of the day and a time
        piece = produced(_TIMES, text, at, setting)
        if piece is None or (pieces and piece.rank <= pieces[-1].rank):
            break
        pieces.append(piece)
        filler = _FILLER.match(text, piece.end)
        at = filler.end() if filler else piece.end
    if not pieces or pieces[-1].rank is not Rank.CLOCK:
        return None, pieces[-1].end if pieces else position
    if pieces[0].alone is None:
        pieces[0] = Piece(
            pieces[0].start, pieces[0].end, pieces[0].rank, lambda: chinese_parts.today(text[position], setting)
        )
    try:
        moments = resolved(pieces)
    except Impossible:
        return None, position
    if not moments or moments[0].start is None or moments[0].grain is Grain.PART_OF_DAY:
        return None, position
    best = max(moments, key=lambda moment: moment.score).start
    assert best is not None  # noqa: S101 - times of the clock are closed
    return (best.hour, best.minute), pieces[-1].end
