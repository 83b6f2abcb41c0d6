"""Rows of float16 in blocks: the nearest of some of them, every one compared (G4.3)."""

from __future__ import annotations

import numpy as np
import pytest

from app.store.vector_blocks import BLOCK_ROWS, Rows
from app.store.vector_scan import may_be_nearest

DIMENSION = 32


def filled(count: int, seed: int = 1) -> tuple[Rows, np.ndarray]:
    matrix = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float16)
    rows = Rows(DIMENSION)
    for start in range(0, count, 5_000):
        rows.append(matrix[start : start + 5_000])
    return rows, matrix


def nearest(rows: Rows, query: np.ndarray, places: np.ndarray, limit: int) -> np.ndarray:
    """The places of the nearest, best first, of what a scan of the blocks says may be among them."""
    parts = rows.parts(places) if len(places) else []
    near = may_be_nearest(query, limit, parts)
    begins = np.cumsum([0, *(len(asked) for _, asked in parts)])[:-1]
    at = [begin + np.searchsorted(asked, best) for begin, (_, asked), best in zip(begins, parts, near, strict=True)]
    found = places[np.concatenate(at)] if at else places
    return found[np.argsort(-(rows.take(found).astype(np.float32) @ query), kind="stable")][:limit]


@pytest.mark.parametrize("count", [1, 100, BLOCK_ROWS, BLOCK_ROWS + 1, 2 * BLOCK_ROWS + 77])
def test_the_nearest_are_those_of_numpy(count: int) -> None:
    rows, matrix = filled(count)
    rng = np.random.default_rng(2)
    query = rng.standard_normal(DIMENSION).astype(np.float32)
    for share in (1.0, 0.3):
        places = np.flatnonzero(rng.random(count) < share).astype(np.int32)
        for limit in (1, 40):
            found = nearest(rows, query, places, limit)
            wanted = np.sort(-(matrix[places].astype(np.float32) @ query))[:limit]
            assert len(found) == len(wanted)
            assert set(found) <= set(places)
            assert np.allclose(-(matrix[found].astype(np.float32) @ query), wanted, atol=1e-4)


def test_what_is_not_asked_for_makes_no_difference() -> None:
    rows, _ = filled(3_000)
    places = np.arange(0, 3_000, 3, dtype=np.int32)
    query = np.ones(DIMENSION, np.float32)
    before = nearest(rows, query, places, 20)
    rows.append(np.full((500, DIMENSION), 9, np.float16))
    rows.clear(np.arange(1, 3_000, 3, dtype=np.int32))
    assert nearest(rows, query, places, 20).tolist() == before.tolist()


def test_what_was_cleared_or_came_later_is_compared_as_it_is() -> None:
    rows, _ = filled(100)
    query = np.ones(DIMENSION, np.float32)
    places = np.arange(100, dtype=np.int32)
    best = nearest(rows, query, places, 1)
    rows.clear(best)
    assert nearest(rows, query, places, 1) != best
    (added,) = rows.append(np.full((1, DIMENSION), 5, np.float16)).tolist()
    assert nearest(rows, query, np.arange(101, dtype=np.int32), 1).tolist() == [added]
    assert nearest(rows, query, np.empty(0, np.int32), 5).tolist() == []
