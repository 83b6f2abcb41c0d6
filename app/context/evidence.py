"""Whether what was found is an answer, and which sentence says it.

No answer is better than a wrong one, and passages are found for every question, also for one that the person's entries
say nothing about. The evidence for a passage is the mean of two semantic scores, its own and its best sentence's. The
threshold was measured with questions asked of entries that hold no answer; docs/benchmarks.md has the rates. Without a
model the words decide: how much of the question one sentence says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.context.quoting import going_on, summary, tells
from app.context.tables import line_of, rows_of
from app.govern.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from app.context.ranked import Ranked
    from app.context.search import Found
    from app.store.reading import Passage

ENOUGH_BY_MEANING = 0.47
ENOUGH_BY_WORDS = 0.45
# Bigrams that cross the border of two words are found nowhere, so that a Chinese question is never said whole.
ENOUGH_BY_CHINESE_WORDS = 0.25
_SENTENCES_A_PASSAGE = 12
_SHORTEST = 4
_WORDS_SHARE = 0.3
_ALL_WORDS = 0.999
_ROW_AHEAD = 0.1


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage and the sentence of it that says most, of those that tell something (`quoting`).

    Attributes:
        strength: 0..1; comparable with `enough`.
        enough: from which strength on it counts as an answer.
        line: where it stands in its source, of a row of a table; None for others, whose passage tells.
        is_whole: whether one sentence says every word of the question.
        has_words: whether a word of the question stands in it, or it is of another language than the question.
    """

    ranked: Ranked
    sentence: str
    strength: float
    enough: float
    has_words: bool = True
    line: int | None = None
    is_whole: bool = False

    @property
    def is_enough(self) -> bool:
        """Whether it may be given as an answer."""
        return self.strength >= self.enough


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of the passage `owner`, and how much of the question it says; `line`: of a row, where it is known."""

    text: str
    owner: int
    words: float
    line: int | None = None
    is_row: bool = False


def weigh(
    found: Found, count: int, *, wants_value: bool = False, says: Callable[[str], bool] | None = None
) -> list[Evidence]:
    """The evidence of the best `count` passages; blocks on the inference lane when there is a model.

    Where a value is wanted a row of a table is quoted before a sentence that is about as near. It comes in the order of
    the search, which puts the answer first more often than the strength of sentences does.

    Args:
        says: whether a sentence of a passage says what is asked for; a passage without one is no evidence.

    Raises:
        Damaged, Unavailable: from the model.
    """
    chosen = found.ranked[:count]
    sentences = [sentence for owner, ranked in enumerate(chosen) for sentence in _sentences(found, ranked, owner)]
    if not sentences:
        return []
    words = np.array([sentence.words for sentence in sentences])
    meanings = _meanings(found, chosen, sentences)
    worth = words if meanings is None else (1 - _WORDS_SHARE) * meanings + _WORDS_SHARE * words
    if wants_value:
        worth = worth + _ROW_AHEAD * np.array([sentence.is_row for sentence in sentences])
    owners = np.array([sentence.owner for sentence in sentences])
    evidence = []
    for owner in dict.fromkeys(owners.tolist()):
        own = np.flatnonzero(owners == owner)
        quoted = _quoted(chosen[owner], sentences, own, worth, says or _anything)
        if quoted is None:
            continue
        best = int(own[np.argmax(worth[own])])
        if meanings is None:
            strength, enough = float(words[best]), _enough_by_words(found.language)
        else:
            strength, enough = (chosen[owner].meaning + float(meanings[own].max())) / 2, ENOUGH_BY_MEANING
            if float(words[own].max()) >= _ALL_WORDS:
                # of names and made-up words a model knows no meaning
                strength = max(strength, enough)
        has_words = chosen[owner].coverage > 0 or chosen[owner].passage.language != found.language
        line = next((sentences[int(at)].line for at in own if sentences[int(at)].text == quoted), None)
        is_whole = float(words[own].max()) >= _ALL_WORDS
        evidence.append(Evidence(chosen[owner], quoted, strength, enough, has_words, line, is_whole=is_whole))
    return _said_before_meant(evidence, chosen)


def _said_before_meant(evidence: list[Evidence], chosen: Sequence[Ranked]) -> list[Evidence]:
    """Where a passage says every word of the question, one that says none of them is no answer by its likeness."""
    if not any(one.coverage >= _ALL_WORDS for one in chosen):
        return evidence
    return [one for one in evidence if one.has_words]


def _quoted(
    ranked: Ranked,
    sentences: Sequence[_Sentence],
    own: NDArray[np.int64],
    worth: NDArray[np.float64],
    says: Callable[[str], bool],
) -> str | None:
    """Of a passage's sentences the best that tells what is asked; an event as a whole; None where nothing does."""
    passage = ranked.passage
    whole = summary(passage)
    if whole is not None:
        return whole if says(whole) else None
    telling = [
        int(at)
        for at in own
        if tells(sentences[int(at)].text, passage, may_be_short=sentences[int(at)].words >= _ALL_WORDS)
    ]
    # a row that says less of the question than another one is of another thing
    least = max((sentences[at].words for at in telling if sentences[at].is_row), default=0.0)
    telling = [at for at in telling if not sentences[at].is_row or sentences[at].words >= least]
    telling = _saying([sentences[at].text for at in telling], telling, passage, says)
    return sentences[max(telling, key=lambda at: float(worth[at]))].text if telling else None


def _saying(texts: Sequence[str], places: list[int], passage: Passage, says: Callable[[str], bool]) -> list[int]:
    """The sentences that say what is asked for, or else those that do with what stands behind them."""
    said = [at for at, text in zip(places, texts, strict=True) if says(text)]
    if said:
        return said
    return [at for at, text in zip(places, texts, strict=True) if says(f"{passage.title}. {going_on(text, passage)}")]


def _anything(_sentence: str) -> bool:
    return True


def _enough_by_words(language: str) -> float:
    return ENOUGH_BY_CHINESE_WORDS if language == "zh" else ENOUGH_BY_WORDS


def _sentences(found: Found, ranked: Ranked, owner: int) -> list[_Sentence]:
    """The sentences of a passage that still hold; of very many those that say most of the question (G4.4)."""
    passage = ranked.passage
    rows = rows_of(passage.text)
    texts = [(row.text, line_of(row, passage), True) for row in rows]
    cut = (sentence.strip() for sentence in split_sentences(passage.text))
    texts += [(text, None, False) for text in cut if not rows or "|" not in text]
    gone = [part for part, _ in passage.stale_parts]
    held = (one for one in texts if len(one[0]) >= _SHORTEST and not any(part in one[0] for part in gone))
    sentences = [_Sentence(text, owner, found.close.of_sentence(text), at, is_row) for text, at, is_row in held]
    return sorted(sentences, key=lambda sentence: -sentence.words)[:_SENTENCES_A_PASSAGE]


def _meanings(found: Found, chosen: Sequence[Ranked], sentences: Sequence[_Sentence]) -> NDArray[np.float64] | None:
    """The semantic score of each sentence; None without a model."""
    if found.semantics is None or found.meaning is None:
        return None
    vectors = found.semantics.embed([sentence.text for sentence in sentences])
    languages = [found.semantics.nearest(chosen[sentence.owner].passage.language) for sentence in sentences]
    scores = np.zeros(len(sentences))
    for language in dict.fromkeys(languages):
        rows = [place for place, other in enumerate(languages) if other == language]
        scores[rows] = found.semantics.scores(found.meaning, vectors[rows], language)
    return scores
