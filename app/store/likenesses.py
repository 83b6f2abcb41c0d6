"""Which entries say what others say too, and the samples by which they find each other (G2.1).

A sample is a number made of a stretch of text (`app.govern.likeness.samples`). Entries with common text have common
samples, so that an entry finds its likes by a handful of look-ups, however many entries there are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.rows import unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.store.connection import Reader, Writer

_IDS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Likeness:
    """Two entries that are alike. kind: copy, quote, forward, version, near; score: 0..1."""

    entry_id: int
    other_id: int
    kind: str
    score: float


@dataclass(frozen=True, slots=True)
class Compared:
    """What an entry is compared by. Times are IXDTF texts."""

    entry_id: int
    source_id: str
    native_id: str
    kind: str
    title: str
    thread: str | None
    updated_at: str
    event_time: str | None
    text: str


def write_samples(tx: Writer, entry_id: int, values: Iterable[int]) -> None:
    """Remember an entry's samples; the version before it gives up those that both have.

    Otherwise a text that is saved often would soon have so many holders that it says nothing.
    """
    samples = list(values)
    tx.run_many("INSERT OR IGNORE INTO sample VALUES (?, ?)", ((value, entry_id) for value in samples))
    before = [row[0] for row in tx.rows("SELECT entry_id FROM entry WHERE superseded_by = ?", entry_id)]
    tx.run_many(
        "DELETE FROM sample WHERE value = ? AND entry_id = ?", ((value, old) for value in samples for old in before)
    )


def begin_rules(tx: Writer, version: str) -> None:
    """Forget the samples that other rules chose, when these come into force: they are not to be compared."""
    known = tx.value("SELECT value FROM meta WHERE name = 'likeness_rules'")
    if known != version:
        tx.run("INSERT OR REPLACE INTO meta VALUES ('likeness_rules', ?)", version)
        if known is not None:
            tx.run("DELETE FROM sample")


def is_there(reader: Reader, entry_id: int) -> bool:
    """Whether an entry is there, and current."""
    return reader.value("SELECT 1 FROM entry WHERE entry_id = ? AND is_current = 1", entry_id) is not None


def holders(reader: Reader, values: Iterable[int], *, most: int) -> Counter[int]:
    """How many of some samples each entry has.

    Args:
        most: a sample that more entries have says nothing: a signature, a form, an empty text.
    """
    found: Counter[int] = Counter()
    for value in values:
        rows = reader.rows("SELECT entry_id FROM sample WHERE value = ? LIMIT ?", value, most + 1)
        if len(rows) <= most:
            found.update(row[0] for row in rows)
    return found


def compared(reader: Reader, entry_ids: Sequence[int], *, longest: int) -> list[Compared]:
    """What entries are compared by: the current ones alone; of a text the first `longest` characters."""
    found: list[Compared] = []
    for entry_id in entry_ids:
        row = reader.row(
            "SELECT entry_id, source_id, native_id, source_type, title, thread, updated_at, event_time FROM entry"
            " WHERE entry_id = ? AND is_current = 1",
            entry_id,
        )
        if row is not None:
            found.append(Compared(*(*row, _text(reader, entry_id, longest))))
    return found


def link(tx: Writer, likeness: Likeness, version: str) -> None:
    """Remember that two entries are alike; a later finding takes the place of an earlier one."""
    one, other = sorted((likeness.entry_id, likeness.other_id))
    tx.run(
        "INSERT OR REPLACE INTO likeness (entry_id, other_id, kind, score, rule_version) VALUES (?, ?, ?, ?, ?)",
        one,
        other,
        likeness.kind,
        likeness.score,
        version,
    )


def unlink(tx: Writer, entry_id: int) -> None:
    """Forget what an entry is like, before it is found out anew."""
    tx.run("DELETE FROM likeness WHERE entry_id = ?1 OR other_id = ?1", entry_id)


def likenesses_of(reader: Reader, entry_id: int) -> list[Likeness]:
    """What an entry is like, the most alike first; `other_id` is always the other one."""
    rows = reader.rows(
        "SELECT entry_id, other_id, kind, score FROM likeness WHERE entry_id = ?1"
        " UNION SELECT other_id, entry_id, kind, score FROM likeness WHERE other_id = ?1 ORDER BY score DESC, 2",
        entry_id,
    )
    return [Likeness(*row) for row in rows]


def likenesses_among(reader: Reader, entry_ids: Iterable[int]) -> list[Likeness]:
    """The likenesses between some entries and no others, so that nothing else shows through (G4.3)."""
    ids = sorted(set(entry_ids))[:_IDS_AT_ONCE]
    marks = ", ".join("?" * len(ids))
    rows = reader.rows(
        "SELECT entry_id, other_id, kind, score FROM likeness"  # noqa: S608 - places alone
        f" WHERE entry_id IN ({marks}) AND other_id IN ({marks}) ORDER BY entry_id, other_id",
        *ids,
        *ids,
    )
    return [Likeness(*row) for row in rows]


def forget(tx: Writer, source_id: str) -> None:
    """Drop the samples of a source's entries, before they go (G8.4)."""
    tx.run("DELETE FROM sample WHERE entry_id IN (SELECT entry_id FROM entry WHERE source_id = ?)", source_id)


def _text(reader: Reader, entry_id: int, longest: int) -> str:
    parts: list[str] = []
    size = 0
    for rows in reader.batches("SELECT text FROM chunk WHERE entry_id = ? ORDER BY ordinal", entry_id, size=8):
        for row in rows:
            parts.append(unpacked(row[0]))
            size += len(parts[-1])
        if size >= longest:
            break
    return "\n\n".join(parts)[:longest]
