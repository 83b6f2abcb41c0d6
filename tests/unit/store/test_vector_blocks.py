"""Rows of float16: kept in blocks, and computed with as float32."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.store import vector_blocks
from app.store.vector_blocks import Rows, floats

if TYPE_CHECKING:
    import pytest


def test_every_finite_half_is_the_same_number_as_a_float_to_the_last_bit() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves)].reshape(2, -1)
    found = floats(halves)
    assert found.dtype == np.float32
    assert found.view(np.uint32).tolist() == halves.astype(np.float32).view(np.uint32).tolist()
    assert floats(halves[:0]).shape == (0, halves.shape[1])


def test_rows_that_grow_over_blocks_are_all_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_blocks, "BLOCK_ROWS", 4)
    rows = Rows(3)
    numbers = np.arange(33, dtype=np.float16).reshape(11, 3)
    places = np.concatenate([rows.append(numbers[:3]), rows.append(numbers[3:4]), rows.append(numbers[4:])])
    order = np.array([10, 0, 4, 3, 7, 7], np.int32)
    assert rows.take(places[order]).tolist() == numbers[order].tolist()
    assert rows.take_floats(places[order]).tolist() == numbers[order].tolist()
    rows.clear(places[3:5])
    assert rows.take(places[2:6]).tolist() == [[6, 7, 8], [0, 0, 0], [0, 0, 0], [15, 16, 17]]
