"""Statements: what entries say will be, and what they say of earlier ones (G2.6). Rows, and who stands behind them.

What a statement means is known to `app.govern.supersession` alone; here its `body` is a text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.records import Subject
from app.store.histories import column, state, states_for, steps_by_id
from app.store.rows import stamp, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row, Writer

_SELECT = """SELECT statement_id, statement.entry_id, chunk_id, record_id, kind, head, said_at, body
    FROM statement JOIN entry ON entry.entry_id = statement.entry_id"""
_MOST = 400
_MOST_ON_A_SHELF = 200
_OCCURRENCES = 40


@dataclass(frozen=True, slots=True)
class NewStatement:
    """A statement to be written; `head` and `kind` find it."""

    kind: str
    head: str
    body: str
    chunk_id: int | None = None
    record_id: int | None = None


@dataclass(frozen=True, slots=True)
class StoredStatement:
    """A statement as it stands; `said_at` orders them."""

    statement_id: int
    entry_id: int
    chunk_id: int | None
    record_id: int | None
    kind: str
    head: str
    said_at: datetime
    body: str


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What of an entry decides what its statements may change. `people`: (role, name, addresses).

    Attributes:
        spans: when it happens: occurrences from a moment on, or its due time; (start, end).
        task_status: of a to-do, else None.
    """

    entry_id: int
    source_id: str
    native_id: str
    kind: str
    title: str
    scope: str
    acl: str
    sensitivity: int
    trust: int
    confidence: float
    thread: str | None
    people: Sequence[tuple[str, str, tuple[str, ...]]]
    location: str
    is_recurring: bool
    spans: Sequence[tuple[datetime, datetime]]
    task_status: str | None


def put_statements(
    tx: Writer, entry_id: int, said_at: datetime, found: Iterable[NewStatement], rule_version: str
) -> None:
    """Replace the statements of an entry. The `rule_version` must be noted."""
    tx.run("DELETE FROM statement WHERE entry_id = ?", entry_id)
    tx.run_many(
        "INSERT INTO statement (entry_id, chunk_id, record_id, kind, head, said_at, body, rule_version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (entry_id, one.chunk_id, one.record_id, one.kind, one.head, stamp(said_at), one.body, rule_version)
            for one in found
        ),
    )


def statements_of(reader: Reader, entry_id: int) -> list[StoredStatement]:
    """The statements of an entry, in their order."""
    return _found(reader.rows(f"{_SELECT} WHERE statement.entry_id = ? ORDER BY statement_id", entry_id))


def statements_about(
    reader: Reader,
    head: str,
    kinds: Iterable[str],
    scope: str,
    *,
    until: datetime | None = None,
    since: datetime | None = None,
) -> list[StoredStatement]:
    """Statements of current entries of a scope with a head, of some kinds, the latest first, at most 400."""
    wanted = sorted(kinds)
    places = ", ".join("?" * len(wanted))
    conditions, values = "", list[object]()
    for sign, moment in (("<=", until), (">=", since)):
        if moment is not None:
            conditions += f" AND said_at {sign} ?"
            values.append(to_ixdtf(moment))
    rows = reader.rows(
        f"{_SELECT} WHERE head = ? AND kind IN ({places}) AND scope = ? AND is_current = 1 {conditions}"
        f" ORDER BY said_at DESC, statement.entry_id DESC, statement_id DESC LIMIT {_MOST}",
        head,
        *wanted,
        scope,
        *values,
    )
    return _found(rows)


def statements_sharing(
    reader: Reader,
    heads: Sequence[str],
    kinds: Iterable[str],
    scope: str,
    *,
    pieces: Sequence[str],
    between: tuple[datetime, datetime],
) -> list[StoredStatement]:
    """Statements with one of some heads, of a scope and a stretch of time, whose body has one of some pieces in it.

    Of each head, and of what the same viewers may see, the latest 200: what is hidden crowds out nothing else (G4.3).
    """
    if not pieces or not heads:
        return []
    wanted = sorted(kinds)
    places, of_heads = (", ".join("?" * len(values)) for values in (wanted, heads))
    any_of = " OR ".join(["instr(body, ?) > 0"] * len(pieces))
    rows = reader.rows(
        f"{_SELECT} WHERE statement_id IN (SELECT statement_id FROM ("  # noqa: S608 - our own names
        "SELECT statement_id, row_number() OVER ("
        "PARTITION BY head, acl, sensitivity ORDER BY said_at DESC, statement_id DESC) AS place"
        f" FROM statement JOIN entry USING (entry_id) WHERE head IN ({of_heads}) AND statement.kind IN ({places})"
        f" AND said_at >= ? AND said_at <= ? AND scope = ? AND is_current = 1) WHERE place <= {_MOST_ON_A_SHELF})"
        f" AND ({any_of}) ORDER BY statement_id",
        *heads,
        *wanted,
        *map(to_ixdtf, between),
        scope,
        *pieces,
    )
    return _found(rows)


def statements_in_thread(reader: Reader, thread: str, kinds: Iterable[str], scope: str) -> list[StoredStatement]:
    """Statements of some kinds in a conversation's current entries."""
    wanted = sorted(kinds)
    places = ", ".join("?" * len(wanted))
    rows = reader.rows(
        f"{_SELECT} WHERE thread = ? AND kind IN ({places}) AND scope = ? AND is_current = 1"
        f" ORDER BY said_at DESC, statement.entry_id DESC, statement_id DESC LIMIT {_MOST}",
        thread,
        *wanted,
        scope,
    )
    return _found(rows)


def stale_statements(
    reader: Reader, chunk_ids: Sequence[int], visible: VisibilityFilter
) -> dict[int, list[tuple[str, Text]]]:
    """What some passages say that is no longer so, as a viewer sees it: bodies with their reasons, by passage."""
    places = ", ".join("?" * len(chunk_ids))
    # what something hidden let stand again has no reason in its row
    only_stale = " AND stale_reason IS NOT NULL" if visible.is_unrestricted else ""
    rows = reader.rows(
        f"SELECT statement_id, chunk_id, body, stale_reason FROM statement WHERE chunk_id IN ({places}){only_stale}"  # noqa: S608
        " ORDER BY statement_id",
        *chunk_ids,
    )
    states = states_for(reader, Subject.STATEMENT, (row[0] for row in rows), visible)
    found: dict[int, list[tuple[str, Text]]] = {}
    for statement_id, chunk_id, body, stored in rows:
        reason = text_of(column(states.get(statement_id, {}), "stale_reason", stored))
        if reason is not None:
            found.setdefault(chunk_id, []).append((json.loads(body)["text"], reason))
    return found


def facts_of(reader: Reader, entry_id: int, *, since: datetime) -> EntryFacts | None:
    """What is known of an entry; of a recurring event up to 40 occurrences that end after a moment."""
    row = reader.row(
        "SELECT entry.source_id, native_id, source_type, entry.title, scope, acl, sensitivity, trust, confidence,"
        " thread, coalesce(event.location, ''), coalesce(event.is_recurring, 0), task.status, task.due_at"
        " FROM entry LEFT JOIN event USING (entry_id) LEFT JOIN task USING (entry_id) WHERE entry_id = ?",
        entry_id,
    )
    if row is None:
        return None
    spans = [
        (from_ixdtf(start), from_ixdtf(end))
        for start, end in reader.rows(
            "SELECT start_at, end_at FROM occurrence WHERE entry_id = ? AND is_canceled = 0 AND end_at >= ?"
            " ORDER BY start_at LIMIT ?",
            entry_id,
            to_ixdtf(since),
            _OCCURRENCES,
        )
    ]
    to_do = _to_do(reader, entry_id)
    due_at = column(to_do, "due_at", row[13])
    if due_at is not None:
        spans.append((from_ixdtf(due_at), from_ixdtf(due_at)))
    return EntryFacts(
        entry_id=entry_id,
        source_id=row[0],
        native_id=row[1],
        kind=row[2],
        title=row[3],
        scope=row[4],
        acl=row[5],
        sensitivity=row[6],
        trust=row[7],
        confidence=row[8],
        thread=row[9],
        people=_people(reader, entry_id),
        location=row[10],
        is_recurring=bool(row[11]),
        spans=spans,
        task_status=column(to_do, "status", row[12]),
    )


def _to_do(reader: Reader, entry_id: int) -> Mapping[str, object]:
    """A to-do as its source and the person leave it: what other entries did to it decides nothing about a third one.

    So the order in which entries are taken in makes no difference, and nothing hidden decides about what may be seen.
    """
    steps = steps_by_id(reader, Subject.TASK, entry_id)
    return state([replace(step, is_visible=step.cause_id in {None, entry_id}) for step in steps])


def former_versions(reader: Reader, source_id: str, native_id: str, entry_id: int) -> list[int]:
    """The other stored versions of an entry."""
    rows = reader.rows(
        "SELECT entry_id FROM entry WHERE source_id = ? AND native_id = ? AND entry_id <> ?",
        source_id,
        native_id,
        entry_id,
    )
    return [row[0] for row in rows]


def is_current(reader: Reader, entry_id: int) -> bool:
    """Whether an entry is the present version, and not deleted at its source."""
    return bool(reader.value("SELECT is_current FROM entry WHERE entry_id = ?", entry_id))


def _people(reader: Reader, entry_id: int) -> list[tuple[str, str, tuple[str, ...]]]:
    # as this very entry names them: a name that another one gave them would tell of it (G4.3)
    rows = reader.rows(
        "SELECT relation_id, predicate, coalesce(object_text, ''), value FROM relation"
        " JOIN entity ON entity.entity_id = subject_id"
        " LEFT JOIN alias ON alias.entity_id = subject_id AND kind = 'address'"
        " WHERE entry_id = ? AND object_id IS NULL AND entity_type = 'person' ORDER BY relation_id",
        entry_id,
    )
    found: dict[int, tuple[str, str, list[str]]] = {}
    for relation_id, role, name, address in rows:
        person = found.setdefault(relation_id, (role, name, []))
        if address is not None:
            person[2].append(address)
    return [(role, name, tuple(addresses)) for role, name, addresses in found.values()]


def _found(rows: Iterable[Row]) -> list[StoredStatement]:
    return [_statement(row) for row in rows]


def _statement(row: Row) -> StoredStatement:
    statement_id, entry_id, chunk_id, record_id, kind, head, said_at, body = row
    return StoredStatement(statement_id, entry_id, chunk_id, record_id, kind, head, from_ixdtf(said_at), body)
