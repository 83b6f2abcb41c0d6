"""Configured sources and their cursors (G1.1, L6.2)."""

from __future__ import annotations

import hashlib
import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.collecting import SourceChange, SourceInfo, SyncState
from app.domain.errors import BadInput, Expected
from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.labels import Sensitivity, Trust
from app.domain.text import msg
from app.store.rows import instant, text_column, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.store.connection import Reader, Row, Writer

_SOURCES = """
    SELECT source_id, source_type, source_uri, name, scope, acl, sensitivity, trust, state, created_at, last_sync_at,
           entry_count, problem, next_step, options, failures, next_sync_at, is_paused, last_counts
    FROM source
"""


def add_source(tx: Writer, info: SourceInfo) -> None:
    """Record a new source, without entries.

    Raises:
        BadInput: there is one with this id, or with this kind and location.
    """
    known = tx.value(
        "SELECT 1 FROM source WHERE source_id = ? OR (source_type = ? AND source_uri = ?)",
        info.source_id,
        info.kind,
        info.location,
    )
    if known is not None:
        raise BadInput(msg("This source is already there."), next_step=msg("Sync it, or add another place."))
    tx.insert(
        """
        INSERT INTO source
            (source_id, source_type, source_uri, name, scope, acl, sensitivity, trust, state, created_at, options)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        info.source_id,
        info.kind,
        info.location,
        info.name,
        info.scope,
        info.acl,
        int(info.sensitivity),
        int(info.trust),
        info.state.value,
        to_ixdtf(info.created_at),
        json.dumps(dict(info.options)),
    )


def sources(reader: Reader) -> tuple[SourceInfo, ...]:
    """All sources, oldest first."""
    return tuple(_info(row) for row in reader.rows(f"{_SOURCES} ORDER BY created_at, source_id"))


def source(reader: Reader, source_id: str) -> SourceInfo | None:
    """One source, or None."""
    row = reader.row(f"{_SOURCES} WHERE source_id = ?", source_id)
    return None if row is None else _info(row)


def set_source_state(tx: Writer, source_id: str, state: SyncState) -> None:
    """Say what a source is doing; what was wrong with it before is no longer told."""
    tx.run("UPDATE source SET state = ?, problem = NULL, next_step = NULL WHERE source_id = ?", state.value, source_id)


def end_interrupted_syncs(tx: Writer) -> None:
    """Nothing is syncing in a database that was opened just now: what says so was cut off with its process."""
    tx.run("UPDATE source SET state = ? WHERE state = ?", SyncState.IDLE.value, SyncState.SYNCING.value)


def mark_synced(tx: Writer, source_id: str, *, now: datetime, counts: Mapping[str, int] | None = None) -> None:
    """A sync came to its end: the source is idle and without a problem."""
    tx.run(
        """
        UPDATE source SET state = ?, problem = NULL, next_step = NULL, last_sync_at = ?, failures = 0,
                          next_sync_at = NULL, last_counts = ?
        WHERE source_id = ?
        """,
        SyncState.IDLE.value,
        to_ixdtf(now),
        json.dumps(dict(counts or {})),
        source_id,
    )


def mark_failed(tx: Writer, source_id: str, problem: Expected, *, failures: int, next_sync_at: datetime) -> None:
    """A sync failed: what is wrong, what to do, and when it is tried again without being asked."""
    tx.run(
        "UPDATE source SET state = ?, problem = ?, next_step = ?, failures = ?, next_sync_at = ? WHERE source_id = ?",
        SyncState.FAILED.value,
        text_column(problem.what),
        text_column(problem.next_step),
        failures,
        to_ixdtf(next_sync_at),
        source_id,
    )


def change_source(tx: Writer, source_id: str, change: SourceChange) -> None:
    """Write what a person changed of a source; its sensitivity is never lowered (G8.2)."""
    tx.run(
        """
        UPDATE source SET name = coalesce(?, name), scope = coalesce(?, scope),
                          sensitivity = max(sensitivity, coalesce(?, sensitivity)), options = coalesce(?, options),
                          is_paused = coalesce(?, is_paused)
        WHERE source_id = ?
        """,
        change.name,
        change.scope,
        None if change.sensitivity is None else int(change.sensitivity),
        None if change.options is None else json.dumps(dict(change.options)),
        change.is_paused,
        source_id,
    )
    # a person who looks after it again wants to see it tried again, and what was wrong may be so no longer
    if change.options is not None or change.secret is not None or change.is_paused is False:
        tx.run(
            """
            UPDATE source SET failures = 0, next_sync_at = NULL, problem = NULL, next_step = NULL,
                              state = iif(state = ?, ?, state)
            WHERE source_id = ?
            """,
            SyncState.FAILED.value,
            SyncState.IDLE.value,
            source_id,
        )


def cursor_rows(reader: Reader, source_id: str) -> dict[str, str]:
    """Where the next sync of a source begins: one row for each of its items; empty for the beginning."""
    return dict(reader.rows("SELECT item, value FROM cursor WHERE source_id = ?", source_id))


def move_cursor(tx: Writer, source_id: str, rows: Mapping[str, str | None], *, now: datetime) -> None:
    """Move the cursor, in the transaction that wrote the entries which it covers; None removes a row.

    A cursor is a set of rows, so that a folder of 100,000 files moves it by one row for each file that changed.
    """
    moment = to_ixdtf(now)
    tx.run_many(
        "DELETE FROM cursor WHERE source_id = ? AND item = ?",
        [(source_id, item) for item, value in rows.items() if value is None],
    )
    tx.run_many(
        """
        INSERT INTO cursor VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
        """,
        [(source_id, item, value, moment) for item, value in rows.items() if value is not None],
    )


def count_in(tx: Writer, source_id: str, native_id: str, content_hash: str) -> None:
    """Take an entry that has become current into the source's count and content hash."""
    _toggle(tx, source_id, native_id, content_hash, 1)


def count_out(tx: Writer, source_id: str, native_id: str, content_hash: str) -> None:
    """Take an entry that is no longer current out again."""
    _toggle(tx, source_id, native_id, content_hash, -1)


def entry_digest(native_id: str, content_hash: str) -> bytes:
    """What one current entry adds (by exclusive or) to its source's content hash: 32 bytes."""
    return hashlib.sha256(f"{native_id}\0{content_hash}".encode("utf-8", "surrogatepass")).digest()


def combined(first: bytes, second: bytes) -> bytes:
    """The exclusive or of two digests: adding a thing twice takes it out again, and the order does not matter."""
    return (int.from_bytes(first, "big") ^ int.from_bytes(second, "big")).to_bytes(32, "big")


def _toggle(tx: Writer, source_id: str, native_id: str, content_hash: str, step: int) -> None:
    before = tx.value("SELECT content_hash FROM source WHERE source_id = ?", source_id)
    tx.run(
        "UPDATE source SET content_hash = ?, entry_count = entry_count + ? WHERE source_id = ?",
        combined(before, entry_digest(native_id, content_hash)),
        step,
        source_id,
    )


def _info(row: Row) -> SourceInfo:
    return SourceInfo(
        source_id=row[0],
        kind=row[1],
        location=row[2],
        name=row[3],
        scope=row[4],
        acl=row[5],
        sensitivity=Sensitivity(row[6]),
        trust=Trust(row[7]),
        state=SyncState(row[8]),
        created_at=from_ixdtf(row[9]),
        last_sync_at=instant(row[10]),
        entry_count=row[11],
        problem=text_of(row[12]),
        next_step=text_of(row[13]),
        options=MappingProxyType(json.loads(row[14])),
        failures=row[15],
        next_sync_at=instant(row[16]),
        is_paused=bool(row[17]),
        last_counts=MappingProxyType(json.loads(row[18])),
    )
