from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.inference.quantisation import block_diagonal, int8_rows, pack_nibbles


@given(arrays.arrays(np.uint8, (3, 8), elements=st.integers(0, 15)))
def test_nibbles_hold_two_neighbours_low_half_first(codes: np.ndarray) -> None:
    packed = pack_nibbles(codes)
    np.testing.assert_array_equal(packed & 15, codes[:, 0::2])
    np.testing.assert_array_equal(packed >> 4, codes[:, 1::2])


@given(arrays.arrays(np.float32, (4, 16), elements=st.floats(-8, 8, width=32)))
def test_int8_is_off_by_half_a_step_at_most(matrix: np.ndarray) -> None:
    codes, scales = int8_rows(matrix)
    assert np.abs(codes.astype(np.int16)).max(initial=0) <= 127
    assert np.all(np.abs(codes * scales[:, None] - matrix) <= scales[:, None] * 0.5001 + 1e-7)


def test_blocks_stand_on_the_diagonal() -> None:
    first, second = np.ones((2, 1), np.float32), np.full((1, 2), 5, np.float32)
    np.testing.assert_array_equal(block_diagonal([first, second]), [[1, 0, 0], [1, 0, 0], [0, 5, 5]])
