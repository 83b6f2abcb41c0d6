"""Candidates become ranked items: read, freed of duplicates, moved by clues, scored by the formula (G4.1, G4.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.context.clues import weigh_clues
from app.context.items import Standing, context_item
from app.context.ranking import Features, score
from app.domain.labels import Status
from app.govern.near_duplicates import difference
from app.inference.calibration import NEAR_DUPLICATE
from app.store.reading import event_times_of, passages, texts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from app.context.candidates import Candidates
    from app.context.closeness import Closeness
    from app.context.clues import Clues
    from app.context.ranking import Scores, Weights
    from app.domain.context_item import ContextItem
    from app.store.connection import Reader
    from app.store.reading import Passage

_SECONDS_A_DAY = 86_400.0
_SPARE = 4
"""Passages read beyond the pool, to take the place of duplicates."""
_COMPARED = 8
"""Texts compared word by word for one question."""


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
        likeness: how alike some chunks are, given their languages: float32[n, n] in 0..1; None without a model.
    """

    close: Closeness
    clues: Clues
    likeness: Callable[[Sequence[int], Sequence[str]], NDArray[np.float32]] | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """A candidate with its passage."""

    passage: Passage
    place: int


def rank(
    reader: Reader, candidates: Candidates, asked: Asked, weights: Weights, *, limit: int, now: datetime
) -> list[Ranked]:
    """Read the best candidates and rank them.

    Relevance and clues alone choose whom the formula ranks, and the pool is hardly wider than what is asked for (G4.5),
    so that freshness decides between passages that answer, and brings up none that does not.
    """
    size = max(weights.candidates.pool, limit)
    chosen, moved = _second_stage(reader, candidates, asked.clues, weights, size + _SPARE)
    rows = _without_near_duplicates(_without_duplicates(reader, chosen), asked)[:size]
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
                _standing(features, scores, at),
                now,
                _explanation(weights, features, scores, at) | _origin(chosen, moved, rows[at].place),
            ),
            float(chosen.meaning[rows[at].place]),
            float(chosen.coverage[rows[at].place]),
        )
        for at in order.tolist()
    ]


def _second_stage(
    reader: Reader, candidates: Candidates, clues: Clues, weights: Weights, count: int
) -> tuple[Candidates, NDArray[np.float64]]:
    """Move the best candidates by their clues, and keep the best of them: they, and how far each one's score moved."""
    chosen = candidates.first(max(weights.clues.looked_at, count))
    ids = chosen.chunk_ids.tolist()
    texts = texts_of(reader, ids)
    moments = None
    if clues.needs_times:
        times = event_times_of(reader, ids)
        moments = np.array([times[chunk_id].timestamp() if chunk_id in times else np.nan for chunk_id in ids])
    added = weigh_clues([texts.get(chunk_id, "") for chunk_id in ids], moments, clues, weights.clues)
    semantic = np.clip(chosen.semantic + added, 0.0, 1.0).astype(np.float32)
    moved = semantic - chosen.semantic
    chosen = replace(chosen, semantic=semantic, relevance=chosen.relevance + weights.candidates.semantic * moved)
    order = np.argsort(-chosen.relevance, kind="stable")[:count]
    return chosen.at(order), moved[order].astype(np.float64)


def _without_duplicates(reader: Reader, chosen: Candidates) -> list[_Row]:
    """Passages with the same text take one place: the first, unless it is stale and a later one is not (G2.1)."""
    places = {int(chunk_id): place for place, chunk_id in enumerate(chosen.chunk_ids)}
    kept: dict[str, _Row] = {}
    for passage in passages(reader, [int(chunk_id) for chunk_id in chosen.chunk_ids]):
        text = " ".join(passage.text.casefold().split())
        known = kept.get(text)
        if known is None or (known.passage.stale_reason is not None and passage.stale_reason is None):
            kept[text] = _Row(passage, places[passage.chunk_id] if known is None else known.place)
    return list(kept.values())


def _without_near_duplicates(rows: list[_Row], asked: Asked) -> list[_Row]:
    """What another entry says too takes no second place (G2.1)."""
    if asked.likeness is None or len(rows) < 2:  # noqa: PLR2004 - nothing to compare
        return rows
    table = asked.likeness([row.passage.chunk_id for row in rows], [row.passage.language for row in rows])
    firsts, seconds = np.nonzero(np.triu(table >= NEAR_DUPLICATE, 1))
    dropped: set[int] = set()
    compared = 0
    for first, second in zip(firsts.tolist(), seconds.tolist(), strict=True):
        one, other = rows[first].passage, rows[second].passage
        if one.entry_id == other.entry_id or {first, second} & dropped or compared == _COMPARED:
            continue
        compared += 1
        if difference(one.text, other.text) is None:
            is_first_stale = one.stale_reason is not None and other.stale_reason is None
            dropped.add(first if is_first_stale else second)
    return [row for at, row in enumerate(rows) if at not in dropped]


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


def _standing(features: Features, scores: Scores, at: int) -> Standing:
    return Standing(
        semantic=float(features.semantic[at]),
        lexical=float(features.lexical[at]),
        freshness=float(scores.freshness[at]),
        time_decay=float(scores.time_decay[at]),
        final=float(scores.final[at]),
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


def _origin(chosen: Candidates, moved: NDArray[np.float64], place: int) -> dict[str, float]:
    """Why it was a candidate at all, and what its clues added to the semantic score."""
    return {
        "clues": float(moved[place]),
        "has_vector": float(chosen.has_vector[place]),
        "coverage": float(chosen.coverage[place]),
        "relevance": float(chosen.relevance[place]),
    }
