"""New weights of the ranking formula from marked questions (G4.2, G7). Pure, and the same for the same marks.

    questions -> learning and held out, by a hash -> weights are searched on the learning ones -> measured on the others

Weights move only as far as they earn it: the gain in order, less a pull towards the present ones. And they are worth
applying only where the held-out questions, of which the search saw nothing, are better by more than chance gives.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.context.ranking import Features, score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.context.ranking import Weights
    from app.domain.context_item import ContextItem

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

FIRST = 10
"""Results that count: nDCG and hits are of the first ten."""
LEAST_QUESTIONS, LEAST_HELD_OUT = 20, 5
_HELD_OUT_SHARE = 0.3
_STEP = 0.05
_WINDOWS = (0.125, 0.25, 0.5, 1.0, 2.0)
"""Times the present window of freshness."""
_PULL = 0.1
"""Of nDCG, for each squared distance of the four weights: a move of 0.2 from one to another has to earn 0.008."""
_WINDOW_PULL = 0.003
"""Of nDCG, for each halving or doubling of the window."""
_LEAST_GAIN = 0.01
_CHANCE = 0.05
"""At most this likely may the gain be for weights that are no better (a one-sided sign test, exact up to `_EXACT`)."""
_EXACT = 12
_LONG_AGO_DAYS = 1e7
_PARTS = ("semantic", "lexical", "freshness", "confidence")


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question with the candidates that the formula orders; arrays of length n, in the order found.

    Attributes:
        entries: the entry of each candidate.
        wanted: the entries that should be found, candidates or not; never empty.
    """

    query: str
    features: Features
    entries: Ints
    wanted: frozenset[int]


@dataclass(frozen=True, slots=True)
class Quality:
    """Of some questions: the share of wanted entries among the first ten, and nDCG@10 of each question."""

    hit: float
    orders: Floats

    @property
    def order(self) -> float:
        """The mean."""
        return float(self.orders.mean())


@dataclass(frozen=True, slots=True)
class Tuned:
    """What came of it: `weights` have the version of those that they were made from."""

    weights: Weights
    learned_from: int
    held_out: int
    before: Quality
    after: Quality

    @property
    def is_better(self) -> bool:
        """Whether the held-out questions gain more than chance gives, and lose no hit."""
        gains = self.after.orders - self.before.orders
        return self.after.hit >= self.before.hit and float(gains.mean()) >= _LEAST_GAIN and chance_of(gains) <= _CHANCE


def marked_question(query: str, items: Sequence[ContextItem], entries: Sequence[int], wanted: frozenset[int],
                    weights: Weights) -> MarkedQuestion:  # fmt: skip
    """What a search found, as features.

    Args:
        items: ranked by `weights`; as many as the formula orders. entries: of each item.
    """
    decay = np.array([item.time_decay for item in items])
    with np.errstate(divide="ignore"):
        age = np.where(decay > 0, -np.log2(decay) * weights.time.half_life_days, _LONG_AGO_DAYS)
    features = Features(
        semantic=np.array([item.semantic_score for item in items]),
        lexical=np.array([item.lexical_score for item in items]),
        confidence=np.array([item.confidence for item in items]),
        age_days=age,
        is_active_task=np.array([item.explanation.get("active_task", 0.0) > 0 for item in items], dtype=bool),
    )
    return MarkedQuestion(query, features, np.array(entries, np.int64), wanted)


def split(questions: Sequence[MarkedQuestion]) -> tuple[list[MarkedQuestion], list[MarkedQuestion]]:
    """Those to learn from, and three tenths that are held out; which ones is up to a hash of their words."""
    order = sorted(questions, key=lambda one: hashlib.sha256(one.query.encode("utf-8", "replace")).digest())
    count = round(len(order) * _HELD_OUT_SHARE)
    return order[count:], order[:count]


def tune(questions: Sequence[MarkedQuestion], weights: Weights) -> Tuned:
    """The best weights for the learning questions, measured on the others; there must be enough of both."""
    learning, held_out = split(questions)
    best = _search(learning, weights)
    return Tuned(best, len(learning), len(held_out), quality(held_out, weights), quality(held_out, best))


def quality(questions: Sequence[MarkedQuestion], weights: Weights) -> Quality:
    """How well some weights order the candidates of some questions."""
    found = due = 0
    orders = []
    for one in questions:
        places = _places(_finals(one.features, _grid_of([weights]), weights), one)[:, 0]
        found += int((places < FIRST).sum())
        due += len(one.wanted)
        orders.append(float(_gains(places) / _ideal(len(one.wanted))))
    return Quality(found / due if due else 0.0, np.array(orders))


def chance_of(gains: Floats) -> float:
    """How likely signs by chance would give a mean gain as great as this (one-sided); 1 where nothing differs."""
    moved = gains[gains != 0]
    if not len(moved):
        return 1.0
    if len(moved) <= _EXACT:
        signs = np.array(list(itertools.product((1.0, -1.0), repeat=len(moved))))
        return float((signs @ np.abs(moved) >= moved.sum() - 1e-12).mean())
    return 0.5 * math.erfc(float(moved.sum()) / math.sqrt(2.0 * float((moved**2).sum())))


def _search(questions: Sequence[MarkedQuestion], weights: Weights) -> Weights:
    """The whole grid; the present weights where nothing earns its move."""
    grid = np.vstack([_grid_of([weights]), _grid(weights.time.window_days)])
    worth = -_pulls(grid, grid[0])
    for one in questions:
        places = _places(_finals(one.features, grid, weights), one)
        worth += _gains(places) / _ideal(len(one.wanted)) / len(questions)
    chosen = grid[int(np.argmax(np.round(worth, 9)))]
    final = replace(weights.final, **{name: round(float(chosen[at]), 4) for at, name in enumerate(_PARTS)})
    return replace(weights, final=final, time=replace(weights.time, window_days=round(float(chosen[4]), 2)))


def _grid(window_days: float) -> Floats:
    """All weights in steps that add up to 1, for each window: float64[g, 5]."""
    steps = round(1 / _STEP)
    rows = [
        (a * _STEP, b * _STEP, c * _STEP, (steps - a - b - c) * _STEP, times * window_days)
        for a in range(steps + 1)
        for b in range(steps + 1 - a)
        for c in range(steps + 1 - a - b)
        for times in _WINDOWS
    ]
    return np.array(rows)


def _grid_of(weights: Sequence[Weights]) -> Floats:
    return np.array([[*(getattr(one.final, name) for name in _PARTS), one.time.window_days] for one in weights])


def _pulls(grid: Floats, present: Floats) -> Floats:
    distance = ((grid[:, :4] - present[:4]) ** 2).sum(axis=1)
    doublings = np.abs(np.log2(grid[:, 4] / present[4]))
    return np.asarray(_PULL * distance + _WINDOW_PULL * doublings)


def _finals(features: Features, grid: Floats, weights: Weights) -> Floats:
    """The final score of n candidates by g weights: float64[g, n]; the same as `ranking.score`, for many at once."""
    freshness = np.maximum(0.0, 1.0 - np.maximum(features.age_days, 0.0)[None, :] / grid[:, 4:5])
    bonus = score(features, weights).bonus
    total = (
        grid[:, 0:1] * features.semantic
        + grid[:, 1:2] * features.lexical
        + grid[:, 2:3] * freshness
        + grid[:, 3:4] * features.confidence
        + bonus
    )
    return np.asarray(np.clip(total, 0.0, 1.0))


def _places(finals: Floats, question: MarkedQuestion) -> Ints:
    """Where each wanted entry that is a candidate stands first: int64[k, g], from 0."""
    order = np.argsort(-np.round(finals, 12), axis=1, kind="stable")
    places = np.empty_like(order)
    np.put_along_axis(places, order, np.arange(order.shape[1])[None, :], axis=1)
    found = [question.entries == entry for entry in sorted(question.wanted)]
    rows = [places[:, mask].min(axis=1) for mask in found if mask.any()]
    return np.array(rows, np.int64).reshape(len(rows), len(finals))


def _gains(places: Ints) -> Floats:
    """The sum over wanted entries of what their places are worth (the DCG)."""
    return np.asarray(np.where(places < FIRST, 1.0 / np.log2(places + 2.0), 0.0).sum(axis=0))


def _ideal(wanted: int) -> float:
    return sum(1.0 / math.log2(place + 2) for place in range(min(wanted, FIRST)))
