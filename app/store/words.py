"""The full-text index as lists of chunk ids, with the often used ones kept in memory.

FTS5 keeps the index on disk, transactional and encrypted; its own ranking counts hidden rows and costs 20 ms a
question, so `lexical` scores instead, from the lists that this module reads. A list of 20,000 ids takes 3 ms from the
database and nothing from memory; the common words, which make the long lists, are soon all there.

The lists in memory follow every commit. A list read while a commit came in is used once and not kept.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from app.store.analyser import ANALYSER_VERSION, DOUBLED, analyse, index_text
from app.store.rows import unpacked
from app.store.vector_rows import embed_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from app.store.analyser import QueryTerm
    from app.store.changes import ChangeSet
    from app.store.connection import Reader, Writer
    from app.store.database import Database

_MEMORY_BYTES = 24 << 20
_BYTES_AN_ID = 5
_OVERHEAD_BYTES = 400


@dataclass(slots=True)
class Postings:
    """The chunks that hold a term.

    Attributes:
        chunk_ids: int32[n], ascending.
        counts: uint8[n]: 1, or 2 for twice and more.
    """

    chunk_ids: NDArray[np.int32]
    counts: NDArray[np.uint8]
    tail: list[tuple[int, int]] = field(default_factory=list)

    def settle(self) -> None:
        """Take the chunks that came since into the arrays."""
        if self.tail:
            ids, counts = zip(*self.tail, strict=True)
            self.chunk_ids = np.concatenate([self.chunk_ids, np.array(ids, np.int32)])
            self.counts = np.concatenate([self.counts, np.array(counts, np.uint8)])
            self.tail = []

    @property
    def size_bytes(self) -> int:
        """What it takes in memory."""
        return len(self.chunk_ids) * _BYTES_AN_ID + _OVERHEAD_BYTES


class WordIndex:
    """Term to chunks. Any thread may ask; the writer's thread changes it."""

    def __init__(self, database: Database, *, memory_bytes: int = _MEMORY_BYTES) -> None:
        self._database = database
        self._memory_bytes = memory_bytes
        self._lock = Lock()
        self._generation = 0
        self._lists: OrderedDict[tuple[str, bool], Postings] = OrderedDict()
        self._used_bytes = 0

    def postings(self, term: QueryTerm) -> Postings:
        """The chunks that hold a term (or, for a prefix, any term that begins with it), hidden ones included."""
        key = (term.term, term.is_prefix)
        with self._lock:
            known = self._lists.get(key)
            if known is not None:
                self._lists.move_to_end(key)
                known.settle()
                return Postings(known.chunk_ids, known.counts)
            generation = self._generation
        # the snapshot begins after the generation was noted, so nothing committed later can be missing unnoticed
        with self._database.reader() as reader:
            found = _read(reader, term)
        with self._lock:
            if generation == self._generation and key not in self._lists:
                self._keep(key, found)
        return Postings(found.chunk_ids, found.counts)

    def frequencies(self, terms: Sequence[QueryTerm]) -> list[int]:
        """How many chunks hold each of some terms, hidden ones included; cheaper than reading them."""
        with self._lock:
            lists = [self._lists.get((term.term, term.is_prefix)) for term in terms]
            found = [None if known is None else len(known.chunk_ids) + len(known.tail) for known in lists]
        missing = [term for term, count in zip(terms, found, strict=True) if count is None]
        if missing:
            with self._database.reader() as reader:
                read = iter([_frequency(reader, term) for term in missing])
            found = [next(read) if count is None else count for count in found]
        return [count or 0 for count in found]

    def apply(self, changes: ChangeSet) -> None:
        """Follow a commit. Removed chunks stay in the lists: every mask hides them, and ids never come back."""
        if not (changes.chunks or changes.is_reindexed):
            return
        with self._lock:
            self._generation += 1
            if changes.is_reindexed:
                self._lists.clear()
                self._used_bytes = 0
            for chunk in changes.chunks:
                self._append(chunk.chunk_id, chunk.terms)

    def _append(self, chunk_id: int, terms: Mapping[str, int]) -> None:
        for key, known in list(self._lists.items()):
            word, is_prefix = key
            count = (
                max((n for term, n in terms.items() if term.startswith(word)), default=0)
                if is_prefix
                else terms.get(word)
            )
            last = known.tail[-1][0] if known.tail else int(known.chunk_ids[-1]) if len(known.chunk_ids) else 0
            if count and chunk_id > last:
                known.tail.append((chunk_id, min(count, 2)))
                self._used_bytes += _BYTES_AN_ID

    def _keep(self, key: tuple[str, bool], found: Postings) -> None:
        self._lists[key] = found
        self._used_bytes += found.size_bytes
        while self._used_bytes > self._memory_bytes:
            _, oldest = self._lists.popitem(last=False)
            self._used_bytes -= oldest.size_bytes + len(oldest.tail) * _BYTES_AN_ID


def rebuild_words(tx: Writer) -> int:
    """Make the full-text index anew from the texts; returns the number of chunks."""
    tx.run("INSERT INTO words (words) VALUES ('delete-all')")
    count = 0
    last = 0
    while rows := tx.rows(
        "SELECT chunk_id, embed_frame, text FROM chunk WHERE chunk_id > ? ORDER BY chunk_id LIMIT 500", last
    ):
        for chunk_id, frame, text in rows:
            terms = analyse(embed_text(frame, unpacked(text)))
            tx.run("INSERT INTO words (rowid, terms) VALUES (?, ?)", chunk_id, index_text(terms))
            tx.run("UPDATE chunk SET term_count = ? WHERE chunk_id = ?", terms.total(), chunk_id)
        count += len(rows)
        last = rows[-1][0]
    tx.run("INSERT OR REPLACE INTO meta VALUES ('analyser_version', ?)", ANALYSER_VERSION)
    tx.changes.is_reindexed = True
    return count


def analyser_version(reader: Reader) -> str | None:
    """By which rules the stored index was made."""
    version: str | None = reader.value("SELECT value FROM meta WHERE name = 'analyser_version'")
    return version


def _read(reader: Reader, term: QueryTerm) -> Postings:
    chunk_ids = _ids(reader, _match(term.term, "*" if term.is_prefix else ""))
    counts = np.ones(len(chunk_ids), np.uint8)
    if not term.is_prefix:
        doubled = _ids(reader, _match(term.term + DOUBLED, ""))
        counts[np.searchsorted(chunk_ids, doubled)] = 2
    return Postings(chunk_ids, counts)


def _ids(reader: Reader, match: str) -> NDArray[np.int32]:
    """One text of all ids: five times faster than a row for each."""
    text = reader.value("SELECT group_concat(rowid) FROM words WHERE words MATCH ?", match)
    return np.fromstring(text, np.int32, sep=",") if text else np.empty(0, np.int32)


def _frequency(reader: Reader, term: QueryTerm) -> int:
    if term.is_prefix:
        return int(reader.value("SELECT count(*) FROM words WHERE words MATCH ?", _match(term.term, "*")))
    return int(reader.value("SELECT doc FROM word_stats WHERE term = ?", term.term) or 0)


def _match(term: str, suffix: str) -> str:
    quoted = term.replace('"', '""')
    return f'"{quoted}"{suffix}'
