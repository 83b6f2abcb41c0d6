"""Search by meaning: the vectors of one model in memory, as the database holds them (G3.1, G4.3, G9.1).

A cache of the rows of `vector_rows` that follows every commit. Vectors are float16 in blocks, 768 bytes each, and one
bit a dimension beside them (`vector_codes`) from `_EXACT_UP_TO` vectors of a language on: the codes choose candidates
under the mask, the vectors give the exact product. Smaller collections, and small selections out of large ones, are
compared exactly throughout.

Codes are made for each language apart. Vectors of one language lie closely together, far from those of another; codes
say how a vector differs from its own centre, and a question in one language still meets the candidates of every other.
"""

from __future__ import annotations

import json
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from app.domain.instants import to_ixdtf
from app.store.languages import LANGUAGES
from app.store.vector_blocks import BLOCK_ROWS, Rows
from app.store.vector_codes import MANY, Codes, bitmap, list_count
from app.store.vector_rows import model_ref
from app.store.vector_scan import may_be_nearest

if TYPE_CHECKING:
    from datetime import datetime

    from numpy.typing import NDArray

    from app.store.changes import AddedVectors, ChangeSet
    from app.store.connection import Reader, Writer
    from app.store.vector_rows import EmbeddingModel
    from app.store.visibility import Visibility

_EXACT_UP_TO = 1_000
_CANDIDATES_AT_LEAST = 400
_CANDIDATES_A_HIT = 4
_GROWTH = 4
# how many codes are read in the time of one exact comparison
_CODES_A_VECTOR = 25
_WORTH_SAVING = 1.1
_LIVING_SHARE = 0.75
_ABSENT = 255
_FORMAT = 1


class VectorIndex:
    """All vectors of one model. Any thread may ask; the writer's thread changes them."""

    def __init__(self, model: EmbeddingModel, visibility: Visibility) -> None:
        self.model = model
        self._visibility = visibility
        self._lock = Lock()
        self._model_ref: int | None = None
        self._rows = Rows(model.dimension)
        self._places = np.full(1024, -1, np.int32)
        self._languages = np.full(1024, _ABSENT, np.uint8)
        self._codes: dict[int, Codes] = {}
        self._present: list[int] = []
        self._saved_size = 0

    @property
    def size(self) -> int:
        """How many chunks have a vector."""
        return int(np.count_nonzero(self._languages != _ABSENT))

    def load(self, reader: Reader) -> None:
        """Read every vector of the model, and the codes as far as they were saved; make the others."""
        ref = model_ref(reader, self.model)
        with self._lock:
            self._model_ref = ref
            self._rows = Rows(self.model.dimension)
            self._places.fill(-1)
            self._languages.fill(_ABSENT)
            self._codes = {}
            self._present = []
            self._saved_size = 0
        if ref is None:
            return
        for rows in reader.batches("SELECT chunk_id, data FROM vector WHERE model_ref = ?", ref):
            ids = np.array([row[0] for row in rows], np.int64)
            matrix = np.frombuffer(b"".join([row[1] for row in rows]), np.float16)
            self._place(ids, matrix.reshape(len(rows), self.model.dimension))
        for language, codes in _saved(reader, ref).items():
            present = int(np.count_nonzero(self._languages == language))
            if _EXACT_UP_TO < present > codes.size * _LIVING_SHARE:
                self._saved_size += codes.size
                self._complete(language, codes)
                self._codes[language] = codes
        self._renew_codes()

    def apply(self, changes: ChangeSet) -> None:
        """Follow a commit. `visibility` must have followed it before."""
        for added in changes.vectors:
            if self._is_ours(added):
                ids = np.array(added.chunk_ids, np.int64)
                with self._lock:
                    self._place(ids, added.matrix)
                    self._add_codes(ids, added.matrix)
        if changes.vectors:
            self._renew_codes()
        if changes.removed_chunks:
            with self._lock:
                self._remove(np.array(changes.removed_chunks, np.int64))

    def search(
        self, query: NDArray[np.float32], limit: int, mask: NDArray[np.bool_], *, is_exact: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The chunks of a mask with the greatest inner products.

        Args:
            query: float32[dimension]; need not be of length 1.
            mask: bool[n] by chunk id (`View.mask`, or a part of it); nothing outside it is scored.
            is_exact: compare every one. Codes are made of all vectors together, and which of the visible ones they
                pass over may depend on the others: so a viewer from whom something is hidden asks for this (G4.3).

        Returns:
            int64[m] chunk ids, best first, and float32[m] exact products (of the stored float16).
        """
        with self._lock:
            size = min(len(mask), len(self._languages))
            parts = []
            for language in self._present:
                selected = mask[:size] & (self._languages[:size] == language)
                if count := int(np.count_nonzero(selected)):
                    if is_exact or self._is_few(count, language):
                        parts.append(self._one_by_one(query, limit, selected, count))
                    else:
                        parts.append(self._by_codes(query, limit, selected, language, count))
            ids = np.concatenate(parts) if parts else np.empty(0, np.int64)
            products = self._products(query, ids)
        if len(ids) > limit:
            best = np.argpartition(-products, limit - 1)[:limit]
            ids, products = ids[best], products[best]
        order = np.lexsort((-ids, -products))
        return ids[order], products[order]

    def vectors(self, chunk_ids: NDArray[np.integer]) -> NDArray[np.float16]:
        """float16[n, dimension]; a row of zeros for a chunk without a vector."""
        with self._lock:
            known = chunk_ids < len(self._places)
            places = np.where(known, self._places[np.where(known, chunk_ids, 0)], -1)
            found = np.zeros((len(chunk_ids), self.model.dimension), np.float16)
            found[places >= 0] = self._rows.take(places[places >= 0])
            return found

    def needs_training(self) -> bool:
        """Whether there are so many vectors that `train` would make searches faster."""
        return any(list_count(codes.size) > codes.lists for codes in self._codes.values())

    def train(self) -> None:
        """Arrange the codes of large languages in lists; minutes for a million. Search goes on meanwhile."""
        for language, codes in list(self._codes.items()):
            if list_count(codes.size) > codes.lists:
                self._make_codes(language, with_lists=True)
                self._saved_size = 0

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
            for language, codes in self._codes.items():
                ids, data = codes.chunk_ids.tobytes(), codes.to_bytes()
                header.append([language, codes.trained_on, len(ids), len(data)])
                parts += [ids, data]
        tx.run(
            "INSERT OR REPLACE INTO vector_index VALUES (?, ?, ?, ?)",
            self._model_ref,
            to_ixdtf(now),
            json.dumps({"format": _FORMAT, "dimension": self.model.dimension, "languages": header}),
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
            self._languages = np.concatenate([self._languages, np.full(size - len(self._languages), _ABSENT, np.uint8)])
        self._places[ids] = self._rows.append(matrix)
        languages = self._visibility.languages(ids)
        self._languages[ids] = languages
        self._present = sorted({*self._present, *np.unique(languages).tolist()})

    def _remove(self, ids: NDArray[np.int64]) -> None:
        ids = ids[ids < len(self._places)]
        places = self._places[ids]
        self._rows.clear(places[places >= 0])
        self._places[ids] = -1
        self._languages[ids] = _ABSENT

    def _one_by_one(
        self, query: NDArray[np.float32], limit: int, selected: NDArray[np.bool_], count: int
    ) -> NDArray[np.int64]:
        """The selected chunks that may be among the nearest; whether they are few depends on themselves alone."""
        ids = np.flatnonzero(selected)
        if count <= _EXACT_UP_TO:
            return ids
        places = self._places[ids]
        if (np.diff(places) < 0).any():  # vectors come in the order of their chunks, but for those made anew
            order = np.argsort(places)
            ids, places = ids[order], places[order]
        parts = self._rows.parts(places)
        near = may_be_nearest(query, limit, parts)
        begins = np.cumsum([0, *(len(rows) for _, rows in parts)])[:-1]
        at = [begin + np.searchsorted(rows, best) for begin, (_, rows), best in zip(begins, parts, near, strict=True)]
        chosen: NDArray[np.int64] = ids[np.concatenate(at)]
        return chosen

    def _is_few(self, count: int, language: int) -> bool:
        """Whether `count` selected chunks of a language are compared exactly in less time than their codes are."""
        codes = self._codes.get(language)
        if codes is None or count <= _EXACT_UP_TO:
            return True
        return count * _CODES_A_VECTOR <= codes.probed(min(1.0, count / codes.size))

    def _by_codes(
        self, query: NDArray[np.float32], limit: int, selected: NDArray[np.bool_], language: int, count: int
    ) -> NDArray[np.int64]:
        """Which of the `count` selected chunks of a language are to be compared exactly."""
        codes = self._codes[language]
        wanted = max(_CANDIDATES_AT_LEAST, limit * _CANDIDATES_A_HIT)
        return codes.candidates(query, wanted, bitmap(selected), selected_share=min(1.0, count / codes.size))

    def _products(self, query: NDArray[np.float32], ids: NDArray[np.int64]) -> NDArray[np.float32]:
        products = np.empty(len(ids), np.float32)
        for start in range(0, len(ids), BLOCK_ROWS):
            part = slice(start, start + BLOCK_ROWS)
            rows = self._rows.take(self._places[ids[part]]).astype(np.float32)
            # not `@`: its threads cost more than they save, and its last digit depends on what else is in the block
            products[part] = np.einsum("ij,j->i", rows, query)
        return products

    def _add_codes(self, ids: NDArray[np.int64], matrix: NDArray[np.float16]) -> None:
        languages = self._languages[ids]
        for language in np.unique(languages):
            if (codes := self._codes.get(int(language))) is not None:
                rows = languages == language
                codes.add(ids[rows], matrix[rows])

    def _renew_codes(self) -> None:
        """Make codes where a language has grown large enough for them, and anew where it has outgrown their centre."""
        counts = np.bincount(self._languages[self._languages != _ABSENT], minlength=len(LANGUAGES))
        for language, count in enumerate(counts.tolist()):
            codes = self._codes.get(language)
            if count > _EXACT_UP_TO and (codes is None or (codes.lists == 1 and count > codes.trained_on * _GROWTH)):
                self._make_codes(language, with_lists=False)

    def _make_codes(self, language: int, *, with_lists: bool) -> None:
        """Make the codes of a language beside the present ones, and put them in their place."""
        with self._lock:
            ids = np.flatnonzero(self._languages == language)
        sample = ids[np.linspace(0, len(ids) - 1, min(len(ids), 80_000)).astype(np.int64)]
        codes = Codes.train(self.vectors(sample), len(ids) if with_lists else min(len(ids), MANY - 1))
        for start in range(0, len(ids), BLOCK_ROWS):
            part = ids[start : start + BLOCK_ROWS]
            codes.add(part, self.vectors(part))
        with self._lock:
            self._complete(language, codes)
            self._codes[language] = codes

    def _complete(self, language: int, codes: Codes) -> None:
        """Add what came while codes were made, or since they were saved."""
        is_missing = self._languages == language
        is_missing[codes.chunk_ids] = False
        missing = np.flatnonzero(is_missing)
        if len(missing):
            codes.add(missing, self._rows.take(self._places[missing]))


def _saved(reader: Reader, ref: int) -> dict[int, Codes]:
    """The codes that `save` kept; none where they are of another format."""
    row = reader.row("SELECT header, data FROM vector_index WHERE model_ref = ?", ref)
    if row is None:
        return {}
    header = json.loads(row[0])
    if header["format"] != _FORMAT:
        return {}
    data = memoryview(row[1])
    found = {}
    start = 0
    for language, trained_on, ids_size, data_size in header["languages"]:
        ids = np.frombuffer(data[start : start + ids_size], np.int64)
        body = bytes(data[start + ids_size : start + ids_size + data_size])
        found[int(language)] = Codes.from_bytes(body, ids, trained_on)
        start += ids_size + data_size
    return found
