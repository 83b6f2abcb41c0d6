"""The Chinese lunar calendar and the 24 solar terms, 1900-2100, from a table (resources/dates/lunar-years.txt).

A table and no library: two hundred lines of facts that never change against one more dependency to keep; the libraries
agree with it, and it is what they hold inside. It knows days only, not the hour of a new moon or of a solar term.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FIRST_YEAR = 1900
LAST_YEAR = 2100

SOLAR_TERMS = (
    *("小寒", "大寒", "立春", "雨水", "惊蛰", "春分"),
    *("清明", "谷雨", "立夏", "小满", "芒种", "夏至"),
    *("小暑", "大暑", "立秋", "处暑", "白露", "秋分"),
    *("寒露", "霜降", "立冬", "小雪", "大雪", "冬至"),
)
"""In the order of the Gregorian year."""

_LONG, _SHORT = 30, 29
_STEM_GENG = 6
# 1900-01-01 was a day 甲戌: stem 0 of 10
_STEMS = 10
_STEM_ORIGIN = date(1900, 1, 1)


@dataclass(frozen=True, slots=True)
class LunarYear:
    """One year of the table.

    Attributes:
        first: its first day (春节).
        leap: the month that is followed by its leap month; 0: none.
        lengths: days of its 12 or 13 months in order.
        terms: the days of the 24 solar terms of the Gregorian year of the same number.
    """

    first: date
    leap: int
    lengths: tuple[int, ...]
    terms: tuple[date, ...]

    def months(self) -> Iterator[tuple[int, bool, date, int]]:
        """Its months: number, whether it is the leap one, first day, length in days."""
        first = self.first
        number, is_leap = 1, False
        for length in self.lengths:
            yield number, is_leap, first, length
            first += timedelta(days=length)
            if number == self.leap and not is_leap:
                is_leap = True
            else:
                number, is_leap = number + 1, False


@cache
def _years() -> Mapping[int, LunarYear]:
    lines = resource("dates", "lunar-years.txt").read_text(encoding="utf-8").splitlines()
    return {int(line[:4]): _year(line) for line in lines if not line.startswith("#")}


def _year(line: str) -> LunarYear:
    number, first, leap, lengths, terms = line.split()
    year = int(number)
    return LunarYear(
        date(year, int(first[:2]), int(first[2:])),
        int(leap),
        tuple(_LONG if length == "1" else _SHORT for length in lengths),
        tuple(date(year, index // 2 + 1, int(day, 32)) for index, day in enumerate(terms)),
    )


def month(year: int, number: int, *, is_leap: bool = False) -> tuple[date, date] | None:
    """First day and the day after the last of a lunar month; None where there is none, or the year is unknown."""
    known = _years().get(year)
    if known is None:
        return None
    for one, leap, first, length in known.months():
        if one == number and leap == is_leap:
            return first, first + timedelta(days=length)
    return None


def day(year: int, number: int, day_of_month: int, *, is_leap: bool = False) -> date | None:
    """The Gregorian day of a day of the lunar calendar; None where there is none."""
    found = month(year, number, is_leap=is_leap)
    if found is None or not 1 <= day_of_month <= (found[1] - found[0]).days:
        return None
    return found[0] + timedelta(days=day_of_month - 1)


def year(number: int) -> tuple[date, date] | None:
    """First day and the day after the last of a lunar year; None outside the table."""
    known = _years().get(number)
    return None if known is None else (known.first, known.first + timedelta(days=sum(known.lengths)))


def eve(number: int) -> date | None:
    """The last day of a lunar year (除夕), which is in the Gregorian year after; None outside the table."""
    span = year(number)
    return None if span is None else span[1] - timedelta(days=1)


def year_of(one: date) -> int | None:
    """The lunar year in which a day falls; None outside the table."""
    for number in (one.year, one.year - 1):
        span = year(number)
        if span is not None and span[0] <= one < span[1]:
            return number
    return None


def solar_term(number: int, name: str) -> date | None:
    """The day of a solar term in a Gregorian year; None outside the table or for another name."""
    known = _years().get(number)
    return known.terms[SOLAR_TERMS.index(name)] if known is not None and name in SOLAR_TERMS else None


def season(number: int, first_term: str, next_term: str) -> tuple[date, date] | None:
    """From one solar term to the day before another, which may be in the next year (winter); None outside the table."""
    start = solar_term(number, first_term)
    end = solar_term(number, next_term)
    if start is not None and end is not None and end <= start:
        end = solar_term(number + 1, next_term)
    return None if start is None or end is None else (start, end)


def dog_days(number: int) -> tuple[date, date, date, date] | None:
    """When the parts of the dog days (头伏, 中伏, 末伏) begin, and the day after the last; None outside the table.

    They begin on the third and fourth day 庚 from the summer solstice, and on the first from the beginning of autumn.
    """
    solstice, autumn = solar_term(number, "夏至"), solar_term(number, "立秋")
    if solstice is None or autumn is None:
        return None
    first = _geng_from(solstice) + timedelta(days=2 * _STEMS)
    last = _geng_from(autumn)
    return first, first + timedelta(days=_STEMS), last, last + timedelta(days=_STEMS)


def _geng_from(start: date) -> date:
    stem = (start - _STEM_ORIGIN).days % _STEMS
    return start + timedelta(days=(_STEM_GENG - stem) % _STEMS)
