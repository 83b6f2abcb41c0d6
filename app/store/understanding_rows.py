"""Which entries were understood, and which wait: the database itself is the queue, and a crash loses nothing (G2.8).

An entry waits while it has no row of the present version, or was read without a model that it would be read by and that
is there now.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import PersonRef, Place
from app.domain.instants import from_ixdtf
from app.domain.labels import EntryKind, Sensitivity, Status, Trust
from app.store.entities import IS_A_ROLE
from app.store.rows import instant, stamp, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from app.store.connection import Reader, Writer

_LONG = 4
_AT_ONCE = 200
_WAITING = """
    FROM entry WHERE is_current = 1 AND NOT EXISTS (
        SELECT 1 FROM understanding AS known
        WHERE known.entry_id = entry.entry_id AND rule_version = ?1 AND (is_by_model > 0 OR ?2 = 0)
    )
"""


class ByModel(IntEnum):
    """Whether the span model read an entry."""

    MISSING = 0
    """It would have, and was not there."""
    READ = 1
    NOT_NEEDED = 2


@dataclass(frozen=True, slots=True)
class PassageRow:
    """A chunk of an entry, with its own text."""

    chunk_id: int
    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class EntryRow:
    """All that understanding needs of an entry, as it is stored."""

    entry_id: int
    source_id: str
    native_id: str
    kind: EntryKind
    title: str
    created_at: datetime
    updated_at: datetime
    event_time: datetime | None
    language: str | None
    status: Status | None
    thread: str | None
    metadata: Mapping[str, str]
    scope: str
    acl: str
    sensitivity: Sensitivity
    trust: Trust
    confidence: float
    version: int
    people: Sequence[PersonRef]
    passages: Sequence[PassageRow]


def waiting_entries(reader: Reader, version: str, limit: int, *, has_model: bool) -> list[int]:
    """Entries that wait: short ones before long ones, newer ones before older ones."""
    return [
        row[0]
        for row in reader.rows(
            f"""
            SELECT entry_id {_WAITING}
            ORDER BY (SELECT count(*) FROM chunk WHERE chunk.entry_id = entry.entry_id) > {_LONG}, entry_id DESC
            LIMIT ?3
            """,  # noqa: S608 - our own parts
            version,
            int(has_model),
            limit,
        )
    ]


def count_waiting(reader: Reader, version: str, *, has_model: bool) -> int:
    """How many entries wait."""
    return int(reader.value(f"SELECT count(*) {_WAITING}", version, int(has_model)))


def waiting_among(reader: Reader, entry_ids: Sequence[int], version: str, *, has_model: bool) -> int:
    """How many of some entries wait."""
    places = ", ".join(str(int(one)) for one in entry_ids) or "NULL"
    query = f"SELECT count(*) {_WAITING} AND entry_id IN ({places})"
    return int(reader.value(query, version, int(has_model)))


def understood_texts(reader: Reader, kinds: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    """Current entries of some kinds that were understood: (id, title, address, text), in order."""
    places = ", ".join("?" * len(kinds))
    last = 0
    while True:
        found = reader.rows(
            "SELECT entry_id, title, source_uri FROM entry JOIN understanding USING (entry_id)"  # noqa: S608 - places
            f" WHERE entry_id > ? AND is_current = 1 AND source_type IN ({places}) ORDER BY entry_id LIMIT {_AT_ONCE}",
            last,
            *kinds,
        )
        for entry_id, title, uri in found:
            passages = reader.rows("SELECT text FROM chunk WHERE entry_id = ? ORDER BY ordinal", entry_id)
            yield entry_id, title, uri, "\n".join(unpacked(one[0]) for one in passages)
        if len(found) < _AT_ONCE:
            return
        last = found[-1][0]


def carry_over(tx: Writer, versions: tuple[str, str], touched: Sequence[int]) -> int:
    """Let what was understood by the old version count as by the new one, where the change does not touch it.

    Args:
        versions: the old and the new one.
        touched: entries that wait to be understood anew; found out in this very transaction, so that none is missed.
    """
    old, new = versions
    tx.run("CREATE TEMP TABLE IF NOT EXISTS touched (entry_id INTEGER PRIMARY KEY)")
    tx.run("DELETE FROM temp.touched")
    tx.run_many("INSERT OR IGNORE INTO temp.touched VALUES (?)", [(one,) for one in touched])
    tx.run(
        """
        UPDATE understanding SET rule_version = ? WHERE rule_version = ?
            AND entry_id NOT IN (SELECT entry_id FROM temp.touched)
        """,
        new,
        old,
    )
    return int(tx.value("SELECT changes()"))


def entry_to_understand(reader: Reader, entry_id: int) -> EntryRow | None:
    """An entry with its passages; None where it is gone, or no longer current."""
    row = reader.row(
        """
        SELECT entry_id, source_id, native_id, source_type, title, created_at, updated_at, event_time, language, status,
               thread, metadata, scope, acl, sensitivity, trust, confidence, version
        FROM entry WHERE entry_id = ? AND is_current = 1
        """,
        entry_id,
    )
    if row is None:
        return None
    return EntryRow(
        entry_id=row[0],
        source_id=row[1],
        native_id=row[2],
        kind=EntryKind(row[3]),
        title=row[4],
        created_at=from_ixdtf(row[5]),
        updated_at=from_ixdtf(row[6]),
        event_time=instant(row[7]),
        language=row[8],
        status=None if row[9] is None else Status(row[9]),
        thread=row[10],
        metadata=MappingProxyType(json.loads(row[11])),
        scope=row[12],
        acl=row[13],
        sensitivity=Sensitivity(row[14]),
        trust=Trust(row[15]),
        confidence=row[16],
        version=row[17],
        people=_people(reader, entry_id),
        passages=_passages(reader, entry_id),
    )


def earlier_versions(reader: Reader, row_id: int) -> list[int]:
    """The ids of the earlier versions of an entry, the newest first."""
    rows = reader.rows(
        """
        SELECT earlier.entry_id FROM entry AS earlier JOIN entry AS present
            ON earlier.source_id = present.source_id AND earlier.native_id = present.native_id
        WHERE present.entry_id = ? AND earlier.entry_id < present.entry_id ORDER BY earlier.version DESC
        """,
        row_id,
    )
    return [row[0] for row in rows]


def mark_understood(
    tx: Writer, entry_id: int, version: str, by_model: ByModel, *, now: datetime, problem: str | None = None
) -> None:
    """An entry was understood by a version of the rules, which must be noted; with a problem, it was tried in vain."""
    tx.run(
        """
        INSERT INTO understanding (entry_id, rule_version, understood_at, is_by_model, problem) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (entry_id) DO UPDATE SET rule_version = excluded.rule_version,
            understood_at = excluded.understood_at, is_by_model = excluded.is_by_model, problem = excluded.problem
        """,
        entry_id,
        version,
        stamp(now),
        int(by_model),
        problem,
    )


def _people(reader: Reader, entry_id: int) -> tuple[PersonRef, ...]:
    rows = reader.rows(
        f"""
        SELECT coalesce(object_text, ''), coalesce((SELECT value FROM alias WHERE alias.entity_id = entity.entity_id
                                                    AND kind = 'address' LIMIT 1), ''), predicate
        FROM relation JOIN entity ON entity_id = subject_id
        WHERE entry_id = ? AND {IS_A_ROLE} ORDER BY relation_id
        """,  # noqa: S608 - our own names
        entry_id,
    )
    return tuple(PersonRef(*row) for row in rows)


def _passages(reader: Reader, entry_id: int) -> tuple[PassageRow, ...]:
    rows = reader.rows(
        "SELECT chunk_id, text, heading_path, page, first_line, last_line, message_id, second FROM chunk"
        " WHERE entry_id = ? ORDER BY ordinal",
        entry_id,
    )
    return tuple(
        PassageRow(row[0], unpacked(row[1]), Place(tuple(json.loads(row[2])) if row[2] is not None else (), *row[3:8]))
        for row in rows
    )


def understood_of_thread(reader: Reader, entry_id: int, limit: int) -> list[int]:
    """Entries of the same conversation that may speak of what one states, the newest of the least sensitive first.

    Current ones that were understood, and that nobody may see who may not see this one (`records_of_thread`).
    """
    return [
        row[0]
        for row in reader.rows(
            """
            SELECT other.entry_id FROM entry AS other JOIN understanding ON understanding.entry_id = other.entry_id
            JOIN entry AS own ON own.entry_id = ?1
            WHERE other.thread = own.thread AND other.is_current = 1 AND other.entry_id <> ?1
                AND other.scope = own.scope AND other.acl = own.acl AND other.sensitivity >= own.sensitivity
            ORDER BY other.sensitivity, coalesce(other.event_time, other.created_at) DESC LIMIT ?2
            """,
            entry_id,
            limit,
        )
    ]


def read_again(tx: Writer, entry_ids: Sequence[int]) -> None:
    """Let entries wait, as if they had not been understood yet; what they state stands until then."""
    for entry_id in entry_ids:
        tx.run("DELETE FROM understanding WHERE entry_id = ?", entry_id)
