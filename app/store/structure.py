"""What an entry says in structure: people, tasks, events and their occurrences (G2.4, G3.2).

People are entities with aliases: the same address under two names is one entity. A name alone joins an entity when
exactly one bears it. Everything here belongs to an entry and goes with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf
from app.store.changes import EntryRights
from app.store.rows import stamp, storable

if TYPE_CHECKING:
    from app.domain.entries import AdmittedEntry, Entry, EventFacts, Occurrence, PersonRef, TaskFacts
    from app.store.connection import Row, Writer

RIGHTS_COLUMNS = "entry_id, scope, acl, sensitivity, valid_to, stale_reason IS NOT NULL"


def rights_of(row: Row) -> EntryRights:
    """A row of `RIGHTS_COLUMNS`."""
    return EntryRights(row[0], row[1], row[2], row[3], row[4], is_stale=bool(row[5]))


def write_structure(tx: Writer, entry_id: int, admitted: AdmittedEntry) -> None:
    """Store what a new entry says in structure."""
    entry = admitted.entry
    for person in entry.people:
        _write_person(tx, entry_id, person, admitted)
    if entry.task is not None:
        _write_task(tx, entry_id, entry, entry.task)
    if entry.event is not None:
        _write_event(tx, entry_id, entry.event)


def follow_calendar(tx: Writer, entry_id: int, entry: Entry) -> None:
    """Expand an unchanged event further, when its source has looked further ahead; or anew, after it came back."""
    event = entry.event
    if event is None:
        return
    row = tx.row("SELECT expanded_until FROM event WHERE entry_id = ?", entry_id)
    has_any = tx.value("SELECT 1 FROM occurrence WHERE entry_id = ? LIMIT 1", entry_id) is not None
    if row is None or row[0] != stamp(event.expanded_until) or not has_any:
        tx.run("DELETE FROM occurrence WHERE entry_id = ?", entry_id)
        tx.run("DELETE FROM event WHERE entry_id = ?", entry_id)
        _write_event(tx, entry_id, event)


def remove_unmentioned_entities(tx: Writer) -> None:
    """Forget people whom no entry names any more."""
    tx.run(
        """
        DELETE FROM entity
        WHERE NOT EXISTS (SELECT 1 FROM relation WHERE subject_id = entity_id)
          AND NOT EXISTS (SELECT 1 FROM relation WHERE object_id = entity_id)
          AND NOT EXISTS (SELECT 1 FROM entity AS other WHERE other.canonical_id = entity.entity_id)
          AND NOT EXISTS (SELECT 1 FROM task WHERE project_id = entity_id)
        """
    )


def _write_person(tx: Writer, entry_id: int, person: PersonRef, admitted: AdmittedEntry) -> None:
    address = storable(person.address).strip().casefold()
    name = " ".join(storable(person.name).split())
    if not address and not name:
        return
    entity_id = _find_person(tx, address, name)
    if entity_id is None:
        entity_id = tx.insert(
            """
            INSERT INTO entity (entity_type, name, confidence, sensitivity, rule_version)
            VALUES ('person', ?, ?, ?, ?)
            """,
            name or address,
            admitted.confidence,
            int(admitted.sensitivity),
            admitted.rule_version,
        )
    for kind, value in (("address", address), ("name", name.casefold())):
        if value:
            tx.run("INSERT OR IGNORE INTO alias (kind, value, entity_id) VALUES (?, ?, ?)", kind, value, entity_id)
    tx.insert(
        "INSERT INTO relation (subject_id, predicate, entry_id, valid_from, valid_to, confidence, rule_version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        entity_id,
        person.role,
        entry_id,
        stamp(admitted.entry.valid_from),
        stamp(admitted.entry.valid_to),
        admitted.confidence,
        admitted.rule_version,
    )


def _find_person(tx: Writer, address: str, name: str) -> int | None:
    if address:
        found: int | None = tx.value("SELECT entity_id FROM alias WHERE kind = 'address' AND value = ?", address)
        return found
    bearers = tx.rows("SELECT entity_id FROM alias WHERE kind = 'name' AND value = ? LIMIT 2", name.casefold())
    return bearers[0][0] if len(bearers) == 1 else None


def _write_task(tx: Writer, entry_id: int, entry: Entry, task: TaskFacts) -> None:
    parent = None
    if task.parent_native_id is not None:
        parent = tx.value(
            """
            SELECT task_id FROM task JOIN entry USING (entry_id)
            WHERE source_id = ? AND native_id = ? AND is_current = 1
            """,
            entry.source_id,
            task.parent_native_id,
        )
    task_id = tx.insert(
        "INSERT INTO task (entry_id, title, owner, status, due_at, completed_at, parent_task_id, parent_native_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        entry_id,
        storable(entry.title),
        task.owner,
        task.status.value,
        stamp(task.due_at),
        stamp(task.completed_at),
        parent,
        task.parent_native_id,
    )
    # children that came first, or whose parent has a new version
    tx.run(
        "UPDATE task SET parent_task_id = ? WHERE parent_native_id = ?"
        " AND entry_id IN (SELECT entry_id FROM entry WHERE source_id = ? AND is_current = 1)",
        task_id,
        entry.native_id,
        entry.source_id,
    )


def _write_event(tx: Writer, entry_id: int, event: EventFacts) -> None:
    tx.insert(
        "INSERT INTO event VALUES (?, ?, ?, ?)",
        entry_id,
        event.location,
        event.is_recurring,
        stamp(event.expanded_until),
    )
    tx.run_many(
        """
        INSERT INTO occurrence
            (entry_id, start_at, end_at, is_all_day, first_day, end_day, is_canceled, title, location)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (_occurrence_row(entry_id, occurrence) for occurrence in event.occurrences),
    )


def _occurrence_row(entry_id: int, occurrence: Occurrence) -> Row:
    days: tuple[str | None, str | None] = (None, None)
    if occurrence.is_all_day:
        days = occurrence.start.date().isoformat(), occurrence.end.date().isoformat()
    return (
        entry_id,
        to_ixdtf(occurrence.start),
        to_ixdtf(occurrence.end),
        occurrence.is_all_day,
        *days,
        occurrence.is_canceled,
        occurrence.title,
        occurrence.location,
    )
