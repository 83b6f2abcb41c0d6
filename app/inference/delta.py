"""What fine-tuning changed in the network, as a small file that is merged into the weights when a pack is built.

A delta belongs to one set of weights. It holds, by the names that `Weights` uses ("l0.q", "l11.fo", "emb.ln" ...):

    <matrix>.down   [rank, inputs]      W becomes W + up @ down, for the six matrices of a layer: q, k, v, ao
    <matrix>.up     [outputs, rank]     (attention's output), fi and fo (feed-forward); LoRA's scale is in `up`
    <vector>        [n]                 takes the place of a bias ("l3.q.b") or of a norm's weights ("l3.aln.w")
    head.<name>.weight [labels, hidden], head.<name>.bias [labels], head.<name>.labels [labels] text

A head is one linear layer over every token's last hidden state: `hidden @ weight.T + bias`. The file is numpy's .npz,
half precision, without anything pickled. Embeddings cannot be changed, so that packs of one encoder share them.

Training is not here, nor is merging (app.inference.graph).
"""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.errors import Damaged
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from app.inference.weights import Shape

    Floats = NDArray[np.float32]

MATRICES = ("q", "k", "v", "ao", "fi", "fo")
_NORMS = ("aln", "oln")
_LARGEST_BYTES = 64 * 1024 * 1024
_HEAD = re.compile(r"head\.(?P<name>[a-z][a-z0-9_-]{0,30})\.(?P<part>weight|bias|labels)")


@dataclass(frozen=True, slots=True)
class LowRank:
    """A change of one matrix: `up` float32[outputs, rank] times `down` float32[rank, inputs]."""

    down: Floats
    up: Floats

    def product(self) -> Floats:
        """float32[outputs, inputs], to be added."""
        product: Floats = self.up @ self.down
        return product


@dataclass(frozen=True, slots=True)
class Head:
    """A linear layer over every token: `weight` float32[labels, hidden], `bias` float32[labels]."""

    labels: tuple[str, ...]
    weight: Floats
    bias: Floats


@dataclass(frozen=True, slots=True)
class Delta:
    """All changes.

    Attributes:
        matrices: by the matrix's name without ".w".
        vectors: by the whole name; they replace the encoder's own.
        heads: by name; the graph has an output of each name.
    """

    matrices: Mapping[str, LowRank] = field(default_factory=dict)
    vectors: Mapping[str, Floats] = field(default_factory=dict)
    heads: Mapping[str, Head] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """The delta's file; the same changes give the same bytes."""
        arrays: dict[str, NDArray[Any]] = {}
        for name, change in self.matrices.items():
            arrays |= {f"{name}.down": _half(change.down), f"{name}.up": _half(change.up)}
        arrays |= {name: _half(vector) for name, vector in self.vectors.items()}
        for name, head in self.heads.items():
            arrays |= {f"head.{name}.weight": _half(head.weight), f"head.{name}.bias": _half(head.bias)}
            arrays[f"head.{name}.labels"] = np.array(head.labels, np.str_)
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(arrays):
                content = io.BytesIO()
                np.lib.format.write_array(content, np.ascontiguousarray(arrays[name]), allow_pickle=False)
                archive.writestr(zipfile.ZipInfo(name + ".npy"), content.getvalue(), zipfile.ZIP_DEFLATED)
        return stream.getvalue()

    @classmethod
    def read(cls, path: Path, shape: Shape) -> Delta:
        """Read a delta for an encoder of a shape; raises `Damaged` for anything that does not fit it."""
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(info.file_size for info in archive.infolist()) > _LARGEST_BYTES:
                    raise _damaged()
            with np.load(path, allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in stored.files}
            return _sorted_out(arrays, shape)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise _damaged() from error


def _sorted_out(arrays: Mapping[str, NDArray[Any]], shape: Shape) -> Delta:
    """Give every array its place; raises ValueError or KeyError where one has none, or another size."""
    matrices: dict[str, LowRank] = {}
    vectors: dict[str, Floats] = {}
    heads: dict[str, Head] = {}
    sizes = _sizes(shape)
    for name in arrays:
        head = _HEAD.fullmatch(name)
        matrix, _, part = name.rpartition(".")
        if head is not None:
            heads[head["name"]] = _head(arrays, head["name"], shape)
        elif part in {"down", "up"} and matrix in sizes:
            matrices[matrix] = _low_rank(arrays, matrix, sizes[matrix])
        else:
            vectors[name] = _floats(arrays[name], _vector_size(name, shape))
    return Delta(matrices, vectors, dict(sorted(heads.items())))


def _sizes(shape: Shape) -> dict[str, tuple[int, int]]:
    """(outputs, inputs) of every matrix that may change."""
    inner, hidden = shape.inner, shape.hidden
    own = {"fi": (inner, hidden), "fo": (hidden, inner)}
    return {f"l{layer}.{part}": own.get(part, (hidden, hidden)) for layer in range(shape.layers) for part in MATRICES}


def _vector_size(name: str, shape: Shape) -> int:
    known = {f"emb.ln.{part}": shape.hidden for part in "wb"}
    for matrix, (outputs, _) in _sizes(shape).items():
        known[matrix + ".b"] = outputs
    for layer in range(shape.layers):
        known |= {f"l{layer}.{norm}.{part}": shape.hidden for norm in _NORMS for part in "wb"}
    return known[name]


def _low_rank(arrays: Mapping[str, NDArray[Any]], name: str, size: tuple[int, int]) -> LowRank:
    outputs, inputs = size
    rank = arrays[name + ".down"].shape[0]
    return LowRank(_floats(arrays[name + ".down"], rank, inputs), _floats(arrays[name + ".up"], outputs, rank))


def _head(arrays: Mapping[str, NDArray[Any]], name: str, shape: Shape) -> Head:
    labels = arrays[f"head.{name}.labels"]
    if labels.dtype.kind != "U" or labels.ndim != 1 or not len(labels):
        raise ValueError("labels are a list of texts")
    return Head(
        tuple(labels.tolist()),
        _floats(arrays[f"head.{name}.weight"], len(labels), shape.hidden),
        _floats(arrays[f"head.{name}.bias"], len(labels)),
    )


def _floats(array: NDArray[Any], *shape: int) -> Floats:
    if array.dtype.kind != "f" or array.shape != shape or not np.isfinite(array).all():
        raise ValueError("an array is not what its name says")
    return array.astype(np.float32)


def _half(array: Floats) -> NDArray[np.float16]:
    return array.astype("<f2")


def _damaged() -> Damaged:
    return Damaged(
        msg("A file that Famulus builds one of its models from is damaged."),
        next_step=msg("Install Famulus again."),
    )
