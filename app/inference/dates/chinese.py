"""The Chinese grammar: `find` reads every expression of time in a piece of text (X9.3).

It goes through the text once. Where a sign stands that an expression can begin with, pieces are put together from the
large to the small (`chinese_expressions`), then ranges and open ends (`chinese_ranges`). What the pieces are, the
tables of the other modules say. Simplified, traditional and Cantonese words, all widths of digits.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.inference.dates import (
    calendar,
    chinese_clock,
    chinese_days,
    chinese_edges,
    chinese_festivals,
    chinese_lunar,
    chinese_offsets,
    chinese_parts,
    chinese_periods,
    chinese_ranges,
    chinese_weeks,
    chinese_years,
)
from app.inference.dates.chinese_expressions import Expression, Reader
from app.inference.dates.chinese_numbers import NUMBER_STARTS, fold
from app.inference.dates.chinese_pieces import Impossible, OutOfReach, Piece, Production, Rank, Setting
from app.inference.dates.chinese_recurrence import STARTS as RECURRENCE_STARTS
from app.inference.dates.chinese_recurrence import recurring
from app.inference.dates.chinese_words import either, firsts, production, words
from app.inference.dates.moments import Found, Moment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime


def _now(match: re.Match[str], setting: Setting) -> Piece:
    moment = Moment(setting.now, None, Grain.SECOND)
    return Piece(match.start(), match.end(), Rank.CLOCK, alone=lambda: [moment])


_NOW: list[str] = words()["now"]["words"]
_PRODUCTIONS: tuple[Production, ...] = (
    *chinese_festivals.PRODUCTIONS,
    *chinese_lunar.PRODUCTIONS,
    *chinese_offsets.PRODUCTIONS,
    *chinese_edges.PRODUCTIONS,
    *chinese_years.PRODUCTIONS,
    *chinese_periods.PRODUCTIONS,
    *chinese_weeks.PRODUCTIONS,
    *chinese_days.PRODUCTIONS,
    *chinese_parts.PRODUCTIONS,
    *chinese_clock.PRODUCTIONS,
    production(firsts(_NOW), either(_NOW), _now),
)
_PREFIX_STARTS = frozenset("有截直最不赶早先从自由打於于在大约差将接晚迟d")
_BEFORE_A_NUMBER = frozenset("第0123456789.零〇一二三四五六七八九十百千万两") | frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$¥￥#№"
)
_PAST_WORDS = re.compile(
    r"了|过(?![来去几两一二三四五六七八九十再\d])|曾|已经|刚才|刚刚|当时|那时|以前是|上次|的时候发生"
)
_COMING_WORDS = re.compile(
    r"要|将(?!近)|(?<![国协社机聚宴晚约学体大了过个次场开])会(?![议员场计堂所])|准备|打算|计划|预计|安排|提醒|记得|预[订定约]|出发|截止|交|别忘|约|到时|订|下次|吗"
)
# 春天来了 tells of now
_ARRIVED = re.compile(r"(?:快?[来到])了")
# 次日, 当晚: of the day that a text named before; where it named none, of another one perhaps
_FROM_NAMED = re.compile(
    either([*words()["parts_of_named_days"], *(word for table in ("days_from_named", "years_from_named")
            for group in words()[table].values() for word in group)])
)  # fmt: skip
_UNTOLD = 0.6
_TENSE_REACH = 24
_TENSE_WEIGHT = 14.0
_SHORT_GRAINS = frozenset((Grain.DAY, Grain.PART_OF_DAY, Grain.HOUR, Grain.MINUTE, Grain.SECOND))


def find(text: str, reference: datetime) -> list[Found]:
    """The expressions of a piece of text, none overlapping, with offsets into it."""
    folded = fold(text)
    has_year = "年" in folded
    productions, triggers = _productions(has_year), _triggers(has_year)
    setting = Setting(reference, calendar.wall_clock(reference))
    found: list[Found] = []
    position = 0
    while position < len(folded):
        if folded[position] not in triggers or _is_inside_number(folded, position):
            position += 1
            continue
        one, end = _at(position, Reader(folded, setting, productions))
        if one is not None:
            is_untold = setting.last_named is None and _FROM_NAMED.match(folded, one.start) is not None
            found.append(replace(one, certainty=_UNTOLD) if is_untold else one)
            setting = replace(setting, last_named=_named(one) or setting.last_named)
        position = max(position + 1, end)
    return found


def _named(found: Found) -> date | None:
    """The day that an expression names, for 次日 and the like after it."""
    best = max(found.moments, key=lambda one: one.score, default=None)
    if best is None or best.start is None or found.kind is not DateKind.POINT or best.is_time_only:
        return None
    return best.start.date()


@cache
def _productions(has_year: bool) -> Sequence[Production]:  # noqa: FBT001 - a key of the cache
    """The tables; the eras only for a text that can name one."""
    return (*_PRODUCTIONS, *chinese_lunar.era_productions()) if has_year else _PRODUCTIONS


@cache
def _triggers(has_year: bool) -> frozenset[str]:  # noqa: FBT001 - a key of the cache
    starts = (one.starts for one in _productions(has_year))
    return frozenset().union(*starts) | RECURRENCE_STARTS | _PREFIX_STARTS


def _is_inside_number(folded: str, position: int) -> bool:
    return position > 0 and folded[position] in NUMBER_STARTS and folded[position - 1] in _BEFORE_A_NUMBER


def _at(position: int, reader: Reader) -> tuple[Found | None, int]:
    """The expression that begins at a position, and where to go on; an impossible date is passed over whole."""
    text = reader.text
    found = recurring(text, position, reader.setting)
    if found is not None:
        return found, found.end
    prefix = chinese_ranges.PREFIX.match(text, position) if text[position] in _PREFIX_STARTS else None
    start = prefix.end() if prefix is not None and prefix.end() < len(text) else position
    try:
        expression = reader.expression(start)
        length = chinese_offsets.DURATION.match(text, start) if text[start] in NUMBER_STARTS else None
        if length is not None and (expression is None or length.end() > expression.end):
            return _duration(length)
        if expression is not None:
            return _finished(reader, expression, prefix if start > position else None)
    except OutOfReach:
        return Found(start, reader.farthest, DateKind.POINT), reader.farthest
    except Impossible:
        return None, reader.farthest
    return None, position


def _duration(match: re.Match[str]) -> tuple[Found | None, int]:
    duration = chinese_offsets.duration_of(match)
    if duration is None:
        return None, match.end()
    return Found(match.start(), match.end(), DateKind.DURATION, duration=duration), match.end()


def _finished(reader: Reader, expression: Expression, prefix: re.Match[str] | None) -> tuple[Found | None, int]:
    """An expression with what is around it: the range that it begins, its open ends, the tense of the sentence."""
    span = reader.until(expression)
    if span is not None:
        moments, end = span
        kind, is_deadline = DateKind.RANGE, False
    else:
        moments, end, kind, is_deadline = _opened(reader, expression, prefix)
    moments = _by_tense(moments, reader.text, expression.start, end)
    if is_deadline or _COMING_WORDS.search(reader.text, end, end + _TENSE_REACH) is not None:
        moments = chinese_ranges.not_yet(moments, reader.setting)
    if is_deadline:
        is_deadline = any(one.end is not None and one.end > reader.setting.now for one in moments)
    if not moments:
        return None, end
    return Found(_start(expression, prefix, kind), end, kind, tuple(moments), is_deadline=is_deadline), end


def _start(expression: Expression, prefix: re.Match[str] | None, kind: DateKind) -> int:
    """Where the expression begins: 截至 and the 从 of a range belong to it, 在 and 大约 do not."""
    if prefix is None:
        return expression.start
    belongs = prefix.lastgroup in {"until", "since"} or (kind is DateKind.RANGE and prefix[0] in {"从", "自"})
    return prefix.start() if belongs else expression.start


def _opened(
    reader: Reader, expression: Expression, prefix: re.Match[str] | None
) -> tuple[list[Moment], int, DateKind, bool]:
    """An expression with its suffix (之前, 起) and prefix (截至): moments, end, kind, whether it is a deadline."""
    setting, moments = reader.setting, list(expression.moments)
    suffix = chinese_ranges.SUFFIX.match(reader.text, expression.end)
    end = suffix.end() if suffix is not None else expression.end
    side = suffix.lastgroup if suffix is not None else None
    around = prefix.lastgroup if prefix is not None else None
    if around == "until" or side in {"before", "until_incl"}:
        if around == "until" or any(one.end is not None and one.end > setting.now for one in moments):
            moments = chinese_ranges.coming(moments, setting)
        opened = chinese_ranges.until(
            moments,
            setting,
            is_inclusive=side == "until_incl" or (around == "until" and side != "before"),
            is_blurred=expression.pieces[-1].rank is Rank.PART,
        )
        return opened, end, DateKind.RANGE, True
    if side == "to_now":
        past = chinese_ranges.up_to_now(moments, setting)
        return past or moments, end, DateKind.RANGE if past else DateKind.POINT, False
    if side is not None or around == "since":
        return chinese_ranges.since(moments, setting, is_inclusive=side != "after"), end, DateKind.RANGE, False
    kind = DateKind.RANGE if any(map(_is_long, moments)) else DateKind.POINT
    return moments, end, kind, False


def _is_long(moment: Moment) -> bool:
    return moment.end is not None and moment.grain not in _SHORT_GRAINS


def _by_tense(moments: Sequence[Moment], text: str, start: int, end: int) -> list[Moment]:
    """The past or the coming one of two, by the words around; without any the grammar's own weights stand."""
    if not any(moment.side for moment in moments):
        return list(moments)
    arrived = _ARRIVED.match(text, end)
    behind = end if arrived is None else arrived.end()
    around = text[max(0, start - _TENSE_REACH) : start] + "|" + text[behind : behind + _TENSE_REACH]
    is_past, is_coming = (tense.search(around) is not None for tense in (_PAST_WORDS, _COMING_WORDS))
    if is_past is is_coming:
        return list(moments)
    wanted = -1 if is_past else 1
    return [
        replace(moment, score=moment.score * _TENSE_WEIGHT) if moment.side == wanted else moment for moment in moments
    ]
