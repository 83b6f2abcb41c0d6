"""Records: what an entry states, one row a task, decision, condition or plan (G2.4, G2.7). Written, read, linked.

    record_id = put_record(tx, NewRecord(...))
    records_of(reader, entry_id), records_of_thread(reader, thread), record(reader, record_id)

A record hangs on its entry and goes with it. Whatever alters one afterwards is a change with a reason and an undo:
`app.store.change_rows`. Rules that wait for a day: `app.store.freshness_rows`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.domain.labels import Sensitivity, Status, Trust
from app.domain.records import RecordKind, Subject
from app.store.histories import states_for
from app.store.limits import rights_limits
from app.store.rows import instant, stamp, storable, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row, Writer

_COLUMNS = """record.record_id, record.entry_id, record.chunk_id, record.ordinal, record.kind, record.title,
    record.text, record.owner, record.owner_id, record.project_id, record.event_at, record.event_end, record.due_at,
    record.is_whole_day, record.status, record.condition, record.consequence, record.condition_of, record.first_line,
    record.last_line, record.valid_from, record.valid_to, record.completed_at, record.confidence, record.trust,
    record.sensitivity, record.rule_version, record.stale_reason, record.superseded_by"""
_SELECT = f"SELECT {_COLUMNS} FROM record"  # noqa: S608 - our own column names
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be written.

    Attributes:
        ordinal: its place among those of the entry, from 0.
        title: what it is about, short ("finish the test report"); text: the sentence that says it.
        event_at, event_end: when a plan happens; due_at: until when, exclusive, a task is to be done.
        is_whole_day: only days were said.
        condition, consequence: of a condition what it says; of another record the condition that it stands under.
        condition_of: the record that a condition speaks of, where it is known.
        confidence: 0..1, the entry's own included.
    """

    entry_id: int
    ordinal: int
    kind: RecordKind
    title: str
    text: str
    confidence: float
    trust: Trust
    sensitivity: Sensitivity
    rule_version: str
    chunk_id: int | None = None
    owner: str | None = None
    owner_id: int | None = None
    project_id: int | None = None
    event_at: datetime | None = None
    event_end: datetime | None = None
    due_at: datetime | None = None
    is_whole_day: bool = False
    status: Status = Status.ACTIVE
    condition: str | None = None
    consequence: str | None = None
    condition_of: int | None = None
    first_line: int | None = None
    last_line: int | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as it stands; see `NewRecord` for the fields."""

    record_id: int
    entry_id: int
    chunk_id: int | None
    ordinal: int
    kind: RecordKind
    title: str
    text: str
    owner: str | None
    owner_id: int | None
    project_id: int | None
    event_at: datetime | None
    event_end: datetime | None
    due_at: datetime | None
    is_whole_day: bool
    status: Status
    condition: str | None
    consequence: str | None
    condition_of: int | None
    first_line: int | None
    last_line: int | None
    valid_from: datetime | None
    valid_to: datetime | None
    completed_at: datetime | None
    confidence: float
    trust: Trust
    sensitivity: Sensitivity
    rule_version: str
    stale_reason: Text | None
    superseded_by: int | None


def put_record(tx: Writer, new: NewRecord) -> int:
    """Write a record; returns its id. Its `rule_version` must be noted (`writes.note_rules`)."""
    values: dict[str, object] = {
        "entry_id": new.entry_id,
        "chunk_id": new.chunk_id,
        "ordinal": new.ordinal,
        "kind": new.kind.value,
        "title": storable(new.title),
        "text": storable(new.text),
        "owner": None if new.owner is None else storable(new.owner),
        "owner_id": new.owner_id,
        "project_id": new.project_id,
        "event_at": stamp(new.event_at),
        "event_end": stamp(new.event_end),
        "due_at": stamp(new.due_at),
        "is_whole_day": int(new.is_whole_day),
        "status": new.status.value,
        "condition": None if new.condition is None else storable(new.condition),
        "consequence": None if new.consequence is None else storable(new.consequence),
        "condition_of": new.condition_of,
        "first_line": new.first_line,
        "last_line": new.last_line,
        "valid_from": stamp(new.valid_from),
        "valid_to": stamp(new.valid_to),
        "confidence": new.confidence,
        "trust": int(new.trust),
        "sensitivity": int(new.sensitivity),
        "rule_version": new.rule_version,
    }
    places = ", ".join("?" * len(values))
    return tx.insert(f"INSERT INTO record ({', '.join(values)}) VALUES ({places})", *values.values())  # noqa: S608


def record(reader: Reader, record_id: int) -> StoredRecord | None:
    """One record, or None."""
    row = reader.row(f"{_SELECT} WHERE record_id = ?", record_id)
    return None if row is None else _record(row)


def records_of(reader: Reader, entry_id: int) -> list[StoredRecord]:
    """The records of an entry, in the order of its text."""
    return [_record(row) for row in reader.rows(f"{_SELECT} WHERE entry_id = ? ORDER BY ordinal", entry_id)]


def records_of_thread(reader: Reader, thread: str, visible: VisibilityFilter) -> list[StoredRecord]:
    """The records of a conversation's current entries that nobody replaced, in the order of taking in.

    As they stand for a viewer, whoever that is: what an entry says of others is not decided by something that somebody
    may not see who sees it (G4.3).
    """
    condition, values = rights_limits(visible)
    rows = reader.rows(
        f"{_SELECT} JOIN entry USING (entry_id) WHERE thread = ? AND is_current = 1 AND {condition}"
        " AND record.sensitivity <= ? ORDER BY entry_id, ordinal",
        thread,
        *values,
        int(visible.ceiling),
    )
    found = [_record(row) for row in rows]
    states = states_for(reader, Subject.RECORD, (one.record_id for one in found), visible)
    seen = [with_columns(one, states.get(one.record_id, {})) for one in found]
    return [one for one in seen if one.superseded_by is None]


def with_columns(record: StoredRecord, columns: Mapping[str, object]) -> StoredRecord:
    """A record with other values in some columns, as they are stored."""
    fields: dict[str, Any] = {}
    for name, value in columns.items():
        text = None if value is None else str(value)
        if name in {"valid_from", "valid_to", "completed_at", "due_at", "event_at", "event_end"}:
            fields[name] = instant(text)
        elif name == "status":
            fields[name] = Status(str(value))
        elif name == "stale_reason":
            fields[name] = text_of(text)
        else:
            fields[name] = bool(value) if name == "is_whole_day" else value
    return replace(record, **fields) if fields else record


def records_with(reader: Reader, record_ids: Sequence[int]) -> list[StoredRecord]:
    """Records by their ids, in their order; ids that are gone are passed over."""
    found: dict[int, StoredRecord] = {}
    for start in range(0, len(record_ids), _AT_ONCE):
        some = record_ids[start : start + _AT_ONCE]
        places = ", ".join("?" * len(some))
        found |= {row[0]: _record(row) for row in reader.rows(f"{_SELECT} WHERE record_id IN ({places})", *some)}
    return [found[record_id] for record_id in record_ids if record_id in found]


def _record(row: Row) -> StoredRecord:
    return StoredRecord(
        record_id=row[0],
        entry_id=row[1],
        chunk_id=row[2],
        ordinal=row[3],
        kind=RecordKind(row[4]),
        title=row[5],
        text=row[6],
        owner=row[7],
        owner_id=row[8],
        project_id=row[9],
        event_at=instant(row[10]),
        event_end=instant(row[11]),
        due_at=instant(row[12]),
        is_whole_day=bool(row[13]),
        status=Status(row[14]),
        condition=row[15],
        consequence=row[16],
        condition_of=row[17],
        first_line=row[18],
        last_line=row[19],
        valid_from=instant(row[20]),
        valid_to=instant(row[21]),
        completed_at=instant(row[22]),
        confidence=row[23],
        trust=Trust(row[24]),
        sensitivity=Sensitivity(row[25]),
        rule_version=row[26],
        stale_reason=text_of(row[27]),
        superseded_by=row[28],
    )
