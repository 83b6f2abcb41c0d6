from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.domain.errors import Unavailable
from app.inference.delta import Delta, Head, LowRank
from app.inference.graph import Variant, write_graph, write_token_classifier
from app.inference.session import Session
from app.inference.weights import Weights
from tests.unit.inference.tiny import TinyNetwork

if TYPE_CHECKING:
    from pathlib import Path

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


@pytest.mark.parametrize("is_for_short", [False, True])
def test_a_network_that_fails_says_so_and_goes_on_with_the_next_text(
    network: TinyNetwork, tmp_path: Path, *, is_for_short: bool
) -> None:
    graph, _ = write_graph(Weights(network.data()), Variant.EXACT)
    (tmp_path / "model.onnx").write_bytes(graph)
    session = Session(tmp_path / "model.onnx", threads=1, is_for_short=is_for_short)
    before = session.vector(np.array([0, 5, 2], np.int64))
    too_many = np.full(2_000, 3, np.int64)
    for failing in (session.vector, session.outputs):
        with pytest.raises(Unavailable):
            failing(too_many)
    assert session.vector(np.array([0, 5, 2], np.int64)).tolist() == before.tolist()


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


def _random_delta(network: TinyNetwork) -> Delta:
    """Changes of every matrix and of some vectors, as great as fine-tuning makes them, and two heads."""
    random = np.random.default_rng(11)

    def normal(*shape: int, scale: float) -> np.ndarray:
        return random.normal(0, scale, shape).astype(np.float32)

    matrices = {
        name.removesuffix(".w"): LowRank(normal(4, codes.shape[1], scale=0.05), normal(codes.shape[0], 4, scale=0.2))
        for name, (codes, _) in network.codes.items()
        if name.startswith("l")
    }
    del matrices["l1.k"]  # one of three that are multiplied together
    vectors = {"l0.q.b": normal(network.hidden, scale=0.1), "l1.oln.w": 1 + normal(network.hidden, scale=0.1)}
    heads = {
        "clause": Head(("O", "B-TASK"), normal(2, network.hidden, scale=0.2), normal(2, scale=0.1)),
        "entity": Head(("O", "B-PER", "I-PER"), normal(3, network.hidden, scale=0.2), normal(3, scale=0.1)),
    }
    return Delta(matrices, vectors, heads)


def _changed(network: TinyNetwork, delta: Delta) -> TinyNetwork:
    """The network with a delta merged in, as the plain reference computes it."""

    class Changed(TinyNetwork):
        def _matrix(self, name: str) -> np.ndarray:
            change = delta.matrices.get(name.removesuffix(".w"))
            return super()._matrix(name) + (0 if change is None else change.product())

    changed = Changed()
    changed.floats |= delta.vectors
    return changed


def test_the_reference_sees_a_delta(network: TinyNetwork) -> None:
    changed = _changed(network, _random_delta(network))
    assert float(network.vector(_TEXTS[2]) @ changed.vector(_TEXTS[2])) < 0.99


@pytest.mark.parametrize(("variant", "most"), [(Variant.EXACT, 1e-3), (Variant.Q4, 0.06), (Variant.INT8, 0.08)])
def test_a_token_classifier_computes_every_head_of_the_changed_network(
    network: TinyNetwork, tmp_path: Path, variant: Variant, most: float
) -> None:
    delta = _random_delta(network)
    graph, rows = write_token_classifier(Weights(network.data()), delta, variant, embedding_file="rows.bin")
    (tmp_path / "model.onnx").write_bytes(graph)
    (tmp_path / "rows.bin").write_bytes(rows)
    session = Session(tmp_path / "model.onnx", threads=1)
    reference = _changed(network, delta)
    for ids in _TEXTS:
        hidden = reference.hidden_states(ids)
        found = session.outputs(np.array(ids, np.int64))
        assert set(found) == {"clause", "entity"}
        for name, head in delta.heads.items():
            assert found[name].shape == (len(ids), len(head.labels))
            assert np.abs(found[name] - (hidden @ head.weight.T + head.bias)).max() < most


def test_a_classifier_and_the_embedder_share_the_word_embedding(network: TinyNetwork) -> None:
    weights = Weights(network.data())
    _graph, rows = write_token_classifier(weights, _random_delta(network), Variant.INT8, embedding_file="x")
    assert rows == write_graph(weights, Variant.INT8, embedding_file="x")[1]
