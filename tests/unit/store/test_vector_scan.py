"""Every selected vector is compared, and what lies between them makes no difference."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.store.vector_scan import may_be_nearest

_DIMENSION = 32


def _vectors(rng: np.random.Generator, count: int, copies: int) -> np.ndarray:
    """Vectors of length 1, the first of them several times: their products are equal."""
    found = rng.standard_normal((count, _DIMENSION)).astype(np.float32)
    found[:copies] = found[0]
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)


def _found(query: np.ndarray, limit: int, blocks: list[tuple[np.ndarray, np.ndarray]]) -> list[int]:
    """Which of all rows that were asked for are the nearest, the last of equal ones first."""
    near = may_be_nearest(query, limit, blocks)
    begins = np.cumsum([0, *(len(rows) for _, rows in blocks)])[:-1]
    ids = np.concatenate(
        [begin + np.searchsorted(rows, best) for begin, (_, rows), best in zip(begins, blocks, near, strict=True)]
    )
    rows = np.concatenate([block[best] for (block, _), best in zip(blocks, near, strict=True)]).astype(np.float32)
    return ids[np.lexsort((-ids, -np.einsum("ij,j->i", rows, query)))][:limit].tolist()


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(0, 300), st.integers(1, 400))
def test_what_lies_between_makes_no_difference(seed: int, limit: int, copies: int, hidden: int) -> None:
    rng = np.random.default_rng(seed)
    seen = _vectors(rng, 500, copies)
    query = seen[0].astype(np.float32) if seed % 2 else rng.standard_normal(_DIMENSION).astype(np.float32)
    query /= np.linalg.norm(query)
    alone = [(seen[:300].copy(), np.arange(300)), (seen[300:].copy(), np.arange(200))]
    mixed = rng.standard_normal((500 + hidden, _DIMENSION)).astype(np.float16)
    places = np.sort(rng.choice(500 + hidden, 500, replace=False))
    mixed[places] = seen
    found = _found(query, limit, [(mixed, places)])
    assert found == _found(query, limit, alone)
    products = np.einsum("ij,j->i", seen.astype(np.float32), query)
    ids = np.arange(500)
    assert found == np.lexsort((-ids, -products))[:limit].tolist()


def test_of_few_all_come() -> None:
    seen = _vectors(np.random.default_rng(1), 5, 0)
    query = seen[0].astype(np.float32)
    assert [rows.tolist() for rows in may_be_nearest(query, 10, [(seen, np.array([1, 3]))])] == [[1, 3]]
    assert may_be_nearest(query, 10, []) == []
