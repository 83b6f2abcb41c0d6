"""When: "tomorrow", "next week", "14 May", "5月14日", "下周三" as spans of time, in the person's zone (G3.2).

The grammars of `app.inference.dates` read; here their candidates become the one span that a search or an agenda needs.
What is not understood is refused, with examples, and never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from app.context.spans import Span
from app.domain.errors import BadInput
from app.domain.readings import DateKind, Grain
from app.domain.text import msg
from app.inference.dates.reader import read_dates
from app.runtime import clock

if TYPE_CHECKING:
    from app.domain.readings import Candidate, DateReading

_FILLERS = re.compile(
    r"^(?:(?:on|for|in|at|during|of|the|my|agenda|在|我|的)\s*)+|(?:的?(?:日程|安排|行程|计划)|[\s,.?!，。？！])+$",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_SHOWN = 200, 80
_FIGURES = re.compile(r"\d{1,2}[/.-]\d{1,2}")
_MORNING_HOUR, _NOON, _EVENING_HOUR = 9, 12, 17
_POINTS = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR})
_FAR = timedelta(days=366)
_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Found:
    """A span, and where in a text it is named."""

    span: Span
    start: int
    end: int


def read_when(text: str, now: datetime) -> Span:
    """Read a whole text as a span.

    Args:
        now: aware; its zone is the zone of the span.

    Raises:
        BadInput: it says something that is not understood; the message has examples.
    """
    text = text.strip()
    trimmed = _FILLERS.sub("", text[:_LONGEST]) or text
    for words in (text, trimmed, f"in {trimmed}", f"on {trimmed}") if len(text) <= _LONGEST else ():
        whole = [one for one in _read(words, now) if (one.start, one.end) == (0, len(words))]
        span = _span(whole[0], words, now) if whole else None
        if span is not None:
            return span
    raise BadInput(
        msg("Famulus does not understand which time “{text}” means.", text=_shown(text)),
        next_step=msg(
            "Say it like one of these: today, tomorrow, Friday, next week, 14 May, 2025-05-14, 下周三, 5月14日."
        ),
    )


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def find_when(text: str, now: datetime) -> Found | None:
    """The first day or longer time that a text names, or None; "now" and "at 5" name no day."""
    for reading in _read(text, now):
        best = reading.candidates[0]
        if best.is_time_only or best.grain is Grain.SECOND:
            continue
        span = _span(reading, text, now)
        if span is not None:
            return Found(span, reading.start, reading.end)
    return None


def _read(text: str, now: datetime) -> list[DateReading]:
    readings = read_dates(text, now)
    return [one for one in readings if one.candidates and one.kind in {DateKind.POINT, DateKind.RANGE}]


def _span(reading: DateReading, text: str, now: datetime) -> Span | None:
    """The span that is meant; None where two days are as likely (5/6), or where the calendar begins or ends."""
    if not reading.is_certain and _FIGURES.search(text, reading.start, reading.end):
        orders = {(one.start.month, one.start.day) for one in reading.candidates if one.start is not None}
        if len(orders) > 1:
            return None
    try:
        span = _whole(_chosen(reading, now), now, is_deadline=reading.is_deadline)
    except OverflowError:
        return None
    return span if span.start < span.end and clock.is_reckonable(span.start) and clock.is_reckonable(span.end) else None


def _chosen(reading: DateReading, now: datetime) -> Candidate:
    """The likeliest; of the next so many days those that begin now, since an agenda begins with today.

    Of two that are about as likely and begin together the shorter: 两周后 is a day rather than a week. What is some
    years back is remembered by its year.
    """
    best = reading.candidates[0]
    together = [one for one in reading.candidates if one.start == best.start and one.score >= best.score / 2]
    best = min(together, key=lambda one: one.end - one.start if one.end and one.start else _FAR)
    if best.end is not None and best.end <= now and not reading.is_certain:
        return next((one for one in reading.candidates if one.grain is Grain.YEAR and _holds(one, best)), best)
    if best.start is not None and best.start == _midnight(now + _ONE_DAY) and best.grain not in _POINTS:
        return next((one for one in reading.candidates if _begins_now(one, now)), best)
    return best


def _holds(longer: Candidate, other: Candidate) -> bool:
    if longer.start is None or longer.end is None or other.start is None or other.end is None:
        return False
    return longer.start <= other.start and other.end <= longer.end


def _begins_now(candidate: Candidate, now: datetime) -> bool:
    is_now = candidate.start is not None and abs(candidate.start - now) < timedelta(seconds=1)
    return is_now and candidate.end is not None


def _whole(candidate: Candidate, now: datetime, *, is_deadline: bool) -> Span:
    """A candidate with both of its ends: a point lasts an hour, what is open reaches a year, days are whole."""
    start, end = candidate.start, candidate.end
    if start is None and end is not None:
        start = now if end > now else end - _FAR
    elif end is None and start is not None:
        end = start + timedelta(hours=1) if candidate.grain in _POINTS else max(now, start + _FAR)
    if start is None or end is None:
        raise OverflowError("open at both ends")
    if candidate.grain is Grain.PART_OF_DAY:
        return _part(start, end)
    if candidate.grain not in _POINTS and _begins_now(candidate, now) and not is_deadline:
        return Span(_midnight(start), _midnight(start + _ONE_DAY * max(1, (end - start).days)))
    return Span(start, end)


def _part(start: datetime, end: datetime) -> Span:
    """A part of a day: a morning begins with the day, an evening ends with it, so that nothing is missed."""
    if start.hour < _MORNING_HOUR and end.hour <= _NOON and end.date() == start.date():
        start = _midnight(start)
    elif start.hour >= _EVENING_HOUR:
        end = max(end, _midnight(start + _ONE_DAY))
    return Span(start, end)


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time.min, moment.tzinfo)
