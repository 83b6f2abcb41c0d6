"""What an entry says in structure: people, tasks, events and their occurrences (G2.4, G3.2).

People are entities with aliases (`entities`): the same address under two names is one entity; that a name alone is
somebody's is found out later (`app.govern.people`). Everything here belongs to an entry and goes with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf
from app.store.changes import EntryRights
from app.store.entities import forget_unsaid, write_people
from app.store.merges import canonical_of, members_of, settle
from app.store.rows import stamp, storable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.entries import AdmittedEntry, Entry, EventFacts, Occurrence, TaskFacts
    from app.store.connection import Row, Writer

RIGHTS_COLUMNS = (
    "entry_id, scope, acl, sensitivity, valid_to, stale_reason IS NOT NULL, source_type,"
    " coalesce(event_time, updated_at), trust"
)
_IS_UNMENTIONED = """
    NOT EXISTS (SELECT 1 FROM relation WHERE subject_id = entity.entity_id)
    AND NOT EXISTS (SELECT 1 FROM relation WHERE object_id = entity.entity_id)
    AND NOT EXISTS (SELECT 1 FROM task WHERE project_id = entity.entity_id)
    AND NOT EXISTS (SELECT 1 FROM record WHERE owner_id = entity.entity_id OR project_id = entity.entity_id)
"""


def rights_of(row: Row) -> EntryRights:
    """A row of `RIGHTS_COLUMNS`."""
    entry_id, scope, acl, sensitivity, valid_to, is_stale, kind, moment, trust = row
    return EntryRights(entry_id, scope, acl, sensitivity, valid_to, bool(is_stale), kind, moment, trust)


def write_structure(tx: Writer, entry_id: int, admitted: AdmittedEntry) -> None:
    """Store what a new entry says in structure."""
    entry = admitted.entry
    write_people(tx, entry_id, admitted)
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


def mentioned_in(tx: Writer, source_id: str) -> list[int]:
    """The entities that entries of a source name: those that may have to go with it."""
    rows = tx.rows(
        "SELECT subject_id FROM relation JOIN entry USING (entry_id) WHERE source_id = ?1"
        " UNION SELECT object_id FROM relation JOIN entry USING (entry_id)"
        " WHERE source_id = ?1 AND object_id IS NOT NULL",
        source_id,
    )
    # a merge for which an entry of the source stands falls with it; one that a person undid stays undone
    tx.run(
        "DELETE FROM entity_merge WHERE undone_at IS NULL"
        " AND entry_id IN (SELECT entry_id FROM entry WHERE source_id = ?)",
        source_id,
    )
    return [row[0] for row in rows]


def remove_unmentioned_entities(tx: Writer, candidates: Iterable[int] | None = None) -> None:
    """Forget whom no entry names any more, and by what no entry names the others; who is whom is settled anew.

    Args:
        candidates: those about whom something was removed (`mentioned_in`); all without it.
    """
    touched = {row[0] for row in tx.rows("SELECT entity_id FROM entity")} if candidates is None else set(candidates)
    group_of = {one: canonical_of(tx, entity_id) for entity_id in sorted(touched) for one in _group(tx, entity_id)}
    for entity_id in sorted(group_of):
        tx.run(f"DELETE FROM entity WHERE entity_id = ? AND {_IS_UNMENTIONED}", entity_id)  # noqa: S608
    left = [entity_id for entity_id in sorted(group_of) if _exists(tx, entity_id)]
    smaller = {group_of[entity_id] for entity_id in group_of.keys() - set(left)}
    forget_unsaid(tx, left, doubtful={entity_id for entity_id in left if group_of[entity_id] in smaller})
    settle(tx, left)


def forget_if_unmentioned(tx: Writer, entity_id: int) -> bool:
    """Forget somebody whom no entry names any more; whether it was so. What the others are one by is for the caller."""
    others = [one for one in _group(tx, entity_id) if one != entity_id]
    tx.run(f"DELETE FROM entity WHERE entity_id = ? AND {_IS_UNMENTIONED}", entity_id)  # noqa: S608
    if _exists(tx, entity_id):
        return False
    settle(tx, others)
    return True


def _group(tx: Writer, entity_id: int) -> list[int]:
    return members_of(tx, canonical_of(tx, entity_id))


def _exists(tx: Writer, entity_id: int) -> bool:
    return tx.value("SELECT 1 FROM entity WHERE entity_id = ?", entity_id) is not None


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
