"""The Chinese grammar: `find` reads every expression of time in a piece of text (X9.3).

It goes through the text once. Where a sign stands that an expression can begin with, pieces are put together from the large
to the small (`chinese_pieces`), then ranges and open ends (`chinese_ranges`). What the pieces are, the tables of the
other modules say. Simplified, traditional and Cantonese words, all widths of digits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.inference.dates import (
    calendar,
    chinese_days,
    chinese_festivals,
    chinese_offsets,
    chinese_periods,
    chinese_ranges,
    chinese_times,
)
from app.inference.dates.chinese_numbers import CJK_NUMBER, fold
from app.inference.dates.chinese_pieces import (
    Impossible,
    Piece,
    Production,
    Rank,
    Setting,
    narrowed,
    produced,
    resolved,
)
from app.inference.dates.chinese_recurrence import STARTS as RECURRENCE_STARTS
from app.inference.dates.chinese_recurrence import recurring
from app.inference.dates.moments import Found, Moment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

_NOW = ("现在", "此时此刻", "此时", "此刻", "目前", "当前", "眼下", "当下", "而家", "宜家", "依家", "这会儿", "这时候", "如今", "现时")


def _now(match: re.Match[str], setting: Setting) -> Piece:
    moment = Moment(setting.now, None, Grain.SECOND)
    return Piece(match.start(), match.end(), Rank.CLOCK, alone=lambda: [moment])


_PRODUCTIONS: tuple[Production, ...] = (
    *chinese_festivals.PRODUCTIONS,
    *chinese_offsets.PRODUCTIONS,
    *chinese_periods.PRODUCTIONS,
    *chinese_days.PRODUCTIONS,
    *chinese_times.PRODUCTIONS,
    Production(frozenset(word[0] for word in _NOW), re.compile("|".join(_NOW)), _now),
)
_NUMBERS = chinese_days.NUMBER_STARTS
_PREFIX_STARTS = frozenset("截直最不赶早先从自由打於于在大约差将接晚迟d")
_FILLER = re.compile(r"T(?=\d)|-(?=\d{1,2}:\d\d)|[(（](?=周|星期|礼拜|\d{1,2}[月日号])|[)）] ?|[,，] ?| {0,2}的? ?", re.ASCII)
_PADDING = frozenset("()（）,，")
_BARE_FIRST = re.compile(
    rf"(?P<number>\d{{1,4}}|{CJK_NUMBER}{{1,4}}) ?(?=(?:-{{1,2}}|~{{1,2}}|到|至) ?(?:\d{{1,4}}|{CJK_NUMBER}{{1,4}}) ?(?P<unit>年|月|日|号|点|时)(?![楼线店机门馆厅院房桌床车位间]))",
    re.ASCII,
)
_BARE_SECOND = re.compile(rf"(?P<number>\d{{1,4}}|{CJK_NUMBER}{{1,4}})(?![\d.%:/年月个天周小分秒元块])", re.ASCII)
_FOUR_DIGITS = re.compile(r"(?:19|20)\d\d", re.ASCII)
_BEFORE_A_NUMBER = frozenset("第0123456789.零〇一二三四五六七八九十百千万两") | frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$¥￥#№"
)
_PAST_WORDS = re.compile(r"了|过(?![来去几两一二三四五六七八九十再\d])|曾|已经|刚才|刚刚|当时|那时|以前是|上次|的时候发生")
_COMING_WORDS = re.compile(
    r"要|将(?!近)|会(?![议员场计])|准备|打算|计划|预计|安排|提醒|记得|预[订定约]|出发|截止|交|提交|别忘|约|到时|订|下次|吗"
)
# 本周中; 周五（18号）
_OUT_OF_ORDER = {(Rank.PART, Rank.WEEK), (Rank.DAY, Rank.WEEKDAY)}
_TENSE_REACH = 24
_TENSE_WEIGHT = 4.0


@dataclass(frozen=True, slots=True)
class _Expression:
    """Pieces that belong together and what they say; `end` is where they end."""

    pieces: tuple[Piece, ...]
    moments: tuple[Moment, ...]
    end: int


def find(text: str, reference: datetime) -> list[Found]:
    """The expressions of a piece of text, none overlapping, with offsets into it."""
    folded = fold(text)
    setting = Setting(reference, calendar.wall_clock(reference))
    productions = _productions("年" in folded)
    triggers = _triggers("年" in folded)
    found: list[Found] = []
    position = 0
    while position < len(folded):
        sign = folded[position]
        if sign not in triggers or _is_inside_number(folded, position):
            position += 1
            continue
        one, end = _at(folded, position, setting, productions)
        if one is not None:
            found.append(one)
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
    return (*_PRODUCTIONS, *chinese_festivals.era_productions()) if has_year else _PRODUCTIONS


@cache
def _triggers(has_year: bool) -> frozenset[str]:  # noqa: FBT001 - a key of the cache
    starts = (production.starts for production in _productions(has_year))
    return frozenset().union(*starts) | RECURRENCE_STARTS | _PREFIX_STARTS


def _is_inside_number(folded: str, position: int) -> bool:
    return position > 0 and folded[position] in _NUMBERS and folded[position - 1] in _BEFORE_A_NUMBER


def _at(
    text: str, position: int, setting: Setting, productions: Sequence[Production]
) -> tuple[Found | None, int]:
    """The expression that begins at a position, and where to go on; an impossible date is passed over whole."""
    found = recurring(text, position, setting)
    if found is not None:
        return found, found.end
    prefix = chinese_ranges.PREFIX.match(text, position) if text[position] in _PREFIX_STARTS else None
    start = prefix.end() if prefix is not None else position
    if start >= len(text):
        prefix, start = None, position
    reader = _Reader(text, setting, productions)
    try:
        expression = reader.expression(start)
    except Impossible:
        return None, reader.farthest
    if expression is None and prefix is not None:
        return None, position
    length = chinese_offsets.DURATION.match(text, start) if text[start] in _NUMBERS else None
    if length is not None and (expression is None or length.end() > expression.end):
        return _duration(length)
    if expression is None:
        return None, position
    try:
        return _finished(reader, expression, prefix, position)
    except Impossible:
        return None, reader.farthest


def _duration(match: re.Match[str]) -> tuple[Found | None, int]:
    duration = chinese_offsets.durations(match)
    if duration is None:
        return None, match.end()
    return Found(match.start(), match.end(), DateKind.DURATION, duration=duration), match.end()


@dataclass(slots=True)
class _Reader:
    """Puts the pieces of one text together; `farthest` is where an impossible date ends."""

    text: str
    setting: Setting
    productions: Sequence[Production]
    farthest: int = 0

    def expression(self, position: int, lead: Sequence[Piece] = ()) -> _Expression | None:
        """The pieces from a position on, each narrowing the ones before; after a connector, those of its `lead` too.

        Raises:
            Impossible: there is no such date.
        """
        pieces: list[Piece] = list(lead)
        moments = resolved(pieces) if pieces else []
        at = end = position
        is_padded = False
        while at < len(self.text):
            piece = self._piece(at, is_opening=not pieces)
            if piece is None or not self._follows(pieces, piece, is_padded=is_padded):
                break
            self.farthest = piece.end
            inner = narrowed(moments, piece) if pieces else resolved([piece])
            if not inner:
                break
            moments, end = inner, piece.end + (is_padded and self.text[piece.end : piece.end + 1] in {")", "）"})
            pieces.append(piece)
            filler = _FILLER.match(self.text, piece.end)
            at = filler.end() if filler is not None else end
            is_padded = filler is not None and any(sign in _PADDING for sign in filler[0])
        if len(pieces) == len(lead):
            return None
        return _Expression(tuple(pieces), tuple(moments), end)

    def _piece(self, at: int, *, is_opening: bool | None = None) -> Piece | None:
        piece = produced(self.productions, self.text, at, self.setting, is_opening=is_opening)
        bare = _BARE_FIRST.match(self.text, at)
        if bare is not None and (piece is None or bare.end() > piece.end):
            return self.virtual(bare["number"] + bare["unit"], bare.start(), bare.end("number")) or piece
        return piece

    @staticmethod
    def _follows(pieces: Sequence[Piece], piece: Piece, *, is_padded: bool) -> bool:
        if not pieces:
            return piece.alone is not None
        last = pieces[-1].rank
        if piece.rank <= last and (piece.rank, last) not in _OUT_OF_ORDER:
            return False
        return not is_padded or piece.rank >= Rank.DAY

    def virtual(self, written: str, start: int, end: int) -> Piece | None:
        """A number that borrows its unit (9到12点), read as if it were written out."""
        piece = produced(self.productions, written, 0, self.setting)
        return replace(piece, start=start, end=end) if piece is not None and piece.end == len(written) else None

    def until(self, first: _Expression) -> tuple[list[Moment], int] | None:
        """The range that goes on from an expression, and where it ends."""
        match = chinese_ranges.CONNECTOR.match(self.text, first.end)
        if match is None or match.end() >= len(self.text):
            return None
        last = self._last(first, match.end())
        if last is None:
            return None
        moments = chinese_ranges.joined(first.moments, last.moments)
        if not moments:
            return None
        tail = chinese_ranges.BETWEEN.match(self.text, last.end)
        return moments, tail.end() if tail is not None else last.end

    def _last(self, first: _Expression, at: int) -> _Expression | None:
        head = self._piece(at)
        if head is None:
            bare = _BARE_SECOND.match(self.text, at)
            unit = first.pieces[-1].unit
            if bare is None or not unit:
                return None
            if _FOUR_DIGITS.fullmatch(bare["number"]):
                unit = "年"
            written = unit + bare["number"] if unit == "周" else bare["number"] + unit
            piece = self.virtual(written, bare.start(), bare.end())
            if piece is None:
                return None
            lead = _lead(first.pieces, piece.rank)
            moments = resolved([*lead, piece]) if lead else self._alone(first, [piece])
            return _Expression((piece,), tuple(moments), piece.end)
        lead = _lead(first.pieces, head.rank) if head.within is not None else []
        if lead:
            last = self.expression(at, lead)
            if last is not None:
                return last
        last = self.expression(at)
        if last is None:
            return None
        return replace(last, moments=tuple(self._alone(first, last.pieces)))

    def _alone(self, first: _Expression, pieces: Sequence[Piece]) -> list[Moment]:
        """A weekday after a weekday is the next one from there (周五到周二)."""
        if pieces[0].rank is Rank.WEEKDAY and first.pieces[0].rank is Rank.WEEKDAY and len(pieces) == 1:
            weekdays = {one.start.weekday() for one in resolved(pieces) if one.start is not None}
            if len(weekdays) == 1:
                weekday = weekdays.pop()
                days = [one.start.date() for one in first.moments if one.start is not None]
                return [Moment.of(calendar.days(calendar.coming(day, weekday))) for day in days]
        return resolved(pieces)


def _lead(pieces: Sequence[Piece], rank: Rank) -> list[Piece]:
    """What the end of a range takes over from its beginning: all that is larger; of 3月8日 the month."""
    lead = [one for one in pieces if one.rank < rank]
    same = next((one for one in pieces if one.rank == rank), None)
    return [*lead, same.outer] if same is not None and same.outer is not None else lead


def _finished(
    reader: _Reader, expression: _Expression, prefix: re.Match[str] | None, position: int
) -> tuple[Found | None, int]:
    """An expression with what stands around it: the range that it begins, its open ends, the tense of the sentence."""
    setting = reader.setting
    span = reader.until(expression)
    if span is not None:
        moments, end = span
        kind, is_deadline = DateKind.RANGE, False
    else:
        moments, end, kind, is_deadline = _opened(reader, expression, prefix)
    moments = _by_tense(moments, reader.text, position, end)
    if is_deadline:
        is_deadline = any(one.end is not None and one.end > setting.now for one in moments)
    if not moments:
        return None, end
    return Found(position, end, kind, tuple(moments), is_deadline=is_deadline), end


def _opened(
    reader: _Reader, expression: _Expression, prefix: re.Match[str] | None
) -> tuple[list[Moment], int, DateKind, bool]:
    setting, moments, end = reader.setting, list(expression.moments), expression.end
    suffix = chinese_ranges.SUFFIX.match(reader.text, end)
    side = suffix.lastgroup if suffix is not None else None
    is_until = prefix is not None and prefix.lastgroup == "until"
    is_blurred = expression.pieces[-1].rank is Rank.PART
    if is_until or side in {"before", "until_incl"}:
        if is_until or any(one.end is not None and one.end > setting.now for one in moments):
            moments = chinese_ranges.coming(moments, setting)
        inclusive = side == "until_incl" or (is_until and side != "before")
        opened = chinese_ranges.until(moments, setting, is_inclusive=inclusive, is_blurred=is_blurred)
        return opened, suffix.end() if suffix is not None else end, DateKind.RANGE, True
    if suffix is None and not (prefix is not None and prefix.lastgroup == "since"):
        kind = DateKind.RANGE if any(map(_is_long, moments)) else DateKind.POINT
        return moments, end, kind, False
    if side == "to_now":
        past = chinese_ranges.up_to_now(moments, setting)
        if past:
            return past, suffix.end() if suffix is not None else end, DateKind.RANGE, False
        return moments, end, DateKind.POINT, False
    opened = chinese_ranges.since(moments, is_inclusive=side != "after")
    return opened, suffix.end() if suffix is not None else end, DateKind.RANGE, False


def _is_long(moment: Moment) -> bool:
    return moment.end is not None and moment.grain not in {Grain.DAY, Grain.PART_OF_DAY, Grain.HOUR, Grain.MINUTE, Grain.SECOND}


def _by_tense(moments: Sequence[Moment], text: str, start: int, end: int) -> list[Moment]:
    """The past or the coming one of two, by the words around; without any the grammar's own weights stand."""
    if not any(moment.side for moment in moments):
        return list(moments)
    around = text[max(0, start - _TENSE_REACH) : start] + "|" + text[end : end + _TENSE_REACH]
    is_past, is_coming = (words.search(around) is not None for words in (_PAST_WORDS, _COMING_WORDS))
    if is_past is is_coming:
        return list(moments)
    wanted = -1 if is_past else 1
    return [
        replace(moment, score=moment.score * _TENSE_WEIGHT) if moment.side == wanted else moment for moment in moments
    ]
