"""The distinct values of an array (DESIGN 8)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.distinct import distinct


@given(st.lists(st.integers(-5, 5) | st.integers(-(2**63), 2**63 - 1)))
def test_they_are_those_that_numpy_finds(values: list[int]) -> None:
    array = np.array(values, np.int64)
    np.testing.assert_array_equal(distinct(array), np.unique(array))
    np.testing.assert_array_equal(array, np.array(values, np.int64), "the array itself stays as it was")


@pytest.mark.parametrize("kind", [np.uint64, np.int32, np.float64])
def test_their_type_is_that_of_the_array(kind: type[np.generic]) -> None:
    found = distinct(np.array([3, 1, 3, 2, 1], kind))
    assert found.dtype == kind
    assert found.tolist() == [1, 2, 3]
