"""Candidates become ranked items: read, freed of duplicates, moved by clues, scored by the formula (G4.1, G4.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.context.clues import most_by_form, weigh_form, weigh_times
from app.context.folding import fold_alike, fold_equal, fold_linked
from app.context.items import Standing, context_item
from app.context.ranking import Features, score
from app.domain.labels import Status
from app.store.distinct import distinct
from app.store.reading import event_times_of, passages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from app.context.candidates import Candidates
    from app.context.closeness import Closeness
    from app.context.clues import Clues
    from app.context.folding import HowAlike, Row
    from app.context.ranking import ClueWeights, Scores, Weights
    from app.domain.context_item import ContextItem
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.reading import Passage

_SECONDS_A_DAY = 86_400.0
_SPARE = 4
"""Passages read beyond the pool, to take the place of duplicates."""
_LOOKED_AT_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Ranked:
    """An item with what an answer is made of.

    Attributes:
        meaning: the semantic score of the passage alone, without what its entry lends it; 0 without a vector.
        coverage: the share of the question's words, by their information, that the passage holds (0..1).
    """

    passage: Passage
    item: ContextItem
    meaning: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Asked:
    """What passages are measured by beside the searches' scores.

    Attributes:
        visible: what may be seen, and how it stands for whom.
        passages: some of them, by chunk, which were read already.
        likeness: how alike some chunks are, given their languages: float32[n, n] in 0..1; None without a model.
    """

    close: Closeness
    clues: Clues
    visible: VisibilityFilter
    passages: Mapping[int, Passage]
    likeness: HowAlike | None = None


def rank(
    reader: Reader, candidates: Candidates, asked: Asked, weights: Weights, *, limit: int, now: datetime
) -> list[Ranked]:
    """Read the best candidates and rank them.

    Relevance and clues alone choose whom the formula ranks, and the pool is hardly wider than what is asked for (G4.5),
    so that freshness decides between passages that answer, and brings up none that does not.
    """
    if not len(candidates.chunk_ids):
        return []
    size = max(weights.candidates.pool, limit)
    read = _Read(reader, asked)
    chosen, moved = _second_stage(reader, read, candidates, asked.clues, weights, count=size + _SPARE)
    rows = _one_place_each(reader, chosen, read, asked)[:size]
    if not rows:
        return []
    places = np.array([row.place for row in rows])
    features = _features([row.passage for row in rows], chosen.at(places), asked.close, weights, now)
    scores = score(features, weights)
    order = np.lexsort((places, -scores.final))[:limit]
    return [
        Ranked(
            rows[at].passage,
            context_item(
                rows[at].passage,
                _standing(features, scores, at, weights.version),
                now,
                _explanation(weights, features, scores, at) | _origin(chosen, moved, rows[at]),
            ),
            float(chosen.meaning[rows[at].place]),
            float(chosen.coverage[rows[at].place]),
        )
        for at in order.tolist()
    ]


class _Read:
    """Passages, each read once."""

    def __init__(self, reader: Reader, asked: Asked) -> None:
        self._reader = reader
        self._visible = asked.visible
        self._passages: dict[int, Passage | None] = dict(asked.passages)

    def __contains__(self, chunk_id: int) -> bool:
        return chunk_id in self._passages

    def passages(self, chunk_ids: Sequence[int]) -> list[Passage | None]:
        """Some passages, in their order; None for those that are gone."""
        new = [chunk_id for chunk_id in chunk_ids if chunk_id not in self._passages]
        if new:
            self._passages |= dict.fromkeys(new)
            self._passages |= {one.chunk_id: one for one in passages(self._reader, new, self._visible)}
        return [self._passages[chunk_id] for chunk_id in chunk_ids]


def _second_stage(
    reader: Reader, read: _Read, candidates: Candidates, clues: Clues, weights: Weights, *, count: int
) -> tuple[Candidates, NDArray[np.float64]]:
    """Move the best candidates by their clues, and keep the best of them: they, and how far each one's score moved.

    Passages are looked at as long as one of them may still come among the best: how much a text's form adds at most is
    known, so that half of them need not be read.
    """
    first = candidates.first(max(weights.clues.looked_at, count))
    ids = first.chunk_ids.tolist()
    by_time = _by_time(reader, ids, clues, weights.clues)
    at_most = _moved(first, by_time + most_by_form(clues, weights.clues), weights).relevance
    added, is_open = by_time.copy(), np.ones(len(ids), np.bool_)
    places = distinct(np.r_[_best(at_most, count), np.flatnonzero([chunk_id in read for chunk_id in ids])])
    while len(places):
        looked_at = read.passages([ids[at] for at in places])
        added[places] += [weigh_form(one.text if one else "", clues, weights.clues) for one in looked_at]
        is_open[places] = False
        moved = _moved(first, added, weights)
        best = _best(np.where(is_open, -np.inf, moved.relevance), count)
        left = np.flatnonzero(is_open & (at_most >= moved.relevance[best[-1]]))
        places = left[_best(at_most[left], _LOOKED_AT_AT_ONCE)]
    return moved.at(best), (moved.semantic - first.semantic)[best].astype(np.float64)


def _by_time(reader: Reader, ids: Sequence[int], clues: Clues, weights: ClueWeights) -> NDArray[np.float64]:
    """What the times of passages add to their scores."""
    if not clues.needs_times:
        return np.zeros(len(ids))
    times = event_times_of(reader, ids)
    moments = np.array([times[chunk_id].timestamp() if chunk_id in times else np.nan for chunk_id in ids])
    return weigh_times(moments, clues, weights)


def _moved(candidates: Candidates, added: NDArray[np.float64], weights: Weights) -> Candidates:
    """Candidates with something added to their semantic scores."""
    semantic = np.clip(candidates.semantic + added, 0.0, 1.0).astype(np.float32)
    relevance = candidates.relevance + weights.candidates.semantic * (semantic - candidates.semantic)
    return replace(candidates, semantic=semantic, relevance=relevance)


def _best(scores: NDArray[np.floating], count: int) -> NDArray[np.intp]:
    """The places of the greatest, greatest first; of equal ones the first."""
    return np.argsort(-scores, kind="stable")[:count]


def _one_place_each(reader: Reader, chosen: Candidates, read: _Read, asked: Asked) -> list[Row]:
    """The passages, freed of what says the same (G2.1), and of what was given other rights this very moment."""
    visible = asked.visible
    found = [
        (one, place)
        for place, one in enumerate(read.passages(chosen.chunk_ids.tolist()))
        if one is not None and visible.allows(one.scope, one.acl, one.sensitivity)
    ]
    rows = fold_equal(found)
    likeness = None if asked.likeness is None else _measured_once(asked.likeness)
    return fold_alike(fold_linked(reader, rows, likeness, is_unrestricted=visible.is_unrestricted), likeness)


def _measured_once(likeness: HowAlike) -> HowAlike:
    """The same, which asks once for some chunks and has the answer for any of them."""
    places: dict[int, int] = {}
    table: NDArray[np.float32] = np.empty((0, 0), np.float32)

    def measure(chunk_ids: Sequence[int], languages: Sequence[str]) -> NDArray[np.float32]:
        nonlocal places, table
        if not places.keys() >= set(chunk_ids):
            places = {chunk_id: place for place, chunk_id in enumerate(chunk_ids)}
            table = likeness(chunk_ids, languages)
        at = [places[chunk_id] for chunk_id in chunk_ids]
        found: NDArray[np.float32] = table[np.ix_(at, at)]
        return found

    return measure


def _features(
    found: Sequence[Passage], chosen: Candidates, close: Closeness, weights: Weights, now: datetime
) -> Features:
    share = weights.candidates.one_sentence
    closeness = np.array([close.of_passage(passage.text) for passage in found])
    return Features(
        semantic=chosen.semantic.astype(np.float64),
        lexical=(1 - share) * chosen.lexical.astype(np.float64) + share * closeness,
        confidence=np.array([passage.confidence for passage in found]),
        age_days=np.array([_age_days(passage, now) for passage in found]),
        is_active_task=np.array([_is_active_task(passage, now) for passage in found]),
    )


def _age_days(passage: Passage, now: datetime) -> float:
    moment = passage.event_time or passage.updated_at
    return (now - moment).total_seconds() / _SECONDS_A_DAY


def _is_active_task(passage: Passage, now: datetime) -> bool:
    is_past = passage.valid_to is not None and passage.valid_to <= now
    return passage.status is Status.ACTIVE and passage.stale_reason is None and not is_past


def _standing(features: Features, scores: Scores, at: int, version: str) -> Standing:
    return Standing(
        semantic=float(features.semantic[at]),
        lexical=float(features.lexical[at]),
        freshness=float(scores.freshness[at]),
        time_decay=float(scores.time_decay[at]),
        final=float(scores.final[at]),
        ranking=version,
    )


def _explanation(weights: Weights, features: Features, scores: Scores, at: int) -> dict[str, float]:
    """What each part adds to the final score."""
    final = weights.final
    return {
        "semantic": final.semantic * float(features.semantic[at]),
        "lexical": final.lexical * float(features.lexical[at]),
        "freshness": final.freshness * float(scores.freshness[at]),
        "confidence": final.confidence * float(features.confidence[at]),
        "active_task": float(scores.bonus[at]),
        "final": float(scores.final[at]),
    }


def _origin(chosen: Candidates, moved: NDArray[np.float64], row: Row) -> dict[str, float]:
    """Why it was a candidate at all, what its clues added to the semantic score, and how many it stands for."""
    return {
        "clues": float(moved[row.place]),
        "has_vector": float(chosen.has_vector[row.place]),
        "coverage": float(chosen.coverage[row.place]),
        "relevance": float(chosen.relevance[row.place]),
        "folded": float(row.folded),
    }
