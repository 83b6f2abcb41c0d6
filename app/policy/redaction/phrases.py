"""Many words and phrases looked for at once: found by the word they begin with, the longest first (L5.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Label = TypeVar("Label")

_LETTERS = "A-Za-z\u00c0-\u024f\u1e00-\u1eff"
_WORD_START = re.compile(f"(?<![{_LETTERS}0-9_])[{_LETTERS}][{_LETTERS}0-9]*")


class Phrases(Generic[Label]):
    """Phrases in lower case, each with a label."""

    def __init__(self, entries: Iterable[tuple[str, Label]]) -> None:
        self._by_first: dict[str, list[tuple[str, Label]]] = {}
        for phrase, label in entries:
            first = _WORD_START.match(phrase)
            if first is not None:
                self._by_first.setdefault(first[0], []).append((phrase, label))
        for candidates in self._by_first.values():
            candidates.sort(key=lambda one: -len(one[0]))

    def find(self, lowered: str) -> Iterator[tuple[int, int, Label]]:
        """Where the phrases stand as whole words in a text in lower case."""
        for found in _WORD_START.finditer(lowered):
            for phrase, label in self._by_first.get(found[0], ()):
                end = found.start() + len(phrase)
                if lowered.startswith(phrase, found.start()) and not _goes_on(lowered, end):
                    yield found.start(), end, label
                    break


def lower(text: str) -> str:
    """Lower case of the same length: a few letters grow when they are lowered, and stay."""
    if text.isascii():
        return text.lower()
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(character.lower() if len(character.lower()) == 1 else character for character in text)


def _goes_on(text: str, end: int) -> bool:
    return end < len(text) and (text[end].isalnum() or text[end] == "_") and not "\u4e00" <= text[end] <= "\u9fff"
