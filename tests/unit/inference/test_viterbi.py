"""The best sequence, against all sequences (G2.4)."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.inference.viterbi import best_path


@given(st.integers(1, 5), st.integers(1, 3), st.integers(0, 1000))
def test_no_sequence_is_better(places: int, tags: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    scores, moves, begin = (
        dice.normal(size=size).astype(np.float32) for size in ((places, tags), (tags, tags), (tags,))
    )

    def worth(path: tuple[int, ...]) -> float:
        steps = sum(float(moves[a, b]) for a, b in itertools.pairwise(path))
        return float(begin[path[0]]) + steps + sum(float(scores[place, tag]) for place, tag in enumerate(path))

    best = max(worth(path) for path in itertools.product(range(tags), repeat=places))
    assert abs(worth(tuple(best_path(scores, moves, begin))) - best) < 1e-3


def test_what_is_not_allowed_is_not_taken() -> None:
    moves = np.array([[0, -np.inf], [0, 0]], np.float32)
    assert best_path(np.array([[5, 0], [0, 4]], np.float32), moves) == [0, 0]
