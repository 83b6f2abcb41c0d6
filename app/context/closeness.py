"""How much of a question one sentence of a passage says.

A passage of ten sentences can hold every word of a question and answer nothing, each word standing elsewhere. Words are
compared by their stems as beginnings, which is rougher than the index and a hundred times faster than analysing texts.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HEAVIEST_TERMS = 10
"""No sentence says all of a long text: a question is measured by its heaviest terms, as in `store.lexical`."""

_BORDER = re.compile(r"[。！？；!?;\n]+|\.\s")
_GAP = re.compile(r"[\W_]+")
# plain English needs no pattern, which is twenty times faster
_ASCII_SIGNS = {code: "\n" if chr(code) in "!?;\n" else " " for code in range(128) if not chr(code).isalnum()}


class Closeness:
    """Measures sentences and passages against one question.

    Args:
        weights: what each term of the question counts (`store.lexical.WordHits.weights`).
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        heaviest = sorted(weights.items(), key=lambda pair: -pair[1])[:HEAVIEST_TERMS]
        self._total = sum(weight for _, weight in heaviest)
        self._needles = [(_needle(term), weight) for term, weight in heaviest]

    def of_passage(self, text: str) -> float:
        """The greatest share of the question's information that one sentence holds, 0..1."""
        if self._total <= 0:
            return 0.0
        folded = _folded(text)
        present = [(needle, weight) for needle, weight in self._needles if needle.strip().partition(" ")[0] in folded]
        if not present:
            return 0.0
        return max(_sum(present, words) for words in _sentences(folded)) / self._total

    def of_sentence(self, text: str) -> float:
        """The share of the question's information that a sentence holds, 0..1."""
        words = " " + _GAP.sub(" ", _folded(text))
        return _sum(self._needles, words) / self._total if self._total > 0 else 0.0


def _sum(needles: Sequence[tuple[str, float]], words: str) -> float:
    total = 0.0
    for needle, weight in needles:
        if needle in words:
            total += weight
    return total


def _sentences(folded: str) -> list[str]:
    """Each sentence as its words with single spaces before and between them."""
    if folded.isascii():
        lines = folded.replace("\t", " ").replace(". ", "\n").translate(_ASCII_SIGNS).split("\n")
        return [" " + " ".join(line.split()) for line in lines]
    return [" " + _GAP.sub(" ", part) for part in _BORDER.split(folded)]


def _needle(term: str) -> str:
    """A stem begins a word; Chinese has no words to begin."""
    return f" {_GAP.sub(' ', term)}" if term.isascii() else term


def _folded(text: str) -> str:
    return text.casefold() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
