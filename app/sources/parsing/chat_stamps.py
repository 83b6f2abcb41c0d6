"""Dates and times as chat programs write them, in the order that the whole file shows (X9.3).

`05/04/24` says nothing by itself. A file of many lines mostly does: a number over 12 is a day, and messages stand in
the order of their times. Where both readings fit to the end, the day is taken first, and the doubt is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence
    from datetime import tzinfo

DATE = r"(?P<a>\d{1,4})(?P<mark>[-./年])\s?(?P<b>\d{1,2})[-./月]\s?(?P<c>\d{1,4})(?:日|\.(?=[\s,]))?"
_PART = "上午|下午|凌晨|清晨|早上|早晨|中午|傍晚|晚上|午前|午後|오전|오후|[AaPp]\\.?[\\s\u00a0\u202f]?[Mm]\\.?"
TIME = (
    rf"(?:(?P<before>{_PART})[\s\u00a0\u202f]?)?(?P<h>\d{{1,2}})[:.：](?P<m>\d\d)(?:[:.：](?P<s>\d\d))?"
    rf"(?:[\s\u00a0\u202f]?(?P<after>{_PART}))?"
)
STAMP = rf"{DATE}[,，]?[\s\u00a0\u202f]{{0,3}}{TIME}"

_NOON, _MONTHS, _DAYS = 12, 12, 31
_CENTURY = 100
_EVENING = ("下", "傍", "晚", "午後", "오후", "p")
_MIDDAY = "中"
_LATE_MORNING = 10


class Order(StrEnum):
    """Which of the three numbers of a date is what."""

    YEAR_FIRST = "ymd"
    DAY_FIRST = "dmy"
    MONTH_FIRST = "mdy"


@dataclass(frozen=True, slots=True)
class RawDate:
    """The three numbers of a date, and the sign between them."""

    first: int
    second: int
    third: int
    mark: str

    @classmethod
    def of(cls, match: re.Match[str]) -> RawDate:
        """From a match of `DATE` or `STAMP`."""
        return cls(int(match["a"]), int(match["b"]), int(match["c"]), match["mark"])

    @property
    def is_year_first(self) -> bool:
        """Whether it can only begin with its year."""
        return self.first > _DAYS


@dataclass(frozen=True, slots=True)
class Decision:
    """The order of a whole file; whether the other one is excluded."""

    order: Order
    is_certain: bool = True


def decide(dates: Sequence[RawDate]) -> Decision:
    """The order in which a file writes its dates."""
    if all(date.is_year_first for date in dates):
        return Decision(Order.YEAR_FIRST)
    rest = [date for date in dates if not date.is_year_first]
    day_first = sum(date.first > _MONTHS for date in rest)
    month_first = sum(date.second > _MONTHS for date in rest)
    if day_first != month_first:
        return Decision(Order.DAY_FIRST if day_first > month_first else Order.MONTH_FIRST)
    if all(date.mark == "." for date in rest):
        return Decision(Order.DAY_FIRST)  # no country that writes dots puts the month first
    back_by_day = _steps_back([(date.third, date.second, date.first) for date in rest])
    back_by_month = _steps_back([(date.third, date.first, date.second) for date in rest])
    if back_by_day != back_by_month:
        return Decision(Order.DAY_FIRST if back_by_day < back_by_month else Order.MONTH_FIRST)
    is_same = all(date.first == date.second for date in rest)
    return Decision(Order.DAY_FIRST, is_certain=is_same)


def _steps_back(days: Sequence[tuple[int, int, int]]) -> int:
    return sum(later < earlier for earlier, later in pairwise(days))


def instant(date: RawDate, time: re.Match[str], order: Order, zone: tzinfo) -> datetime | None:
    """The moment that a date and a match of `TIME` say; None for one that does not exist."""
    year, month, day = _in_order(date, order)
    hour = _hour(int(time["h"]), (time["before"] or time["after"] or "").strip().lower())
    try:
        moment = datetime(year, month, day, hour, int(time["m"]), int(time["s"] or 0), tzinfo=zone)
    except ValueError:
        return None
    return storable(moment, zone)


def _in_order(date: RawDate, order: Order) -> tuple[int, int, int]:
    if date.is_year_first or order is Order.YEAR_FIRST:
        year, month, day = date.first, date.second, date.third
    elif order is Order.DAY_FIRST:
        year, month, day = date.third, date.second, date.first
    else:
        year, month, day = date.third, date.first, date.second
    return (year + 2000 if year < _CENTURY else year), month, day


def _hour(hour: int, part: str) -> int:
    """The hour of the day; `part` is the half of the day as it is written, or empty."""
    if not part or hour > _NOON:
        return hour
    if part.startswith(_MIDDAY):
        return hour if hour >= _LATE_MORNING else hour + _NOON
    if part.startswith("晚") and hour == _NOON:
        return 0
    return hour % _NOON + (_NOON if part.startswith(_EVENING) else 0)
