"""Key-value facts, read: what people say of themselves and others, what cards and headers tell (L6.3).

Everything is read within what a viewer may see, and by how the very entries name somebody: nothing here follows a
merge or a name that another entry gave (G4.3). Who is who is decided by whoever calls.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.domain.instants import from_ixdtf
from app.domain.labels import EntryKind, Trust
from app.domain.records import Subject
from app.store.entities import (
    CARD,
    CARD_ADDRESS,
    CARD_NAME,
    CARD_ORGANISATION,
    CARD_PHONE,
    CARD_ROLE,
    IS_A_ROLE,
    ROLE_OF,
    WORKS_AT,
)
from app.store.histories import states_for
from app.store.limits import entry_limits
from app.store.rows import marks, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row

FACT_PREDICATES = ("lives_in", "phone", "email", "works_at", "role")
_OF_A_CARD = {CARD_PHONE: "phone", CARD_ADDRESS: "email", CARD_ORGANISATION: "works_at", CARD_ROLE: "role"}
_NAMES_OF_A_CARD = (CARD, CARD_NAME, CARD_ADDRESS)
_MOST = 2_000
_AT_ONCE = 500
_AUTHORS = "predicate IN ('author', 'owner', 'organizer')"


@dataclass(frozen=True, slots=True)
class Source:
    """The entry that says a fact."""

    entry_id: int
    kind: EntryKind
    source_uri: str
    at: datetime
    confidence: float
    trust: Trust


@dataclass(frozen=True, slots=True)
class SaidFact:
    """A fact that a sentence says.

    Attributes:
        who: of whom, folded; empty: of whoever wrote the entry.
        authors: (name, address, entity) of those who did; none for an own note.
        stale_reason: why it is no longer so, as far as the viewer may know.
    """

    source: Source
    chunk_id: int | None
    predicate: str
    who: str
    value: str
    said_at: datetime
    authors: tuple[tuple[str, str, int], ...]
    stale_reason: Text | None


@dataclass(frozen=True, slots=True)
class ToldFact:
    """A fact of a contact card, or an address in a header. `names`: how that entry calls whose it is."""

    source: Source
    entity_id: int
    names: tuple[str, ...]
    predicate: str
    value: str
    is_header: bool


def said_facts(reader: Reader, predicates: Iterable[str], visible: VisibilityFilter) -> list[SaidFact]:
    """What sentences of current entries say, the latest first."""
    heads = [f"fact:{predicate}" for predicate in predicates]
    limits, values = _limits(visible)
    rows = reader.rows(
        f"""
        SELECT statement_id, statement.stale_reason, entry.stale_reason, head, said_at, body, statement.chunk_id,
               entry.entry_id, source_type, source_uri, coalesce(event_time, updated_at), entry.confidence, entry.trust
        FROM statement JOIN entry ON entry.entry_id = statement.entry_id
        WHERE head IN ({marks(heads)}) AND kind IN ('fact', 'replace') AND {limits}
        ORDER BY said_at DESC, statement.entry_id DESC, statement_id DESC LIMIT {_MOST}
        """,  # noqa: S608 - our own names
        *heads,
        *values,
    )
    stale = _stale(reader, rows, visible)
    authors = _authors(reader, [row[7] for row in rows])
    found: list[SaidFact] = []
    for statement_id, _, _, head, said_at, column, chunk_id, *source in rows:
        body = json.loads(column)
        found.append(
            SaidFact(
                source=_source(source),
                chunk_id=chunk_id,
                predicate=head.removeprefix("fact:"),
                who=body["who"],
                value=body["value"],
                said_at=from_ixdtf(said_at),
                authors=tuple(authors.get(source[0], ())),
                stale_reason=stale[statement_id],
            )
        )
    return found


def told_facts(reader: Reader, entity_ids: Sequence[int], visible: VisibilityFilter) -> Iterator[ToldFact]:
    """What cards tell of some people, and by which addresses they take part in entries; within what may be seen."""
    limits, values = _limits(visible)
    for start in range(0, len(entity_ids), _AT_ONCE):
        some = entity_ids[start : start + _AT_ONCE]
        rows = reader.rows(
            f"""
            SELECT subject_id, predicate, object_text, {IS_A_ROLE},
                   (SELECT value FROM alias WHERE kind = 'address' AND alias.entity_id = subject_id),
                   entry.entry_id, source_type, source_uri, coalesce(event_time, updated_at), entry.confidence,
                   entry.trust
            FROM relation JOIN entry ON entry.entry_id = relation.entry_id
            WHERE subject_id IN ({marks(some)}) AND relation.object_id IS NULL AND {limits}
            ORDER BY coalesce(event_time, updated_at) DESC, entry.entry_id DESC, relation_id LIMIT {_MOST}
            """,  # noqa: S608 - our own names
            *some,
            *values,
        )
        names: dict[tuple[int, int], list[str]] = {}
        for subject, predicate, text, is_role, address, entry_id, *_ in rows:
            is_name = is_role or predicate in _NAMES_OF_A_CARD
            known = names.setdefault((subject, entry_id), [address] if address is not None and is_role else [])
            if is_name and text is not None and text not in known:
                known.append(text)
        seen: set[tuple[str, str, str]] = set()
        for subject, predicate, text, is_role, address, *source in rows:
            called = tuple(names[subject, source[0]])
            fact = ("email", address) if is_role else (_OF_A_CARD.get(predicate), text)
            if fact[0] is None or not fact[1] or (called[0] if called else "", *fact) in seen:
                continue
            seen.add((called[0] if called else "", fact[0], fact[1]))
            yield ToldFact(_source(source), subject, called, fact[0], fact[1], is_header=bool(is_role))


def jobs(reader: Reader, entity_ids: Sequence[int], visible: VisibilityFilter) -> list[ToldFact]:
    """Where people work, or as what, by signatures and introductions; for the owner, who sees who is who."""
    limits, values = _limits(visible)
    rows = reader.rows(
        f"""
        SELECT subject_id, predicate, coalesce(main.name, goal.name), object_text, entry.entry_id, source_type,
               source_uri, coalesce(event_time, updated_at), relation.confidence, relation.trust
        FROM relation JOIN entry ON entry.entry_id = relation.entry_id
             LEFT JOIN entity AS goal ON goal.entity_id = object_id
             LEFT JOIN entity AS main ON main.entity_id = goal.canonical_id
        WHERE subject_id IN ({marks(entity_ids)}) AND predicate IN ('{WORKS_AT}', '{ROLE_OF}')
              AND relation.valid_to IS NULL AND relation.stale_reason IS NULL AND {limits}
        ORDER BY relation.valid_from DESC, relation.entry_id DESC LIMIT {_MOST}
        """,  # noqa: S608 - our own names
        *entity_ids,
        *values,
    )
    found: list[ToldFact] = []
    for subject, _, organisation, role, *source in rows:
        for predicate, value in (("works_at", organisation), ("role", role)):
            if value:
                found.append(ToldFact(_source(source), subject, (), predicate, value, is_header=False))
    return found


def called_so(reader: Reader, names: Sequence[str], addresses: Sequence[str], visible: VisibilityFilter) -> list[int]:
    """Whom visible entries themselves call by a name, as it is written there but for its case, or by an address.

    Slower than the index of names (a tenth of a second for 100,000 participants, whatever the number of names), and
    blind to other entries.
    """
    limits, values = _limits(visible)
    rows = reader.rows(
        f"""
        SELECT DISTINCT subject_id FROM relation JOIN entry ON entry.entry_id = relation.entry_id
        WHERE (lower(object_text) IN ({", ".join(["lower(?)"] * len(names))}) OR subject_id IN (
                   SELECT entity_id FROM alias
                   WHERE kind IN ('address', 'card_address') AND value IN ({marks(addresses)})
               ))
              AND ({IS_A_ROLE} OR predicate IN ({marks(_NAMES_OF_A_CARD)})) AND {limits}
        LIMIT {_AT_ONCE}
        """,  # noqa: S608 - our own names
        *names,
        *addresses,
        *_NAMES_OF_A_CARD,
        *values,
    )
    return [row[0] for row in rows]


def _stale(reader: Reader, rows: Sequence[Row], visible: VisibilityFilter) -> dict[int, Text | None]:
    """Why statements are no longer so, or their entries are, as far as the viewer may know of it."""
    statements = states_for(reader, Subject.STATEMENT, [row[0] for row in rows], visible)
    entries = states_for(reader, Subject.ENTRY, [row[7] for row in rows], visible)
    found: dict[int, Text | None] = {}
    for statement_id, own, whole, _, _, _, _, entry_id, *_ in rows:
        of_statement = statements.get(statement_id, {}).get("stale_reason", own)
        of_entry = entries.get(entry_id, {}).get("stale_reason", whole)
        reason = of_statement or of_entry
        found[statement_id] = text_of(None if reason is None else str(reason))
    return found


def _authors(reader: Reader, entry_ids: Sequence[int]) -> dict[int, list[tuple[str, str, int]]]:
    found: dict[int, list[tuple[str, str, int]]] = {}
    for start in range(0, len(entry_ids), _AT_ONCE):
        some = entry_ids[start : start + _AT_ONCE]
        rows = reader.rows(
            "SELECT DISTINCT entry_id, coalesce(object_text, ''), coalesce(value, ''), subject_id FROM relation"  # noqa: S608
            " LEFT JOIN alias ON alias.entity_id = subject_id AND alias.kind = 'address'"
            f" WHERE entry_id IN ({marks(some)}) AND object_id IS NULL AND {_AUTHORS}",
            *some,
        )
        for entry_id, name, address, entity_id in rows:
            found.setdefault(entry_id, []).append((name, address, entity_id))
    return found


def _source(columns: Sequence[Any]) -> Source:
    entry_id, kind, uri, at, confidence, trust = columns
    return Source(entry_id, EntryKind(kind), uri, from_ixdtf(at), confidence, Trust(trust))


def _limits(visible: VisibilityFilter) -> tuple[str, list[object]]:
    condition, values = entry_limits(visible)
    return f"entry.is_current = 1 AND {condition}", values
