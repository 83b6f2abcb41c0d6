"""A matrix of float16 that grows without being copied, so that a million vectors never need room twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.store.distinct import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 65_536
"""50 MB of addresses; only what is written to becomes memory."""
_SIGN_AND_NUMBER = np.int32(-0x70000001)  # without the copies of the sign that shifting made
_OFFSET = np.float32(2.0**112)


class Rows:
    """float16[n, dimension] in blocks, so that growing copies nothing."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._blocks: list[NDArray[np.float16]] = []
        self._count = 0

    def append(self, matrix: NDArray[np.float16]) -> NDArray[np.int32]:
        """Append rows; returns their places."""
        first = self._count
        done = 0
        while done < len(matrix):
            begin = self._count % BLOCK_ROWS
            if begin == 0:
                self._blocks.append(np.empty((BLOCK_ROWS, self._dimension), np.float16))
            part = matrix[done : done + BLOCK_ROWS - begin]
            self._blocks[-1][begin : begin + len(part)] = part
            done += len(part)
            self._count += len(part)
        return np.arange(first, self._count, dtype=np.int32)

    def take_floats(self, places: NDArray[np.int32]) -> NDArray[np.float32]:
        """The rows at some places, to compute with."""
        return floats(self.take(places))

    def take(self, places: NDArray[np.int32]) -> NDArray[np.float16]:
        """The rows at some places."""
        found = np.empty((len(places), self._dimension), np.float16)
        blocks = places // BLOCK_ROWS
        for block in distinct(blocks):
            here = blocks == block
            found[here] = self._blocks[block][places[here] % BLOCK_ROWS]
        return found

    def clear(self, places: NDArray[np.int32]) -> None:
        """Overwrite rows with zeros."""
        for place in places.tolist():
            self._blocks[place // BLOCK_ROWS][place % BLOCK_ROWS] = 0


def floats(halves: NDArray[np.float16]) -> NDArray[np.float32]:
    """The same numbers as float32, exactly; they must be finite.

    A half's exponent and mantissa are put where a float has them; what then is wrong is the exponent's offset, by 112
    (IEEE 754, binary16 and binary32). NumPy converts one number at a time, which takes four times as long, and most of
    the time of an exact comparison.
    """
    bits = halves.view(np.int16).astype(np.int32)
    bits <<= 13
    bits &= _SIGN_AND_NUMBER
    found = bits.view(np.float32)
    found *= _OFFSET
    return found
