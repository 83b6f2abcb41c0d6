from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.domain.errors import Unavailable
from app.inference.graph import Variant, int8_rows, pack_nibbles, write_graph
from app.inference.session import Session
from app.inference.weights import Weights

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.inference.tiny import TinyNetwork

_TEXTS = ([0, 5, 6, 2], [0, 2], [0, *range(4, 40), 2], [0, 3, 3, 60, 2])


@pytest.mark.parametrize(("variant", "least"), [(Variant.EXACT, 0.99999), (Variant.Q4, 0.999), (Variant.INT8, 0.998)])
@pytest.mark.parametrize("file", ["rows.bin", None])
def test_the_graph_computes_the_network(
    network: TinyNetwork, tmp_path: Path, variant: Variant, least: float, file: str | None
) -> None:
    graph, rows = write_graph(Weights(network.data()), variant, embedding_file=file)
    (tmp_path / "model.onnx").write_bytes(graph)
    if file is not None:
        (tmp_path / file).write_bytes(rows)
    session = Session(tmp_path / "model.onnx", threads=1)
    for ids in _TEXTS:
        vector = session.vector(np.array(ids, np.int64))
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
        assert float(vector @ network.vector(ids)) > least


def test_the_same_weights_give_the_same_bytes(network: TinyNetwork) -> None:
    weights = Weights(network.data())
    for variant in Variant:
        assert write_graph(weights, variant, embedding_file="x") == write_graph(weights, variant, embedding_file="x")


def test_padding_rows_of_the_vocabulary_are_left_out(network: TinyNetwork) -> None:
    weights = Weights(network.data())
    _graph, rows = write_graph(weights, Variant.Q4, embedding_file="x")
    assert len(rows) == len(weights.pieces) * (64 // 2 + 64 // 32 * 2)


def test_a_missing_onnx_says_what_to_do(network: TinyNetwork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(Unavailable) as caught:
        write_graph(Weights(network.data()), Variant.Q4)
    assert "models" in str(caught.value.next_step)


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
