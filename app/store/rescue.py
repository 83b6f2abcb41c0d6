"""A database with damaged pages, copied row by row into a new one (X9.2).

`check --repair` makes derived things again inside the database; it cannot where pages themselves are broken, since
SQLCipher gives nothing of a page whose seal does not fit. Here every row that can still be read goes into a new file;
the full-text index is made from the texts; what cannot be read is said. Sources that may lack something lose their
cursors, and damaged entries their content hash, so that the next sync brings back what is still at the source. What
people did to records (done, undone) is copied with them; where a part of what texts state is lost, every entry is
understood anew, and what was done goes over to the rows that say the same. The damaged file is kept beside the new one.

The first pages hold the key's proof and the schema; without them there is nothing to copy, and `Damaged` is raised.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlcipher3 import dbapi2

from app.domain.instants import to_ixdtf
from app.store.atomic_file import sync_folder
from app.store.connection import connect
from app.store.database import Database
from app.store.faults import damaged, translated
from app.store.source_rows import combined, entry_digest
from app.store.words import rebuild_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from app.store.connection import DatabaseKey, Row, Writer

# parents before children; the full text and the saved codes are made again
_TABLES = (
    "rule_version",
    "source",
    "cursor",
    "entry",
    "chunk",
    "model",
    "vector",
    "entity",
    "alias",
    "relation",
    "entity_merge",
    "task",
    "event",
    "occurrence",
    "job",
    "audit",
    "egress",
    "blob",
    "blob_gone",
    "understanding",
    "record",
    "freshness_rule",
    "change",
    "statement",
    "likeness",
    "sample",
)
_WITHOUT_ROWID = frozenset({"rule_version", "cursor", "alias", "blob", "blob_gone", "likeness", "sample"})
# what understanding writes, and makes again
_UNDERSTOOD = frozenset({
    "entity", "alias", "relation", "record", "freshness_rule", "change", "statement", "likeness", "sample", "chunk",
})  # fmt: skip
_HIGHEST_ROWID = 1 << 40
_UNUSABLE_HASH = "damaged"


@dataclass(frozen=True, slots=True)
class RescueReport:
    """What was saved.

    Attributes:
        rows: copied rows, by table.
        lost: the tables in which rows could not be read.
        kept: the damaged file.
    """

    rows: dict[str, int]
    lost: tuple[str, ...]
    kept: Path


def rescue(path: Path, key: DatabaseKey, *, now: datetime) -> RescueReport:
    """Put a new database in the place of a damaged one, which must be closed.

    Raises:
        Damaged: nothing can be read; it is left as it is.
        DiskFull, ReadOnly: it is left as it is.
    """
    draft = path.with_name(path.name + ".rescued")
    kept = path.with_name(f"{path.name}.damaged-{secrets.token_hex(4)}")
    draft.unlink(missing_ok=True)
    with translated(path):
        try:
            old = connect(path, key, is_writer=False)
        except dbapi2.DatabaseError as error:
            raise damaged() from error
        try:
            rows, lost = _copied(old, Database.create(draft, key, now=now), now)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        finally:
            old.close()
        os.link(path, kept)
        draft.replace(path)
        for rest in ("-wal", "-shm"):
            path.with_name(path.name + rest).unlink(missing_ok=True)
        sync_folder(path.parent)
    return RescueReport(rows, lost, kept)


def _copied(old: dbapi2.Connection, new: Database, now: datetime) -> tuple[dict[str, int], tuple[str, ...]]:
    rows: dict[str, int] = {}
    lost: list[str] = []
    try:
        with new.write() as tx:
            tx.run("PRAGMA defer_foreign_keys = ON")
            for table in _TABLES:
                rows[table] = 0
                columns = _columns(old, table)
                # a database of an earlier version lacks tables and columns
                put = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608
                for row in _readable(old, table, lost) if columns else ():
                    rows[table] += tx.run(put, *row)
            _keep_counting(old, tx)
            _note_lost_rule_versions(tx, now)
            _drop_what_points_nowhere(tx)
            _count_anew(tx, is_complete="entry" not in lost and "chunk" not in lost)
            if not _UNDERSTOOD.isdisjoint(lost):
                _understand_anew(tx)
            rebuild_words(tx)
    finally:
        new.close()
    return rows, tuple(dict.fromkeys(lost))


def _columns(old: dbapi2.Connection, table: str) -> list[str]:
    """The columns of a table, none where there is no such table."""
    return [row[1] for row in old.execute(f"PRAGMA table_info({table})").fetchall()]


def _keep_counting(old: dbapi2.Connection, tx: Writer) -> None:
    """Ids that were given once never come back, those of lost rows neither (audit and samples name rows by them)."""
    try:
        counters = old.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    except dbapi2.DatabaseError:
        return
    for table, last in counters:
        if table in _TABLES:
            tx.run("DELETE FROM sqlite_sequence WHERE name = ? AND seq < ?", table, last)
            tx.run(
                "INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE ? NOT IN (SELECT name FROM sqlite_sequence)",
                *(table, last, table),
            )


def _note_lost_rule_versions(tx: Writer, now: datetime) -> None:
    """A version whose row is lost is known by those that were made by it, which would go with it."""
    for table in _TABLES:
        if table != "rule_version" and any(row[1] == "rule_version" for row in tx.rows(f"PRAGMA table_info({table})")):
            tx.run(
                f"INSERT OR IGNORE INTO rule_version SELECT DISTINCT rule_version, ? FROM {table}",  # noqa: S608
                to_ixdtf(now),
            )


def _readable(old: dbapi2.Connection, table: str, lost: list[str]) -> Iterator[Row]:
    """The rows of a table that can be read, up to and behind each damaged page."""
    if table in _WITHOUT_ROWID:
        try:
            yield from old.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608
        except dbapi2.DatabaseError:
            lost.append(table)
        return
    start: int | None = 0
    while start is not None:
        last = start - 1
        try:
            for row in old.execute(f"SELECT rowid, * FROM {table} WHERE rowid >= ? ORDER BY rowid", (start,)):  # noqa: S608
                last = row[0]
                yield row[1:]
        except dbapi2.DatabaseError:
            lost.append(table)
            start = _behind_the_damage(old, table, last + 1)
        else:
            start = None


def _behind_the_damage(old: dbapi2.Connection, table: str, place: int) -> int | None:
    """The next rowid from which a table can be read; None where nothing behind can be."""
    low, step = place, 1
    while not _is_readable(old, table, place + step):
        low = place + step
        step *= 2
        if step > _HIGHEST_ROWID:
            return None
    high = place + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_readable(old, table, middle) else (middle, high)
    return high


def _is_readable(old: dbapi2.Connection, table: str, rowid: int) -> bool:
    try:
        old.execute(f"SELECT rowid FROM {table} WHERE rowid >= ? ORDER BY rowid LIMIT 1", (rowid,)).fetchone()  # noqa: S608
    except dbapi2.DatabaseError:
        return False
    return True


def _drop_what_points_nowhere(tx: Writer) -> None:
    """Rows whose parents could not be read; chunks of lost entries too, which nothing describes any more.

    A reference that the schema empties when its parent goes is emptied, and its row stays.
    """
    while dangling := tx.rows("PRAGMA foreign_key_check"):
        for table in {row[0] for row in dangling} & _WITHOUT_ROWID:
            for key in tx.rows(f"PRAGMA foreign_key_list({table})"):
                parent, column = key[2], key[3]
                # every key of a parent is a row's first column
                own = tx.rows(f"PRAGMA table_info({parent})")[0][1]
                tx.run(f"DELETE FROM {table} WHERE {column} NOT IN (SELECT {own} FROM {parent})")  # noqa: S608
        for table, rowid, _, number in dangling:
            if table in _WITHOUT_ROWID:
                continue
            column, on_delete = next(
                (key[3], key[6]) for key in tx.rows(f"PRAGMA foreign_key_list({table})") if key[0] == number
            )
            if on_delete == "SET NULL":
                tx.run(f"UPDATE {table} SET {column} = NULL WHERE rowid = ?", rowid)  # noqa: S608
            else:
                tx.run(f"DELETE FROM {table} WHERE rowid = ?", rowid)  # noqa: S608
    tx.run("DELETE FROM sample WHERE entry_id NOT IN (SELECT entry_id FROM entry)")


def _understand_anew(tx: Writer) -> None:
    """Have every entry read again; what has lost the change that made it stale is valid until then."""
    tx.run("DELETE FROM understanding")
    tx.run("DELETE FROM change WHERE subject_kind = 'record' AND subject_id NOT IN (SELECT record_id FROM record)")
    for table in ("entry", "chunk", "record", "statement", "relation"):
        tx.run(
            f"""
            UPDATE {table} SET stale_reason = NULL
            WHERE stale_reason IS NOT NULL AND {"is_current = 1" if table == "entry" else "TRUE"} AND NOT EXISTS (
                SELECT 1 FROM change
                WHERE subject_kind = '{table}' AND subject_id = {table}_id AND undone_at IS NULL
            )
            """  # noqa: S608 - our own names
        )


def _count_anew(tx: Writer, *, is_complete: bool) -> None:
    """Let the sources count what is there, and bring back what may be missing with their next sync."""
    if not is_complete:
        tx.run("DELETE FROM cursor")
        # an entry that lacks a chunk is to be written again, as a newer version
        tx.run(
            """
            UPDATE entry SET content_hash = ? WHERE entry_id NOT IN (SELECT entry_id FROM chunk) OR entry_id IN (
                SELECT entry_id FROM chunk GROUP BY entry_id HAVING count(*) <= max(ordinal)
            )
            """,
            _UNUSABLE_HASH,
        )
    for (source_id,) in tx.rows("SELECT source_id FROM source"):
        digest, count = bytes(32), 0
        for native_id, content_hash in tx.rows(
            "SELECT native_id, content_hash FROM entry WHERE source_id = ? AND is_current = 1", source_id
        ):
            digest = combined(digest, entry_digest(native_id, content_hash))
            count += 1
        tx.run("UPDATE source SET entry_count = ?, content_hash = ? WHERE source_id = ?", count, digest, source_id)
