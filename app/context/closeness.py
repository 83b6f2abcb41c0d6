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
_GAP_IN_A_LINE = re.compile(r"[^\w\n]+")
# Replacing a sign is a hundred times quicker than a pattern, or than a normal form; these are most of a Chinese text's.
_ENDS = "。！？；!?;"
_WIDE = {"，": ",", "：": ":", "！": "!", "？": "?", "；": ";", "（": "(", "）": ")"}
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
        self._beginnings = [needle.strip().partition(" ")[0] for needle, _ in self._needles]
        self._of_passages: dict[str, float] = {}

    def of_passage(self, text: str) -> float:
        """The greatest share of the question's information that one sentence holds, 0..1; measured once for a text."""
        known = self._of_passages.get(text)
        if known is None:
            known = self._of_passages[text] = self._measured(text)
        return known

    def of_sentence(self, text: str) -> float:
        """The share of the question's information that a sentence holds, 0..1."""
        words = " " + _GAP.sub(" ", _folded(text))
        return _sum(self._needles, words) / self._total if self._total > 0 else 0.0

    def _measured(self, text: str) -> float:
        if self._total <= 0:
            return 0.0
        folded = _folded(text)
        present = [pair for pair, begin in zip(self._needles, self._beginnings, strict=True) if begin in folded]
        if not present:
            return 0.0
        has_words = any(needle.isascii() for needle, _ in present)
        return max(_sum(present, words) for words in _sentences(folded, has_words=has_words)) / self._total


def _sum(needles: Sequence[tuple[str, float]], words: str) -> float:
    total = 0.0
    for needle, weight in needles:
        if needle in words:
            total += weight
    return total


def _sentences(folded: str, *, has_words: bool) -> list[str]:
    """Each sentence as its words with single spaces before and between them.

    Args:
        has_words: whether words are looked for, which begin behind a space; else the text between is left as it is.
    """
    if folded.isascii():
        lines = folded.replace("\t", " ").replace(". ", "\n").translate(_ASCII_SIGNS)
        while "  " in lines:
            lines = lines.replace("  ", " ")
    else:
        lines = folded
        for sign in _ENDS:
            lines = lines.replace(sign, "\n")
        if "." in lines:
            lines = _BORDER.sub("\n", lines)
        if has_words:
            lines = _GAP_IN_A_LINE.sub(" ", lines.replace("_", " "))
    return f" {lines}".replace("\n", "\n ").split("\n")


def _needle(term: str) -> str:
    """A stem begins a word; Chinese has no words to begin."""
    return f" {_GAP.sub(' ', term)}" if term.isascii() else term


def _folded(text: str) -> str:
    if not text.isascii():
        for wide, narrow in _WIDE.items():
            text = text.replace(wide, narrow)
        if not unicodedata.is_normalized("NFKC", text):
            text = unicodedata.normalize("NFKC", text)
    return text.casefold()
