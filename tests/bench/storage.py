"""The store alone: one durable row, bytes on disk, and what encryption costs."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from secrets import token_bytes
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from sqlcipher3 import dbapi2

from app.domain.context_item import SearchRequest, Viewer
from app.domain.entries import Block, Chunk, Place
from app.domain.labels import BlockKind
from app.policy.admission import admit
from app.policy.disclosure import filter_for
from app.store import migrations, reading, writes
from app.store.analyser import analyse, index_text
from app.store.connection import PAGE_SIZE, DatabaseKey
from app.store.database import FILE_NAME, Database
from app.store.store import Store
from app.store.vector_rows import EmbeddingModel
from tests.bench import corpus, world
from tests.bench.measures import Measure, alternating, processor_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ROWS = 300
_WORK_CHUNKS = 3_200
_WORK_ROUNDS = 6
_SIZE_CHUNKS = 4_000
_ROW_BUDGET_MS = 1.0
_BYTES_BUDGET = 2_500
_ENCRYPTION_BUDGET = 1.10
_MODEL = EmbeddingModel("generated", "1")


def one_row(folder: Path) -> Iterator[Measure]:
    """A note of one sentence, from the call to the moment in which it is safe from a power cut."""
    with _store(folder / "row") as store, _plain_table(folder / "row.sqlite") as plain:
        world.fill(store, corpus.PASSAGES_AN_ENTRY)
        notes = iter([_note(number) for number in range(2 * _ROWS)])

        def famulus() -> None:
            info, entry, chunk = next(notes)
            with store.database.write() as tx:
                writes.upsert_entry(tx, admit(entry, info), [chunk], now=corpus.NOW)

        def sqlite() -> None:
            _, entry, chunk = next(notes)
            terms = index_text(analyse(chunk.embed_text))
            plain.execute("BEGIN IMMEDIATE")
            row = plain.execute("INSERT INTO chunk VALUES (NULL, ?, ?)", (entry.native_id, chunk.text)).lastrowid
            plain.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (row, terms))
            plain.execute("COMMIT")

        ours, theirs = alternating(_ROWS, famulus, sqlite)
    yield Measure(
        "one row added, durable", ours * 1000, "ms", theirs * 1000, "plain sqlite3, text and FTS5", _ROW_BUDGET_MS
    )


def bytes_a_chunk(folder: Path) -> Iterator[Measure]:
    """A passage of 240 tokens with its vector, its words and its place, against its text in UTF-8."""
    for language, name in (("en", "English"), ("zh", "Chinese")):
        with _store(folder / language) as store:
            world.fill(store, _SIZE_CHUNKS, language=language)
            world.put(store, corpus.Vectors().take(_SIZE_CHUNKS), _MODEL)
            store.database.checkpoint()
            size = (folder / language / FILE_NAME).stat().st_size
        texts = sum(len(corpus.passage(number, language).text.encode()) for number in range(_SIZE_CHUNKS))
        yield Measure(
            f"bytes a chunk on disk, {name}",
            size / _SIZE_CHUNKS,
            "bytes",
            texts / _SIZE_CHUNKS,
            "its text in UTF-8",
            _BYTES_BUDGET,
        )


def encryption(folder: Path) -> Iterator[Measure]:
    """The same work of the store, with SQLCipher and with the same library's plain SQLite.

    In processor time: waiting for the disk is the same for both, and would hide the difference.
    """
    taken: dict[str, list[tuple[float, ...]]] = {"encrypted": [], "plain": []}
    for number in range(_WORK_ROUNDS):
        # who comes second finds a warmer machine
        for name in sorted(taken, reverse=bool(number % 2)):
            with _store(folder / f"{name}-{number}", is_plain=name == "plain") as store:
                taken[name].append((*_insert(store), _read(store)))
    named = (
        ("the write path", _ENCRYPTION_BUDGET),
        ("the same, texts analysed before", None),
        ("reading", _ENCRYPTION_BUDGET),
    )
    for column, (what, budget) in enumerate(named):
        ours, theirs = (np.median([times[column] for times in taken[name]]).item() for name in ("encrypted", "plain"))
        yield Measure(
            f"SQLCipher, {what}",
            ours,
            "s",
            theirs,
            "plain SQLite",
            budget,
            is_ratio=True,
        )


def _insert(store: Store) -> tuple[float, float]:
    """The processor's seconds for the whole write path, and for it with texts that are analysed already."""
    half = _WORK_CHUNKS // corpus.PASSAGES_AN_ENTRY // 2
    entries = [corpus.entry_of(number) for number in range(2 * half)]
    with store.database.write() as tx:
        world.add_sources(tx)
    whole = processor_seconds(lambda: _write(store, entries[:half], first=0))
    for _, _, chunks in entries[half:]:
        for chunk in chunks:
            world.by_sentences(chunk.embed_text)
    with world.quick_analysis():
        return whole, processor_seconds(lambda: _write(store, entries[half:], first=_WORK_CHUNKS // 2))


def _write(store: Store, entries: list[Any], *, first: int) -> None:
    for start in range(0, len(entries), 64):
        with store.database.write() as tx:
            for info, entry, chunks in entries[start : start + 64]:
                writes.upsert_entry(tx, admit(entry, info), chunks, now=corpus.NOW)
    count = len(entries) * corpus.PASSAGES_AN_ENTRY
    world.put(store, corpus.Vectors().take(count), _MODEL, at_once=32, first=first)
    store.database.checkpoint()


def _read(store: Store) -> float:
    """Load what a start loads, then look passages and words up, all from the file."""

    owner = filter_for(Viewer(), SearchRequest(""))

    def read() -> None:
        store.vectors(_MODEL)
        rng = np.random.default_rng(1)
        for _ in range(200):
            with store.database.reader() as reader:
                reading.passages(reader, rng.integers(1, _WORK_CHUNKS, 32).tolist(), owner)
        for number in range(300):
            with store.database.reader() as reader:
                terms = [f'"{term}"' for term in analyse(corpus.question(number))]
                reader.rows("SELECT rowid FROM words WHERE words MATCH ?", " OR ".join(terms))

    return processor_seconds(read)


def _note(number: int) -> tuple[Any, Any, Chunk]:
    info, entry, _ = corpus.entry_of(0)
    text = f"{corpus.own_sentence(number, 'en')} {corpus.sentences('en')[number]}"
    entry = replace(
        entry,
        native_id=f"note-{number}",
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        blocks=(Block(BlockKind.PARAGRAPH, text),),
    )
    return info, entry, Chunk(0, text, f"{entry.title}\n{text}", Place(), 40, "en")


@contextmanager
def _store(folder: Path, *, is_plain: bool = False) -> Iterator[Store]:
    folder.mkdir(parents=True)
    path, key = folder / FILE_NAME, DatabaseKey(token_bytes(32), token_bytes(16))
    with ExitStack() as stack:
        if is_plain:
            stack.enter_context(mock.patch("app.store.database.connect", _connect_plain))
            raw = _connect_plain(path, key, is_writer=True)
            raw.execute("PRAGMA journal_mode = WAL")
            migrations.migrate(raw, now=corpus.NOW)
            store = Store(Database(path, key, raw))
        else:
            store = Store.create(path, key, now=corpus.NOW)
        stack.callback(store.close)
        yield store


def _connect_plain(path: Path, _: DatabaseKey, *, is_writer: bool) -> dbapi2.Connection:
    """As `app.store.connection.connect`, without a key."""
    raw = dbapi2.connect(str(path), isolation_level=None, check_same_thread=False, cached_statements=256)
    raw.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    raw.execute("PRAGMA temp_store = MEMORY")
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA trusted_schema = OFF")
    raw.execute("PRAGMA synchronous = FULL")
    raw.execute("PRAGMA secure_delete = ON")
    raw.execute(f"PRAGMA cache_size = {-16384 if is_writer else -8192}")
    return raw


@contextmanager
def _plain_table(path: Path) -> Iterator[sqlite3.Connection]:
    plain = sqlite3.connect(path, isolation_level=None)
    plain.execute("PRAGMA journal_mode = WAL")
    plain.execute("PRAGMA synchronous = FULL")
    plain.execute("CREATE TABLE chunk (chunk_id INTEGER PRIMARY KEY, native_id TEXT, text TEXT)")
    plain.execute("CREATE VIRTUAL TABLE words USING fts5(terms, content='', detail=none)")
    try:
        yield plain
    finally:
        plain.close()
