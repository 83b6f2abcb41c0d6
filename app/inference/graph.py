"""Writes the network of multilingual-e5-small as an ONNX graph, without torch.

The graph takes `input_ids` int64[batch, tokens], all texts of a batch being of the same length (so there is no padding
and no mask), and gives

    write_graph(weights, variant, ...)                      `embedding` float32[batch, 384]: the mean over the
                                                            tokens, of length 1
    write_token_classifier(weights, delta, variant, ...)    for every head of the delta an output of its name,
                                                            float32[batch, tokens, labels]: what the head says of
                                                            each token, the two marks at the ends included

A delta (app.inference.delta) is what fine-tuning changed; it is merged into the matrices as they are written, or, at 4
bits, computed beside them. How the matrices are stored decides size, speed and exactness:

    int8   8 bits throughout. A text's activations share one scale; for the feed-forward part every token is brought to
           the same size first, since the marks at a text's ends carry values thirty times larger than its words.
           Fastest where the processor multiplies int8 without saturating (VNNI, ARM dot product).
    q4     4 bits throughout, as in the source. Exact everywhere, and slower.
    exact  float32, dequantised. Only what the other two are measured against while a pack is built.

The word embedding stays at 4 bits in all of them. It may live in a file of its own beside the graph, which onnxruntime
maps into memory, so that only the rows in use are ever resident.

The graph is written as it is to be run: onnxruntime's fused forms of normalisation and GELU are slower than the plain
ones, so its extended optimisations are left off (docs/models.md).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.inference.delta import Delta, LowRank
from app.inference.quantisation import block_diagonal, int8_rows, pack_nibbles
from app.inference.weights import BLOCK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.inference.delta import Head
    from app.inference.weights import Shape, Weights

OUTPUT = "embedding"
INPUT = "input_ids"
_CONTRIB = "com.microsoft"
_OPSET = 21
_IR_VERSION = 10
_FEED_FORWARD = ("fi", "fo")


class Variant(StrEnum):
    """How the matrices are stored; see the module docstring."""

    INT8 = "int8"
    Q4 = "q4"
    EXACT = "exact"


def write_graph(weights: Weights, variant: Variant, *, embedding_file: str | None = None) -> tuple[bytes, bytes]:
    """Make the graph.

    Args:
        weights: the source.
        variant: how to store the matrices.
        embedding_file: the name of the file that will hold the word embedding; None keeps it inside the graph.

    Returns:
        The graph, and the content of the embedding's own file (empty without one). The same input gives the same bytes.

    Raises:
        Unavailable: the `onnx` package is not installed.
    """
    writer = _GraphWriter(weights, variant, Delta())
    writer.pool(writer.encode(embedding_file))
    return writer.finish("multilingual-e5-small"), writer.embedding_rows


def write_token_classifier(
    weights: Weights, delta: Delta, variant: Variant, *, embedding_file: str | None = None
) -> tuple[bytes, bytes]:
    """Make the graph of a fine-tuned encoder with its heads.

    Args:
        weights: the encoder that was fine-tuned.
        delta: what fine-tuning changed, and at least one head.
        variant: how to store the matrices.
        embedding_file: as for `write_graph`. Its content is the same, byte for byte, so packs can share one file.

    Returns:
        The graph, and the content of the embedding's own file (empty without one). The same input gives the same bytes.

    Raises:
        Unavailable: the `onnx` package is not installed.
    """
    writer = _GraphWriter(weights, variant, delta)
    hidden = writer.encode(embedding_file)
    for name, head in delta.heads.items():
        writer.head(hidden, name, head)
    return writer.finish("token-classifier"), writer.embedding_rows


class _GraphWriter:
    """Collects nodes and constants; a method per part of the network."""

    def __init__(self, weights: Weights, variant: Variant, delta: Delta) -> None:
        self._onnx = _load_onnx()
        self._weights = weights
        self._delta = delta
        self._shape: Shape = weights.shape
        self._variant = variant
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}
        self._outputs: list[Any] = []
        self.embedding_rows = b""

    def encode(self, embedding_file: str | None) -> str:
        """The whole encoder; gives the name of the last hidden state, float32[batch, tokens, hidden]."""
        hidden = self._embed(embedding_file)
        for layer in range(self._shape.layers):
            hidden = self._layer(hidden, f"l{layer}.")
        return hidden

    def _embed(self, file: str | None) -> str:
        """Word, position and type embedding, and their normalisation."""
        shape = self._shape
        codes, scales = self._weights.codes("emb.word", shape.vocabulary, shape.hidden)
        rows = len(self._weights.pieces)
        signed = ((codes[:rows].astype(np.int8) - 8) & 15).astype(np.uint8)
        proto = self._onnx.TensorProto
        self._rows("word.codes", proto.INT4, (rows, shape.hidden), pack_nibbles(signed).tobytes(), file)
        halves = scales[:rows].astype("<f2")
        self._rows("word.scales", proto.FLOAT16, halves.shape, halves.tobytes(), file)
        words16 = self._node(
            "GatherBlockQuantized", ["word.codes", INPUT, "word.scales"], "word.half",
            domain=_CONTRIB, gather_axis=0, quantize_axis=1, block_size=BLOCK,
        )  # fmt: skip
        words = self._node("Cast", [words16], "word", to=self._onnx.TensorProto.FLOAT)
        places = self._weights.floats("emb.pos", shape.positions, shape.hidden)
        kinds = self._weights.floats("emb.type", shape.types, shape.hidden)
        self._constant("place.table", places + kinds[0])
        zero, one = self._constant("zero", np.array([0], np.int64)), self._constant("one", np.array([1], np.int64))
        sizes = self._node("Shape", [INPUT], "sizes")
        length = self._node("Gather", [sizes, one], "length", axis=0)
        place = self._node("Slice", ["place.table", zero, length, zero], "place")
        summed = self._node("Add", [words, place], "embedded")
        return self._normalise(summed, "emb.ln", "hidden")

    def _layer(self, hidden: str, name: str) -> str:
        """One transformer block: attention and feed-forward, each added to its input and normalised."""
        shape = self._shape
        fused = self._linear(hidden, [name + part for part in ("q", "k", "v")], shape.hidden, shape.hidden)
        parts = [name + part + ".out" for part in ("q", "k", "v")]
        self._nodes.append(
            self._onnx.helper.make_node("Split", [fused], parts, name=name + "split", axis=-1, num_outputs=3)
        )
        mixed = self._node("MultiHeadAttention", parts, name + "mixed", domain=_CONTRIB, num_heads=shape.heads)
        attended = self._linear(mixed, [name + "ao"], shape.hidden, shape.hidden)
        hidden = self._add_and_normalise(attended, hidden, name + "aln")
        inner = self._linear(hidden, [name + "fi"], shape.hidden, shape.inner)
        active = self._node("Gelu", [inner], name + "active")
        outer = self._linear(active, [name + "fo"], shape.inner, shape.hidden)
        return self._add_and_normalise(outer, hidden, name + "oln")

    def pool(self, hidden: str) -> None:
        """The mean over the tokens, brought to length 1."""
        axis = self._constant("token.axis", np.array([1], np.int64))
        mean = self._node("ReduceMean", [hidden, axis], "mean", keepdims=0)
        self._node("LpNormalization", [mean], OUTPUT, axis=-1, p=2)
        self._output(OUTPUT, ["batch", self._shape.hidden])

    def head(self, hidden: str, name: str, head: Head) -> None:
        """An output of a name: a linear layer over every token, in full precision (it is small)."""
        matrix = self._constant(f"head.{name}.matrix", head.weight.T)
        product = self._node("MatMul", [hidden, matrix], f"head.{name}.product")
        self._node("Add", [product, self._constant(f"head.{name}.bias", head.bias)], name)
        self._output(name, ["batch", "tokens", len(head.labels)])

    def finish(self, name: str) -> bytes:
        """The whole graph, serialised."""
        helper, int64 = self._onnx.helper, self._onnx.TensorProto.INT64
        graph = helper.make_graph(
            self._nodes,
            name,
            [helper.make_tensor_value_info(INPUT, int64, ["batch", "tokens"])],
            self._outputs,
            list(self._constants.values()),
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="famulus")
        serialised: bytes = model.SerializeToString(deterministic=True)
        return serialised

    def _linear(self, source: str, names: list[str], inputs: int, outputs: int) -> str:
        """Matrices that share their input, multiplied as one, and their biases; gives the name of the output."""
        out = names[0] + ("kv" if len(names) > 1 else "") + ".product"
        if self._variant is Variant.Q4:
            product = self._multiply_q4(source, names, inputs, outputs, out)
            product = self._add_changes(source, product, names, inputs, outputs)
        else:
            parts = [self._merged(name, outputs, inputs) for name in names]
            multiply = self._multiply_exact
            if self._variant is Variant.INT8:
                multiply = self._multiply_by_token if names[0][-2:] in _FEED_FORWARD else self._multiply_int8
            product = multiply(source, np.concatenate(parts), out)
        joined = np.concatenate([self._vector(name + ".b", outputs) for name in names])
        return self._node("Add", [product, self._constant(out + ".bias", joined)], out + ".sum")

    def _merged(self, name: str, outputs: int, inputs: int) -> NDArray[np.float32]:
        """A matrix with what fine-tuning changed."""
        matrix = self._weights.dequantised(name + ".w", outputs, inputs)
        change = self._delta.matrices.get(name)
        return matrix if change is None else matrix + change.product()

    def _vector(self, name: str, size: int) -> NDArray[np.float32]:
        own = self._delta.vectors.get(name)
        return self._weights.floats(name, size) if own is None else own

    def _add_changes(self, source: str, product: str, names: list[str], inputs: int, outputs: int) -> str:
        """Beside matrices of 4 bits: their steps are coarser than what fine-tuning changed."""
        if not any(name in self._delta.matrices for name in names):
            return product
        nothing = LowRank(np.zeros((0, inputs), np.float32), np.zeros((outputs, 0), np.float32))
        changes = [self._delta.matrices.get(name, nothing) for name in names]
        down = self._constant(product + ".down", np.concatenate([change.down for change in changes]).T)
        up = self._constant(product + ".up", block_diagonal([change.up for change in changes]).T)
        narrow = self._node("MatMul", [source, down], product + ".narrow")
        change = self._node("MatMul", [narrow, up], product + ".change")
        return self._node("Add", [product, change], product + ".changed")

    def _multiply_exact(self, source: str, matrix: NDArray[np.float32], out: str) -> str:
        return self._node("MatMul", [source, self._constant(out + ".matrix", matrix.T)], out)

    def _multiply_q4(self, source: str, names: list[str], inputs: int, outputs: int, out: str) -> str:
        """With the codes and scales of the source, unchanged."""
        parts = [self._weights.codes(name + ".w", outputs, inputs) for name in names]
        codes = np.concatenate([codes for codes, _ in parts])
        blocks = pack_nibbles(codes.reshape(len(codes), -1, BLOCK))
        scales = np.concatenate([scales for _, scales in parts]).reshape(-1)
        constants = [self._constant(out + ".codes", blocks), self._constant(out + ".scales", scales)]
        return self._node(
            "MatMulNBits", [source, *constants], out,
            domain=_CONTRIB, K=inputs, N=len(codes), bits=4, block_size=BLOCK, accuracy_level=4,
        )  # fmt: skip

    def _multiply_by_token(self, source: str, matrix: NDArray[np.float32], out: str) -> str:
        """int8, every token divided by its greatest value before, and multiplied by it after."""
        axis = self._constant("feature.axis", np.array([-1], np.int64))
        sizes = self._node("Abs", [source], out + ".sizes")
        greatest = self._node("ReduceMax", [sizes, axis], out + ".greatest", keepdims=1)
        divisor = self._node("Max", [greatest, self._constant("tiny", np.array(1e-6, np.float32))], out + ".divisor")
        scaled = self._node("Div", [source, divisor], out + ".scaled")
        return self._node("Mul", [self._multiply_int8(scaled, matrix, out + ".unit"), divisor], out)

    def _multiply_int8(self, source: str, matrix: NDArray[np.float32], out: str) -> str:
        codes, scales = int8_rows(matrix)
        quantised, scale, zero = self._quantise(source)
        constants = [self._constant(out + ".codes", codes.T), self._constant(out + ".scales", scales)]
        return self._node(
            "MatMulIntegerToFloat", [quantised, constants[0], scale, constants[1], zero], out, domain=_CONTRIB
        )

    def _quantise(self, source: str) -> tuple[str, str, str]:
        """The input as uint8 with one scale for the whole text: why texts are embedded one at a time."""
        outputs = (source + ".quantised", source + ".scale", source + ".zero")
        self._nodes.append(
            self._onnx.helper.make_node("DynamicQuantizeLinear", [source], list(outputs), name=source + ".quantise")
        )
        return outputs

    def _add_and_normalise(self, source: str, skip: str, norm: str) -> str:
        summed = self._node("Add", [source, skip], norm + ".sum")
        return self._normalise(summed, norm, norm + ".out")

    def _normalise(self, source: str, norm: str, out: str) -> str:
        size = self._shape.hidden
        gamma = self._constant(norm + ".gamma", self._vector(norm + ".w", size))
        beta = self._constant(norm + ".beta", self._vector(norm + ".b", size))
        return self._node("LayerNormalization", [source, gamma, beta], out, axis=-1, epsilon=self._shape.epsilon)

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        if name not in self._constants:
            self._constants[name] = self._onnx.numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def _rows(self, name: str, kind: int, shape: tuple[int, ...], content: bytes, file: str | None) -> None:
        """A part of the word embedding: in the embedding's own file, or in the graph where there is none."""
        tensor = self._onnx.TensorProto(name=name, data_type=kind, dims=shape)
        if file is None:
            tensor.raw_data = content
        else:
            place = {"location": file, "offset": str(len(self.embedding_rows)), "length": str(len(content))}
            self.embedding_rows += content
            tensor.data_location = self._onnx.TensorProto.EXTERNAL
            for key, value in place.items():
                tensor.external_data.add(key=key, value=value)
        self._constants[name] = tensor

    def _output(self, name: str, shape: list[str | int]) -> None:
        self._outputs.append(self._onnx.helper.make_tensor_value_info(name, self._onnx.TensorProto.FLOAT, shape))

    def _node(self, kind: str, inputs: list[str], output: str, *, domain: str = "", **attributes: Any) -> str:  # noqa: ANN401
        node = self._onnx.helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes)
        self._nodes.append(node)
        return output


def _load_onnx() -> Any:  # noqa: ANN401
    try:
        import onnx  # noqa: PLC0415 - only the builder needs it
        import onnx.numpy_helper  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(
            msg("The package `onnx`, which writes the model, is not installed."),
            next_step=msg("Install Famulus with its `models` extra, or copy a model folder from another machine."),
        ) from error
    return onnx
