"""The words that carry a text (A5.3), in English and Chinese, by statistics of the text alone.

After the idea of YAKE (Campos et al., 2020): a term is the better the more often it stands in different sentences, the
earlier it comes, and the more it looks like a name; stop words, and what touches them too often, are no terms. English
terms are runs of up to three words between stop words. Chinese ones are runs of two to six characters between function
words that end where tokens of the embedding model end; without it, runs that recur as a whole. No model of its own; a
few milliseconds a page.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Ends = Callable[[str], Sequence[int]]

LONGEST_READ = 20_000
"""Characters; of a longer text only the beginning is read."""
_MOST_WORDS = 3
_CHINESE_SIZES = range(2, 7)
_SENTENCE = re.compile(r"[^.!?。！？；;\n]{1,2000}")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9'’_-]{0,60}|\d{1,20}")
_HAN_RUN = re.compile("[\u3400-\u9fff]{1,200}")
_SHORTEST_WORD = 3


@dataclass(slots=True)
class _Term:
    """What is known of a candidate."""

    shown: Counter[str] = field(default_factory=Counter)
    count: int = 0
    sentences: set[int] = field(default_factory=set)
    first: int = 0
    capitals: int = 0


@dataclass(frozen=True, slots=True)
class Keyword:
    """A term as it stands in the text, and how much it says: 1 for the best of a text, falling."""

    text: str
    score: float


def keywords(text: str, limit: int = 8, *, ends: Ends | None = None) -> list[Keyword]:
    """The best terms of a text, none of which is a part of another one; none for a text without words.

    Args:
        text: of any length.
        limit: how many terms at most.
        ends: where the tokens of a Chinese stretch end (`app.inference.tokens.TokenCounter.ends`).
    """
    sentences = [match.group() for match in _SENTENCE.finditer(text[:LONGEST_READ])]
    terms = _terms(sentences, ends)
    if not terms:
        return []
    weights = {key: _weight(key, term, len(sentences)) for key, term in terms.items()}
    chosen: list[str] = []
    for key in sorted(weights, key=lambda key: (-weights[key], terms[key].first, key)):
        if weights[key] > 0 and not any(_overlap(key, other) for other in chosen):
            chosen.append(key)
        if len(chosen) == limit:
            break
    best = weights[chosen[0]] if chosen else 1.0
    return [Keyword(terms[key].shown.most_common(1)[0][0], round(weights[key] / best, 4)) for key in chosen]


def _terms(sentences: list[str], ends: Ends | None) -> dict[str, _Term]:
    terms: dict[str, _Term] = defaultdict(_Term)
    place = 0
    for number, sentence in enumerate(sentences):
        for shown in (*_latin(sentence), *_chinese(sentence, ends)):
            place += 1
            term = terms[shown.casefold()]
            if not term.count:
                term.first = place
            term.shown[shown] += 1
            term.count += 1
            term.sentences.add(number)
            term.capitals += shown[0].isupper()
    return _without_fragments(dict(terms))


def _latin(sentence: str) -> Iterator[str]:
    """Runs of one to three words without a stop word among them."""
    stops = _stops().latin
    run: list[str] = []
    end = 0
    for match in _LATIN.finditer(sentence):
        word = match.group()
        if run and sentence[end : match.start()].strip(" "):
            yield from _runs(run)
            run = []
        end = match.end()
        if word.casefold().replace("’", "'") in stops or len(word) < _SHORTEST_WORD or word.isdigit():
            yield from _runs(run)
            run = []
        else:
            run.append(word)
    yield from _runs(run)


def _runs(words: list[str]) -> Iterator[str]:
    for size in range(1, min(_MOST_WORDS, len(words)) + 1):
        for start in range(len(words) - size + 1):
            yield " ".join(words[start : start + size])


def _chinese(sentence: str, ends: Ends | None) -> Iterator[str]:
    """Runs of two to six characters that no function word divides."""
    for match in _HAN_RUN.finditer(sentence):
        borders = set(ends(match.group())) | {0} if ends is not None else None
        start = 0
        for stop in (*_stops().chinese.finditer(match.group()), None):
            end = stop.start() if stop is not None else len(match.group())
            yield from _han_runs(match.group(), start, end, borders)
            start = stop.end() if stop is not None else end


def _han_runs(text: str, start: int, end: int, borders: set[int] | None) -> Iterator[str]:
    for first in range(start, end):
        if borders is not None and first not in borders and first != start:
            continue
        for last in range(first + _CHINESE_SIZES[0], min(end, first + _CHINESE_SIZES[-1]) + 1):
            if borders is None or last in borders or last == end:
                yield text[first:last]


def _without_fragments(terms: dict[str, _Term]) -> dict[str, _Term]:
    """A run that mostly stands within one longer run is a fragment of it."""
    fragments: set[str] = set()
    for key, term in terms.items():
        for inner in _inner(key):
            found = terms.get(inner)
            if found is not None and found.count <= term.count * 1.34:
                fragments.add(inner)
    whole = {key: term for key, term in terms.items() if key not in fragments}
    return {key: term for key, term in whole.items() if not _is_loose(key, term)}


def _is_loose(key: str, term: _Term) -> bool:
    """A long Chinese run that stands once only is rather a clause than a term."""
    return _is_chinese(key) and len(key) > _CHINESE_SIZES[2] and term.count == 1


def _inner(key: str) -> Iterable[str]:
    if _is_chinese(key):
        return (key[:-1], key[1:])
    words = key.split(" ")
    return (" ".join(words[:-1]), " ".join(words[1:])) if len(words) > 1 else ()


def _weight(key: str, term: _Term, sentences: int) -> float:
    spread = 1.0 + len(term.sentences) / max(1, sentences)
    early = 1.0 + 1.0 / math.log2(2 + term.first)
    name = 1.0 + 0.5 * term.capitals / term.count
    parts = min(3.0, len(key) / 2) if _is_chinese(key) else float(key.count(" ") + 1)
    return math.log2(1 + term.count) * spread * early * name * (0.7 + 0.3 * parts)


def _overlap(key: str, other: str) -> bool:
    if _is_chinese(key) != _is_chinese(other):
        return False
    if _is_chinese(key):
        return key in other or other in key or bool({key[:2], key[-2:]} & {other[:2], other[-2:]})
    return f" {key} " in f" {other} " or f" {other} " in f" {key} "


def _is_chinese(key: str) -> bool:
    return "\u3400" <= key[0] <= "\u9fff"


@dataclass(frozen=True, slots=True)
class _Stops:
    latin: frozenset[str]
    chinese: re.Pattern[str]


@functools.cache
def _stops() -> _Stops:
    table = resource_table("rules", "keywords.toml")
    words = sorted((word for line in table["zh"] for word in line.split()), key=lambda word: (-len(word), word))
    latin = frozenset(word for line in table["en"] for word in line.split())
    return _Stops(latin, re.compile("|".join(map(re.escape, words))))
