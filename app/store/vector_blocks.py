"""A matrix of float16 that grows without being copied, so that a million vectors never need room twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK_ROWS = 16_384


class Rows:
    """float16[n, dimension] in blocks, so that growing copies nothing."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._blocks: list[NDArray[np.float16]] = []
        self._scans: dict[int, Any] = {}
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

    def nearest(self, query: NDArray[np.float32], places: NDArray[np.int32], limit: int) -> NDArray[np.int64]:
        """Which `limit` of the rows at some places have the greatest inner products, as indexes into `places`.

        Every one of them is compared, and each by itself: what else is stored makes no difference. Eight times quicker
        than numpy, which has no fast way from float16; the last digits of the products may differ from its own, so
        whoever needs just so many asks for some more.
        """
        import faiss  # noqa: PLC0415 - heavy, and of no use for a few vectors

        # two threads are four times slower than one; the number is a property of the calling thread
        faiss.omp_set_num_threads(1)
        found, products = [np.empty(0, np.int64)], [np.empty(0, np.float32)]
        blocks = places // BLOCK_ROWS
        for block in np.unique(blocks).tolist():
            indexes = np.flatnonzero(blocks == block)
            by_row = np.full(BLOCK_ROWS, -1, np.int64)
            by_row[places[indexes] % BLOCK_ROWS] = indexes
            bits = np.packbits(by_row >= 0, bitorder="little")
            selector: Any = faiss.IDSelectorBitmap
            parameters = faiss.SearchParameters()
            parameters.sel = selector(bits)
            scores, rows = self._scan(block).search(query[np.newaxis, :], min(limit, len(indexes)), params=parameters)
            found.append(by_row[rows[0][rows[0] >= 0]])
            products.append(scores[0][rows[0] >= 0])
        best = np.argsort(-np.concatenate(products), kind="stable")[:limit]
        return np.concatenate(found)[best]

    def _scan(self, block: int) -> Any:  # noqa: ANN401 - FAISS has no types for this
        """FAISS's own exact search over the memory of a block, which never moves."""
        import faiss  # noqa: PLC0415

        if block not in self._scans:
            scan: Any = faiss.IndexScalarQuantizer(
                self._dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
            )
            data = self._blocks[block]
            address = faiss.swig_ptr(data.view(np.uint8).reshape(-1))
            memory: Any = faiss.MaybeOwnedVectorUInt8
            scan.codes = memory.create_view(address, data.nbytes, scan.codes.owner)
            scan.ntotal = BLOCK_ROWS
            self._scans[block] = scan
        return self._scans[block]

    def parts(self, places: NDArray[np.int32]) -> list[tuple[NDArray[np.float16], NDArray[np.int64]]]:
        """Ascending places, by block: the block as it lies, and the rows of it; not to be written to."""
        blocks, rows = np.divmod(places.astype(np.int64), BLOCK_ROWS)
        numbers, first = np.unique(blocks, return_index=True)
        cut = np.split(rows, first[1:])
        return [(self._blocks[number], part) for number, part in zip(numbers.tolist(), cut, strict=True)]

    def clear(self, places: NDArray[np.int32]) -> None:
        """Overwrite rows with zeros."""
        for place in places.tolist():
            self._blocks[place // BLOCK_ROWS][place % BLOCK_ROWS] = 0
