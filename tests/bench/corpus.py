"""Generated texts: passages of 240 model tokens in sentences, entries of several of them, and questions about them.

The same number always gives the same text, so that every run measures the same work.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from app.domain.collecting import SourceInfo, SyncState
from app.domain.entries import Block, Chunk, Entry, Place
from app.domain.labels import BlockKind, EntryKind, Sensitivity, Trust
from tests.bench.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

NOW = datetime(2026, 1, 15, 9, 0, tzinfo=UTC)
"""The time at which everything generated is looked at."""

PASSAGES_AN_ENTRY = 4
BODIES = 100_000
"""From so many passages on, texts come again behind another first sentence, so that a million can be made."""

DIMENSION = 384
# Lengths that give 240 tokens of multilingual-e5-small on average; `tests/unit/bench` checks it.
_CHARACTERS = {"en": 850, "zh": 313}
_SENTENCES = 20_000
_CHINESE_SHARE = 0.4
_STALE_SHARE = 0.05
_LANGUAGES = ("en", "zh")
_TOPICS = 400
_A_MEAN, _AWAY, _SPREAD = 0.9, 0.26, 0.3


@dataclass(frozen=True, slots=True)
class Passage:
    """A generated passage."""

    number: int
    language: str
    text: str


def source(scope: str, sensitivity: Sensitivity) -> SourceInfo:
    """A source of generated entries; one for each scope."""
    return SourceInfo(
        source_id=f"generated-{scope}",
        kind="files",
        location=f"/generated/{scope}",
        name=scope,
        scope=scope,
        acl="owner",
        sensitivity=sensitivity,
        trust=Trust.OWN_FILES,
        state=SyncState.IDLE,
        created_at=NOW,
    )


SOURCES = (
    source("work", Sensitivity.INTERNAL),
    source("personal", Sensitivity.CONFIDENTIAL),
    source("family", Sensitivity.INTERNAL),
    source("health", Sensitivity.HIGHLY_SENSITIVE),
)


def passage(number: int, language: str | None = None) -> Passage:
    """The passage with a number. Its first sentence is its own; the others come from a pool, and again after BODIES."""
    language, text = body(number % BODIES, language)
    return Passage(number, language, own_sentence(number, language) + ("" if language == "zh" else " ") + text)


@lru_cache(maxsize=BODIES)
def body(number: int, language: str | None = None) -> tuple[str, str]:
    """The language of a passage, and all of it but its first sentence."""
    rng = random.Random(number)
    drawn = _drawn_language(rng)
    language = language or drawn
    pool = sentences(language)
    parts = [pool[rng.randrange(len(pool))]]
    while sum(map(len, parts)) < _CHARACTERS[language]:
        parts.append(pool[rng.randrange(len(pool))])
    return language, ("" if language == "zh" else " ").join(parts)


def language_of(number: int) -> str:
    """The language of a body, where none is asked for."""
    return _drawn_language(random.Random(number))


def _drawn_language(rng: random.Random) -> str:
    return "zh" if rng.random() < _CHINESE_SHARE else "en"


def own_sentence(number: int, language: str) -> str:
    """A sentence that no other passage has."""
    rng = random.Random(-number - 1)
    noun = words(language).noun(rng)
    if language == "zh":
        return f"第{number}号记录谈到了{noun}。"
    return f"Record {number} is about the {noun}."


@cache
def sentences(language: str) -> Sequence[str]:
    """The pool that passages share, so that words occur together as they do in one person's files."""
    rng = random.Random(f"sentences {language}")
    make = _chinese_sentence if language == "zh" else _english_sentence
    return tuple(make(rng) for _ in range(_SENTENCES))


def question(number: int) -> str:
    """A question about things that stand in some passages."""
    rng = random.Random(f"question {number}")
    language = "zh" if number % 3 == 2 else "en"
    pick = words(language)
    a, b, c = (pick.noun(rng) for _ in range(3))
    if language == "zh":
        return rng.choice(
            (f"{a}和{b}的{c}是什么时候{pick.verb(rng)}的？", f"关于{pick.adjective(rng)}{a}，{b}是怎么说的？")
        )
    return rng.choice(
        (
            f"When was the {pick.adjective(rng)} {a} for the {b} {pick.verb(rng)} by the {c}?",
            f"What did the {a} say about the {pick.adjective(rng)} {b}?",
            f"Who {pick.verb(rng)} the {a} and the {b} before the {c}?",
        )
    )


def entry_of(number: int, language: str | None = None) -> tuple[SourceInfo, Entry, list[Chunk]]:
    """The entry with a number, its source, and its passages as chunks; of one language, or mixed."""
    rng = random.Random(f"entry {number}")
    info = SOURCES[rng.choices(range(len(SOURCES)), (4, 3, 2, 1))[0]]
    first = number * PASSAGES_AN_ENTRY
    passages = [passage(first + place, language) for place in range(PASSAGES_AN_ENTRY)]
    moment = NOW - timedelta(days=rng.random() * 1500)
    text = "\n\n".join(part.text for part in passages)
    title = f"{words(passages[0].language).noun(rng)} {number}"
    entry = Entry(
        source_id=info.source_id,
        native_id=f"{number}.md",
        kind=EntryKind.NOTE,
        title=title,
        source_uri=f"file:///generated/{info.scope}/{number}.md",
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        blocks=(Block(BlockKind.PARAGRAPH, text),),
        created_at=moment,
        updated_at=moment,
        valid_to=moment + timedelta(days=1) if rng.random() < _STALE_SHARE else None,
        language=passages[0].language,
    )
    chunks = [
        Chunk(place, part.text, f"{title}\n{part.text}", Place(first_line=place * 2 + 1), 240, part.language)
        for place, part in enumerate(passages)
    ]
    return info, entry, chunks


class Vectors:
    """Unit vectors of the passages in their order, in topics around what those of a language have in common.

    Lengths are those of multilingual-e5-small, measured on 1,780 English and 171 Chinese texts (LoCoMo, MADial, BFCL):
    a corpus' mean passage is 0.26 away from the mean that comes with the model, its passages 0.43 from their own mean.

    Args:
        means: float32[DIMENSION] by language, the model's; None for some.
    """

    def __init__(self, seed: int = 7, means: Mapping[str, NDArray[np.float32]] | None = None) -> None:
        self._rng = np.random.default_rng(seed)
        given = means or dict.fromkeys(_LANGUAGES, _A_MEAN * self._directions(1)[0])
        away = _AWAY * self._directions(len(_LANGUAGES))
        self._means = np.stack([given[language] for language in _LANGUAGES]) + away
        self._topics = self._directions(_TOPICS)
        self._taken = 0

    def take(self, count: int) -> NDArray[np.float16]:
        """float16[count, DIMENSION], the next ones."""
        numbers = range(self._taken, self._taken + count)
        self._taken += count
        means = self._means[[_LANGUAGES.index(language_of(number % BODIES)) for number in numbers]]
        topics = self._topics[self._rng.integers(0, _TOPICS, count)]
        return _units(means + _SPREAD * (topics + self._directions(count))).astype(np.float16)

    def near(self, vectors: NDArray[np.float16]) -> NDArray[np.float32]:
        """Questions: for each vector one that is near it."""
        return _units(vectors.astype(np.float32) + 0.5 * self._directions(len(vectors)))

    def _directions(self, count: int) -> NDArray[np.float32]:
        return _units(self._rng.standard_normal((count, DIMENSION), np.float32))


def _units(matrix: NDArray) -> NDArray:
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def _english_sentence(rng: random.Random) -> str:
    pick = words("en")
    noun, verb, adjective = pick.noun, pick.verb, pick.adjective
    form = rng.randrange(4)
    if form == 0:
        text = (
            f"The {adjective(rng)} {noun(rng)} was {verb(rng)} on the {rng.randint(4, 20)}th, because the {noun(rng)}"
        )
        return f"{text} of {noun(rng)} had not been {verb(rng)} yet."
    if form == 1:
        return (
            f"{noun(rng).capitalize()} and {noun(rng)} {verb(rng)} the {noun(rng)} in the {adjective(rng)} {noun(rng)}."
        )
    if form == 2:
        text = (
            f"We {verb(rng)} the {noun(rng)} with {noun(rng)} at {rng.randint(7, 21)}:{rng.choice(('00', '15', '30'))}"
        )
        return f"{text}, and it cost {rng.randint(3, 900)} euros for the {adjective(rng)} {noun(rng)}."
    return f"Please ask {noun(rng)} whether the {noun(rng)} for the {noun(rng)} has been {verb(rng)}."


def _chinese_sentence(rng: random.Random) -> str:
    pick = words("zh")
    noun, verb, adjective = pick.noun, pick.verb, pick.adjective
    form = rng.randrange(4)
    if form == 0:
        text = f"我们在{rng.randint(1, 12)}月{rng.randint(1, 28)}日{verb(rng)}了{adjective(rng)}{noun(rng)}"
        return f"{text}，因为{noun(rng)}还没有{verb(rng)}。"
    if form == 1:
        return f"{noun(rng)}和{noun(rng)}一起{verb(rng)}了{noun(rng)}的{noun(rng)}。"
    if form == 2:
        return f"请问{noun(rng)}，{noun(rng)}的{noun(rng)}是否已经{verb(rng)}？费用是{rng.randint(3, 900)}元。"
    return f"关于{adjective(rng)}{noun(rng)}，{noun(rng)}说要先{verb(rng)}{noun(rng)}，再{verb(rng)}{noun(rng)}。"
