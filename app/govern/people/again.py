"""Entries that were understood before somebody was known are looked at again: whom their names mean may be told now.

"Emma" in a mail means whoever of its conversation is called so. Her name may stand in a later entry, or she may take
part only from the next mail on; then the names that were written down are decided again, by the same rule, and nothing
is read anew. So the order in which entries are understood does not matter (G2.4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.labels import Sensitivity
from app.govern.people.meant import Meant, Told
from app.govern.people.names import names_in, parse
from app.govern.people.own_names import names_of
from app.govern.people.participants import Talks, may_concern
from app.govern.people.settling import settle_names
from app.store import entities
from app.store.entities import IS_A_ROLE
from app.store.merges import RULES, canonical_of, members_of
from app.store.records import records_of
from app.store.rows import marks
from app.store.structure import forget_if_unmentioned

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from app.govern.people.names import Name
    from app.store.connection import Reader, Writer

_MOST_ENTRIES = 60
_MOST_OF_A_TALK = 30
_MOST_DECIDED = 100
_MOST_ROUNDS = 4
_AT_ONCE = 500
_STATED = tuple(one for one in entities.UNDERSTOOD if one != entities.MENTIONS)


def look_again(tx: Writer, entry_id: int, changed: Iterable[int], now: datetime) -> None:
    """Decide again whom the names mean in the entries of whoever changed, and in a conversation that somebody joins.

    Args:
        entry_id: the entry that tells of it, decided already.
    """
    joining = _joining(tx, entry_id)
    waiting = _talk_of(tx, entry_id) if joining else set()
    people, talks, left = set(changed), Talks(tx), _MOST_DECIDED
    for _ in range(_MOST_ROUNDS):
        around = _all_of(tx, people)
        waiting |= _entries_of(tx, around)
        concerned = sorted({*around, *_all_of(tx, joining)})
        chosen = _may_change(tx, waiting, concerned)[:left]
        left -= len(chosen)
        people, waiting, joining = (
            {one for other in chosen for one in _decide_again(tx, other, talks, now)},
            set(),
            set(),
        )
        if not people:
            return


def _joining(reader: Reader, entry_id: int) -> set[int]:
    """Who takes part in an entry and took part in none of the last of its conversation that were understood."""
    rows = reader.rows(
        f"SELECT DISTINCT subject_id FROM relation WHERE entry_id = ?1 AND {IS_A_ROLE} AND subject_id NOT IN"  # noqa: S608 - our own names
        f" (SELECT subject_id FROM relation WHERE {IS_A_ROLE} AND entry_id IN (SELECT other.entry_id FROM entry AS this"
        "  JOIN entry AS other USING (thread) JOIN understanding ON understanding.entry_id = other.entry_id"
        "  WHERE this.entry_id = ?1 AND other.entry_id <> ?1 ORDER BY other.entry_id DESC LIMIT ?2)) LIMIT ?3",
        entry_id,
        _MOST_OF_A_TALK,
        _MOST_ENTRIES,
    )
    return {row[0] for row in rows}


def _talk_of(reader: Reader, entry_id: int) -> set[int]:
    rows = reader.rows(
        "SELECT other.entry_id FROM entry AS this JOIN entry AS other USING (thread)"
        " WHERE this.entry_id = ? AND other.entry_id <> this.entry_id"
        " ORDER BY other.event_time DESC, other.entry_id DESC LIMIT ?",
        entry_id,
        _MOST_OF_A_TALK,
    )
    return {row[0] for row in rows}


def _all_of(reader: Reader, people: Iterable[int]) -> list[int]:
    return sorted({one for person in people for one in members_of(reader, canonical_of(reader, person))})


def _entries_of(reader: Reader, people: Sequence[int]) -> set[int]:
    """The last entries that name some people, with what belongs to one conversation with these."""
    found: set[int] = set()
    talks: dict[str, int] = {}
    for at in range(0, len(people), _MOST_ENTRIES):
        some = people[at : at + _MOST_ENTRIES]
        rows = reader.rows(
            "SELECT DISTINCT entry_id, event_time, thread FROM relation JOIN entry USING (entry_id)"  # noqa: S608 - places
            f" WHERE subject_id IN ({marks(some)}) AND (predicate = ? OR {IS_A_ROLE})"
            " ORDER BY event_time DESC, entry_id DESC LIMIT ?",
            *some,
            entities.MENTIONS,
            _MOST_ENTRIES,
        )
        found |= {row[0] for row in rows}
        talks |= {thread: entry_id for entry_id, _, thread in rows if thread is not None}
    return found.union(*(_talk_of(reader, one) for one in talks.values()))


def _may_change(reader: Reader, entry_ids: Collection[int], people: Sequence[int]) -> list[int]:
    """Those of some entries that hold a name whose meaning may hang on some people; the latest first."""
    known, addresses = _known_of(reader, people)
    waiting, among = sorted(entry_ids, reverse=True), set(people)
    is_open: dict[str, bool] = {}
    found: set[int] = set()
    for at in range(0, len(waiting), _AT_ONCE):
        some = waiting[at : at + _AT_ONCE]
        rows = reader.rows(
            "SELECT entry_id, object_text, subject_id FROM relation"  # noqa: S608 - places alone
            f" WHERE entry_id IN ({marks(some)}) AND predicate = ? AND object_text IS NOT NULL"
            " UNION SELECT entry_id, owner, coalesce(owner_id, 0) FROM record"
            f" WHERE entry_id IN ({marks(some)}) AND owner IS NOT NULL",
            *some,
            entities.MENTIONS,
            *some,
        )
        for entry_id, text, subject in rows:
            if text not in is_open:
                is_open[text] = may_concern(parse(text), known, addresses)
            if is_open[text] or subject in among:
                found.add(entry_id)
    return sorted(found, reverse=True)


def _known_of(reader: Reader, people: Sequence[int]) -> tuple[list[Name], set[str]]:
    """What some people are called, or were; and their addresses."""
    names: dict[str, Name] = {}
    addresses: set[str] = set()
    for at in range(0, len(people), _AT_ONCE):
        some = people[at : at + _AT_ONCE]
        rows = reader.rows(
            "SELECT DISTINCT kind, value FROM alias WHERE kind IN ('name', 'read', 'address', 'card_address')"  # noqa: S608
            f" AND entity_id IN ({marks(some)})",
            *some,
        )
        addresses |= {value for kind, value in rows if kind in {"address", "card_address"}}
        names |= {name.key: name for kind, value in rows if kind in {"name", "read"} for name in names_in(value)}
    return list(names.values()), addresses


def _decide_again(tx: Writer, entry_id: int, talks: Talks, now: datetime) -> set[int]:
    """Whom the names of an entry mean now; returns who changed because of it."""
    names = tx.rows(
        "SELECT DISTINCT subject_id, object_text FROM relation JOIN entity ON entity_id = subject_id"
        " WHERE entry_id = ? AND predicate = ? AND entity_type = 'person' ORDER BY relation_id",
        entry_id,
        entities.MENTIONS,
    )
    records = [record for record in records_of(tx, entry_id) if record.owner]
    row = tx.row("SELECT thread, sensitivity FROM entry WHERE entry_id = ? AND is_current = 1", entry_id)
    if row is None or not (names or records):
        return set()
    meant = Meant(tx, Told(entry_id, row[0], Sensitivity(row[1])), now, talks)
    found = [(subject, text, _meant_by(meant, text, subject)) for subject, text in names]
    for subject, text, person in found:
        if person != subject:
            tx.run(
                "UPDATE relation SET subject_id = ? WHERE entry_id = ? AND predicate = ? AND object_text = ?",
                person,
                entry_id,
                entities.MENTIONS,
                text,
            )
    for subject in {one for one, _, person in found if one != person}:
        _move_statements(tx, entry_id, subject, {person for one, _, person in found if one == subject})
    for record in records:
        owner_id = meant.owner(record.owner)
        if owner_id != record.owner_id:
            tx.run("UPDATE record SET owner_id = ? WHERE record_id = ?", owner_id, record.record_id)
    changed = meant.changed | _forget_bare(tx, {one for one, _, person in found if one != person}, now)
    if changed:
        talks.forget()
    return changed


def _forget_bare(tx: Writer, entity_ids: Iterable[int], now: datetime) -> set[int]:
    """A bare name that no entry means any more is nobody, unless the person decided about it; returns who changed."""
    changed: set[int] = set()
    for entity_id in sorted(entity_ids):
        is_decided = tx.value(
            "SELECT 1 FROM entity_merge WHERE (entity_id = ?1 OR into_id = ?1)"
            " AND (actor <> ?2 OR undone_at IS NOT NULL) LIMIT 1",
            entity_id,
            RULES,
        )
        key = tx.value("SELECT value FROM alias WHERE entity_id = ? AND kind = 'bare'", entity_id)
        if is_decided is None and key is not None:
            names, around = names_of(tx, entity_id), members_of(tx, canonical_of(tx, entity_id))
            if forget_if_unmentioned(tx, entity_id) and names:
                # others may have been one by way of it
                changed |= settle_names(tx, names, set(around) - {entity_id}, now)
    return changed


def _meant_by(meant: Meant, text: str | None, subject: int) -> int:
    name = parse(text or "")
    return meant.entity(entities.PERSON, name.key, text or "", name) if name.key else subject


def _move_statements(tx: Writer, entry_id: int, subject: int, people: set[int]) -> None:
    """What an entry states of a name goes with it; of two names that were one person it stays where it is."""
    if len(people) == 1:
        tx.run(
            "UPDATE relation SET subject_id = ? WHERE entry_id = ? AND subject_id = ?"  # noqa: S608 - places alone
            f" AND predicate IN ({marks(_STATED)})",
            *people,
            entry_id,
            subject,
            *_STATED,
        )
