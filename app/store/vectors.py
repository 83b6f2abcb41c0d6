"""Search by meaning: the vectors of one model in memory, as the database holds them (G3.1, G4.3, G9.1).

A cache of the rows of `vector_rows` that follows every commit. Vectors are float16 in blocks, 768 bytes each, and one
bit a dimension beside them (`vector_codes`) from `_EXACT_UP_TO` vectors of a group on: the codes choose candidates
under the mask, the vectors give the exact product. Smaller collections, and small selections out of large ones, are
compared exactly throughout. What is found depends on the selected vectors alone.

Languages are in groups, each around a centre of its own (`Centres`). Vectors of one group lie closely together, far
from those of another, so a question in one language is compared with the passages of every group apart.
"""

from __future__ import annotations

import json
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from app.domain.instants import to_ixdtf
from app.store.vector_blocks import Rows
from app.store.vector_codes import Centres, Codes, bitmap
from app.store.vector_rows import model_ref, stored_vectors

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from app.store.changes import AddedVectors, ChangeSet
    from app.store.connection import Reader, Writer
    from app.store.vector_rows import EmbeddingModel
    from app.store.visibility import Visibility

_EXACT_UP_TO = 1_000
_AT_ONCE = 16_384
_CANDIDATES_AT_LEAST = 400
_CANDIDATES_A_HIT = 6
_A_CANDIDATE_OF = 500
"""Of very many vectors more have to be compared, for as many of the nearest to be among them."""
_WORTH_SAVING = 1.1
_LIVING_SHARE = 0.75
_ABSENT = 255
_FORMAT = 2


class VectorIndex:
    """All vectors of one model. Any thread may ask; the writer's thread changes them.

    Args:
        centres: the model's; None where they are not known, and codes choose less well.
    """

    def __init__(self, model: EmbeddingModel, visibility: Visibility, centres: Centres | None = None) -> None:
        self.model = model
        self._visibility = visibility
        self._centres = centres or Centres.unknown(model.dimension)
        self._group_of_language = np.array(self._centres.of_language, np.uint8)
        self._lock = Lock()
        self._model_ref: int | None = None
        self._rows = Rows(model.dimension)
        self._places = np.full(1024, -1, np.int32)
        self._groups = np.full(1024, _ABSENT, np.uint8)
        self._codes: dict[int, Codes] = {}
        self._saved_size = 0

    @property
    def size(self) -> int:
        """How many chunks have a vector."""
        return int(np.count_nonzero(self._groups != _ABSENT))

    def load(self, reader: Reader) -> None:
        """Read every vector of the model, and the codes as far as they were saved; make the others.

        What is no vector of the model is passed over, as if there were none: `check` finds it.
        """
        ref = model_ref(reader, self.model)
        with self._lock:
            self._model_ref = ref
            self._rows = Rows(self.model.dimension)
            self._places.fill(-1)
            self._groups.fill(_ABSENT)
            self._codes = {}
            self._saved_size = 0
        if ref is None:
            return
        for ids, matrix, is_usable in stored_vectors(reader, ref, self.model.dimension):
            if is_usable.all():
                self._place(ids, matrix)
            elif is_usable.any():
                self._place(ids[is_usable], matrix[is_usable])
        for codes in _saved(reader, ref):
            group = self._group_of(codes.centre)
            if group is not None and self._count(group) > max(_EXACT_UP_TO, codes.size * _LIVING_SHARE):
                self._saved_size += codes.size
                self._complete(group, codes)
                self._codes[group] = codes
        self._make_missing_codes()

    def apply(self, changes: ChangeSet) -> None:
        """Follow a commit. `visibility` must have followed it before."""
        for added in changes.vectors:
            if self._is_ours(added):
                ids = np.array(added.chunk_ids, np.int64)
                with self._lock:
                    self._place(ids, added.matrix)
                    self._add_codes(ids, added.matrix)
        if changes.vectors:
            self._make_missing_codes()
        if changes.removed_chunks:
            with self._lock:
                self._remove(np.array(changes.removed_chunks, np.int64))

    def search(
        self, query: NDArray[np.float32], limit: int, mask: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Of each group the chunks of a mask with the greatest inner products.

        Args:
            query: float32[dimension]; need not be of length 1.
            limit: how many of each group.
            mask: bool[n] by chunk id (`View.mask`, or a part of it); nothing outside it is scored, nor makes any
                difference.

        Returns:
            int64[m] chunk ids, group after group and in each of them best first, and float32[m] exact products (of the
            stored float16).
        """
        with self._lock:
            found = [self._nearest(query, limit, mask, group) for group in range(len(self._centres.points))]
        ids, products = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return ids, products

    def vectors(self, chunk_ids: NDArray[np.integer]) -> NDArray[np.float32]:
        """float32[n, dimension], of the stored float16; a row of zeros for a chunk without a vector."""
        with self._lock:
            known = chunk_ids < len(self._places)
            places = np.where(known, self._places[np.where(known, chunk_ids, 0)], -1)
            found = np.zeros((len(chunk_ids), self.model.dimension), np.float32)
            found[places >= 0] = self._rows.take_floats(places[places >= 0])
            return found

    def needs_saving(self) -> bool:
        """Whether so much came since the codes were saved that it would take long to make it up at the next start."""
        size = sum(codes.size for codes in self._codes.values())
        return size > self._saved_size * _WORTH_SAVING

    def save(self, tx: Writer, *, now: datetime) -> None:
        """Keep the codes in the encrypted database, so that the next start need not make them."""
        with self._lock:
            if self._model_ref is None or not self._codes:
                return
            header, parts = [], []
            self._saved_size = sum(codes.size for codes in self._codes.values())
            for codes in self._codes.values():
                ids, data = codes.chunk_ids.tobytes(), codes.to_bytes()
                header.append([len(ids), len(data)])
                parts += [ids, data]
        tx.run(
            "INSERT OR REPLACE INTO vector_index VALUES (?, ?, ?, ?)",
            self._model_ref,
            to_ixdtf(now),
            json.dumps({"format": _FORMAT, "sizes": header}),
            b"".join(parts),
        )

    def _is_ours(self, added: AddedVectors) -> bool:
        if self._model_ref is None and added.model == self.model:
            self._model_ref = added.model_ref
        return added.model_ref == self._model_ref

    def _place(self, ids: NDArray[np.int64], matrix: NDArray[np.float16]) -> None:
        """Append rows, and let the chunks point to them; a row that a chunk had before is left behind."""
        top = int(ids.max()) + 1
        if top > len(self._places):
            size = max(top, len(self._places) * 3 // 2)
            self._places = np.concatenate([self._places, np.full(size - len(self._places), -1, np.int32)])
            self._groups = np.concatenate([self._groups, np.full(size - len(self._groups), _ABSENT, np.uint8)])
        self._places[ids] = self._rows.append(matrix)
        self._groups[ids] = self._group_of_language[self._visibility.languages(ids)]

    def _remove(self, ids: NDArray[np.int64]) -> None:
        ids = ids[ids < len(self._places)]
        places = self._places[ids]
        self._rows.clear(places[places >= 0])
        self._places[ids] = -1
        self._groups[ids] = _ABSENT

    def _nearest(
        self, query: NDArray[np.float32], limit: int, mask: NDArray[np.bool_], group: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        size = min(len(mask), len(self._groups))
        selected = mask[:size] & (self._groups[:size] == group)
        ids = self._worth_comparing(query, limit, selected, group)
        products = self._products(query, ids)
        if len(ids) > limit:
            best = np.flatnonzero(products >= np.partition(products, -limit)[-limit])
            ids, products = ids[best], products[best]
        order = np.lexsort((-ids, -products))[:limit]
        return ids[order], products[order]

    def _worth_comparing(
        self, query: NDArray[np.float32], limit: int, selected: NDArray[np.bool_], group: int
    ) -> NDArray[np.int64]:
        """The selected chunks of a group that may be among the nearest, by themselves alone: not by others' number."""
        count = int(np.count_nonzero(selected))
        codes = self._codes.get(group)
        if count > _EXACT_UP_TO and codes is not None:
            wanted = max(_CANDIDATES_AT_LEAST, limit * _CANDIDATES_A_HIT, count // _A_CANDIDATE_OF)
            promising = codes.candidates(query, wanted, bitmap(selected))
            if promising is not None:
                return promising
        return np.flatnonzero(selected)

    def _products(self, query: NDArray[np.float32], ids: NDArray[np.int64]) -> NDArray[np.float32]:
        products = np.empty(len(ids), np.float32)
        for start in range(0, len(ids), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            rows = self._rows.take_floats(self._places[ids[part]])
            # not `@`: its threads cost more than they save, and its last digit depends on what else is in the block
            products[part] = np.einsum("ij,j->i", rows, query)
        return products

    def _add_codes(self, ids: NDArray[np.int64], matrix: NDArray[np.float16]) -> None:
        groups = self._groups[ids]
        for group, codes in self._codes.items():
            rows = groups == group
            if rows.any():
                codes.add(ids[rows], matrix[rows])

    def _make_missing_codes(self) -> None:
        """Make codes where a group has grown large enough for them, beside the search that goes on."""
        for group in range(len(self._centres.points)):
            if group not in self._codes and self._count(group) > _EXACT_UP_TO:
                codes = Codes.around(self._centres.points[group])
                self._complete(group, codes)
                with self._lock:
                    self._codes[group] = codes

    def _complete(self, group: int, codes: Codes) -> None:
        """Add what has no code yet."""
        is_missing = self._groups == group
        is_missing[codes.chunk_ids] = False
        missing = np.flatnonzero(is_missing)
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            codes.add(part, self._rows.take(self._places[part]))

    def _count(self, group: int) -> int:
        return int(np.count_nonzero(self._groups == group))

    def _group_of(self, centre: NDArray[np.float32]) -> int | None:
        """The group around a centre; None where the model's centres are others by now."""
        for group, point in enumerate(self._centres.points):
            if np.array_equal(point, centre):
                return group
        return None


def _saved(reader: Reader, ref: int) -> list[Codes]:
    """The codes that `save` kept; none where they are of another format."""
    row = reader.row("SELECT header, data FROM vector_index WHERE model_ref = ?", ref)
    if row is None:
        return []
    header = json.loads(row[0])
    if header["format"] != _FORMAT:
        return []
    data = memoryview(row[1])
    found = []
    start = 0
    for ids_size, data_size in header["sizes"]:
        ids = np.frombuffer(data[start : start + ids_size], np.int64)
        found.append(Codes.from_bytes(bytes(data[start + ids_size : start + ids_size + data_size]), ids))
        start += ids_size + data_size
    return found
