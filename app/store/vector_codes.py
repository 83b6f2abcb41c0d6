"""Which vectors are worth an exact comparison: one bit for each dimension (RaBitQ), in lists when there are very many.

At 100,000 vectors of 384 dimensions, float16 are 77 MB to read for one question (4 to 14 ms, as the memory goes);
their codes are 5 MB (1.5 ms), and of the true ten more than 99.7 % are among the best 400 codes, measured with e5 on
real texts. What is found here is compared exactly afterwards (`vectors`), so a score is never an estimate.

Of RaBitQ: Gao and Long, 2024; here in FAISS's form with blocks of 32 codes (fast scan), which can select ids before
anything is scored.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANY = 200_000
"""From here on codes are kept in lists around learned centres, of which a search reads the nearest."""

_SAMPLES_A_LIST = 40
_TRAINING_ROUNDS = 6
_PROBED_SHARE = 1 / 8
_ADDED_AT_ONCE = 20_000


class Codes:
    """Codes of vectors by chunk id. Not for use by two threads at once."""

    def __init__(self, index: Any, chunk_ids: NDArray[np.int64]) -> None:  # noqa: ANN401 - faiss has no types
        self._index = index
        self._ids = [chunk_ids] if len(chunk_ids) else []
        self.trained_on = 0

    @classmethod
    def train(cls, sample: NDArray[np.float16], count: int) -> Self:
        """Make empty codes for about `count` vectors.

        Args:
            sample: float16[n, dimension], evenly taken; what is more than needed is left out.
        """
        import faiss  # noqa: PLC0415 - 0.1 s, and not needed for small collections

        faiss.omp_set_num_threads(1)
        lists = list_count(count)
        needed = min(len(sample), lists * _SAMPLES_A_LIST if lists > 1 else 20_000)
        chosen = sample[np.linspace(0, len(sample) - 1, needed).astype(np.int64)].astype(np.float32)
        index: Any = faiss.index_factory(sample.shape[1], f"IVF{lists},RaBitQfs", faiss.METRIC_INNER_PRODUCT)
        index.cp.niter = _TRAINING_ROUNDS
        # it would warn on stderr
        index.cp.min_points_per_centroid = 1
        index.train(chosen)
        codes = cls(index, np.empty(0, np.int64))
        codes.trained_on = count
        return codes

    @property
    def size(self) -> int:
        """How many vectors were added."""
        return int(self._index.ntotal)

    @property
    def lists(self) -> int:
        """In how many lists they are."""
        return int(self._index.nlist)

    @property
    def chunk_ids(self) -> NDArray[np.int64]:
        """The ids of what was added, in order."""
        if len(self._ids) > 1:
            self._ids = [np.concatenate(self._ids)]
        return self._ids[0] if self._ids else np.empty(0, np.int64)

    def add(self, chunk_ids: NDArray[np.int64], vectors: NDArray[np.float16]) -> None:
        """Add vectors, float16[n, dimension]."""
        for start in range(0, len(chunk_ids), _ADDED_AT_ONCE):
            part = slice(start, start + _ADDED_AT_ONCE)
            self._index.add_with_ids(vectors[part].astype(np.float32), chunk_ids[part])
        self._ids.append(chunk_ids)

    def candidates(
        self, query: NDArray[np.float32], limit: int, bits: NDArray[np.uint8], *, selected_share: float
    ) -> NDArray[np.int64]:
        """The ids of about the `limit` most promising vectors, in no order.

        Args:
            bits: the selected chunk ids, as a bitmap with the lowest bit first; nothing else is looked at.
            selected_share: which part of the vectors is selected. The smaller it is, the more lists are read, so that
                as many selected ones are compared as without a selection.
        """
        import faiss  # noqa: PLC0415

        # two threads are four times slower than one; the number is a property of the calling thread
        faiss.omp_set_num_threads(1)
        selector: Any = _untyped(faiss.IDSelectorBitmap)(bits)
        parameters = faiss.IVFRaBitQSearchParameters()
        parameters.sel = selector
        parameters.nprobe = self._probed_lists(selected_share)
        _, found = self._index.search(query[np.newaxis, :], limit, params=parameters)
        ids: NDArray[np.int64] = np.unique(found[0])
        return ids[ids >= 0]

    def probed(self, selected_share: float) -> int:
        """About how many codes a search reads."""
        return self.size * self._probed_lists(selected_share) // self.lists

    def _probed_lists(self, selected_share: float) -> int:
        return min(self.lists, math.ceil(self.lists * _PROBED_SHARE / max(selected_share, 1e-6)))

    def to_bytes(self) -> bytes:
        """All of it, for the encrypted database and nowhere else."""
        import faiss  # noqa: PLC0415

        data: bytes = faiss.serialize_index(self._index).tobytes()
        return data

    @classmethod
    def from_bytes(cls, data: bytes, chunk_ids: NDArray[np.int64], trained_on: int) -> Self:
        """Read what `to_bytes` wrote."""
        import faiss  # noqa: PLC0415

        codes = cls(faiss.deserialize_index(np.frombuffer(data, np.uint8)), chunk_ids)
        codes.trained_on = trained_on
        return codes


def _untyped(thing: Any) -> Any:  # noqa: ANN401
    """FAISS's Python wrappers take other arguments than the stubs of its C++ classes say."""
    return thing


def list_count(count: int) -> int:
    """The number of lists for so many vectors: 1, or the square root as a power of two."""
    return 1 if count < MANY else 1 << round(math.log2(math.sqrt(count)))


def bitmap(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """A mask as FAISS reads it."""
    return np.packbits(mask, bitorder="little")
