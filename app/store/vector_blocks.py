"""A matrix of float16 that grows without being copied, so that a million vectors never need room twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 16_384


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

    def take(self, places: NDArray[np.int32]) -> NDArray[np.float16]:
        """The rows at some places."""
        found = np.empty((len(places), self._dimension), np.float16)
        blocks = places // BLOCK_ROWS
        for block in np.unique(blocks):
            here = blocks == block
            found[here] = self._blocks[block][places[here] % BLOCK_ROWS]
        return found

    def clear(self, places: NDArray[np.int32]) -> None:
        """Overwrite rows with zeros."""
        for place in places.tolist():
            self._blocks[place // BLOCK_ROWS][place % BLOCK_ROWS] = 0
