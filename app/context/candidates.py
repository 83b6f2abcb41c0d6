"""From a question to the passages that are worth ranking: words and meaning, united (G4.3, G4.5).

Everything here sees the mask of the viewer first, and scores nothing outside it. Passages of one entry lend each other
some of their score: in a conversation or a document the evidence often stands in several places, and a passage among
good ones is a better guess than one that is alone in its entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.store.distinct import distinct
from app.store.lexical import Spread, best_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.context.question import Question
    from app.context.ranking import CandidateWeights
    from app.context.semantics import Meaning, Semantics
    from app.store.lexical import LexicalSearch, WordHits
    from app.store.visibility import View, Visibility

    Floats = NDArray[np.float32]
    Ids = NDArray[np.int64]

# How many passages each search brings: 40 were as good as 200 on four labelled sets, and cost 5 ms less.
_FOUND_AT_LEAST = 64
_FOUND_A_RESULT = 3
_SUPPORTING = 3
# An entry with fewer passages is not measured by what it lacks: a missing one counts as this share of its best.
_TYPICAL_SHARE = 0.6


class VectorSearch(Protocol):
    """The vectors of one model."""

    def search(self, query: Floats, limit: int, mask: NDArray[np.bool_]) -> tuple[Ids, Floats]:
        """Of each group of languages the chunks with the greatest inner products among those of the mask.

        Nothing outside the mask makes any difference, be it to what is passed over.
        """
        ...

    def vectors(self, chunk_ids: Ids) -> Floats:
        """float32[n, dimension]; rows of zeros for chunks without a vector."""
        ...


@dataclass(frozen=True, slots=True)
class MeaningHits:
    """The question's meaning, and the chunks nearest to it; their scores come later, with all others'."""

    meaning: Meaning
    chunk_ids: Ids


@dataclass(frozen=True, slots=True)
class Candidates:
    """n passages, best first; arrays of length n.

    Attributes:
        semantic, lexical: 0..1. Where there is no vector (yet), the words stand in for the meaning, so that what was
            written a moment ago is not ranked below everything older.
        has_vector: whether `semantic` is the meaning itself.
        meaning: the semantic score without what the entry lends; 0 where there is no vector.
        coverage: the share of the question's words, by their information, that the passage holds (0..1).
        relevance: what chose them, 0..1.
    """

    chunk_ids: Ids
    semantic: Floats
    lexical: Floats
    has_vector: NDArray[np.bool_]
    meaning: Floats
    coverage: Floats
    relevance: Floats

    def at(self, places: NDArray[np.integer]) -> Candidates:
        """Those at some places, in that order."""
        return Candidates(
            self.chunk_ids[places],
            self.semantic[places],
            self.lexical[places],
            self.has_vector[places],
            self.meaning[places],
            self.coverage[places],
            self.relevance[places],
        )

    def first(self, count: int) -> Candidates:
        """The best of them."""
        return self.at(np.arange(min(count, len(self.chunk_ids))))


def breadth(limit: int) -> int:
    """How many passages each search is asked for, where `limit` results are wanted."""
    return max(_FOUND_AT_LEAST, _FOUND_A_RESULT * limit)


def find_by_words(
    lexical: LexicalSearch,
    question: Question,
    view: View,
    weights: CandidateWeights,
    *,
    count: int,
    is_unrestricted: bool,
) -> WordHits:
    """The best passages by words; on a reader's lane."""
    asked = [[(part.text, part.weight) for part in question.words], *([(text, 1.0)] for text in question.variants)]
    spread = Spread(weights.word_before, weights.word_after)
    found = [lexical.search(words, view, count, is_unrestricted=is_unrestricted, spread=spread) for words in asked]
    return best_of(found, count)


def find_by_meaning(
    semantics: Semantics, vectors: VectorSearch, question: Question, view: View, *, count: int
) -> MeaningHits:
    """The nearest passages of every language; on the inference lane.

    Passages of one language are compared with each other alone: between languages cosines say little before what each
    has in common is taken off, which an index of plain vectors cannot do.
    """
    meaning = semantics.meaning(question)
    return MeaningHits(meaning, vectors.search(meaning.vector, count, view.mask)[0])


def unite(
    words: WordHits | None,
    meaning: MeaningHits | None,
    scores: Floats | None,
    entries: Ids,
    weights: CandidateWeights,
) -> Candidates:
    """Score every passage that either search found, and put the best first.

    Args:
        scores, entries: of the chunks of `united_ids`, in its order. A score is NaN where there is no vector; None
            stands for no model.
    """
    ids = united_ids(words, meaning)
    nothing = np.zeros(len(ids), np.float32)
    lexical, coverage = words.at(ids) if words is not None else (nothing, nothing)
    lexical = np.minimum(lexical / np.float32(weights.full_match), np.float32(1))
    has_vector = np.zeros(len(ids), np.bool_) if scores is None else ~np.isnan(scores)
    semantic = lexical if scores is None else np.where(has_vector, scores, lexical)
    own_meaning = np.where(has_vector, semantic, nothing)
    share = np.float32(weights.same_entry)
    semantic, lexical = (_lent(own, entries, share) for own in (semantic, lexical))
    relevance = np.float32(weights.semantic) * semantic + np.float32(weights.lexical) * lexical
    # equal ones newest first
    order = np.lexsort((-ids, -relevance))
    return Candidates(ids, semantic, lexical, has_vector, own_meaning, coverage, relevance).at(order)


def united_ids(words: WordHits | None, meaning: MeaningHits | None) -> Ids:
    """The chunks that either search found, ascending."""
    parts = [hits.chunk_ids for hits in (words, meaning) if hits is not None]
    return distinct(np.concatenate(parts)).astype(np.int64) if parts else np.empty(0, np.int64)


def score_by_meaning(
    semantics: Semantics, vectors: VectorSearch, hits: MeaningHits, ids: Ids, visibility: Visibility
) -> Floats:
    """The semantic scores of any chunks; NaN where there is no vector."""
    matrix = vectors.vectors(ids)
    languages = np.array(semantics.centres.of_language)[visibility.languages(ids)]
    scores = np.zeros(len(ids), np.float32)
    for place, language in enumerate(semantics.languages):
        rows = np.flatnonzero(languages == place)
        if len(rows):
            scores[rows] = semantics.scores(hits.meaning, matrix[rows], language)
    scores[~matrix.any(axis=1)] = np.nan
    return scores


def _lent(own: Floats, entries: Ids, share: np.float32) -> Floats:
    """Scores, each moved by `share` towards the mean of the best three of its entry; they stay in 0..1.

    Args:
        entries: ascending, as chunk ids are.
    """
    if not len(own):
        return own
    begins = np.flatnonzero(np.r_[True, entries[1:] != entries[:-1]])
    sizes = np.diff(np.r_[begins, len(own)])
    best = np.add.reduceat(own, begins)
    for at in np.flatnonzero(sizes > _SUPPORTING):
        best[at] = np.sort(own[begins[at] : begins[at] + sizes[at]])[-_SUPPORTING:].sum()
    missing = _SUPPORTING - np.minimum(sizes, _SUPPORTING)
    means = (best + missing * _TYPICAL_SHARE * np.maximum.reduceat(own, begins)) / _SUPPORTING
    lent: Floats = ((1 - share) * own + share * np.repeat(means, sizes)).astype(np.float32)
    return lent
