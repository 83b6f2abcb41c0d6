"""Long and hostile texts in pieces that a grammar can read in bounded time.

A text beyond `MOST_CHARACTERS` is read up to there: whoever has more brings it in passages.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.inference.dates.moments import Found

MOST_CHARACTERS = 40_000
WINDOW_CHARACTERS = 1_000
_SPACE = re.compile(r"[\s,，、]")
_BREAK = re.compile(r"[\n。！？!?；;]|\. ")


def of(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of at most `WINDOW_CHARACTERS`, each with its offset, cut between lines or sentences if there are any."""
    start, last = 0, min(len(text), MOST_CHARACTERS)
    while start < last:
        end = min(start + WINDOW_CHARACTERS, last)
        if end < last:
            end = _cut(text, start + WINDOW_CHARACTERS // 2, end)
        yield start, text[start:end]
        start = end


def _cut(text: str, first: int, end: int) -> int:
    """Behind the last sentence or line between two places, else behind the last space, else at the second."""
    for pattern in (_BREAK, _SPACE):
        breaks = [match.end() for match in pattern.finditer(text, first, end)]
        if breaks:
            return breaks[-1]
    return end


def moved(found: Found, offset: int) -> Found:
    """An expression of a piece, at its place in the whole."""
    return replace(found, start=found.start + offset, end=found.end + offset)
