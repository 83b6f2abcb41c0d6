"""Changes of a source, gathered into batches that are admitted, cut, and ready to be written.

Gathering blocks (it reads the source) and runs on a lane for blocking work; writing runs on the writer's. Both keep the
order in which the source told its changes, and a cursor goes into the database in the same transaction as what it
covers, so a crash at any moment loses nothing (L5.2, L6.2, X9.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.domain.collecting import SkippedItem
from app.domain.errors import Expected
from app.govern.chunking import chunk
from app.govern.due_words import with_due
from app.policy.admission import NOBODY, Acquaintance, admit
from app.sources.contract import Added, Changed, CursorMoved, Deleted, Marked, Skipped, Unchanged, Warned
from app.store.blobs import has_original
from app.store.source_rows import move_cursor
from app.store.writes import Written, invalidate_missing, mark_entry, note_move, upsert_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from app.domain.collecting import SourceInfo
    from app.domain.entries import AdmittedEntry, Chunk, Entry
    from app.domain.text import Text
    from app.govern.chunking import TokenCounter
    from app.policy.admission import AdmissionRules
    from app.sources.contract import Change
    from app.store.connection import Writer
    from app.store.database import Database


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """A batch is written when it has this many entries or passages, or originals, or bytes of them (L6.4).

    A picture or a recording takes seconds, and a kill must not cost minutes of them.
    """

    entries: int = 64
    chunks: int = 256
    originals: int = 8
    original_bytes: int = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Cut:
    """An admitted entry and its passages."""

    admitted: AdmittedEntry
    chunks: Sequence[Chunk]


@dataclass(slots=True)
class Batch:
    """What one transaction takes in.

    Attributes:
        steps: entries, marks, and native ids that are gone, in the order in which the source told them.
        moves: of native ids that are gone, those under which the source has the same now.
        problem: why the source stopped telling; what stands before it is written all the same.
        is_last: whether nothing comes after this batch.
    """

    steps: list[Cut | Marked | str] = field(default_factory=list)
    cursor: dict[str, str | None] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    skipped: list[SkippedItem] = field(default_factory=list)
    warnings: list[Text] = field(default_factory=list)
    unchanged: int = 0
    chunks: int = 0
    originals: int = 0
    original_bytes: int = 0
    problem: Expected | None = None
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """How many entries a batch added, changed, found unchanged and marked as deleted."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.added + other.added,
            self.changed + other.changed,
            self.unchanged + other.unchanged,
            self.deleted + other.deleted,
        )

    @property
    def written(self) -> int:
        """Entries whose state in the database is new."""
        return self.added + self.changed + self.deleted


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Makes batches of one source's changes."""

    info: SourceInfo
    rules: AdmissionRules
    counter: TokenCounter
    limits: BatchLimits = field(default_factory=BatchLimits)
    people: Acquaintance = NOBODY

    def gather(self, changes: Iterator[Change]) -> Batch:
        """Read changes until a batch is full, or the source has no more; blocks.

        An `Expected` error of the source ends its last batch, and is in it; anything else is a bug and is raised.
        """
        batch = Batch()
        try:
            for change in changes:
                self._take(batch, change)
                if self._is_full(batch):
                    return batch
        except Expected as problem:
            batch.problem = problem
        batch.is_last = True
        return batch

    def _is_full(self, batch: Batch) -> bool:
        limits = self.limits
        is_heavy = batch.chunks >= limits.chunks or batch.original_bytes >= limits.original_bytes
        return is_heavy or batch.originals >= limits.originals or len(batch.steps) >= limits.entries

    def _take(self, batch: Batch, change: Change) -> None:
        match change:
            case Added(entry) | Changed(entry):
                batch.steps.append(self._cut(entry))
                batch.chunks += len(batch.steps[-1].chunks) if isinstance(batch.steps[-1], Cut) else 0
                batch.originals += entry.original is not None
                batch.original_bytes += len(entry.original.data) if entry.original is not None else 0
            case Marked():
                batch.steps.append(change)
            case Deleted(native_id, moved_to):
                batch.steps.append(native_id)
                if moved_to is not None:
                    batch.moves[native_id] = moved_to
            case Unchanged(count):
                batch.unchanged += count
            case Skipped(native_id, reason):
                batch.skipped.append(SkippedItem(native_id, reason))
            case Warned(text):
                batch.warnings.append(text)
            case CursorMoved(rows):
                batch.cursor.update(rows)

    def _cut(self, entry: Entry) -> Cut:
        return Cut(admit(with_due(entry), self.info, self.rules, self.people), chunk(entry, self.counter))


def _write(database: Database, tx: Writer, step: Cut, now: datetime) -> Written:
    """One entry, and its original where it has one that is not kept yet."""
    outcome = upsert_entry(tx, step.admitted, step.chunks, now=now)
    original = step.admitted.entry.original
    if original is not None and not has_original(tx, outcome.entry_id):
        database.blobs.put(tx, outcome.entry_id, original, now=now)
    return outcome.written


def write_batch(database: Database, source_id: str, batch: Batch, *, now: datetime) -> Tally:
    """Write a batch in one transaction; blocks, on the writer's lane.

    Raises:
        DiskFull, ReadOnly, Damaged, Unavailable: nothing of the batch was written.
    """
    if not (batch.steps or batch.cursor):
        return Tally(unchanged=batch.unchanged)
    counts = dict.fromkeys(Written, 0)
    deleted = 0
    with database.write() as tx:
        for step in batch.steps:
            if isinstance(step, Cut):
                counts[_write(database, tx, step, now)] += 1
            elif isinstance(step, Marked):
                counts[mark_entry(tx, source_id, step.native_id, step.metadata)] += 1
            else:
                deleted += invalidate_missing(tx, source_id, (step,), now=now)
        for native_id, moved_to in batch.moves.items():
            note_move(tx, source_id, native_id, moved_to)
        move_cursor(tx, source_id, batch.cursor, now=now)
    return Tally(counts[Written.ADDED], counts[Written.CHANGED], counts[Written.UNCHANGED] + batch.unchanged, deleted)
