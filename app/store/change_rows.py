"""What governance changes by itself, or a person by hand: each with its reason, its state before, and an undo (G2.6).

    change_id = make_change(tx, NewChange(Subject.RECORD, record_id, entry_id, after={"status": "pending"}, ...))
    undo_change(tx, change_id, now=now)

`make_change` alters the row and remembers what stood there; nothing else alters a record, and nothing else alters an
entry after it was written for another reason than its source. The values of `after` are columns as they are stored
(times as IXDTF, reasons by `rows.text_column`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.errors import BadInput, Bug, Refused
from app.domain.records import Subject
from app.domain.text import Text, msg
from app.store import structure
from app.store.rows import instant, stamp, text_column, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.store.connection import Reader, Row, Writer

OWNER = "owner"
"""The actor of what a person did, and in `undone_by` of what a person took back."""

# table, its key, and the columns that may be changed
_PLACES: Mapping[Subject, tuple[str, str, frozenset[str]]] = MappingProxyType(
    {
        Subject.ENTRY: ("entry", "entry_id", frozenset({"status", "valid_from", "valid_to", "stale_reason"})),
        Subject.RECORD: (
            "record",
            "record_id",
            frozenset(
                {
                    "status", "valid_from", "valid_to", "stale_reason", "completed_at", "superseded_by", "due_at",
                    "event_at", "event_end", "is_whole_day", "owner", "owner_id", "title",
                }
            ),
        ),
        Subject.CHUNK: ("chunk", "chunk_id", frozenset({"stale_reason"})),
        Subject.TASK: ("task", "entry_id", frozenset({"status", "completed_at", "due_at"})),
        Subject.RELATION: (
            "relation", "relation_id", frozenset({"valid_from", "valid_to", "stale_reason", "superseded_by"}),
        ),
        Subject.STATEMENT: ("statement", "statement_id", frozenset({"stale_reason"})),
        Subject.RULE: ("freshness_rule", "rule_id", frozenset({"state", "fired_at"})),
    }
)  # fmt: skip
_COLUMNS = """change_id, at, effective_at, entry_id, cause_id, subject_kind, subject_id, before, after, reason, actor,
    rule_version, undone_at, undone_by, kind, is_suggestion, subject_key, cause_key"""
_SELECT = f"SELECT {_COLUMNS} FROM change"  # noqa: S608 - our own column names


@dataclass(frozen=True, slots=True)
class NewChange:
    """A change to be made.

    Attributes:
        entry_id: whose subject it is. cause_id: the entry that says so.
        after: column to new value.
        at: when it is done. effective_at: from when it holds; before that moment the subject counts as it was.
        actor: "freshness", "supersession", "owner" ...
        kind: what happened, in the words of the actor ("overdue", "cancel", "done").
        is_suggestion: only noted, for a person to decide; the row stays as it is.
        subject_key, cause_key: by which both sides are known again when their entries are understood anew; before a
            colon stands the key of what the subject only repeats.
    """

    subject: Subject
    subject_id: int
    entry_id: int
    after: Mapping[str, object]
    reason: Text
    actor: str
    rule_version: str
    at: datetime
    effective_at: datetime
    cause_id: int | None = None
    kind: str = ""
    is_suggestion: bool = False
    subject_key: str = ""
    cause_key: str = ""


@dataclass(frozen=True, slots=True)
class StoredChange:
    """A change as it was made; see `NewChange`. `undone_by`: None while it stands."""

    change_id: int
    at: datetime
    effective_at: datetime
    entry_id: int
    cause_id: int | None
    subject: Subject
    subject_id: int
    before: Mapping[str, object]
    after: Mapping[str, object]
    reason: Text
    actor: str
    rule_version: str
    undone_at: datetime | None
    undone_by: str | None
    kind: str = ""
    is_suggestion: bool = False
    subject_key: str = ""
    cause_key: str = ""


@dataclass(frozen=True, slots=True)
class Which:
    """Which changes are wanted; None: whichever. since, until: those that hold from a moment of that span on."""

    entry_id: int | None = None
    cause_id: int | None = None
    cause_key: str | None = None
    subject: Subject | None = None
    subject_ids: Sequence[int] | None = None
    actor: str | None = None
    is_standing: bool | None = None
    is_suggestion: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    after_id: int = 0
    limit: int = field(default=1000)


def make_change(tx: Writer, new: NewChange) -> int:
    """Alter a row and remember how it was; returns the id of the change. Its `rule_version` must be noted.

    Raises:
        Bug: there is no such row, or a column that may not be changed this way.
    """
    before = values_of(tx, new.subject, new.subject_id, tuple(new.after))
    if not new.is_suggestion:
        alter(tx, new.subject, new.subject_id, new.after)
        touch(tx, new.subject, new.subject_id)
    return tx.insert(
        """
        INSERT INTO change (at, effective_at, entry_id, cause_id, subject_kind, subject_id, before, after, reason,
                            actor, rule_version, kind, is_suggestion, subject_key, cause_key)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        stamp(new.at),
        stamp(new.effective_at),
        new.entry_id,
        new.cause_id,
        new.subject.value,
        new.subject_id,
        json.dumps(before, ensure_ascii=False),
        json.dumps(dict(new.after), ensure_ascii=False),
        text_column(new.reason),
        new.actor,
        new.rule_version,
        new.kind,
        int(new.is_suggestion),
        new.subject_key,
        new.cause_key,
    )


def undo_change(tx: Writer, change_id: int, *, now: datetime, by: str = OWNER) -> StoredChange:
    """Put back what a change altered; returns it as it was.

    Raises:
        BadInput: there is no such change, or it was undone already.
        Refused: a later change altered the same; that one is undone first.
    """
    known = change(tx, change_id)
    if known is None or known.undone_at is not None:
        what = msg("There is no change {id}.", id=change_id)
        if known is not None:
            what = msg("The change {id} was undone already.", id=change_id)
        raise BadInput(what, next_step=msg("`famulus changes list` shows those that stand."))
    if not known.is_suggestion:
        _put_back(tx, known)
    touch(tx, known.subject, known.subject_id)
    tx.run("UPDATE change SET undone_at = ?, undone_by = ? WHERE change_id = ?", stamp(now), by, change_id)
    return known


def apply_again(tx: Writer, known: StoredChange, subject_id: int) -> None:
    """Let a standing change hold for another row of its kind: the same subject, which was understood anew."""
    alter(tx, known.subject, subject_id, known.after)


def change(reader: Reader, change_id: int) -> StoredChange | None:
    """One change, or None."""
    row = reader.row(f"{_SELECT} WHERE change_id = ?", change_id)
    return None if row is None else _change(row)


def changes(reader: Reader, which: Which | None = None) -> list[StoredChange]:
    """Changes, the oldest first."""
    wanted = which or Which()
    conditions, values = ["change_id > ?"], [wanted.after_id]
    given: dict[str, object] = {
        "entry_id": wanted.entry_id,
        "cause_id": wanted.cause_id,
        "cause_key": wanted.cause_key,
        "subject_kind": None if wanted.subject is None else wanted.subject.value,
        "actor": wanted.actor,
        "is_suggestion": None if wanted.is_suggestion is None else int(wanted.is_suggestion),
    }
    found: list[object] = [*values]
    for column, value in given.items():
        if value is not None:
            conditions.append(f"{column} = ?")
            found.append(value)
    if wanted.subject_ids is not None:
        conditions.append(f"subject_id IN ({', '.join('?' * len(wanted.subject_ids))})")
        found += wanted.subject_ids
    for sign, moment in ((">=", wanted.since), ("<=", wanted.until)):
        if moment is not None:
            conditions.append(f"substr(effective_at, 1, 26) {sign} substr(?, 1, 26)")  # the instant, without its zone
            found.append(stamp(moment))
    if wanted.is_standing is not None:
        conditions.append("undone_at IS NULL" if wanted.is_standing else "undone_at IS NOT NULL")
    rows = reader.rows(f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY change_id LIMIT ?", *found, wanted.limit)
    return [_change(row) for row in rows]


def thing_of(subject_key: str) -> str:
    """The key of the thing that a change is about for a person: of a quotation what it repeats."""
    return subject_key.partition(":")[0]


def is_repeated(subject_key: str) -> bool:
    """Whether the subject only repeats something, and falls with it."""
    return ":" in subject_key


def last_change(reader: Reader) -> int:
    """The highest id of a change so far: what comes later has a higher one."""
    return int(reader.value("SELECT coalesce(max(change_id), 0) FROM change"))


def values_of(reader: Reader, subject: Subject, subject_id: int, columns: Sequence[str]) -> dict[str, object]:
    """What stands in some columns of a row; raises `Bug` for a row that is not there, or columns not to be changed."""
    table, key, allowed = _PLACES[subject]
    if not columns or not allowed.issuperset(columns):
        raise Bug(f"a change of {subject.value} may not alter {sorted(set(columns) - allowed)}")
    row = reader.row(f"SELECT {', '.join(columns)} FROM {table} WHERE {key} = ?", subject_id)  # noqa: S608 - our names
    if row is None:
        raise Bug(f"a change of a {subject.value} that is not there")
    return dict(zip(columns, row, strict=True))


def alter(tx: Writer, subject: Subject, subject_id: int, values: Mapping[str, object]) -> None:
    """Write some columns of a row, without a record of it: for whoever keeps one (`make_change`, `change_chain`)."""
    table, key, _ = _PLACES[subject]
    setting = ", ".join(f"{column} = ?" for column in values)
    tx.run(f"UPDATE {table} SET {setting} WHERE {key} = ?", *values.values(), subject_id)  # noqa: S608 - our names
    if subject is Subject.ENTRY:
        row = tx.row(f"SELECT {structure.RIGHTS_COLUMNS} FROM entry WHERE entry_id = ?", subject_id)  # noqa: S608
        if row is not None:
            tx.changes.rights.append(structure.rights_of(row))
    if subject is Subject.CHUNK:
        tx.changes.stale_chunks.append((subject_id, values.get("stale_reason") is not None))


def touch(tx: Writer, subject: Subject, subject_id: int) -> None:
    """Let the masks in memory learn what is done to a row when the transaction ends (`visibility`)."""
    if subject in {Subject.ENTRY, Subject.CHUNK}:
        tx.changes.touched.add((subject, subject_id))


def _put_back(tx: Writer, known: StoredChange) -> None:
    """Only what is still as the change left it goes back."""
    table, key, allowed = _PLACES[known.subject]
    columns = tuple(column for column in known.before if column in allowed)
    row = tx.row(f"SELECT {', '.join(columns)} FROM {table} WHERE {key} = ?", known.subject_id)  # noqa: S608
    if row is None:
        return
    if dict(zip(columns, row, strict=True)) != dict(known.after):
        raise Refused(
            msg("What the change {id} altered was altered again since.", id=known.change_id),
            next_step=msg("Undo the later change first: `famulus changes list` shows it."),
        )
    alter(tx, known.subject, known.subject_id, known.before)


def _change(row: Row) -> StoredChange:
    reason, undone_at = text_of(row[9]), instant(row[12])
    at, effective_at = instant(row[1]), instant(row[2])
    assert at is not None and effective_at is not None and reason is not None  # noqa: S101, PT018 - NOT NULL
    return StoredChange(
        change_id=row[0],
        at=at,
        effective_at=effective_at,
        entry_id=row[3],
        cause_id=row[4],
        subject=Subject(row[5]),
        subject_id=row[6],
        before=MappingProxyType(json.loads(row[7])),
        after=MappingProxyType(json.loads(row[8])),
        reason=reason,
        actor=row[10],
        rule_version=row[11],
        undone_at=undone_at,
        undone_by=row[13],
        kind=row[14],
        is_suggestion=bool(row[15]),
        subject_key=row[16],
        cause_key=row[17],
    )
