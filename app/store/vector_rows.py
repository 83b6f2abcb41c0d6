"""Vectors as rows: float16, with the model and version that made them, never mixed (G3.1, G9.1).

The index that searches them is `vectors`; it is a cache of these rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import Bug
from app.domain.instants import to_ixdtf
from app.store.changes import AddedVectors
from app.store.rows import unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from numpy.typing import NDArray

    from app.store.connection import Reader, Writer

_VECTOR_ROW = """
    INTO vector (doc_id, chunk_id, model_ref, token_count, language, updated_at, norm, data)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""

_WITHOUT_SIGN, _INFINITE = 0x7FFF, 0x7C00
"""Of float16: what is not below the second is infinite, or not a number; asking so takes a fifth of the time."""


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """Which model made a vector. Vectors of different models or versions are never compared (G9.1)."""

    model_id: str
    version: str
    dimension: int = 384


@dataclass(frozen=True, slots=True)
class PendingChunk:
    """A chunk that has no vector of a model yet, with what the model is to read."""

    chunk_id: int
    embed_text: str
    token_count: int
    language: str


def model_ref(reader: Reader, model: EmbeddingModel) -> int | None:
    """The number of a model in the database; None while it has made nothing."""
    ref: int | None = reader.value(
        "SELECT model_ref FROM model WHERE model_id = ? AND version = ?", model.model_id, model.version
    )
    return ref


def put_vectors(
    tx: Writer, model: EmbeddingModel, vectors: Sequence[tuple[int, NDArray[np.float16]]], *, now: datetime
) -> int:
    """Store vectors of chunks; one that is there already is replaced.

    Args:
        vectors: (chunk id, float16[dimension]), normalised.

    Returns:
        How many were stored; chunks that were removed meanwhile are passed over.

    Raises:
        Bug: a vector of another dimension, or with values that are not numbers.
    """
    ref = _registered(tx, model, now)
    stored: list[tuple[int, NDArray[np.float16]]] = []
    for chunk_id, vector in vectors:
        if vector.shape != (model.dimension,) or vector.dtype != np.float16 or not np.isfinite(vector).all():
            raise Bug("a vector does not fit its model")
        row = tx.row("SELECT entry_id, token_count, language FROM chunk WHERE chunk_id = ?", chunk_id)
        if row is None:
            continue
        norm = float(np.linalg.norm(vector.astype(np.float32)))
        tx.run(
            f"INSERT OR REPLACE {_VECTOR_ROW}",
            *(row[0], chunk_id, ref, row[1], row[2], to_ixdtf(now), norm, vector.tobytes()),
        )
        stored.append((chunk_id, vector))
    if stored:
        ids = tuple(chunk_id for chunk_id, _ in stored)
        tx.changes.vectors.append(AddedVectors(model, ref, ids, np.stack([vector for _, vector in stored])))
    return len(stored)


def stored_vectors(
    reader: Reader, ref: int, dimension: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float16], NDArray[np.bool_]]]:
    """All vectors of a model whose size is right, in parts.

    Returns:
        int64[n] chunk ids, float16[n, dimension], and bool[n]: False for one that holds what is no number, or infinite;
        it can be compared with nothing.
    """
    query = "SELECT chunk_id, data FROM vector WHERE model_ref = ? AND length(data) = 2 * ?"
    for rows in reader.batches(query, ref, dimension):
        ids = np.array([row[0] for row in rows], np.int64)
        bits = np.frombuffer(b"".join([row[1] for row in rows]), np.int16).reshape(len(rows), dimension)
        yield ids, bits.view(np.float16), (bits & _WITHOUT_SIGN).max(axis=1) < _INFINITE


def chunks_without_vectors(
    reader: Reader, model: EmbeddingModel, limit: int, *, after_chunk_id: int = 0
) -> list[PendingChunk]:
    """Chunks that wait for a vector of this model, by id.

    Args:
        after_chunk_id: begin behind this one; a caller that works through all of them passes the last id that it got.
    """
    rows = reader.rows(
        "SELECT chunk_id, embed_frame, text, token_count, language FROM chunk WHERE chunk_id > ?"
        " AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.chunk_id = chunk.chunk_id AND model_ref = ?)"
        " ORDER BY chunk_id LIMIT ?",
        after_chunk_id,
        model_ref(reader, model),
        limit,
    )
    return [PendingChunk(row[0], embed_text(row[1], unpacked(row[2])), row[3], row[4]) for row in rows]


def waiting_count(reader: Reader, model: EmbeddingModel) -> int:
    """How many chunks have no vector of this model."""
    chunks = int(reader.value("SELECT count(*) FROM chunk"))
    return chunks - int(reader.value("SELECT count(*) FROM vector WHERE model_ref = ?", model_ref(reader, model)))


def embed_text(frame: str, text: str) -> str:
    """What the model reads, from its stored frame (see `writes.FRAME_PLACE`)."""
    return frame.replace("\0", text, 1)


def embedded_texts(reader: Reader, entry_id: int) -> dict[tuple[str, str], int]:
    """The chunks of an entry by (frame, text)."""
    rows = reader.rows("SELECT embed_frame, text, chunk_id FROM chunk WHERE entry_id = ?", entry_id)
    return {(row[0], unpacked(row[1])): row[2] for row in rows}


def copy_vectors(tx: Writer, from_chunk: int, to_chunk: int, entry_id: int) -> None:
    """Give a chunk the vectors of another one with the same text."""
    rows = tx.rows(
        """
        SELECT model_ref, token_count, language, updated_at, norm, data, model_id, version, dimension
        FROM vector JOIN model USING (model_ref) WHERE chunk_id = ?
        """,
        from_chunk,
    )
    for row in rows:
        tx.insert(f"INSERT {_VECTOR_ROW}", entry_id, to_chunk, *row[:6])
        matrix = np.frombuffer(row[5], np.float16)[np.newaxis, :]
        tx.changes.vectors.append(AddedVectors(EmbeddingModel(*row[6:]), row[0], (to_chunk,), matrix))


def _registered(tx: Writer, model: EmbeddingModel, now: datetime) -> int:
    known = model_ref(tx, model)
    if known is not None:
        return known
    return tx.insert(
        "INSERT INTO model (model_id, version, dimension, first_used_at) VALUES (?, ?, ?, ?)",
        model.model_id,
        model.version,
        model.dimension,
        to_ixdtf(now),
    )
