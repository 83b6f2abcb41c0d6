"""Where sentences end, in English and Chinese (X9.3). Every character belongs to exactly one sentence."""

from __future__ import annotations

import re

# Closers (quotes, brackets) stay with the sentence that they end.
_CLOSERS = "\"'”’」』）)]】》"
_BORDER = re.compile(
    rf"(?<=[。！？；…])[{re.escape(_CLOSERS)}]*\s*"  # stops that need no blank after them
    rf"|(?<=[.!?;])[{re.escape(_CLOSERS)}]*\s+"  # Western ones that do else they are part of a word: a?b=c
    rf"|(?<=[!?;])[{re.escape(_CLOSERS)}]*(?=[一-鿿])"
    r"|\n\s*"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|inc|ltd|no|fig|approx|dept|jr|sr)|\b[A-Za-z])\.$", re.IGNORECASE
)
_LONGEST_WORD = 12
_STOP_INSIDE = frozenset("。！？；…!?.;")


def split_sentences(text: str) -> list[str]:
    """Cut a text into sentences, their trailing blanks included: joined again they are the text.

    A run of stops ("?!", "……") ends one sentence; an abbreviation or an initial ends none.
    """
    sentences: list[str] = []
    start = 0
    for match in _BORDER.finditer(text):
        end = match.end()
        if end <= start or end == len(text) or _is_inside(text, start, match):
            continue
        sentences.append(text[start:end])
        start = end
    if start < len(text):
        sentences.append(text[start:])
    return sentences


def _is_inside(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a possible border is none: within a run of stops, after an abbreviation, or before a blank start."""
    # The last word is enough to know: a text of abbreviations alone ends no sentence, and would be copied at each
    before = text[max(start, match.start() - _LONGEST_WORD) : match.start()]
    if not before.strip() and not text[start : match.start()].strip():
        return True
    if text[match.end()] in _STOP_INSIDE:
        return True
    is_line_end = "\n" in match.group()
    return before.endswith(".") and not is_line_end and _ABBREVIATION.search(before) is not None
