"""The English grammar: `find` reads every expression of time in a piece of text (X9.3).

The longest expression that begins at a token is taken, and the search goes on behind it. An impossible one is
passed over as a whole. The tense of the sentence then says whether the past or the coming one of two is meant.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from app.inference.dates.english_context import Context, Expression
from app.inference.dates.english_expressions import grammar
from app.inference.dates.english_lists import shared
from app.inference.dates.english_sentence import is_plausible, tensed
from app.inference.dates.english_tokens import fold, lattice_of
from app.inference.dates.english_words import TELLING_WORDS
from app.inference.dates.moments import Found
from app.inference.dates.productions import Chart, Refused

if TYPE_CHECKING:
    from datetime import datetime

    from app.inference.dates.productions import Grammar, Lattice

_INNER = 4
_REACH = 9
"""Tokens: the longest way from the beginning of an expression to its first telling word."""
_VAGUE = frozenset({
    "HALFLETTER", "LETTERUNIT", "ZONE", "PLACEZONE", "CITYZONE", "SHIFT", "NUMBER", "SPELLED", "ORDINAL",
})  # fmt: skip
_TRIGGER = re.compile(r"\d|[a-z]")


def find(text: str, reference: datetime) -> list[Found]:
    """The expressions of a piece of text, none overlapping, with offsets into it.

    Args:
        reference: aware.
    """
    folded = fold(text)
    if _TRIGGER.search(folded) is None:
        return []
    lattice = lattice_of(folded)
    chart = Chart(_grammar(), lattice, Context.of(reference))
    found: list[Found] = []
    place = 0
    is_near = _near_telling(lattice)
    while place < len(lattice.words) and not chart.is_exhausted:
        if not is_near[place]:
            place += 1
            continue
        one, place = _best(chart, lattice, place, text)
        if one is not None:
            found.append(one)
    return [tensed(one, folded) for one in shared(found, folded)]


def _near_telling(lattice: Lattice) -> list[bool]:
    """For each token whether a word or figure of time follows soon: an expression cannot begin where none does."""
    near = [False] * len(lattice.words)
    left, last = 0, len(lattice.words) - 1
    for place in range(last, -1, -1):
        is_telling = lattice.words[place] in TELLING_WORDS or not _VAGUE.issuperset(lattice.edges[place])
        is_telling = is_telling or (
            "SPELLED" in lattice.edges[place] and "SPELLED" in lattice.edges[min(place + 1, last)]
        )
        left = _REACH if is_telling else left - 1
        near[place] = left > 0
    return near


def _best(chart: Chart, lattice: Lattice, place: int, text: str) -> tuple[Found | None, int]:
    """The longest plausible expression at a token, or a longer one that begins inside it; and where to go on."""
    found, behind = _at(chart, lattice, place, text)
    if found is None:
        return found, behind
    for inner in range(place + 1, min(behind, place + _INNER)):
        if not lattice.words[inner - 1].isalpha():
            break  # only words such as "for the" stand before a longer one
        other, other_behind = _at(chart, lattice, inner, text)
        if other is not None and other_behind > behind and other_behind - inner >= behind - place:
            return other, other_behind
    return found, behind


def _at(chart: Chart, lattice: Lattice, place: int, text: str) -> tuple[Found | None, int]:
    """The longest plausible expression at a token, and where to go on."""
    for behind, value in chart.at("expr", place):
        start, end = lattice.starts[place], lattice.ends[behind - 1]
        if isinstance(value, Refused):
            return None, behind
        if isinstance(value, Expression) and is_plausible(text, start, end, lattice.words[place:behind]):
            return Found(start, end, value.kind, value.times, value.is_deadline, value.duration, value.rrule), behind
    return None, place + 1


@functools.cache
def _grammar() -> Grammar:
    return grammar()
