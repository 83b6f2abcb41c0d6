"""The interface that an exported graph is given, on graphs small enough to be checked by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from app.inference.building_encoder import give_interface
from app.inference.session import Session

if TYPE_CHECKING:
    from pathlib import Path

TABLE = np.array([[1, 0], [0, 2], [3, 4]], np.float32)


def _exported(path: Path, inputs: tuple[str, ...]) -> Path:
    """A lookup table times its mask, as an exporter writes it."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["rows"], axis=0)]
    hidden = "rows"
    if "attention_mask" in inputs:
        nodes += [
            helper.make_node("Cast", ["attention_mask"], ["floats"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["floats", "axis"], ["wide"]),
            helper.make_node("Mul", ["rows", "wide"], ["masked"]),
        ]
        hidden = "masked"
    if "token_type_ids" in inputs:
        nodes += [
            helper.make_node("Cast", ["token_type_ids"], ["kinds"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["kinds", "axis"], ["wide_kinds"]),
            helper.make_node("Add", [hidden, "wide_kinds"], ["typed"]),
        ]
        hidden = "typed"
    nodes.append(helper.make_node("Identity", [hidden], ["last_hidden_state"]))
    graph = helper.make_graph(
        nodes,
        "exported",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", 2])],
        [numpy_helper.from_array(TABLE, "table"), numpy_helper.from_array(np.array([2], np.int64), "axis")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10), path)
    return path


@pytest.mark.parametrize("inputs", [("input_ids",), ("input_ids", "attention_mask", "token_type_ids")])
@pytest.mark.parametrize(("pooling", "expected"), [("mean", [3, 6]), ("cls", [0, 2])])
def test_ids_in_one_vector_of_length_one_out(
    tmp_path: Path, inputs: tuple[str, ...], pooling: str, expected: list[float]
) -> None:
    path = _exported(tmp_path / "model.onnx", inputs)
    give_interface(path, pooling)
    found = Session(path, threads=1).vector(np.array([1, 2], np.int64))
    np.testing.assert_allclose(found, np.array(expected) / np.linalg.norm(expected), atol=1e-6)
