"""How English says when: the expressions that are understood, each with its reading."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.context.spans import Span, Today

    Reading = Callable[[re.Match[str], Today], Span]

_WEEKDAYS = ("mon(?:day)?", "tue(?:s(?:day)?)?", "wed(?:nesday)?", "thu(?:rs(?:day)?)?", "fri(?:day)?", "sat(?:urday)?",
             "sun(?:day)?")  # fmt: skip
_MONTHS = ("jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?",
           "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?")  # fmt: skip
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SHIFTS = {"this": 0, "next": 1, "last": -1, "previous": -1, "coming": 0, "following": 1}
_DAYS_A_UNIT = {"day": 1, "week": 7}

_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})\b"
# "sun", "sat" and "wed" are words of their own, so that a short name alone names no day
_FULL_WEEKDAY = r"(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})\b\.?"
_AMOUNT = rf"(?P<count>\d{{1,3}}|an?|{'|'.join(_NUMBERS)}) (?P<unit>day|week|month)s?\b"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<year>(?:19|20)\d\d)\b"
_SHIFT = rf"(?P<shift>{'|'.join(_SHIFTS)})"


def _index(word: str, patterns: tuple[str, ...]) -> int:
    return next(place for place, pattern in enumerate(patterns) if re.fullmatch(pattern, word, re.IGNORECASE))


def _count(match: re.Match[str]) -> int:
    word = match["count"].lower()
    if word.isdecimal():
        return int(word)
    return 1 if word in {"a", "an"} else _NUMBERS.index(word) + 1


def _day(days: int) -> Reading:
    return lambda _, today: today.offset(days)


def _distance(sign: int) -> Reading:
    """So many days, weeks or months from today: one day."""

    def read(match: re.Match[str], today: Today) -> Span:
        count, unit = _count(match) * sign, match["unit"].lower()
        return today.days(today.months_later(count)) if unit == "month" else today.offset(count * _DAYS_A_UNIT[unit])

    return read


def _run(sign: int) -> Reading:
    """All of the so many next (or last) days, weeks or months."""

    def read(match: re.Match[str], today: Today) -> Span:
        count, unit = _count(match) * sign, match["unit"].lower()
        is_months = unit == "month"
        other = today.months_later(count) if is_months else today.day + timedelta(days=count * _DAYS_A_UNIT[unit])
        return today.days(min(other, today.day), abs((other - today.day).days))

    return read


def _period(match: re.Match[str], today: Today) -> Span:
    make = {"week": today.week, "weekend": today.weekend, "month": today.month, "year": today.year}
    return make[match["period"].lower()](_SHIFTS[match["shift"].lower()])


def _weekday(match: re.Match[str], today: Today) -> Span:
    return today.coming(_index(match["weekday"], _WEEKDAYS))


def _shifted_weekday(match: re.Match[str], today: Today) -> Span:
    weekday, shift = _index(match["weekday"], _WEEKDAYS), match["shift"].lower()
    if shift == "coming":
        return today.coming(weekday)
    return today.previous(weekday) if _SHIFTS[shift] < 0 else today.weekday_of_week(weekday, _SHIFTS[shift])


def _date(match: re.Match[str], today: Today) -> Span:
    return today.days(date(int(match["year"]), _index(match["month"], _MONTHS) + 1, int(match["day"])))


def _date_without_year(match: re.Match[str], today: Today) -> Span:
    return today.nearest(_index(match["month"], _MONTHS) + 1, int(match["day"]))


def _month(match: re.Match[str], today: Today) -> Span:
    return today.month_of(int(match["year"]), _index(match["month"], _MONTHS) + 1)


def _month_without_year(match: re.Match[str], today: Today) -> Span:
    return today.nearest_month(_index(match["month"], _MONTHS) + 1)


RULES: tuple[tuple[str, Reading], ...] = (
    (r"\b(?:the )?day after tomorrow\b", _day(2)),
    (r"\b(?:the )?day before yesterday\b", _day(-2)),
    (r"\btoday\b", _day(0)),
    (r"\btonight\b", lambda _, today: today.part(today.offset(0), 18, 24)),
    (r"\btomorrow\b", _day(1)),
    (r"\byesterday\b", _day(-1)),
    (rf"\b(?:the |within the )?(?:next|coming|following|within) {_AMOUNT}", _run(1)),
    (rf"\b(?:the )?(?:last|past) {_AMOUNT}", _run(-1)),
    (rf"\bin {_AMOUNT}", _distance(1)),
    (rf"\b{_AMOUNT} ago\b", _distance(-1)),
    (rf"\b(?:the )?{_SHIFT} (?P<period>week|weekend|month|year)\b", _period),
    (r"\b(?:the )?weekend\b", lambda _, today: today.weekend()),
    (rf"\b{_MONTH} {_DAY},? {_YEAR}", _date),
    (rf"\b{_DAY}(?: of)? {_MONTH},? {_YEAR}", _date),
    (rf"\b{_MONTH} {_DAY}", _date_without_year),
    (rf"\b{_DAY}(?: of)? {_MONTH}", _date_without_year),
    (rf"\b{_MONTH},? {_YEAR}", _month),
    (rf"\b(?:in|during|all of) {_MONTH}(?!,? (?:19|20)\d\d\b)", _month_without_year),
    (rf"\b{_SHIFT} {_WEEKDAY}", _shifted_weekday),
    (rf"\bon {_WEEKDAY}", _weekday),
    (rf"\b{_FULL_WEEKDAY}", _weekday),
)
"""Patterns with their readings, the more exact ones first; matched without regard to case."""

PARTS: tuple[tuple[str, tuple[int, int]], ...] = (
    (r"(?: in the)? morning\b", (0, 12)),
    (r"(?: in the)? afternoon\b", (12, 18)),
    (r"(?: in the)? (?:evening|night)\b", (18, 24)),
)
"""What may follow a day, with the hours that it narrows the day to."""
