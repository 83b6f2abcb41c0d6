"""Who is whom: merges of entities, each with its reason, which can be taken back (G2.4).

Every merge is a row between two entities. Those that hold connect entities into groups, and `entity.canonical_id` says
of every member but one, which is that one; it follows from the rows, and `settle` makes it again. A merge that a person
undid stays as a row that forbids: no rule puts the two sides together again, on any way. A rule's own merge whose
reason is gone is simply removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from app.domain.instants import to_ixdtf
from app.store.name_keys import preference
from app.store.rows import text_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.store.connection import Reader, Writer

RULES, OWNER = "rules", "owner"
"""Actors."""
CANONICAL = "coalesce(canonical_id, entity_id)"
_MOST_OF_A_GROUP = 500


@dataclass(frozen=True, slots=True)
class Reason:
    """Why two entities are one: shown, and kept with the merge. `entry_id`: without which it falls; None for none."""

    evidence: Text
    confidence: float
    actor: str
    rule_version: str
    entry_id: int | None = None


def canonical_of(reader: Reader, entity_id: int) -> int:
    """The entity that stands for a group."""
    found: int | None = reader.value("SELECT canonical_id FROM entity WHERE entity_id = ?", entity_id)
    return entity_id if found is None else found


def members_of(reader: Reader, canonical: int) -> list[int]:
    """All entities of a group, the canonical one first."""
    rows = reader.rows("SELECT entity_id FROM entity WHERE canonical_id = ? LIMIT ?", canonical, _MOST_OF_A_GROUP)
    return [canonical, *(row[0] for row in rows)]


def is_forbidden(reader: Reader, one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether a person took apart any member of one group and any of the other."""
    return any(
        reader.value(
            "SELECT 1 FROM entity_merge WHERE undone_at IS NOT NULL"  # noqa: S608 - places alone
            f" AND entity_id IN ({', '.join('?' * len(left))}) AND into_id IN ({', '.join('?' * len(right))}) LIMIT 1",
            *left,
            *right,
        )
        is not None
        for left, right in ((one, other), (other, one))
    )


def merge(tx: Writer, one: int, other: int, reason: Reason, *, now: datetime) -> bool:
    """Say that two entities are one; False where they are already, or where a person said that they are not.

    A person's own word counts more than an earlier one.
    """
    groups = [canonical_of(tx, one), canonical_of(tx, other)]
    if groups[0] == groups[1]:
        return False
    members = [members_of(tx, group) for group in groups]
    if reason.actor == RULES and is_forbidden(tx, members[0], members[1]):
        return False
    tx.insert(
        "INSERT INTO entity_merge (entity_id, into_id, evidence, confidence, actor, rule_version, merged_at, entry_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        one,
        other,
        text_column(reason.evidence),
        reason.confidence,
        reason.actor,
        reason.rule_version,
        to_ixdtf(now),
        reason.entry_id,
    )
    settle(tx, (*members[0], *members[1]))
    return True


def undo(tx: Writer, merge_ids: Iterable[int], *, now: datetime) -> int:
    """Take merges back for good; returns how many held."""
    count = 0
    for merge_id in merge_ids:
        row = tx.row("SELECT entity_id, into_id FROM entity_merge WHERE merge_id = ? AND undone_at IS NULL", merge_id)
        if row is not None:
            group = members_of(tx, canonical_of(tx, row[0]))
            tx.run("UPDATE entity_merge SET undone_at = ? WHERE merge_id = ?", to_ixdtf(now), merge_id)
            settle(tx, group)
            count += 1
    return count


def withdraw(tx: Writer, merge_ids: Iterable[int]) -> None:
    """Remove merges whose reason is gone; they may be made again."""
    for merge_id in merge_ids:
        row = tx.row("SELECT entity_id FROM entity_merge WHERE merge_id = ? AND undone_at IS NULL", merge_id)
        if row is not None:
            group = members_of(tx, canonical_of(tx, row[0]))
            tx.run("DELETE FROM entity_merge WHERE merge_id = ?", merge_id)
            settle(tx, group)


def merges_within(reader: Reader, members: Sequence[int]) -> list[int]:
    """The merges that hold a group together."""
    marks = ", ".join("?" * len(members))
    rows = reader.rows(
        f"SELECT merge_id FROM entity_merge WHERE undone_at IS NULL AND entity_id IN ({marks}) ORDER BY merge_id",  # noqa: S608
        *members,
    )
    return [row[0] for row in rows]


def split_off(tx: Writer, member: int, *, now: datetime) -> bool:
    """Take an entity out of its group for good; the others stay together. False where it is alone."""
    group = members_of(tx, canonical_of(tx, member))
    rest = [entity for entity in group if entity != member]
    held = tx.rows(
        "SELECT merge_id, entity_id, into_id, evidence, confidence, actor, rule_version, entry_id FROM entity_merge"
        " WHERE undone_at IS NULL AND (entity_id = ?1 OR into_id = ?1) ORDER BY merge_id",
        member,
    )
    if not rest or not held:
        return False
    for row in held:
        tx.run("UPDATE entity_merge SET undone_at = ? WHERE merge_id = ?", to_ixdtf(now), row[0])
    # what was one by way of it stays one
    neighbours = list(dict.fromkeys(row[2] if row[1] == member else row[1] for row in held))
    for row, (one, other) in zip(held[1:], pairwise(neighbours), strict=False):
        tx.insert(
            "INSERT INTO entity_merge (entity_id, into_id, evidence, confidence, actor, rule_version, merged_at,"
            " entry_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            one,
            other,
            *row[3:7],
            to_ixdtf(now),
            row[7],
        )
    settle(tx, group)
    return True


def settle(tx: Writer, entity_ids: Iterable[int]) -> None:
    """Make `canonical_id` follow from the merges again, for entities that were or are in one group."""
    waiting = set(entity_ids)
    while waiting:
        group = _connected(tx, waiting.pop())
        waiting -= group
        root = min(group, key=lambda entity: _standing(tx, entity))
        for entity in sorted(group):
            tx.run("UPDATE entity SET canonical_id = ? WHERE entity_id = ?", None if entity == root else root, entity)


def _connected(tx: Writer, start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        rows = tx.rows(
            "SELECT CASE WHEN entity_id = ?1 THEN into_id ELSE entity_id END FROM entity_merge"
            " WHERE undone_at IS NULL AND (entity_id = ?1 OR into_id = ?1)",
            waiting.pop(),
        )
        new = {row[0] for row in rows} - found
        found |= new
        waiting += sorted(new)
    return found


def _standing(tx: Writer, entity_id: int) -> tuple[bool, bool, bool, object, int]:
    """What makes an entity stand for its group: a card, a name beside an address, a name, the better name; then age."""
    name = str(tx.value("SELECT name FROM entity WHERE entity_id = ?", entity_id) or "")
    kinds = {row[0] for row in tx.rows("SELECT DISTINCT kind FROM alias WHERE entity_id = ?", entity_id)}
    return "card" not in kinds, "@" in name, "address" not in kinds, preference(name), entity_id
