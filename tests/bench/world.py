"""A generated database in a folder of its own, written through the program's own write path."""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_bytes
from typing import TYPE_CHECKING

import numpy as np

from app.context.semantics import vectors_of
from app.govern.indexing import model_of
from app.govern.understanding.queue import version_of
from app.govern.understanding.steps import all_steps
from app.policy.admission import admit
from app.store import source_rows, vector_rows, writes
from app.store.analyser import analyse
from app.store.connection import DatabaseKey
from app.store.database import FILE_NAME
from app.store.store import Store
from app.store.understanding_rows import ByModel, mark_understood
from tests.bench import corpus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from app.inference.embedder import Embedder
    from app.store.connection import Writer
    from app.store.vector_rows import EmbeddingModel

_ENTRIES_AT_ONCE = 500
_VECTORS_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class World:
    """An open generated database.

    Attributes:
        vectors: float16[count, 384]; row i belongs to chunk i + 1.
    """

    store: Store
    count: int
    vectors: NDArray[np.float16]
    model: EmbeddingModel


@contextmanager
def world(folder: Path, count: int, embedder: Embedder) -> Iterator[World]:
    """Make a database of `count` passages with generated vectors as the model's; it is removed at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    key = DatabaseKey(token_bytes(32), token_bytes(16))
    model = model_of(embedder)
    store = Store.create(folder / FILE_NAME, key, now=corpus.NOW)
    try:
        fill(store, count)
        vectors = corpus.Vectors(means=embedder.calibration.passage_means).take(count)
        put(store, vectors, model)
        vectors_of(store, embedder)
        # what an idle program does with many vectors
        store.tend_vectors(now=corpus.NOW)
        store.database.checkpoint()
        yield World(store, count, vectors, model)
    finally:
        store.close()
        shutil.rmtree(folder, ignore_errors=True)


def add_sources(tx: Writer) -> None:
    """The sources that generated entries come from."""
    for info in corpus.SOURCES:
        source_rows.add_source(tx, info)


def fill(store: Store, count: int, *, language: str | None = None) -> None:
    """Write passages in entries of four, as their sources would have them."""
    with store.database.write() as tx:
        add_sources(tx)
    last = count // corpus.PASSAGES_AN_ENTRY
    with quick_analysis():
        for start in range(0, last, _ENTRIES_AT_ONCE):
            with store.database.write() as tx:
                for number in range(start, min(start + _ENTRIES_AT_ONCE, last)):
                    info, entry, chunks = corpus.entry_of(number, language)
                    writes.upsert_entry(tx, admit(entry, info), chunks, now=corpus.NOW)


def put(
    store: Store,
    vectors: NDArray[np.float16],
    model: EmbeddingModel,
    *,
    at_once: int = _VECTORS_AT_ONCE,
    first: int = 0,
) -> None:
    """Give chunks their vectors, beginning behind the first `first` ones."""
    for start in range(0, len(vectors), at_once):
        part = vectors[start : start + at_once]
        rows = [(first + start + place + 1, vector) for place, vector in enumerate(part)]
        with store.database.write() as tx:
            vector_rows.put_vectors(tx, model, rows, now=corpus.NOW)


def understand(store: Store) -> None:
    """Take all entries for understood: they state nothing, and the program has nothing to do with them."""
    version = version_of(all_steps())
    with store.database.write() as tx:
        writes.note_rules(tx, version, now=corpus.NOW)
        for (entry_id,) in tx.rows("SELECT entry_id FROM entry"):
            mark_understood(tx, entry_id, version, ByModel.NOT_NEEDED, now=corpus.NOW)


def by_sentences(text: str) -> Counter[str]:
    """What `analyse` says of a generated text: sentences are taken from a pool, so each is analysed once."""
    total: Counter[str] = Counter()
    for sentence in text.replace("\n", ". ").replace("。", ". ").replace("？", ". ").replace("? ", ". ").split(". "):
        for term, count in _analysed(sentence).items():
            total[term] = total.get(term, 0) + count
    return total


@lru_cache(maxsize=100_000)
def _analysed(sentence: str) -> Counter[str]:
    return analyse(sentence)


@contextmanager
def quick_analysis() -> Iterator[None]:
    """Build with `by_sentences`: the same index in half of the time. Nothing that is measured runs meanwhile."""
    original, writes.analyse = writes.analyse, by_sentences
    try:
        yield
    finally:
        writes.analyse = original
