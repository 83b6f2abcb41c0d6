"""Text to terms, for the index and for queries alike: English, Chinese, and both in one line (X9.3).

1. Width and compatibility forms are folded (NFKC), traditional characters become simplified ones, one at a time
   (OpenCC's t2s table without its phrases, so that a character folds the same way in every context), case is folded,
   and accents go.
2. A run of Han, kana or hangul becomes its bigrams and its last character: 记录本 gives 记录, 录本, 本. Every character
   thus begins some term, so a single one is found by its prefix, without an index of single characters.
3. Other words are stemmed (Snowball, English). Numbers and identifiers stay whole and are also split into their parts:
   alice@example.com, MU5137, getUserName, 2025-05-14, C++.

Stop words are left out of queries alone. A change here changes what is stored: raise `ANALYSER_VERSION`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from threading import local
from typing import TYPE_CHECKING

import opencc
import Stemmer

from app.store.stop_words import CHINESE_BIGRAMS, CHINESE_CHARACTERS, ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ANALYSER_VERSION = "1"

DOUBLED = "²"
"""Behind a term that stands in a chunk at least twice: the index keeps no counts. NFKC leaves no other ² in a term."""

_CJK = "\u3005\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31-\u0e4e"
_JOINER = r"[._@:/\-+#&%,~$=']"
_HAS_CJK = re.compile(rf"[{_CJK}]")


def _run_pattern(letter: str) -> str:
    return rf"{letter}+(?:{_JOINER}{{1,3}}{letter}+)*(?:\+\+|#)?"


# three patterns for one rule: letters that are cheaper to test make plain English three times as fast
_ASCII_RUN = re.compile(_run_pattern("[a-zA-Z0-9]"))
_RUN = re.compile(_run_pattern(rf"(?:[^\W_]|[{_MARKS}])"))
_CJK_RUN = re.compile(rf"(?P<cjk>[{_CJK}]+)|" + _run_pattern(rf"(?:[^\W_{_CJK}]|[{_MARKS}])"))
_JOINERS = re.compile(rf"(?:{_JOINER})+")
_STRONG_JOINERS = re.compile(r"[@:/&,~$=]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_INNER = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\x00-\x7f]+")
_PLAIN = re.compile(r"[a-z]+")
_LONGEST_WHOLE = 80

_PART_WEIGHT = 0.4
_HALF_STOP_WEIGHT = 0.3
_SINGLE_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term of a query. `is_prefix`: it stands for every term that begins with it."""

    term: str
    weight: float = 1.0
    is_prefix: bool = False


def analyse(text: str) -> Counter[str]:
    """The terms of a stored text, each with how often it stands there."""
    counts: Counter[str] = Counter()
    plain: list[str] = []
    for run, is_cjk in _runs(text):
        if is_cjk:
            counts.update([run[place : place + 2] for place in range(len(run))])
        elif run.isascii() and run.isalpha() and (run.islower() or run[1:].islower() or len(run) == 1):
            plain.append(run.lower())
        else:
            whole, parts = _split(run)
            counts.update([whole] if whole else [])
            plain.extend(parts)
    counts.update(_stemmed(plain))
    return counts


def index_text(counts: Counter[str]) -> str:
    """What the full-text table is given for a chunk."""
    return " ".join([*counts, *(term + DOUBLED for term, count in counts.items() if count > 1)])


def query_terms(text: str) -> tuple[QueryTerm, ...]:
    """The terms of a question, without stop words unless it has nothing else; each term once."""
    terms = [term for run, is_cjk in _runs(text) for term in (_cjk_query(run) if is_cjk else _word_query(run))]
    meaningful = [term for term in terms if term.weight > 0]
    if meaningful:
        if any(not term.is_prefix for term in meaningful):
            meaningful = [
                QueryTerm(term.term, term.weight * _SINGLE_WEIGHT, is_prefix=True) if term.is_prefix else term
                for term in meaningful
            ]
    else:
        meaningful = [QueryTerm(term.term, 1.0, is_prefix=term.is_prefix) for term in terms]
    best: dict[tuple[str, bool], QueryTerm] = {}
    for term in meaningful:
        known = best.get((term.term, term.is_prefix))
        if known is None or known.weight < term.weight:
            best[term.term, term.is_prefix] = term
    return tuple(best.values())


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text as they are folded, in order: (characters, whether they are CJK)."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    text = _THOUSANDS.sub("", text)
    if text.isascii():
        yield from ((word, False) for word in _ASCII_RUN.findall(text))
    elif _HAS_CJK.search(text) is None:
        yield from ((word, False) for word in map(_without_accents, _RUN.findall(text)) if word)
    else:
        for match in _CJK_RUN.finditer(text.translate(_simplified())):
            is_cjk = match["cjk"] is not None
            if run := match[0] if is_cjk else _without_accents(match[0]):
                yield run, is_cjk


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


def _split(word: str) -> tuple[str | None, list[str]]:
    """A word as a whole (None where it is nothing but its one part), and its parts; both lower case."""
    word = word.removesuffix("'s").replace("'", "")
    pieces = [word for word in _STRONG_JOINERS.split(word) if word]
    parts = [small for piece in pieces for part in _JOINERS.split(piece) if part for small in (part, *_inner(part))]
    parts = [_number(part.casefold()) for part in parts]
    if len(pieces) > 1:
        # example.com of alice@example.com
        parts += [piece.casefold() for piece in pieces if _JOINERS.search(piece)]
    whole = word.casefold()
    if parts == [whole] or len(whole) > _LONGEST_WHOLE:
        return None, parts
    return whole, [part for part in parts if part != whole]


def _inner(part: str) -> list[str]:
    """The pieces of MU5137 or getUserName; none for a word of one kind."""
    if part.isalpha() and (part.islower() or part.isupper() or part[1:].islower()):
        return []
    pieces = _INNER.findall(part)
    return [piece for piece in pieces if len(piece) > 1] if len(pieces) > 1 else []


def _number(part: str) -> str:
    """05 and 5 are one number in dates."""
    return part[1:] if len(part) == 2 and part[0] == "0" and part.isdecimal() else part  # noqa: PLR2004


def _stemmed(words: Sequence[str]) -> list[str]:
    stemmer = getattr(_per_thread, "stemmer", None)
    if stemmer is None:
        # an instance has a cache of its own and may not be shared between threads
        stemmer = _per_thread.stemmer = Stemmer.Stemmer("english")
    stems: list[str] = stemmer.stemWords(words)
    return stems


def _cjk_query(run: str) -> Iterator[QueryTerm]:
    """The bigrams of a run, weighed by their function words; hiragana is mostly grammar and counts as such."""
    if len(run) == 1:
        yield QueryTerm(run, 0.0 if run in CHINESE_CHARACTERS else 1.0, is_prefix=True)
        return
    for place in range(len(run) - 1):
        pair = run[place : place + 2]
        stops = sum(sign in CHINESE_CHARACTERS or "\u3040" <= sign <= "\u309f" for sign in pair)
        if pair in CHINESE_BIGRAMS or stops == len(pair):
            yield QueryTerm(pair, 0.0)
        else:
            yield QueryTerm(pair, _HALF_STOP_WEIGHT if stops else 1.0)


def _word_query(word: str) -> Iterator[QueryTerm]:
    whole, parts = _split(word)
    if whole is not None:
        yield QueryTerm(whole)
    weight = 1.0 if whole is None else _PART_WEIGHT
    for part, stem in zip(parts, _stemmed(parts), strict=True):
        yield QueryTerm(stem, 0.0 if part in ENGLISH else weight)


def simplify(text: str) -> str:
    """A text in simplified characters, sign by sign."""
    return text if text.isascii() else text.translate(_simplified())


@cache
def _simplified() -> dict[int, int]:
    """The character table of traditional to simplified Chinese."""
    blocks = ((0x3400, 0xA000), (0xF900, 0xFB00), (0x20000, 0x2FA20))
    signs = [chr(code) for first, last in blocks for code in range(first, last)]
    folded = opencc.OpenCC("t2s").convert("\n".join(signs)).split("\n")
    pairs = zip(signs, folded, strict=True)
    return {ord(sign): ord(simple) for sign, simple in pairs if sign != simple and len(simple) == 1}


_per_thread = local()
