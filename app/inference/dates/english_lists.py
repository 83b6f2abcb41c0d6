"""Lists of times in English share what is said once: "next week Mon, Wed or Fri", "Monday 1-3 pm or 5-6 pm".

What follows within a list takes from what precedes it: a time of day its day, a weekday its week, a number its month.
(What precedes and takes from what follows, "the 4th and 5th of May", is in the productions.)
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from app.domain.readings import DateKind, Grain
from app.inference.dates import calendar
from app.inference.dates.english_words import WEEKDAYS
from app.inference.dates.moments import Found, Moment

_JOINT = re.compile(r"\s*(?:,|/|&|\band\b|\bor\b|,\s*and\b|,\s*or\b)\s*(?:on\s+|the\s+|either\s+)?")
_NUMBER = re.compile(
    r"\s*(?:,|&|\band\b|\bor\b|,\s*and\b|,\s*or\b)\s*(?:the\s+)?(?P<day>\d{1,2})"
    r"(?:(?:st|nd|rd|th)\b(?!\s+of\b)|\b(?=\s*(?:[,;!?)]|\.?$|and\b|or\b|&)))"
)
_MONTH_DAY = re.compile(r"[a-z]{3,9}\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?$")


def shared(found: list[Found], folded: str) -> list[Found]:
    """The expressions of a text, those in lists completed by what precedes them."""
    result: list[Found] = []
    for one in found:
        before = result[-1] if result else None
        if before is not None and _JOINT.fullmatch(folded, before.end, one.start):
            result.append(_completed(one, before, folded))
        else:
            result.append(one)
        result += _numbers(result[-1], folded, _next_start(found, one, folded))
    return result


def _next_start(found: list[Found], one: Found, folded: str) -> int:
    return min((other.start for other in found if other.start >= one.end), default=len(folded))


def _completed(one: Found, before: Found, folded: str) -> Found:
    days = [moment for moment in before.moments if moment.start is not None and not moment.is_time_only]
    if one.kind not in {DateKind.POINT, DateKind.RANGE} or not days:
        return one
    if one.moments and all(moment.is_time_only for moment in one.moments):
        best = days[0].start
        return one if best is None else replace(one, moments=tuple(_on_day(moment, best) for moment in one.moments))
    weekday = WEEKDAYS.get(re.split(r"[ .,]", folded[one.start : one.end], maxsplit=1)[0])
    return one if weekday is None else _in_sequence(one, days, weekday)


def _on_day(moment: Moment, day: datetime) -> Moment:
    """A time of day, on the day of another moment."""
    first = moment.start or moment.end
    if first is None:
        return moment
    step = calendar.midnight(day.date()) - calendar.midnight(first.date())
    return replace(
        moment,
        start=None if moment.start is None else moment.start + step,
        end=None if moment.end is None else moment.end + step,
        is_time_only=False,
    )


def _in_sequence(one: Found, days: list[Moment], weekday: int) -> Found:
    """The first such weekday after the one before it in the list, at the times that are said with it."""
    before = days[0].start
    if before is None or days[0].grain is Grain.WEEK:
        return one
    day = calendar.midnight(calendar.coming(before.date() + timedelta(days=1), weekday))
    coming = [moment for moment in one.moments if moment.side >= 0]
    return replace(one, moments=tuple(_on_day(moment, day) for moment in coming)) if coming else one


def _numbers(before: Found, folded: str, limit: int) -> list[Found]:
    """July 17th, 18th or 19th: the later ones have the month of the first."""
    made: list[Found] = []
    if _MONTH_DAY.search(folded, before.start, before.end) is None:
        return made
    end = before.end
    while match := _NUMBER.match(folded, end, limit):
        moments = tuple(_numbered(before.moments, int(match["day"])))
        if not moments:
            break
        made.append(Found(match.start("day"), match.end(), DateKind.POINT, moments))
        end = match.end()
    return made


def _numbered(moments: tuple[Moment, ...], number: int) -> list[Moment]:
    found = []
    for moment in moments:
        if moment.start is None or moment.grain is not Grain.DAY:
            return []
        try:
            day = moment.start.date().replace(day=number)
        except ValueError:
            return []
        found.append(replace(Moment.of(calendar.days(day)), score=moment.score, side=moment.side))
    return found
