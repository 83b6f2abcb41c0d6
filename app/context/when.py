"""When: "tomorrow", "next week", "14 May", "5月14日", "下周三" as spans of time, in the person's zone (G3.2).

A first honest set: what is not understood is refused, with examples, and never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from app.context import when_chinese, when_english
from app.context.spans import Span, Today
from app.domain.errors import BadInput
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    Reading = Callable[[re.Match[str], Today], Span]

_FILLERS = re.compile(
    r"^(?:(?:on|for|in|at|during|of|from|the|my|agenda|在|我|的|从)\s*)+|(?:的?(?:日程|安排|行程|计划)|[\s,.?!，。？！])+$",
    re.IGNORECASE,
)
_CONNECTOR = re.compile(r"\s*(?:\bto\b|\buntil\b|\btill\b|\bthrough\b|\band\b|到|至|~|–|—| - )\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A span, and where in a text it is named."""

    span: Span
    start: int
    end: int


def _numeric_date(match: re.Match[str], today: Today) -> Span:
    return today.days(date(int(match["year"]), int(match["month"]), int(match["day"])))


def _numeric_month(match: re.Match[str], today: Today) -> Span:
    return today.month_of(int(match["year"]), int(match["month"]))


def _unambiguous(match: re.Match[str], today: Today) -> Span:
    """5/14 can only be the 14th of May, and 14/5 too; 5/6 is refused."""
    first, second = int(match["first"]), int(match["second"])
    if (first > 12) == (second > 12) and first != second:  # noqa: PLR2004 - months
        raise ValueError("month and day cannot be told apart")
    return today.nearest(min(first, second), max(first, second))


_NUMERIC: tuple[tuple[str, Reading], ...] = (
    (r"(?<![\d-])(?P<year>(?:19|20)\d\d)([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)", _numeric_date),
    (r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)\d\d)(?!\d)", _numeric_date),
    (r"(?<![\d-])(?P<year>(?:19|20)\d\d)[-/](?P<month>\d{1,2})(?![\d/-])", _numeric_month),
    (r"(?<![\d/])(?P<first>\d{1,2})/(?P<second>\d{1,2})(?![\d/])", _unambiguous),
)
_RULES: tuple[tuple[re.Pattern[str], Reading], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reading)
    for pattern, reading in (*_NUMERIC, *when_english.RULES, *when_chinese.RULES)
)
_PARTS = tuple(
    (re.compile(pattern, re.IGNORECASE), hours) for pattern, hours in (*when_english.PARTS, *when_chinese.PARTS)
)


def read_when(text: str, now: datetime) -> Span:
    """Read a whole text as a span.

    Args:
        now: aware; its zone is the zone of the span.

    Raises:
        BadInput: it says something that is not understood; the message has examples.
    """
    today = Today.of(now)
    trimmed = _FILLERS.sub("", text.strip()) or text.strip()
    candidates = (trimmed, f"in {trimmed}", f"on {trimmed}")
    found = next((span for words in candidates if (span := _whole(words, today))), None) or _range(trimmed, today)
    if found is None:
        raise BadInput(
            msg("Famulus does not understand which time “{text}” means.", text=text.strip()),
            next_step=msg(
                "Say it like one of these: today, tomorrow, Friday, next week, 14 May, 2025-05-14, 下周三, 5月14日."
            ),
        )
    return found


def find_when(text: str, now: datetime) -> Found | None:
    """The first time that a text names, or None."""
    today = Today.of(now)
    candidates = [found for pattern, reading in _RULES if (found := _search(pattern, reading, text, today)) is not None]
    if not candidates:
        return None
    # the earliest; of those that begin together the longest, of equally long ones that of the earlier rule
    return min(candidates, key=lambda found: (found.start, -found.end))


def _search(pattern: re.Pattern[str], reading: Reading, text: str, today: Today) -> Found | None:
    for match in pattern.finditer(text):
        try:
            span = reading(match, today)
        except (ValueError, OverflowError):
            continue  # 31 February, or a number that is none
        return _narrowed(Found(span, match.start(), match.end()), text, today)
    return None


def _narrowed(found: Found, text: str, today: Today) -> Found:
    """Take a part of the day in: "tomorrow morning", 明天下午."""
    if not found.span.is_one_day:
        return found
    for pattern, (first_hour, end_hour) in _PARTS:
        match = pattern.match(text, found.end)
        if match is not None:
            return Found(today.part(found.span, first_hour, end_hour), found.start, match.end())
    return found


def _whole(text: str, today: Today) -> Span | None:
    """The reading of a text that is nothing but one expression."""
    for pattern, reading in _RULES:
        found = _search(pattern, reading, text, today)
        if found is not None and found.start == 0 and found.end == len(text):
            return found.span
    return None


def _range(text: str, today: Today) -> Span | None:
    """Like "Monday to Friday", 5月1日到5月5日: from the start of the first to the end of the second."""
    for match in _CONNECTOR.finditer(text):
        first, second = _whole(text[: match.start()], today), _whole(text[match.end() :], today)
        if first is not None and second is not None and first.start < second.end:
            return Span(first.start, second.end)
    return None
