"""The nearest of many selected vectors, every one of them compared: what is found depends on these alone (G4.3).

FAISS reads the blocks of float16 where they lie (2 ms for 16,000 vectors of 384 dimensions; numpy takes 20). Its
products differ from ours in their last digits, so that it only says who may be among the nearest: whoever comes within
a margin of the last one, and perhaps some more. Whoever sorts these by exact products gets the same nearest ones
whatever the order of the rows, and whatever lies between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_MARGIN = 1e-4
"""Above what two ways of summing up 1,000 products of float32 can differ, of vectors of length 1."""
_MORE = 64


def may_be_nearest(
    query: NDArray[np.float32], limit: int, blocks: Iterable[tuple[NDArray[np.float16], NDArray[np.int64]]]
) -> list[NDArray[np.int64]]:
    """Of each block the rows that may be among the `limit` nearest of all, those as near as the last one included.

    Args:
        query: float32[dimension].
        blocks: float16[n, dimension], contiguous, and the rows of it that are asked for, ascending.
    """
    wanted = limit + _MORE
    found: list[tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]] = []
    for block, rows in blocks:
        if len(rows) <= wanted:
            found.append((np.full(len(rows), np.inf, np.float32), rows, rows))
        else:
            found.append((*_best(query, wanted, block, rows), rows))
    products = np.sort(
        np.concatenate([scores[np.isfinite(scores)] for scores, _, _ in found] or [np.empty(0, np.float32)])
    )
    if len(products) < limit:
        return [best for _, best, _ in found]
    least = products[-limit] - _MARGIN
    # a block of which even the last one found is near enough may hold more of them
    return [
        rows if np.isfinite(scores).all() and len(best) < len(rows) and scores.min() >= least else best[scores >= least]
        for scores, best, rows in found
    ]


def _best(
    query: NDArray[np.float32], count: int, block: NDArray[np.float16], rows: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    import faiss as library  # noqa: PLC0415 - 0.1 s, and not needed for small collections

    # its Python wrappers take other arguments than the stubs of its C++ classes say
    faiss: Any = library
    faiss.omp_set_num_threads(1)
    size, dimension = block.shape
    index = faiss.IndexScalarQuantizer(dimension, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    codes = block.view(np.uint8).reshape(-1)
    index.codes = faiss.MaybeOwnedVectorUInt8.create_view(faiss.swig_ptr(codes), codes.size, index.codes.owner)
    index.ntotal = size
    is_selected = np.zeros(size, np.bool_)
    is_selected[rows] = True
    selector = faiss.IDSelectorBitmap(np.packbits(is_selected, bitorder="little"))
    scores, best = index.search(query[np.newaxis, :], count, params=faiss.SearchParameters(sel=selector))
    return scores[0], best[0]
