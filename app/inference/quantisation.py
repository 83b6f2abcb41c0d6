"""How numbers are stored in fewer bits: pure functions over arrays, used while a graph is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pack_nibbles(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Put two neighbours of the last axis into one byte, the first one into its low half."""
    return np.bitwise_or(codes[..., 0::2], np.left_shift(codes[..., 1::2], np.uint8(4)))


def int8_rows(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Symmetric int8 with one scale for each row: per channel, without which the loss is many times larger."""
    scales = np.maximum(np.abs(matrix).max(axis=1), np.float32(1e-8)) / np.float32(127)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales


def block_diagonal(blocks: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Matrices one below and right of the other, zeros elsewhere."""
    rows, columns = sum(len(block) for block in blocks), sum(block.shape[1] for block in blocks)
    joined = np.zeros((rows, columns), np.float32)
    row = column = 0
    for block in blocks:
        joined[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    return joined
