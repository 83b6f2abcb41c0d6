"""Takes a sentence of several wishes apart: "add milk to my list and remind me at five", 先查日程，再给小王发邮件.

A word like "and" joins wishes far less often than it joins things ("milk and eggs"), so a sentence is cut only where
the second half begins the way wishes begin in the routing table, and where both halves are read as intents of their
own. What is not cut is read as one wish; nothing is lost by that but convenience.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

LONGEST = 400
"""Characters; a longer text is a pasted one, and is not cut."""
MOST_PARTS = 4
_MOST_CUTS = 12
_FEWEST_CHARACTERS = 2
_OFTEN = 2
# The longer ones first. In group "strong" what orders or adds; all else may join things as well as wishes.
_JOINT = re.compile(
    r"(?:\s*[,;.!?]\s*|\s+)(?P<strong_en>and then|then|and also|also|and afterwards|afterwards|after that)\s+"
    r"|\s*[，,；;。！!？?]?\s*(?P<strong_zh>然后再|然后|接着|并且|另外|顺便|还有|同时|之后再)\s*"
    r"|\s*[，,；;。！!？?]\s*(?P<again>再)\s*"
    r"|(?:\s*,\s*|\s+)(?:and|plus)\s+"
    r"|(?P<stop>\s*[;；。！？]\s*|\s*[.!?]\s+)"
    r"|\s*[，,]\s*",
    re.IGNORECASE,
)
_FIRST = re.compile(r"^\s*(?:please\s+)?(?:first(?:ly)?\s*,?\s+|首先|先)", re.IGNORECASE)
_ORDERED = re.compile(r"先.{1,60}?再", re.DOTALL)
_POLITE = re.compile(
    r"^(?:(?:hey|hi|ok|okay|olly|famulus|please|pls|kindly|can you|could you|would you|will you|i want to|i'd like to)"
    r"[\s,]+|you\s+|麻烦你?|请你?|帮我|帮忙|给我|替我|你|我要|我想|也|就|再|[\s,，])",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z']+|\d+", re.IGNORECASE)
_HAN = re.compile("[\u3400-\u9fff]")
_BRINGS_IN = frozenset("把给跟向")
_POLITE_WORDS = 4
# Such a word begins a thing as readily as a wish.
_NO_VERBS = frozenset(
    {"the", "a", "an", "my", "our", "i", "it", "in", "at", "on", "to", "for", "that", "this", "we", "with"}
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text; `is_strong`: whether the joint before it orders or adds."""

    start: int
    end: int
    is_strong: bool = True

    def of(self, text: str) -> str:
        """The characters themselves."""
        return text[self.start : self.end]


class Openings:
    """How wishes begin: the first words of a table's examples."""

    def __init__(self, examples: Iterable[str]) -> None:
        counts = Counter(_opening(text) for text in examples)
        self._known = frozenset(word for word, count in counts.items() if count >= _OFTEN and word) - _NO_VERBS

    def begins(self, text: str) -> bool:
        """Whether a text begins like a wish."""
        return _opening(text) in self._known


def split(text: str, openings: Openings, fits: Callable[[Stretch, Stretch], bool]) -> list[Stretch]:
    """The wishes of a text, in order; one stretch for a text that is one wish.

    Args:
        text: of any length.
        openings: how wishes begin.
        fits: whether two neighbouring stretches are wishes of their own.
    """
    whole = Stretch(*_trimmed(text, 0, len(text)))
    if len(text) > LONGEST:
        return [whole]
    parts: list[Stretch] = []
    current: Stretch | None = None
    for piece in _pieces(text, openings):
        if current is None:
            current = piece
        elif len(parts) < MOST_PARTS - 1 and fits(current, piece):
            parts.append(current)
            current = piece
        else:
            current = Stretch(current.start, piece.end, current.is_strong)
    if current is None or not parts:
        return [whole]
    return [*parts, current]


def _pieces(text: str, openings: Openings) -> list[Stretch]:
    """The text between the joints behind which something begins like a wish."""
    pieces: list[Stretch] = []
    start, is_strong = _after_first(text), True
    for joint in _joints(text)[:_MOST_CUTS]:
        if joint.start() <= start or not openings.begins(text[joint.end() :]):
            continue
        left = _trimmed(text, start, joint.start())
        if left[1] - left[0] >= _FEWEST_CHARACTERS:
            pieces.append(Stretch(*left, is_strong))
            start = joint.end()
            is_strong = any(joint[name] for name in ("strong_en", "strong_zh", "again", "stop"))
    left = _trimmed(text, start, len(text))
    if left[1] > left[0]:
        pieces.append(Stretch(*left, is_strong))
    return pieces


def _joints(text: str) -> Sequence[re.Match[str]]:
    """Where a text may be cut; 先 … 再 … needs no comma between."""
    found = list(_JOINT.finditer(text))
    ordered = _ORDERED.search(text)
    if ordered is not None:
        again = re.compile("(?P<strong_en>)(?P<strong_zh>)(?P<stop>)(?P<again>再)").match(text, ordered.end() - 1)
        if again is not None and all(joint.end() != again.end() for joint in found):
            found.append(again)
            found.sort(key=lambda joint: joint.start())
    return found


def _after_first(text: str) -> int:
    """Behind a leading "first" or 先, which belongs to the order and not to the wish."""
    match = _FIRST.match(text)
    return match.end() if match else 0


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _opening(text: str) -> str:
    """The first word behind what is polite; of Chinese the first two characters, or one that brings in a name."""
    text = text[:80].lstrip()
    for _ in range(_POLITE_WORDS):
        match = _POLITE.match(text)
        if match is None:
            break
        text = text[match.end() :].lstrip()
    if _HAN.match(text):
        return text[0] if text[0] in _BRINGS_IN else text[:2]
    word = _WORD.match(text)
    return word.group().casefold() if word else ""
