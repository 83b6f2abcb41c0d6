"""What Chinese puts around and between moments: 从…到…, 之前, 以后, 以来, 截至, 起, 至今, 最晚."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.inference.dates.chinese_pieces import Setting

CONNECTOR = re.compile(
    r" ?(?:-{1,2}|~{1,2}|(?:一直|开|持续|忙|工作|上班|睡|直)?到|至|截止到|→) ?了?|"
    r"(?P<and>和|与|跟|同|、)(?=[^，。,；;]{1,12}(?:之间|间|期间))"
)
PREFIX = re.compile(
    r"(?P<until>有效期[至到]|截止(?:日期|时间)(?:是|为)?|截止到?|截至到?|直到|直至|最晚|最迟|不晚于|不迟于|早于|先于|赶在|不得晚于|不得迟于|"
    r"deadline是?)[于在是为：:]? ?|"
    r"(?P<since>自从|自打|晚于|不早于|最早|迟于)|"
    r"(?P<from>[从自由打於于在])|(?P<about>大约|大概|约|差不多|将近|接近)"
)
# 前三名, 后两天: the first and the last of something, and not what is before or after it
_NOT_COUNTED = r"(?![一二三四五六七八九十两\d]{1,3}[名位个天周月年])"
_OR = r"(?:或|及|和|与|以及)者?"
_BY = r"(?:结束|下班|收工)?"
SUFFIX = re.compile(
    rf" ?(?:(?P<until_incl>{_OR}(?:之前|以前|更早)|为?止|截止|前后为止)|"
    rf"(?P<before>{_BY}(?:之前|以前)|{_BY}前{_NOT_COUNTED}(?![往后夕途面台端景线置来去程锋辈列身言]|提(?![交供醒出前])))|"
    rf"(?P<since_incl>{_OR}(?:之后|以后|更晚))|"
    r"(?P<to_now>(?:起|开始|以来)?(?:至今|到现在|到今天|到目前)(?:为止)?|以来)|"
    rf"(?P<after>之后|以后|过后|后{_NOT_COUNTED}(?![天日续悔面台端勤果来半排者门备]))|"
    r"(?P<from_on>(?:起|开始|打头)(?![床来飞草身诉码源名点哄步义重])))"
)
BETWEEN = re.compile(r" ?(?:之间|期间|间(?!隔)|为?止|止)")

_EXCLUSIVE_GRAINS = {Grain.YEAR, Grain.DECADE, Grain.CENTURY, Grain.HALF_YEAR, Grain.QUARTER}
_TOMORROW = 0.25
_SAME_TURN = timedelta(days=6)
_CLOCK_GRAINS = {Grain.HOUR, Grain.MINUTE, Grain.SECOND}


def joined(firsts: Sequence[Moment], lasts: Sequence[Moment]) -> list[Moment]:
    """From one moment to another; a pair the wrong way round is none, but an earlier hour is the next day's."""
    found: list[Moment] = []
    for first in firsts:
        for last in _after(first, lasts):
            score = first.score * last.score
            found += _spans(first, last, score)
    return found


def _after(first: Moment, lasts: Sequence[Moment]) -> list[Moment]:
    """The ends that a beginning can have: the next ones, not those a week or a year later; of one day the next hour."""
    if first.start is None:
        return []
    start = first.start
    later = sorted(
        (
            last
            for last in lasts
            if last.start is not None and last.start >= start and (last.end is None or last.end != first.end)
        ),
        key=lambda last: last.start or start,
    )
    if later and later[0].start is not None:
        nearest = later[0].start
        is_of_one_day = first.grain in _CLOCK_GRAINS and nearest.date() == start.date()
        reach = timedelta() if is_of_one_day else _SAME_TURN
        return [
            last
            for last in later
            if last.start is not None
            and (last.start - nearest <= reach or (last.side == 0 and last.grain not in _CLOCK_GRAINS))
        ]
    nights = [_next_day(last) for last in lasts if _is_of_the_night(first, last)]
    return [last for last in nights if last.start is not None and last.start > start]


def _is_of_the_night(first: Moment, last: Moment) -> bool:
    """晚上8点到凌晨2点: the end is the next day's."""
    is_clock = first.grain in _CLOCK_GRAINS or first.grain is Grain.PART_OF_DAY
    return last.is_time_only or (
        is_clock
        and first.start is not None
        and last.start is not None
        and first.start - last.start < timedelta(hours=24)
        and last.grain in _CLOCK_GRAINS | {Grain.PART_OF_DAY}
    )


def _next_day(moment: Moment) -> Moment:
    day = timedelta(days=1)
    return replace(
        moment,
        start=None if moment.start is None else moment.start + day,
        end=None if moment.end is None else moment.end + day,
    )


def _spans(first: Moment, last: Moment, score: float) -> list[Moment]:
    is_clock = last.grain in _CLOCK_GRAINS
    # What ends at midnight or after is no pair of times of one day
    is_one_day = first.start is not None and last.start is not None and first.start.date() == last.start.date()
    is_time_only = first.is_time_only and last.is_time_only and is_one_day
    side = first.side or last.side
    end = last.start if is_clock else last.end
    whole = Moment(first.start, end, last.grain, score, side, is_time_only)
    if is_clock or last.grain in {Grain.DAY, Grain.PART_OF_DAY, Grain.WEEKEND} or first.grain is not last.grain:
        return [whole]
    # 三月到五月: nearly always to the end of May; now and then up to its beginning
    return [replace(whole, score=score * 0.85), replace(whole, end=last.start, score=score * 0.15)]


def until(
    moments: Sequence[Moment], setting: Setting, *, is_inclusive: bool = False, is_blurred: bool = False
) -> list[Moment]:
    """Before a moment, or up to its end.

    "周五前" takes Friday in to most, "2015年前" leaves the year out: both are candidates. What ends in the future
    begins now: what is due by Friday is due from now on.
    """
    found: list[Moment] = []
    for moment in moments:
        found += [
            _open_past(moment, end, score, setting)
            for end, score in _ends(moment, is_inclusive=is_inclusive, is_blurred=is_blurred)
        ]
    return found


def _ends(moment: Moment, *, is_inclusive: bool, is_blurred: bool) -> list[tuple[object, float]]:
    if moment.end is None or moment.grain in _CLOCK_GRAINS:
        return [(moment.start, 1.0)]
    if is_blurred:
        return [(moment.end, 1.0)]
    if is_inclusive:
        return [(moment.end, 0.9), (moment.start, 0.1)]
    inclusive = 0.3 if moment.grain in _EXCLUSIVE_GRAINS else 0.5 if moment.grain is Grain.MONTH else 0.76
    return [(moment.end, inclusive), (moment.start, 1 - inclusive)]


def _open_past(moment: Moment, end: object, score: float, setting: Setting) -> Moment:
    start = setting.now if end is not None and end > setting.now else None  # type: ignore[operator]
    is_time_only = moment.is_time_only and start is None
    return replace(moment, start=start, end=end, score=moment.score * score, is_time_only=is_time_only)  # type: ignore[arg-type]


def since(moments: Sequence[Moment], setting: Setting, *, is_inclusive: bool) -> list[Moment]:
    """After a moment, or from its beginning on; open to the future, or of what is past up to now."""
    found: list[Moment] = []
    for moment in moments:
        if is_inclusive or moment.end is None or moment.grain in _CLOCK_GRAINS:
            found.append(replace(moment, end=None, score=moment.score * 0.85))
        else:
            found.append(replace(moment, start=moment.end, end=None, score=moment.score * 0.78))
            found.append(replace(moment, end=None, score=moment.score * 0.12))
        if moment.start is not None and moment.start < setting.now and not moment.is_time_only:
            found.append(replace(moment, end=setting.now, score=moment.score * 0.1))
    return found


def up_to_now(moments: Sequence[Moment], setting: Setting) -> list[Moment]:
    """From a moment's beginning until now; only what has begun."""
    return [
        replace(moment, end=setting.now)
        for moment in moments
        if moment.start is not None and moment.start <= setting.now
    ]


def coming(moments: Sequence[Moment], setting: Setting) -> list[Moment]:
    """Of a deadline the coming one of two; a past one alone stays."""
    ahead = [
        one for one in moments if one.side > 0 or (one.side == 0 and one.end is not None and one.end > setting.now)
    ]
    return [one for one in moments if one.side >= 0 or not ahead]


def not_yet(moments: Sequence[Moment], setting: Setting) -> list[Moment]:
    """Of a time alone that is to come: what is past today is less likely, and means tomorrow's."""
    found = []
    for moment in moments:
        edge = moment.start if moment.start is not None else moment.end
        is_over = moment.is_time_only and edge is not None and edge < setting.now and moment.grain in _CLOCK_GRAINS
        if is_over:
            later = _next_day(moment)
            moment = replace(later, start=later.start or setting.now, score=moment.score * _TOMORROW)  # noqa: PLW2901
        found.append(moment)
    return found
