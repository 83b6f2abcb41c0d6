"""A text as numbers: one for each stretch of a few words, by which common text is found and measured.

Words are compared without case, punctuation, line breaks and marks of quoting, and Chinese character by character in
its simplified form, so that a quoted, re-wrapped or re-typed text has the numbers of its original. The samples that are
stored are chosen by winnowing (Schleimer, Wilkerson, Aiken 2003): of neighbouring numbers the least, so that two texts
choose the same ones wherever they are the same.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from app.govern.likeness.rules import rules
from app.store.analyser import simplify
from app.store.distinct import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.uint64]

_TOKEN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]{1,40}")
_BITS = np.uint64(40)
"""Of a stored number, which fit in six bytes of the database; a wrong pair among a million texts costs a comparison."""
_FACTOR = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class Sampled:
    """A text for comparing.

    Attributes:
        stretches: uint64[n], sorted, each number once.
        whole: a number of the whole text; None of one that is too short to say anything.
        chosen: the samples to be stored, `whole` among them.
    """

    stretches: Numbers
    whole: int | None
    chosen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much two texts share, in shares (0..1) of the first, of the second, and of both together."""

    of_first: float
    of_second: float
    of_both: float


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: how many there are, and each of them once."""

    count: int
    each: frozenset[str]


def sample(text: str) -> Sampled:
    """The numbers of a text; 1 ms for a thousand words."""
    limits = rules()
    tokens = _tokens(text)
    if len(tokens) < limits.least_words:
        return Sampled(np.zeros(0, np.uint64), None, ())
    numbers = _stretches(tokens, limits.words)
    whole = _stored(np.array([_hash(" ".join(tokens))], np.uint64))[0]
    least = np.lib.stride_tricks.sliding_window_view(numbers, min(limits.window, len(numbers))).min(axis=1)
    chosen = _stored(distinct(least)[: limits.most])
    return Sampled(distinct(numbers), whole, tuple(dict.fromkeys((whole, *chosen))))


def words_of(text: str) -> Words:
    """The words that are sampled."""
    tokens = _tokens(text)
    return Words(len(tokens), frozenset(tokens))


def may_share(texts: Sequence[Words], share: float) -> NDArray[np.bool_]:
    """bool[n, n]: whether at least a share (0..1) of the stretches of either of two texts may stand in the other one.

    By their words alone: a word that the other text has not spoils a stretch that ends with it, unless it is among the
    very first.
    """
    places: dict[str, int] = {}
    held = [[places.setdefault(word, len(places)) for word in text.each] for text in texts]
    table = np.zeros((len(texts), len(places)), np.float32)
    for row, at in zip(table, held, strict=True):
        row[at] = 1
    common = table @ table.T + rules().words
    least = [len(text.each) - (1 - share) * text.count for text in texts]
    found: NDArray[np.bool_] = common >= np.maximum.outer(least, least)
    return found


def overlap(one: Sampled, other: Sampled) -> Overlap:
    """How much two texts share."""
    if not len(one.stretches) or not len(other.stretches):
        return Overlap(0.0, 0.0, 0.0)
    common = len(np.intersect1d(one.stretches, other.stretches, assume_unique=True))
    union = len(one.stretches) + len(other.stretches) - common
    return Overlap(common / len(one.stretches), common / len(other.stretches), common / union)


def _tokens(text: str) -> list[str]:
    """The words of a text in their order, folded; of Chinese the characters."""
    return _TOKEN.findall(simplify(text[: rules().longest].casefold()))


def _stretches(tokens: Sequence[str], size: int) -> Numbers:
    """One number for each `size` words in a row."""
    hashes = np.array(list(map(_hash_of_word, tokens)), np.uint64)
    count = len(hashes) - size + 1
    total = np.zeros(count, np.uint64)
    for place in range(size):
        # modular arithmetic is meant here
        total = total * np.uint64(_FACTOR) + hashes[place : place + count] * np.uint64(2 * place + 1)
    total ^= total >> np.uint64(29)
    total *= np.uint64(0xBF58476D1CE4E5B9)
    mixed: Numbers = total ^ (total >> np.uint64(32))
    return mixed


def forget_words() -> None:
    """Give back the numbers of words that are kept for the next text: 11 MB after many."""
    _hash_of_word.cache_clear()


@lru_cache(maxsize=1 << 16)
def _hash_of_word(word: str) -> int:
    return _hash(word)


def _hash(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    return zlib.crc32(data) | (zlib.adler32(data) << 32)


def _stored(numbers: Numbers) -> list[int]:
    return [int(number) for number in numbers & np.uint64((1 << int(_BITS)) - 1)]
