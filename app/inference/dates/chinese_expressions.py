"""Puts pieces together: from the large to the small into an expression, and two expressions into a range.

The tables of productions are given; here is only the order in which pieces follow each other, what may stand between
them, and what the end of a range takes over from its beginning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.inference.dates import calendar, chinese_ranges
from app.inference.dates.chinese_days import NOT_A_NAME
from app.inference.dates.chinese_numbers import CJK_NUMBER
from app.inference.dates.chinese_pieces import Piece, Production, Rank, Setting, narrowed, produced, resolved
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILLER = re.compile(
    r"T(?=\d)|从(?=[上下早晚中凌\d])|-(?=\d{1,2}:\d\d)|[(（](?=周|星期|礼拜|\d{1,2}[月日号])|[)）] ?|[,，] ?|"
    r" {0,2}的? ?",
    re.ASCII,
)
_N = rf"\d{{1,4}}|{CJK_NUMBER}{{1,4}}"
_PADDING = frozenset("()（）,，")
_BARE_FIRST = re.compile(
    rf"(?P<number>{_N}) ?(?=(?:-{{1,2}}|~{{1,2}}|到|至) ?(?:{_N}) ?(?P<unit>[年月日号点时])(?!间){NOT_A_NAME})",
    re.ASCII,
)
_BARE_SECOND = re.compile(rf"(?P<number>{_N})(?![\d.%:/年月个天周小分秒元块])", re.ASCII)
_FOUR_DIGITS = re.compile(r"(?:19|20)\d\d", re.ASCII)
# 本周中; 周五（18号）
_OUT_OF_ORDER = {(Rank.PART, Rank.WEEK), (Rank.DAY, Rank.WEEKDAY)}


@dataclass(frozen=True, slots=True)
class Expression:
    """Pieces that belong together and what they say; from `start` to `end`."""

    pieces: tuple[Piece, ...]
    moments: tuple[Moment, ...]
    start: int
    end: int


@dataclass(slots=True)
class Reader:
    """Puts the pieces of one text together; `farthest` is where an impossible date ends."""

    text: str
    setting: Setting
    productions: Sequence[Production]
    farthest: int = 0

    def expression(self, position: int, lead: Sequence[Piece] = ()) -> Expression | None:
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
        return Expression(tuple(pieces), tuple(moments), position, end)

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

    def until(self, first: Expression) -> tuple[list[Moment], int] | None:
        """The range that goes on from an expression, and where it ends."""
        match = chinese_ranges.CONNECTOR.match(self.text, first.end)
        if match is None or match.end() >= len(self.text):
            return None
        last = self._last(first, match.end())
        if last is None:
            return None
        hours = self._opening_hours(first, last)
        if hours is not None:
            return hours
        moments = chinese_ranges.joined(first.moments, last.moments)
        if not moments:
            return None
        tail = chinese_ranges.BETWEEN.match(self.text, last.end)
        return moments, tail.end() if tail is not None else last.end

    def _opening_hours(self, first: Expression, last: Expression) -> tuple[list[Moment], int] | None:
        """周一到周五9点到17点: the days, since no one range has such hours."""
        days = [piece for piece in last.pieces if piece.rank < Rank.PART_OF_DAY]
        if not days or days == list(last.pieces) or first.pieces[-1].rank >= Rank.PART_OF_DAY:
            return None
        hours = self.until(last)
        moments = chinese_ranges.joined(first.moments, self._alone(first, days)) if hours is not None else []
        return (moments, hours[1]) if hours is not None and moments else None

    def _last(self, first: Expression, at: int) -> Expression | None:
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
            return Expression((piece,), tuple(moments), piece.start, piece.end)
        lead = _lead(first.pieces, head.rank) if head.within is not None else []
        if lead:
            last = self.expression(at, lead)
            if last is not None:
                return last
        last = self.expression(at)
        if last is None:
            return None
        return replace(last, moments=tuple(self._alone(first, last.pieces)))

    def _alone(self, first: Expression, pieces: Sequence[Piece]) -> list[Moment]:
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
