"""Which vectors are worth an exact comparison: one bit for each dimension (RaBitQ).

At 100,000 vectors of 384 dimensions, float16 are 77 MB to read for one question (4 to 15 ms, as the memory goes);
their codes are 6 MB (1.5 ms). What is found here is compared exactly afterwards (`vectors`), so a score is never an
estimate.

A code says how a vector differs from a centre, and the centre is given: nothing is learned from what is stored. So a
code depends on its own vector alone, and which of the visible ones are passed over on nothing that is hidden (G4.3).

Of RaBitQ: Gao and Long, 2024; here in FAISS's form with blocks of 32 codes (fast scan), which can select ids before
anything is scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from app.store.distinct import distinct
from app.store.languages import LANGUAGES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ADDED_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Centres:
    """Where vectors lie: those of one language closely together, and far from those of another.

    Attributes:
        points: float32[n, dimension].
        of_language: for each slot of `languages` the place of its centre among the points.
    """

    points: NDArray[np.float32]
    of_language: tuple[int, ...]

    @classmethod
    def unknown(cls, dimension: int) -> Self:
        """One for all, where nothing is known of the model."""
        return cls(np.zeros((1, dimension), np.float32), (0,) * len(LANGUAGES))


class Codes:
    """Codes of vectors by chunk id. Not for use by two threads at once."""

    def __init__(self, index: Any, chunk_ids: NDArray[np.int64]) -> None:  # noqa: ANN401 - faiss has no types
        self._index = index
        self._ids = [chunk_ids] if len(chunk_ids) else []

    @classmethod
    def around(cls, centre: NDArray[np.float32]) -> Self:
        """No codes yet, of vectors near a centre: float32[dimension]."""
        import faiss  # noqa: PLC0415 - 0.1 s, and not needed for small collections

        index: Any = faiss.index_factory(len(centre), "IVF1,RaBitQfs", faiss.METRIC_INNER_PRODUCT)
        index.quantizer.add(centre[np.newaxis, :])
        # the only centre is there, so nothing is learned: the index becomes ready
        index.train(centre[np.newaxis, :])
        return cls(index, np.empty(0, np.int64))

    @property
    def size(self) -> int:
        """How many vectors were added."""
        return int(self._index.ntotal)

    @property
    def centre(self) -> NDArray[np.float32]:
        """What the codes differ from: float32[dimension]."""
        found: NDArray[np.float32] = self._index.quantizer.reconstruct(0)
        return found

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

    def candidates(self, query: NDArray[np.float32], limit: int, bits: NDArray[np.uint8]) -> NDArray[np.int64] | None:
        """The ids of about the `limit` most promising vectors, in no order; all of them where there are no more.

        Args:
            bits: the selected chunk ids, as a bitmap with the lowest bit first; nothing else is looked at.

        Returns:
            None where so many promise the same that codes cannot choose, such as a thousand copies of a text.
        """
        import faiss  # noqa: PLC0415

        # two threads are four times slower than one; the number is a property of the calling thread
        faiss.omp_set_num_threads(1)
        selector: Any = _untyped(faiss.IDSelectorBitmap)(bits)
        parameters = faiss.IVFRaBitQSearchParameters()
        parameters.sel = selector
        estimates, found = self._index.search(query[np.newaxis, :], limit + 1, params=parameters)
        if found[0, -1] < 0:
            ids: NDArray[np.int64] = distinct(found[0])
            return ids[ids >= 0]
        # which of equal ones are found last depends on the order in which they came, so none of them is
        ids = found[0, estimates[0] > estimates[0, -1]]
        return distinct(ids) if len(ids) > limit // 2 else None

    def to_bytes(self) -> bytes:
        """All of it, for the encrypted database and nowhere else."""
        import faiss  # noqa: PLC0415

        data: bytes = faiss.serialize_index(self._index).tobytes()
        return data

    @classmethod
    def from_bytes(cls, data: bytes, chunk_ids: NDArray[np.int64]) -> Self:
        """Read what `to_bytes` wrote."""
        import faiss  # noqa: PLC0415

        return cls(faiss.deserialize_index(np.frombuffer(data, np.uint8)), chunk_ids)


def _untyped(thing: Any) -> Any:  # noqa: ANN401
    """FAISS's Python wrappers take other arguments than the stubs of its C++ classes say."""
    return thing


def bitmap(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """A mask as FAISS reads it."""
    return np.packbits(mask, bitorder="little")
