"""Passages with all that layer four says of them (G4.1), neighbours, and counts.

Nothing here decides who may see a passage: the ids come from a search under a mask (`visibility`), or from the owner.
But how it stands is told as its viewer sees it: what holds no longer because of an entry that they may not see still
holds for them, and no reason names such an entry (G4.3).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Place
from app.domain.instants import from_ixdtf
from app.domain.labels import EntryKind, Sensitivity, Status, Trust
from app.domain.records import Subject
from app.store.entities import IS_A_ROLE
from app.store.histories import column, states_for
from app.store.limits import rights_limits
from app.store.rows import REPLACED, instant, marks, stamp, text_column, text_of, unpacked
from app.store.statement_rows import stale_statements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row

_COLUMNS = """chunk_id, chunk.entry_id, ordinal, text, heading_path, page, first_line, last_line, message_id,
    second, token_count, chunk.language, entry.source_id, native_id, source_type, entry.title, source_uri, created_at,
    updated_at, event_time, ingested_at, valid_from, valid_to, coalesce(task.status, entry.status), scope, acl,
    sensitivity, trust, confidence, rule_version, metadata, version,
    coalesce(chunk.stale_reason, entry.stale_reason), superseded_by"""
_PASSAGES = f"""
    SELECT {_COLUMNS}
    FROM chunk JOIN entry USING (entry_id) LEFT JOIN task USING (entry_id)
"""  # noqa: S608 - our own column names


_IDS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk with what its entry says. Times are as the entry gave them, with their offsets.

    Attributes:
        stale_parts: sentences of it that are no longer so, with the reasons; the rest of it stands.
    """

    chunk_id: int
    entry_id: int
    ordinal: int
    text: str
    place: Place
    token_count: int
    language: str
    source_id: str
    native_id: str
    kind: EntryKind
    title: str
    source_uri: str
    created_at: datetime
    updated_at: datetime
    event_time: datetime | None
    ingested_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    status: Status | None
    scope: str
    acl: str
    sensitivity: Sensitivity
    trust: Trust
    confidence: float
    rule_version: str
    metadata: Mapping[str, str]
    version: int
    stale_reason: Text | None
    superseded_by: int | None
    stale_parts: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """How much there is. `entries` are the current ones; `chunks` are all, stale ones included."""

    sources: int
    entries: int
    chunks: int


def passages(reader: Reader, chunk_ids: Sequence[int], visible: VisibilityFilter) -> list[Passage]:
    """Passages in the order asked for, as a viewer sees them; ids that are gone are passed over."""
    places = ", ".join("?" * len(chunk_ids))
    found = {
        one.chunk_id: one
        for one in _seen(reader, reader.rows(f"{_PASSAGES} WHERE chunk_id IN ({places})", *chunk_ids), visible)
    }
    for chunk_id, parts in stale_statements(reader, list(found), visible).items():
        found[chunk_id] = replace(found[chunk_id], stale_parts=tuple(parts))
    return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]


def texts_of(reader: Reader, chunk_ids: Sequence[int]) -> dict[int, str]:
    """The texts alone, by chunk; four times quicker than `passages`. Ids that are gone are absent."""
    places = ", ".join("?" * len(chunk_ids))
    rows = reader.rows(f"SELECT chunk_id, text FROM chunk WHERE chunk_id IN ({places})", *chunk_ids)  # noqa: S608
    return {row[0]: unpacked(row[1]) for row in rows}


def event_times_of(reader: Reader, chunk_ids: Sequence[int]) -> dict[int, datetime]:
    """When what a chunk tells of happens, by chunk; those without such a time are absent."""
    places = ", ".join("?" * len(chunk_ids))
    rows = reader.rows(
        f"SELECT chunk_id, event_time FROM chunk JOIN entry USING (entry_id)"  # noqa: S608
        f" WHERE chunk_id IN ({places}) AND event_time IS NOT NULL",
        *chunk_ids,
    )
    return {row[0]: from_ixdtf(row[1]) for row in rows}


def neighbours(
    reader: Reader, chunk_id: int, visible: VisibilityFilter, *, before: int = 1, after: int = 1
) -> list[Passage]:
    """The chunks around one, in the same entry, in order, without itself. They share its rights, being of its entry."""
    row = reader.row("SELECT entry_id, ordinal FROM chunk WHERE chunk_id = ?", chunk_id)
    if row is None:
        return []
    rows = reader.rows(
        f"{_PASSAGES} WHERE chunk.entry_id = ? AND ordinal BETWEEN ? AND ? AND chunk_id <> ? ORDER BY ordinal",
        row[0],
        row[1] - before,
        row[1] + after,
        chunk_id,
    )
    return _seen(reader, rows, visible)


def passages_beside(
    reader: Reader, around: Sequence[Passage], visible: VisibilityFilter, *, reach: int
) -> dict[int, list[Passage]]:
    """Of each of some passages those up to `reach` before and behind it in its entry, in order, without itself."""
    if not around:
        return {}
    near = " OR ".join(["(chunk.entry_id = ? AND ordinal BETWEEN ? AND ?)"] * len(around))
    values = [value for one in around for value in (one.entry_id, one.ordinal - reach, one.ordinal + reach)]
    rows = reader.rows(f"{_PASSAGES} WHERE {near} ORDER BY chunk.entry_id, ordinal", *values)
    found = _seen(reader, rows, visible)
    return {
        one.chunk_id: [
            other for other in found if other.entry_id == one.entry_id and 0 < abs(other.ordinal - one.ordinal) <= reach
        ]
        for one in around
    }


def entry_passages(reader: Reader, entry_id: int, visible: VisibilityFilter) -> list[Passage]:
    """All chunks of an entry, in order, as a viewer of it sees them."""
    rows = reader.rows(f"{_PASSAGES} WHERE chunk.entry_id = ? ORDER BY ordinal", entry_id)
    return _seen(reader, rows, visible)


def first_passage(reader: Reader, entry_id: int, visible: VisibilityFilter) -> Passage | None:
    """The first chunk of an entry, as a viewer of it sees it: a book is not read for it. None where there is none."""
    rows = reader.rows(f"{_PASSAGES} WHERE chunk.entry_id = ? ORDER BY ordinal LIMIT 1", entry_id)
    return next(iter(_seen(reader, rows, visible)), None)


def chunk_of_entry(reader: Reader, entry_id: int) -> int | None:
    """The first chunk of an entry; None where there is no such entry."""
    found: int | None = reader.value("SELECT chunk_id FROM chunk WHERE entry_id = ? ORDER BY ordinal LIMIT 1", entry_id)
    return found


def current_hashes(reader: Reader, source_id: str, native_ids: Sequence[str]) -> dict[str, str]:
    """The content hashes of a source's current entries, by native id; ids that it does not have are absent."""
    found: dict[str, str] = {}
    for start in range(0, len(native_ids), _IDS_AT_ONCE):
        some = native_ids[start : start + _IDS_AT_ONCE]
        places = ", ".join("?" * len(some))
        query = (
            f"SELECT native_id, content_hash FROM entry WHERE source_id = ? AND native_id IN ({places}) AND is_current"  # noqa: S608
        )
        found.update(reader.rows(query, source_id, *some))
    return found


def people_of(reader: Reader, entry_id: int, *, is_owner: bool = True) -> list[tuple[str, str]]:
    """The people who have a part in an entry: (name, role), in the order in which it names them.

    Args:
        is_owner: name them as they are known from everywhere; for anybody else, as this very entry names them (G4.3).
    """
    rows = reader.rows(
        "SELECT coalesce(main.name, entity.name), predicate, object_text,"  # noqa: S608 - our own names
        " (SELECT value FROM alias WHERE kind = 'address' AND alias.entity_id = entity.entity_id) FROM relation"
        " JOIN entity ON entity.entity_id = subject_id LEFT JOIN entity AS main ON main.entity_id = entity.canonical_id"
        f" WHERE entry_id = ? AND entity.entity_type = 'person' AND {IS_A_ROLE} ORDER BY relation_id",
        entry_id,
    )
    return [(row[0] if is_owner else row[2] or row[3] or "", row[1]) for row in rows]


def senders_of(reader: Reader, entry_ids: Collection[int]) -> dict[int, str]:
    """The address of whoever wrote some entries, as each entry itself gives it; those without one are left out."""
    wanted = sorted(entry_ids)
    rows = reader.rows(
        "SELECT entry_id, alias.value FROM relation"  # noqa: S608 - places alone
        " JOIN alias ON alias.entity_id = subject_id AND alias.kind = 'address'"
        f" WHERE predicate = 'author' AND entry_id IN ({marks(wanted)}) ORDER BY relation_id DESC",
        *wanted,
    )
    return {row[0]: row[1] for row in rows}


def counts(reader: Reader) -> StoreCounts:
    """How much there is, for the owner alone (a count tells a client of what it may not see)."""
    row = reader.row("SELECT count(*), coalesce(sum(entry_count), 0) FROM source")
    assert row is not None  # noqa: S101 - an aggregate has a row
    return StoreCounts(row[0], row[1], reader.value("SELECT count(*) FROM chunk"))


def never_understood(reader: Reader) -> int:
    """How many current entries no rules have read yet, of whatever version; for the owner alone."""
    return int(
        reader.value(
            "SELECT count(*) FROM entry WHERE is_current = 1"
            " AND NOT EXISTS (SELECT 1 FROM understanding AS known WHERE known.entry_id = entry.entry_id)"
        )
    )


def _seen(reader: Reader, rows: Sequence[Row], visible: VisibilityFilter) -> list[Passage]:
    """Passages of rows, without what entries that the viewer may not see did to them."""
    found = [_passage(row) for row in rows]
    if visible.is_unrestricted:
        return found
    entry_ids = {row[1] for row in rows}
    entries = states_for(reader, Subject.ENTRY, entry_ids, visible)
    chunks = states_for(reader, Subject.CHUNK, (row[0] for row in rows), visible)
    tasks = states_for(reader, Subject.TASK, entry_ids, visible)
    successors = _hidden_successors(reader, entry_ids, visible)
    if not (entries or chunks or tasks or successors):
        return found
    own = _own_reasons(reader, [row[0] for row in rows])
    for at, one in enumerate(found):
        of_entry, of_task = entries.get(one.entry_id, {}), tasks.get(one.entry_id, {})
        by_chunk, by_entry, status, task_status = own[one.chunk_id]
        reason = column(chunks.get(one.chunk_id, {}), "stale_reason", by_chunk)
        if reason is None:
            reason = successors.get(one.entry_id, column(of_entry, "stale_reason", by_entry))
        status = column(of_task, "status", task_status) or column(of_entry, "status", status)
        found[at] = replace(
            one,
            stale_reason=text_of(reason),
            valid_from=instant(column(of_entry, "valid_from", stamp(one.valid_from))),
            valid_to=instant(column(of_entry, "valid_to", stamp(one.valid_to))),
            status=None if status is None else Status(status),
        )
    return found


def _own_reasons(reader: Reader, chunk_ids: Sequence[int]) -> dict[int, Row]:
    """Of passages, apart: the passage's reason, its entry's, the entry's status, its to-do's."""
    rows = reader.rows(
        "SELECT chunk_id, chunk.stale_reason, entry.stale_reason, entry.status, task.status FROM chunk"  # noqa: S608 - places
        " JOIN entry USING (entry_id) LEFT JOIN task USING (entry_id)"
        f" WHERE chunk_id IN ({', '.join('?' * len(chunk_ids))})",
        *chunk_ids,
    )
    return {row[0]: row[1:] for row in rows}


def _hidden_successors(reader: Reader, entry_ids: Iterable[int], visible: VisibilityFilter) -> dict[int, str | None]:
    """Of entries whose newer version the viewer may not see: a reason that tells nothing of it."""
    ids = sorted(entry_ids)
    condition, values = rights_limits(visible, "newer")
    rows = reader.rows(
        f"SELECT old.entry_id FROM entry AS old JOIN entry AS newer ON newer.entry_id = old.superseded_by"  # noqa: S608 - places
        f" WHERE old.entry_id IN ({', '.join('?' * len(ids))}) AND NOT ({condition})",
        *ids,
        *values,
    )
    return {row[0]: text_column(REPLACED) for row in rows}


def _passage(row: Row) -> Passage:
    path = tuple(json.loads(row[4])) if row[4] is not None else ()
    return Passage(
        chunk_id=row[0],
        entry_id=row[1],
        ordinal=row[2],
        text=unpacked(row[3]),
        place=Place(path, *row[5:10]),
        token_count=row[10],
        language=row[11],
        source_id=row[12],
        native_id=row[13],
        kind=EntryKind(row[14]),
        title=row[15],
        source_uri=row[16],
        created_at=from_ixdtf(row[17]),
        updated_at=from_ixdtf(row[18]),
        event_time=instant(row[19]),
        ingested_at=from_ixdtf(row[20]),
        valid_from=instant(row[21]),
        valid_to=instant(row[22]),
        status=None if row[23] is None else Status(row[23]),
        scope=row[24],
        acl=row[25],
        sensitivity=Sensitivity(row[26]),
        trust=Trust(row[27]),
        confidence=row[28],
        rule_version=row[29],
        metadata=MappingProxyType(json.loads(row[30])),
        version=row[31],
        stale_reason=text_of(row[32]),
        superseded_by=row[33],
    )
