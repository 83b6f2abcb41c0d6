"""People, read: each by all the names and addresses that are one person's (G2.4). For the owner alone.

Everything resolves `canonical_id`, so that whoever was merged is one here.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf
from app.domain.people import (
    Person,
    PersonCard,
    PersonEntry,
    PersonJob,
    PersonMerge,
    PersonPart,
    PersonSuggestion,
    PersonTask,
)
from app.domain.text import Text
from app.store.entities import CARD, IS_A_ROLE, ROLE_OF, WORKS_AT
from app.store.merges import CANONICAL, is_forbidden, members_of
from app.store.name_keys import address_key, name_key
from app.store.rows import instant, marks, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.store.connection import Reader, Row

_MOST_ENTRIES = 30
_MOST_SHOWN = 20
_OPEN = "('active', 'pending', 'draft')"


def people(reader: Reader, limit: int) -> list[Person]:
    """Those who are named most often, first."""
    rows = reader.rows(
        f"SELECT {CANONICAL} AS person, count(DISTINCT entry_id) AS entries FROM relation"  # noqa: S608 - our own names
        " JOIN entity ON entity.entity_id = subject_id WHERE entity_type = 'person'"
        " GROUP BY person ORDER BY entries DESC, person LIMIT ?",
        limit,
    )
    return [person(reader, row[0]) for row in rows]


def find_people(reader: Reader, text: str, keys: Iterable[tuple[str, str]] = ()) -> list[int]:
    """The people, by their canonical ids, whom a text names: "p12", an address, or a name.

    Args:
        keys: further aliases (kind, value) by which a name is looked for: its reading.
    """
    if text[:1] == "p" and text[1:].isdecimal() and len(text) < 18:  # noqa: PLR2004 - digits of an id
        sql = f"SELECT {CANONICAL} FROM entity WHERE entity_id = ? AND entity_type = 'person'"  # noqa: S608 - our own
        found = reader.value(sql, int(text[1:]))
        return [] if found is None else [found]
    address, name = address_key(text), name_key(text)
    aliases = [("address", address), ("card_address", address), ("name", name), ("key", name)]
    for group in (aliases, list(keys)):
        ids: list[int] = []
        for kind, value in group:
            rows = reader.rows(
                f"SELECT DISTINCT {CANONICAL} FROM alias JOIN entity USING (entity_id)"  # noqa: S608 - our own names
                " WHERE kind = ? AND value = ? AND entity_type = 'person' LIMIT 50",
                kind,
                value,
            )
            ids += [row[0] for row in rows]
        if ids:
            return list(dict.fromkeys(ids))
    return []


def bearers(reader: Reader, key: str) -> list[int]:
    """The people, by their canonical ids, who are called by this very full name."""
    rows = reader.rows(
        f"SELECT DISTINCT {CANONICAL} FROM alias JOIN entity USING (entity_id)"  # noqa: S608 - our own names
        " WHERE kind = 'key' AND value = ? AND entity_type = 'person' LIMIT 2",
        key,
    )
    return [row[0] for row in rows]


def person(reader: Reader, canonical: int) -> Person:
    """One person in short."""
    members = members_of(reader, canonical)
    name = str(reader.value("SELECT name FROM entity WHERE entity_id = ?", canonical) or "")
    written = reader.rows(
        f"SELECT DISTINCT object_text FROM relation WHERE subject_id IN ({marks(members)}) AND object_text IS NOT NULL"  # noqa: S608
        f" AND (predicate IN ('mentions', 'card', 'card_name') OR {IS_A_ROLE}) LIMIT 100",
        *members,
    )
    addresses = tuple(_aliases(reader, members, "address", "card_address"))
    shown = {name_key(name), *addresses}
    others = {key: row[0] for row in written if (key := name_key(row[0])) and key not in shown}
    count, last = reader.row(
        f"SELECT count(DISTINCT relation.entry_id), max(CASE WHEN {IS_A_ROLE} THEN event_time END)"  # noqa: S608
        f" FROM relation JOIN entry USING (entry_id) WHERE subject_id IN ({marks(members)})",
        *members,
    ) or (0, None)
    return Person(
        f"p{canonical}",
        name,
        tuple(sorted(others.values())[:_MOST_SHOWN]),
        addresses,
        count,
        instant(last),
    )


def card(reader: Reader, canonical: int) -> PersonCard:
    """All that is known of somebody."""
    members = members_of(reader, canonical)
    return PersonCard(
        person(reader, canonical),
        phones=tuple(_phones(reader, members)),
        jobs=tuple(_jobs(reader, members)),
        tasks=tuple(_tasks(reader, members)),
        entries=tuple(_entries(reader, members)),
        parts=tuple(_part(reader, member) for member in members),
        merges=tuple(_merges(reader, members)),
    )


def suggestions(reader: Reader, limit: int) -> list[PersonSuggestion]:
    """Pairs who share the reading of a full name and are not merged, nor taken apart by the person."""
    rows = reader.rows(
        f"""
        SELECT value, group_concat(DISTINCT {CANONICAL}) FROM alias JOIN entity USING (entity_id)
        WHERE kind IN ('reading', 'key') AND entity_type = 'person'
        GROUP BY value HAVING count(DISTINCT {CANONICAL}) > 1 ORDER BY value LIMIT ?
        """,  # noqa: S608 - our own names
        limit * 4,
    )
    found: dict[tuple[int, int], PersonSuggestion] = {}
    for value, ids in rows:
        first, *rest = sorted(map(int, ids.split(",")))
        for other in rest:
            if (first, other) not in found and not is_forbidden(
                reader, members_of(reader, first), members_of(reader, other)
            ):
                found[first, other] = PersonSuggestion(person(reader, first), person(reader, other), value)
    return list(found.values())[:limit]


def full_names_of(reader: Reader, canonical: int) -> list[str]:
    """The full names by which somebody is called anywhere, folded."""
    return _aliases(reader, members_of(reader, canonical), "key")


def _aliases(reader: Reader, members: Sequence[int], *kinds: str) -> list[str]:
    rows = reader.rows(
        f"SELECT DISTINCT value FROM alias WHERE entity_id IN ({marks(members)}) AND kind IN ({marks(kinds)})"  # noqa: S608
        " ORDER BY value LIMIT 50",
        *members,
        *kinds,
    )
    return [row[0] for row in rows]


def _phones(reader: Reader, members: Sequence[int]) -> list[str]:
    rows = reader.rows(
        "SELECT DISTINCT object_text FROM relation"  # noqa: S608 - places alone
        f" WHERE predicate = 'card_phone' AND subject_id IN ({marks(members)})",
        *members,
    )
    return [row[0] for row in rows][:_MOST_SHOWN]


def _jobs(reader: Reader, members: Sequence[int]) -> list[PersonJob]:
    rows = reader.rows(
        "SELECT coalesce(main.name, goal.name, ''), coalesce(object_text, ''), relation.valid_from, relation.confidence"  # noqa: S608
        " FROM relation LEFT JOIN entity AS goal ON goal.entity_id = object_id"
        " LEFT JOIN entity AS main ON main.entity_id = goal.canonical_id"
        f" WHERE predicate IN ('{WORKS_AT}', '{ROLE_OF}') AND subject_id IN ({marks(members)})"
        " AND relation.valid_to IS NULL AND stale_reason IS NULL ORDER BY relation.valid_from DESC",
        *members,
    )
    found: dict[tuple[str, str], PersonJob] = {}
    for organisation, role, said_at, confidence in rows:
        found.setdefault((organisation, role), PersonJob(organisation, role, instant(said_at), confidence))
    return list(found.values())[:_MOST_SHOWN]


def named_in(reader: Reader, entry_ids: Sequence[int]) -> list[tuple[str, str]]:
    """Whom and what entries name: (kind, name), as they are known from everywhere; each once."""
    rows = reader.rows(
        "SELECT DISTINCT entity.entity_type, coalesce(main.name, entity.name) FROM relation"  # noqa: S608 - our own names
        " JOIN entity ON entity.entity_id IN (subject_id, object_id)"
        " LEFT JOIN entity AS main ON main.entity_id = entity.canonical_id"
        f" WHERE entry_id IN ({marks(entry_ids)}) ORDER BY relation_id",
        *entry_ids,
    )
    return [(kind, name) for kind, name in rows]


def _tasks(reader: Reader, members: Sequence[int]) -> list[PersonTask]:
    rows = reader.rows(
        "SELECT record.title, due_at, source_uri FROM record JOIN entry USING (entry_id)"  # noqa: S608 - our own names
        f" WHERE record.kind = 'task' AND record.status IN {_OPEN} AND record.stale_reason IS NULL AND is_current = 1"
        f" AND owner_id IN ({marks(members)}) ORDER BY due_at IS NULL, due_at LIMIT ?",
        *members,
        _MOST_ENTRIES,
    )
    return [PersonTask(title, _last_moment(instant(due)), uri) for title, due, uri in rows]


def _last_moment(due: datetime | None) -> datetime | None:
    """A due time is exclusive: what is due until the end of Wednesday is due on Wednesday."""
    return None if due is None else due - timedelta(microseconds=1)


def _entries(reader: Reader, members: Sequence[int]) -> list[PersonEntry]:
    rows = reader.rows(
        "SELECT entry_id, title, source_uri, min(predicate), coalesce(event_time, updated_at) AS at"  # noqa: S608
        " FROM relation JOIN entry USING (entry_id)"
        f" WHERE subject_id IN ({marks(members)}) AND is_current = 1 AND predicate NOT LIKE 'card_%'"
        " GROUP BY entry_id ORDER BY at DESC LIMIT ?",
        *members,
        _MOST_ENTRIES,
    )
    return [PersonEntry(*(*row[:4], instant(row[4]))) for row in rows]


def _part(reader: Reader, member: int) -> PersonPart:
    sql = "SELECT kind, value FROM alias WHERE entity_id = ? AND kind IN ('address', 'card', 'bare')"
    kinds: dict[str, str] = {row[0]: row[1] for row in reader.rows(sql, member)}
    name = str(reader.value("SELECT name FROM entity WHERE entity_id = ?", member))
    if "card" in kinds:
        return PersonPart(f"p{member}", name, CARD)
    return PersonPart(f"p{member}", kinds.get("address", name), "address" if "address" in kinds else "name")


def _merges(reader: Reader, members: Sequence[int]) -> list[PersonMerge]:
    rows = reader.rows(
        "SELECT merge_id, entity_id, into_id, evidence, confidence, actor, merged_at FROM entity_merge"  # noqa: S608
        f" WHERE undone_at IS NULL AND entity_id IN ({marks(members)}) ORDER BY merge_id",
        *members,
    )
    return [_merge(reader, row) for row in rows]


def _merge(reader: Reader, row: Row) -> PersonMerge:
    one, other = (_part(reader, entity).name for entity in row[1:3])
    return PersonMerge(row[0], one, other, text_of(row[3]) or Text(""), row[4], row[5], from_ixdtf(row[6]))
