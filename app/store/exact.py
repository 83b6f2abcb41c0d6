"""Rows for exact questions: who had a part in what and when, what was decided, what is new (G3.2, L6.3).

Every function takes what may be seen and reads nothing else (G4.3). People are asked for by the ids of their entities;
what somebody is called is told by the rows of visible entries alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf
from app.domain.labels import EntryKind, Status
from app.domain.records import RecordKind, Subject
from app.store.entities import IS_A_ROLE
from app.store.histories import contested, state
from app.store.limits import entry_limits, id_list
from app.store.rows import instant, marks

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader

_MOST, _LATEST = 2_000, 400
_MOST_NAMED = 200_000
_AT = (
    "CASE WHEN source_type IN ('mail', 'chat', 'event') THEN coalesce(event_time, entry.updated_at)"
    " ELSE entry.updated_at END"
)


@dataclass(frozen=True, slots=True)
class Part:
    """Somebody's part in an entry. `at`: when it was written, or when the event's occurrence began."""

    entry_id: int
    kind: EntryKind
    title: str
    at: datetime
    role: str


@dataclass(frozen=True, slots=True)
class Trait:
    """What an entry says of somebody.

    Attributes:
        predicate: of `store.entities`, or a role.
        text: how the entry says it. address: the subject's own.
    """

    subject_id: int
    predicate: str
    text: str
    address: str
    entry_id: int
    chunk_id: int | None


@dataclass(frozen=True, slots=True)
class Heading:
    """What an entry is, and what it is called."""

    kind: EntryKind
    title: str
    source_uri: str
    scope: str


@dataclass(frozen=True, slots=True)
class Seen:
    """An entry in short. `at`: when it came, or was last changed."""

    entry_id: int
    kind: EntryKind
    title: str
    at: datetime
    is_new: bool


@dataclass(frozen=True, slots=True)
class _Limits:
    """The filter as a condition on `entry`, with its values, before anything is read (G4.3).

    Attributes:
        is_on: a condition that an event is not called off.
    """

    holds: str
    values: list[object]
    is_on: str


def heading_of(reader: Reader, entry_id: int) -> Heading | None:
    """What an entry is, and what it is called."""
    row = reader.row("SELECT source_type, title, source_uri, scope FROM entry WHERE entry_id = ?", entry_id)
    return None if row is None else Heading(EntryKind(row[0]), *row[1:])


def entity_name(reader: Reader, entity_id: int) -> str:
    """What an entity is called."""
    return str(reader.value("SELECT name FROM entity WHERE entity_id = ?", entity_id) or "")


def may_be_seen(reader: Reader, entry_ids: Collection[int], visible: VisibilityFilter) -> set[int]:
    """Those of some entries that may be seen."""
    limits = _limits(reader, visible)
    found: set[int] = set()
    wanted = sorted(entry_ids)
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        sql = f"SELECT entry_id FROM entry WHERE entry_id IN ({marks(some)}) AND {limits.holds}"  # noqa: S608 - our own names
        found |= {row[0] for row in reader.rows(sql, *some, *limits.values)}
    return found


def parts_of(
    reader: Reader, ids: Sequence[int], visible: VisibilityFilter, *, kinds: Sequence[EntryKind], until: datetime
) -> list[Part]:
    """The mails, chats and notes in which somebody has a part, the newest first; none of after `until`."""
    limits = _limits(reader, visible)
    rows = reader.rows(
        f"""
        SELECT entry.entry_id, source_type, title, {_AT} AS at, predicate FROM relation JOIN entry USING (entry_id)
        WHERE subject_id IN ({marks(ids)}) AND {IS_A_ROLE} AND source_type IN ({marks(kinds)}) AND at <= ?
              AND {limits.holds}
        ORDER BY at DESC, entry.entry_id DESC LIMIT {_MOST}
        """,  # noqa: S608 - our own names
        *ids,
        *(kind.value for kind in kinds),
        to_ixdtf(until),
        *limits.values,
    )
    return [Part(row[0], EntryKind(row[1]), row[2], _moment(row[3]), row[4]) for row in rows]


def meetings_of(
    reader: Reader, ids: Sequence[int], visible: VisibilityFilter, *, since: datetime, until: datetime
) -> list[Part]:
    """The occurrences of events with somebody that begin in a span and are not canceled, the earliest first."""
    limits = _limits(reader, visible)
    rows = reader.rows(
        f"""
        SELECT DISTINCT entry.entry_id, coalesce(occurrence.title, entry.title), start_at FROM relation
        JOIN entry USING (entry_id) JOIN occurrence USING (entry_id)
        WHERE subject_id IN ({marks(ids)}) AND {IS_A_ROLE} AND start_at >= ? AND start_at <= ? AND is_canceled = 0
              AND {limits.is_on} AND {limits.holds}
        ORDER BY start_at, entry.entry_id LIMIT {_MOST}
        """,  # noqa: S608 - our own names
        *ids,
        to_ixdtf(since),
        to_ixdtf(until),
        *limits.values,
    )
    return [Part(row[0], EntryKind.EVENT, row[1], _moment(row[2]), "attendee") for row in rows]


def happened(reader: Reader, entry_ids: Collection[int], visible: VisibilityFilter, until: datetime) -> list[Part]:
    """When some events last happened, the latest first; canceled occurrences did not."""
    limits = _limits(reader, visible)
    found: list[Part] = []
    for entry_id in entry_ids:
        row = reader.row(
            "SELECT entry.entry_id, coalesce(occurrence.title, entry.title), start_at FROM occurrence"  # noqa: S608 - ours
            f" JOIN entry USING (entry_id) WHERE entry_id = ? AND start_at <= ? AND is_canceled = 0 AND {limits.is_on}"
            f" AND {limits.holds} ORDER BY start_at DESC LIMIT 1",
            entry_id,
            to_ixdtf(until),
            *limits.values,
        )
        if row is not None:
            found.append(Part(row[0], EntryKind.EVENT, row[1], _moment(row[2]), ""))
    return sorted(found, key=lambda part: part.at, reverse=True)


def traits_of(reader: Reader, ids: Sequence[int], visible: VisibilityFilter) -> list[Trait]:
    """What visible entries say of somebody, the latest first."""
    return _traits(reader, f"subject_id IN ({marks(ids)})", ids, visible, most=_MOST)


def people_named(
    reader: Reader, visible: VisibilityFilter, words: Collection[str] = (), *, has_characters: bool = False
) -> list[Trait]:
    """Everybody as visible entries name them; for a viewer from whom other entries are hidden.

    Args:
        words: only where a name or an address has one of these, in lower case; everybody without any.
        has_characters: also every name in Chinese characters.
    """
    found = ["instr(lower(coalesce(object_text, '')), ?) > 0"] * len(words)
    found += ["instr(coalesce(held.value, ''), ?) > 0"] * len(words)
    if has_characters:
        found.append("object_text GLOB '*[㐀-鿿]*'")
    narrowed = f" AND ({' OR '.join(found)})" if found else ""
    return _traits(reader, f"entity.entity_type = 'person'{narrowed}", (*words, *words), visible, most=_MOST_NAMED)


def _traits(
    reader: Reader, condition: str, asked: Sequence[object], visible: VisibilityFilter, *, most: int
) -> list[Trait]:
    limits = _limits(reader, visible)
    rows = reader.rows(
        f"""
        SELECT subject_id, predicate, object_text, held.value, entry.entry_id, chunk_id
        FROM relation JOIN entry USING (entry_id) JOIN entity ON entity.entity_id = subject_id
             LEFT JOIN alias AS held ON held.entity_id = subject_id AND held.kind = 'address'
        WHERE {condition} AND {limits.holds} ORDER BY {_AT} DESC, entry.entry_id DESC, relation_id DESC LIMIT {most}
        """,  # noqa: S608 - our own names
        *asked,
        *limits.values,
    )
    return [Trait(row[0], row[1], row[2] or "", row[3] or "", row[4], row[5]) for row in rows]


def called_like(reader: Reader, prefix: str, local_part: str, *, is_family: bool = False) -> list[int]:
    """Entities of people with a name that begins with `prefix`, or an address that begins with `local_part`.

    With `is_family` also those whose name ends with it: "Dr. Kaya".

    Both are folded; a local part has to end there, or go on behind a dot, a dash or an underscore. For the owner alone.
    """
    found: list[int] = []
    if is_family and prefix and "%" not in prefix and "_" not in prefix:
        rows = reader.rows(
            "SELECT DISTINCT entity_id FROM alias JOIN entity USING (entity_id)"
            " WHERE kind = 'name' AND value LIKE ? AND entity_type = 'person' LIMIT 50",
            f"% {prefix}",
        )
        found += [row[0] for row in rows]
    for kind, start, ends in (("name", f"{prefix} ", ("",)), ("address", local_part, ("@", ".", "_", "-"))):
        for end in ends:
            low = start + end
            rows = reader.rows(
                "SELECT DISTINCT entity_id FROM alias JOIN entity USING (entity_id)"
                " WHERE kind = ? AND value >= ? AND value < ? AND entity_type = 'person' LIMIT 50",
                kind,
                low,
                low + "\U0010ffff",
            )
            found += [row[0] for row in rows if start]
    return list(dict.fromkeys(found))


def entities_at(reader: Reader, addresses: Collection[str]) -> list[int]:
    """The entities of people who have one of some addresses, folded (`name_keys.address_key`)."""
    wanted = sorted(addresses)
    rows = reader.rows(
        "SELECT DISTINCT entity_id FROM alias WHERE kind IN ('address', 'card_address')"  # noqa: S608 - places alone
        f" AND value IN ({marks(wanted)})",
        *wanted,
    )
    return [row[0] for row in rows]


def busiest_address(reader: Reader, visible: VisibilityFilter) -> tuple[str, int, int, int] | None:
    """Who takes part in most visible mails: their address, in how many of how many, and how many of them they wrote."""
    limits = _limits(reader, visible)
    total = reader.value(f"SELECT count(*) FROM entry WHERE source_type = 'mail' AND {limits.holds}", *limits.values)  # noqa: S608
    row = reader.row(
        f"""
        SELECT alias.value, count(DISTINCT entry.entry_id) AS mails,
               count(DISTINCT CASE WHEN predicate = 'author' THEN entry.entry_id END)
        FROM relation JOIN entry USING (entry_id) JOIN alias ON alias.entity_id = subject_id AND alias.kind = 'address'
        WHERE source_type = 'mail' AND {IS_A_ROLE} AND {limits.holds} GROUP BY alias.value
        ORDER BY mails DESC, alias.value LIMIT 1
        """,  # noqa: S608 - our own names
        *limits.values,
    )
    return None if row is None else (row[0], row[1], total, row[2])


def stated_ids(
    reader: Reader,
    visible: VisibilityFilter,
    kinds: Collection[RecordKind],
    *,
    among: Collection[int] = (),
    has_day: bool = False,
) -> list[int]:
    """The latest records of some kinds that visible entries state, and all those of some entries, the latest first.

    Those that were taken back are among them.

    Args:
        among: entries. has_day: only records with a day.
    """
    limits = _limits(reader, visible)
    day = " AND coalesce(record.event_at, record.due_at) IS NOT NULL" if has_day else ""
    found: dict[int, tuple[str, int, int]] = {}
    for more, count in ((f" AND entry.entry_id IN ({id_list(among)})", _MOST), ("", _LATEST)):
        rows = reader.rows(
            f"SELECT record_id, coalesce(record.valid_from, {_AT}) AS said_at, entry.entry_id, record.ordinal"  # noqa: S608 - ours
            " FROM record JOIN entry USING (entry_id)"
            f" WHERE record.kind IN ({marks(kinds)}) AND {limits.holds} AND record.sensitivity <= ?{day}{more}"
            " ORDER BY said_at DESC, entry.entry_id DESC, record.ordinal DESC LIMIT ?",
            *(kind.value for kind in kinds),
            *limits.values,
            int(visible.ceiling),
            count,
        )
        found |= {row[0]: (row[1][:26], row[2], row[3]) for row in rows}
    # by the entries, and not by the records: in which order those were made something hidden may have had a part (G4.3)
    return sorted(found, key=found.__getitem__, reverse=True)


def changed_since(reader: Reader, since: datetime, until: datetime, visible: VisibilityFilter) -> list[Seen]:
    """Entries that came or were changed in [since, until], the latest first; a calendar's by when it was written."""
    limits = _limits(reader, visible)
    at = "CASE WHEN source_type IN ('mail', 'chat') THEN coalesce(event_time, entry.updated_at) ELSE updated_at END"
    rows = reader.rows(
        f"SELECT entry_id, source_type, title, {at} AS at, created_at >= ? AND version = 1 FROM entry"  # noqa: S608
        f" WHERE at >= ? AND at <= ? AND {limits.holds} ORDER BY at DESC, entry_id DESC LIMIT {_MOST}",
        to_ixdtf(since),
        to_ixdtf(since),
        to_ixdtf(until),
        *limits.values,
    )
    return [Seen(row[0], EntryKind(row[1]), row[2], _moment(row[3]), bool(row[4])) for row in rows]


def occasions(reader: Reader, entry_id: int, now: datetime) -> Part | None:
    """When an entry's event or to-do is or was to be, whether or not it holds: the next time, else the last one."""
    row = reader.row(
        """
        SELECT * FROM (
            SELECT entry_id, source_type, coalesce(occurrence.title, entry.title), start_at FROM occurrence
            JOIN entry USING (entry_id) WHERE entry_id = ?1
            UNION ALL
            SELECT entry_id, source_type, entry.title, due_at FROM task JOIN entry USING (entry_id)
            WHERE entry_id = ?1 AND due_at IS NOT NULL
        ) ORDER BY start_at < ?2, CASE WHEN start_at >= ?2 THEN start_at END, start_at DESC LIMIT 1
        """,
        entry_id,
        to_ixdtf(now),
    )
    return None if row is None else Part(row[0], EntryKind(row[1]), row[2], _moment(row[3]), "")


def _limits(reader: Reader, visible: VisibilityFilter) -> _Limits:
    """What may be seen, and (unless stale things are asked for too) what holds for this viewer."""
    condition, values = entry_limits(visible)
    states = {row: state(steps) for row, steps in contested(reader, Subject.ENTRY, visible).items()}
    held = [row for row, columns in states.items() if columns.get("stale_reason") is None]
    gone = states.keys() - set(held)
    on = [row for row, columns in states.items() if columns.get("status") != Status.CANCELED.value]
    conditions = ["entry.is_current = 1", condition]
    if not visible.include_stale:
        conditions.append(f"(entry.stale_reason IS NULL OR entry.entry_id IN ({id_list(held)}))")
        conditions.append(f"entry.entry_id NOT IN ({id_list(gone)})")
    is_on = f"(coalesce(entry.status, '') <> 'canceled' OR entry.entry_id IN ({id_list(on)}))"
    return _Limits(" AND ".join(conditions), values, is_on)


def _moment(column: str) -> datetime:
    found = instant(column)
    assert found is not None  # noqa: S101 - the columns asked for are never empty
    return found
