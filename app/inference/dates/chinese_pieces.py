"""How Chinese expressions of time are put together: pieces from the large to the small, each narrowing the one before.

去年 / 三月 / 第三周 / 周二 / 下午 / 三点半 is six pieces. A piece knows what it means alone, seen from the reference,
and what it means within a moment that stands before it. Which signs make a piece, the tables of productions say
(`chinese_days`, `chinese_clock`, `chinese_periods` and their fellows); this module knows no words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.moments import Moment

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence
    from datetime import date, datetime

    from app.inference.dates.calendar import Stretch

Reader = Callable[[], "list[Moment]"]
Narrower = Callable[[Moment], "list[Moment]"]


class Rank(IntEnum):
    """How large a piece is; in an expression they come in this order."""

    CENTURY = 0
    DECADE = 1
    YEAR = 2
    QUARTER = 3
    MONTH = 4
    PART = 5
    WEEK = 6
    DAY = 7
    WEEKDAY = 8
    PART_OF_DAY = 9
    CLOCK = 10


class Impossible(ValueError):
    """A date that the calendar does not have (9月31日): the expression is no reading."""


class OutOfReach(Impossible):
    """A date outside the years of the lunar table: recognised, and not understood."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Seen from where.

    Attributes:
        reference: aware.
        now: the same as wall-clock time.
        last_named: the day that the text named before, from which 次日 and 当晚 count.
    """

    reference: datetime
    now: datetime
    last_named: date | None = None

    @property
    def today(self) -> date:
        """The day of the reference."""
        return self.now.date()

    @property
    def named(self) -> date:
        """The day that the text named before; without one, that of the reference."""
        return self.last_named or self.today


@dataclass(frozen=True, slots=True)
class Piece:
    """One matched piece.

    Attributes:
        alone: its moments when it opens an expression; None: it cannot.
        within: its moments inside the moment before it, none where it does not fit there; None: it cannot follow.
        unit: what a bare number after "到" counts (周一到五: "周").
        outer: the month of a piece that says month and day in one, for the end of a range (3月8日到10日).
    """

    start: int
    end: int
    rank: Rank
    alone: Reader | None = None
    within: Narrower | None = None
    unit: str = ""
    outer: Piece | None = None


@dataclass(frozen=True, slots=True)
class Production:
    """Signs that make a piece.

    Attributes:
        starts: the signs that it can begin with.
        make: the piece of a match; None when the match means nothing. It may raise ValueError: the same.
    """

    starts: frozenset[str]
    pattern: re.Pattern[str]
    make: Callable[[re.Match[str], Setting], Piece | None]


def produced(
    productions: Sequence[Production], text: str, position: int, setting: Setting, *, is_opening: bool | None = None
) -> Piece | None:
    """The longest piece that begins at a position; among equals the first in the table.

    Args:
        is_opening: only pieces that can open an expression, or (False) only such as can follow; None: all.
    """
    best: Piece | None = None
    for production in productions:
        if text[position] not in production.starts:
            continue
        match = production.pattern.match(text, position)
        if match is None or (best is not None and match.end() <= best.end):
            continue
        try:
            piece = production.make(match, setting)
        except (ValueError, OverflowError):
            continue
        if piece is None or (best is not None and piece.end <= best.end):
            continue
        if is_opening is None or (piece.alone if is_opening else piece.within) is not None:
            best = piece
    return best


def resolved(pieces: Sequence[Piece]) -> list[Moment]:
    """What pieces say together.

    Raises:
        Impossible: the calendar has no such date.
    """
    first = pieces[0]
    moments = [] if first.alone is None else _tried(first.alone)
    for piece in pieces[1:]:
        moments = narrowed(moments, piece)
    return moments


def narrowed(moments: Sequence[Moment], piece: Piece) -> list[Moment]:
    """Moments narrowed by a piece; empty where it fits none; raises Impossible when there is no such date."""
    if piece.within is None:
        return []
    result: list[Moment] = []
    fault: ValueError | OverflowError | None = None
    for moment in moments:
        try:
            inner = piece.within(moment)
        except (ValueError, OverflowError) as failed:
            fault = failed
            continue
        result += [_inside(one, moment) for one in inner]
    if not result and fault is not None:
        raise fault if isinstance(fault, OutOfReach) else Impossible
    return result


def _inside(inner: Moment, outer: Moment) -> Moment:
    return replace(
        inner,
        score=inner.score * outer.score,
        side=inner.side or outer.side,
        is_time_only=inner.is_time_only or outer.is_time_only,
    )


def _tried(reader: Reader) -> list[Moment]:
    try:
        return reader()
    except (ValueError, OverflowError):
        raise Impossible from None


def certain(stretch: Stretch) -> list[Moment]:
    """One moment."""
    return [Moment.of(stretch)]


def one_day(day: date, score: float = 1.0, side: int = 0) -> Moment:
    """A day as a moment."""
    return Moment.of(calendar.days(day), score, side)


def sided(past: Stretch | None, coming: Stretch | None, *, coming_score: float = 0.8) -> list[Moment]:
    """The past and the coming of two that the words do not tell apart."""
    moments = []
    if coming is not None:
        moments.append(Moment.of(coming, coming_score if past is not None else 1.0, 1))
    if past is not None:
        moments.append(Moment.of(past, 1 - coming_score if coming is not None else 1.0, -1))
    return moments


_LONGEST_SEARCH_YEARS = 8


def each_year(build: Callable[[int], Stretch | None], setting: Setting) -> list[Moment]:
    """What returns every year: this year's, and its nearest neighbour on the other side of the reference.

    Nearness decides: what was last month or comes next month is likelier meant than what is ten months away. A day that
    this year lacks (29 February) is looked for in the years around.
    """
    this = setting.today.year
    past = _first_there(build, range(this, this - _LONGEST_SEARCH_YEARS, -1), lambda one: one.end <= setting.now)
    coming = _first_there(build, range(this - 1, this + _LONGEST_SEARCH_YEARS), lambda one: one.end > setting.now)
    if past is None or coming is None:
        return sided(past, coming)
    behind = (setting.now - past.start).days
    ahead = max(0, (coming.start - setting.now).days)
    score = 0.25 + 0.6 * behind / max(1, behind + ahead)
    return sided(past, coming, coming_score=0.95 if coming.start <= setting.now else score)


def _first_there(
    build: Callable[[int], Stretch | None], years: range, is_wanted: Callable[[Stretch], bool]
) -> Stretch | None:
    for year in years:
        try:
            stretch = build(year)
        except ValueError:
            continue
        if stretch is not None and is_wanted(stretch):
            return stretch
    return None


def year_of(moment: Moment) -> int | None:
    """The year of a moment that is one calendar year."""
    return moment.start.year if moment.grain is Grain.YEAR and moment.start is not None else None


def is_single_day(moment: Moment) -> bool:
    """Whether a moment is one day, so that hours can follow."""
    return moment.start is not None and moment.end is not None and moment.end - moment.start == calendar.ONE_DAY


def shift_of(word: str) -> int:
    """上上 is -2, 这 and 本 0, 下 1."""
    return word.count("下") - word.count("上")
