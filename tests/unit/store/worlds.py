"""Stores with many vectors, and what an exact comparison says of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from app.store.database import FILE_NAME
from app.store.source_rows import add_source
from app.store.store import Store
from app.store.vector_rows import EmbeddingModel, put_vectors
from app.store.writes import upsert_entry
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry, new_database, source_info

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

DIMENSION = 64
MODEL = EmbeddingModel("test", "1", DIMENSION)


def clustered(count: int, *, seed: int) -> NDArray[np.float16]:
    """float16[count, DIMENSION] of length 1: all near one direction, as those of e5, in fifty topics."""
    common = np.random.default_rng(0).standard_normal(DIMENSION)
    topics = np.random.default_rng(1).standard_normal((50, DIMENSION))
    rng = np.random.default_rng(seed)
    own = topics[rng.integers(0, 50, count)] + 0.8 * rng.standard_normal((count, DIMENSION))
    vectors = 2.0 * common + own
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)


def filled(
    path: Path, count: int, *, now: datetime, scope: str = "personal", hidden: int = 0
) -> tuple[Store, NDArray[np.float16]]:
    """A store of `count` chunks with vectors, every tenth in Chinese, before them `hidden` ones of another scope."""
    path.write_bytes(_file(count, scope, hidden, now))
    return Store.open(path, KEY, now=now), clustered(count, seed=100)


@cache
def _file(count: int, scope: str, hidden: int, now: datetime) -> bytes:
    """Made once for all tests that want the same."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE_NAME
        store = Store(new_database(path, now=now))
        with store.database.write() as tx:
            add_source(tx, source_info())
            for number in range(hidden):
                entry = admit(make_entry(f"hidden{number}"), scope="hidden")
                upsert_entry(tx, entry, [make_chunk("x")], now=now)
            for number in range(count):
                language = "zh" if number % 10 == 0 else "en"
                entry = admit(make_entry(f"entry{number}"), scope=scope)
                upsert_entry(tx, entry, [make_chunk("x", language=language)], now=now)
            matrix = np.concatenate([clustered(hidden, seed=200), clustered(count, seed=100)])
            put_vectors(tx, MODEL, list(enumerate(matrix, start=1)), now=now)
        store.close()
        return path.read_bytes()


def nearest(matrix: NDArray[np.float16], query: NDArray[np.float32], mask: NDArray[np.bool_], limit: int) -> set[int]:
    """The ids of the best chunks of a mask; row i of the matrix is chunk i + 1."""
    products = matrix.astype(np.float32) @ query
    products[~mask[1 : len(matrix) + 1]] = -np.inf
    return {int(row) + 1 for row in np.argsort(-products)[:limit] if products[row] > -np.inf}
