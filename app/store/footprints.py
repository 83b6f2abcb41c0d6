"""Whom a commit concerns: the rights of what it touched, and of what caused that (L3.2, G4.3).

A cache of results has to know of every write that could change one, and must not know of any other: a client whose
results are forgotten because something hidden was written could tell by the time that its next request takes. So
triggers on the writer's connection note the rights of each entry whose rows change, in memory, within the transaction:

    an entry, a record, a to-do, an occurrence ...    who may see the entry
    what one entry changed of another one             who may see both (`change`); so the row that is changed is silent
    what is alike between two entries                 who may see both
    who is who                                        the owner alone

Nothing else of a commit is kept, and nothing of it is stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sqlcipher3 import dbapi2

    from app.domain.visibility import VisibilityFilter
    from app.store.changes import ChangeSet
    from app.store.connection import Writer


class Rights(NamedTuple):
    """Who may see an entry."""

    scope: str
    acl: str
    sensitivity: int


@dataclass(frozen=True, slots=True)
class Footprint:
    """Rights of something that was touched, and of what else has to be visible to see a difference.

    `rights` is None for what makes a difference for the owner alone.
    """

    rights: Rights | None
    cause: Rights | None = None

    def concerns(self, visible: VisibilityFilter) -> bool:
        """Whether a viewer might see a difference."""
        if visible.is_unrestricted:
            return True
        return self.rights is not None and all(
            visible.allows(*one) for one in (self.rights, self.cause) if one is not None
        )


_NOBODY = 99
"""A sensitivity above every ceiling: for the owner alone."""
# each once: by a look, since a foreign key's action overrules what a trigger says of conflicts
_TABLES = (
    "CREATE TEMP TABLE footprint (scope, acl, sensitivity, by_scope, by_acl, by_sensitivity)",
    "CREATE INDEX temp.footprint_once ON footprint (scope, acl, sensitivity, by_scope, by_acl, by_sensitivity)",
)
_AT_ONCE = 500
_ALONE = "'', '', -1"
# columns of an entry that are written for its source or by the person's rules; the others by changes alone
_OF_ENTRY = "scope, acl, sensitivity, trust, confidence, title, metadata, is_current, superseded_by, source_uri"
# not what it found and left: that is written anew when another change of the same row, hidden perhaps, comes before it
_OF_CHANGE = (
    "effective_at, cause_id, subject_kind, subject_id, reason, undone_at, undone_by, kind, is_suggestion, subject_key"
)
_ON_AN_ENTRY = ("statement", "relation", "task", "event", "occurrence", "freshness_rule")
_FOR_THE_OWNER = (
    "UPDATE OF canonical_id, name ON entity",
    "INSERT ON entity_merge",
    "UPDATE ON entity_merge",
    "DELETE ON entity_merge",
    "INSERT ON alias",
    "DELETE ON alias",
    "UPDATE OF owner_id, project_id ON record",
)


def watch(raw: dbapi2.Connection) -> None:
    """Note from now on what transactions of this connection touch."""
    for statement in _TABLES:
        raw.execute(statement)
    for number, (event, body) in enumerate(_triggers()):
        raw.execute(f"CREATE TEMP TRIGGER footprint_{number} AFTER {event} BEGIN {body}; END")


def _triggers() -> list[tuple[str, str]]:
    """Events and what is done on them."""
    found = [
        (f"UPDATE OF {_OF_ENTRY} ON main.entry", f"{_of_row('OLD')}; {_of_row('NEW')}"),
        ("DELETE ON main.entry", _of_row("OLD")),
        ("DELETE ON main.chunk", _of_entry("OLD")),
        ("INSERT ON main.record", _of_record("NEW")),
        ("DELETE ON main.record", _of_record("OLD")),
        ("UPDATE OF condition_of, sensitivity ON main.record", f"{_of_record('OLD')}; {_of_record('NEW')}"),
    ]
    for table in _ON_AN_ENTRY:
        found += [(f"INSERT ON main.{table}", _of_entry("NEW")), (f"DELETE ON main.{table}", _of_entry("OLD"))]
    for event, rows in (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",))):
        of = f" OF {_OF_CHANGE}" if event == "UPDATE" else ""
        found.append((f"{event}{of} ON main.change", "; ".join(_of_two(row, "cause_id") for row in rows)))
    for event, row in (("INSERT", "NEW"), ("DELETE", "OLD")):
        found.append((f"{event} ON main.likeness", _of_two(row, "other_id")))
    for event in _FOR_THE_OWNER:
        before, _, table = event.rpartition(" ")
        found.append((f"{before} main.{table}", _keep(f"'', '', {_NOBODY}, {_ALONE}")))
    return found


def _keep(values: str, source: str = "") -> str:
    """A statement that notes six values, from a table where there is one, unless they are noted."""
    names = ("scope", "acl", "sensitivity", "by_scope", "by_acl", "by_sensitivity")
    same = " AND ".join(f"known.{name} = new.{name}" for name in names)
    return (
        f"INSERT INTO footprint WITH new ({', '.join(names)}) AS (SELECT {values} {source}) SELECT * FROM new"  # noqa: S608
        f" WHERE NOT EXISTS (SELECT 1 FROM footprint AS known WHERE {same})"
    )


def _of_row(row: str) -> str:
    return _keep(f"{row}.scope, {row}.acl, {row}.sensitivity, {_ALONE}")


def _of_entry(row: str) -> str:
    return _keep(f"scope, acl, sensitivity, {_ALONE}", f"FROM entry WHERE entry_id = {row}.entry_id")


def _of_record(row: str) -> str:
    """A record may be more sensitive than the entry that it stands in."""
    values = f"scope, acl, max(sensitivity, {row}.sensitivity), {_ALONE}"
    return _keep(values, f"FROM entry WHERE entry_id = {row}.entry_id")


def _of_two(row: str, other: str) -> str:
    values = (
        "one.scope, one.acl, one.sensitivity, coalesce(two.scope, ''), coalesce(two.acl, ''),"
        " coalesce(two.sensitivity, -1)"
    )
    tables = f"FROM entry AS one LEFT JOIN entry AS two ON two.entry_id = {row}.{other}"
    return _keep(values, f"{tables} WHERE one.entry_id = {row}.entry_id")


def taken(tx: Writer, changes: ChangeSet) -> frozenset[Footprint]:
    """What a transaction that is about to end has touched; the next one begins with nothing."""
    rows = tx.rows("SELECT * FROM temp.footprint")
    if rows:
        tx.run("DELETE FROM temp.footprint")
    found = {Footprint(_rights(row[:3]), _cause(row[3:])) for row in rows}
    found |= {Footprint(Rights(one.rights.scope, one.rights.acl, one.rights.sensitivity)) for one in changes.chunks}
    chunk_ids = [chunk_id for one in changes.vectors for chunk_id in one.chunk_ids]
    for start in range(0, len(chunk_ids), _AT_ONCE):
        some = chunk_ids[start : start + _AT_ONCE]
        rows = tx.rows(
            "SELECT DISTINCT scope, acl, sensitivity FROM chunk JOIN entry USING (entry_id)"  # noqa: S608 - places
            f" WHERE chunk_id IN ({', '.join('?' * len(some))})",
            *some,
        )
        found |= {Footprint(Rights(*row)) for row in rows}
    return frozenset(found)


def _rights(row: tuple[str, str, int]) -> Rights | None:
    return None if row[2] == _NOBODY else Rights(*row)


def _cause(row: tuple[str, str, int]) -> Rights | None:
    return None if row[2] < 0 else Rights(*row)
