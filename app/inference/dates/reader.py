"""Read the dates and times of a text: the one door to both grammars (G2.4, X9.3).

`read_dates` finds every expression of time and says what it means, seen from a reference. An expression that may mean
two things has two candidates; an impossible date is no reading, rather than another date. No models, no I/O.
"""

from __future__ import annotations

import re
from bisect import bisect
from typing import TYPE_CHECKING

from app.inference.dates import windows
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from app.domain.readings import DateReading
    from app.inference.dates.moments import Found

    Grammar = Callable[[str, datetime], list[Found]]

MOST_SECONDS = 1.2
"""Of work: a text that takes more is no prose, and what was found until then is the result. Whoever has a long text
brings it in passages."""
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_DAY_AND_MONTH = re.compile(
    r"(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s{1,2}\d{1,2}(?:st|nd|rd|th)?"
    r"|\d{1,2}(?:st|nd|rd|th)?\s{1,2}(?:of\s)?(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6})$",
    re.IGNORECASE,
)
_NO_YEAR = re.compile(r",?\s{1,2}(?:[3-9]\d{3}|\d{5,6})(?!\d|[:.,]\d)")
_LONGEST_TAIL = 24


def read_dates(text: str, reference: datetime, language: str | None = None) -> list[DateReading]:
    """The expressions of time in a text, in their order, none overlapping.

    Args:
        reference: aware; the time from which "tomorrow" is counted, in the zone of the results.
        language: "en" or "zh" runs that grammar alone; without it the text's letters decide.

    Raises:
        ValueError: the reference has no offset.
    """
    zone = reference.tzinfo
    if zone is None or reference.utcoffset() is None:
        raise ValueError("a reference needs an offset")
    return [one.reading(zone) for one in find_dates(text, reference, language)]


def find_dates(text: str, reference: datetime, language: str | None = None) -> list[Found]:
    """The same as `read_dates`, in wall-clock time: what is said in another zone stays in that one."""
    found: list[Found] = []
    last_s = clock.worked_s() + MOST_SECONDS
    for offset, piece in windows.of(text):
        if clock.worked_s() > last_s:
            break
        for grammar in _grammars(piece, language):
            found += [windows.moved(one, offset) for one in grammar(piece, reference)]
    return [one for one in _apart(found) if not _has_other_year(text, one)]


def _has_other_year(text: str, one: Found) -> bool:
    """Whether a year follows that no grammar reads: "31 December 9999" is not the next 31 December."""
    tail = text[max(one.start, one.end - _LONGEST_TAIL) : one.end]
    return _NO_YEAR.match(text, one.end) is not None and _DAY_AND_MONTH.search(tail) is not None


def _grammars(text: str, language: str | None) -> list[Grammar]:
    """The grammars whose script the text has; digits alone are read as English."""
    has_han, has_latin = _HAN.search(text) is not None, _LATIN.search(text) is not None
    chosen: list[Grammar] = []
    if language != "en" and (has_han or language == "zh"):
        from app.inference.dates.chinese import find as find_chinese  # noqa: PLC0415 - a grammar compiles when used

        chosen.append(find_chinese)
    if language != "zh" and (has_latin or not has_han):
        from app.inference.dates.english import find as find_english  # noqa: PLC0415

        chosen.append(find_english)
    return chosen


def _apart(found: list[Found]) -> list[Found]:
    """Where expressions overlap, the longer one; the text's order."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.start)):
        at = bisect(kept, one.start, key=lambda other: other.start)
        if (at == 0 or kept[at - 1].end <= one.start) and (at == len(kept) or one.end <= kept[at].start):
            kept.insert(at, one)
    return kept
