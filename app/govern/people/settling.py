"""Whom their names alone put together: found anew from all that is known of a name, and never from what came first.

    only bearer    they have the same full name, or one is the reading of the other, and all who bear it together have
                   one address and one number at most: there is only one such person as far as is known
    local part     a name without an address, and an address without a name that spells it, in one conversation
    spelled        the same anywhere (emma.johnson@), where no bearer of the name has an address, and no other address
                   without a name spells it

What somebody is by a card, a number or the person's own word is given. Around a name are all who bear it or are spelled
by it, with their other names, and so on; for all of them together what follows is found, name by name in the order of
the alphabet. Only merges that differ from it are written or withdrawn, so entries in any order come to the same people
(G2.4, X9.3).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.domain.labels import Trust
from app.domain.text import msg
from app.govern.people.addresses import is_of_a_person, locals_of, split_address
from app.govern.people.groups import can_be_one, group_among, groups_agree, joined
from app.govern.people.names import names_in, parse, same_given
from app.govern.people.own_names import names_of
from app.govern.people.rules import rules
from app.store import entities
from app.store.merges import RULES, Reason, is_forbidden, merge, withdraw
from app.store.rows import text_column

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from app.domain.text import Text
    from app.govern.people.groups import Group
    from app.govern.people.names import Name
    from app.store.connection import Reader, Writer

ONLY_BEARER = msg("It is the only one known by this name")
SPELLED = msg("It is the only address that spells this name, and nobody else is known by it")
SAME_TALK = msg("They stand in one conversation, and the address spells the name")
_BY_NAME = (ONLY_BEARER, SPELLED, SAME_TALK)
_EVIDENCE = tuple(str(text_column(one)) for one in _BY_NAME)
_BETWEEN_WORDS = re.compile(r"^[^@]*[._\-]")
_DIGITS = "0123456789"
_TELLS = (
    f"(predicate NOT IN ({', '.join(map(repr, entities.UNDERSTOOD))})"  # noqa: S608 - our own names
    " OR EXISTS (SELECT 1 FROM alias WHERE alias.entity_id = subject_id AND kind = 'bare'))"
)
_MOST_AROUND = 200
_MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class _Held:
    """A merge by a name, as it stands."""

    merge_id: int
    one: int
    other: int
    evidence: str
    entry_id: int | None


@dataclass(slots=True)
class _Around:
    """Everybody around some names.

    Attributes:
        part_of: for an entity those whom something else than a name makes one with it, itself among them.
        bearing: for a name, by its key, the entities that bear it; none for a name of too many.
        is_whole: whether they are all; of too many nothing follows, wherever one begins.
    """

    names: dict[str, Name] = field(default_factory=dict)
    part_of: dict[int, tuple[int, ...]] = field(default_factory=dict)
    bearing: dict[str, list[int]] = field(default_factory=dict)
    spelling: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    held: dict[int, _Held] = field(default_factory=dict)
    is_whole: bool = True


def settle_names(tx: Writer, names: Iterable[Name], entity_ids: Iterable[int], now: datetime) -> set[int]:
    """Let the merges by names follow from what is known; returns the entities of merges that came or went."""
    around = _look_around(tx, names, entity_ids)
    wanted = _Finding(tx, around).find() if around.is_whole else {}
    changed: set[int] = set()
    for held in around.held.values():
        if wanted.pop((held.one, held.other, held.evidence), None) is None:
            withdraw(tx, [held.merge_id])
            changed |= {held.one, held.other}
    for (one, other, _), reason in wanted.items():
        if merge(tx, one, other, reason, now=now):
            changed |= {one, other}
    return changed


def bearing(reader: Reader, name: Name, *, most: int) -> list[int]:
    """The entities that bear a full name, or one that is read like it."""
    values = [("key", name.key)]
    values += [(kind, text) for text in name.readings for kind in ("reading", "turned")]
    values += [("reading", text) for text in name.turned]
    pairs = dict.fromkeys(values)
    one = (
        "SELECT * FROM (SELECT entity_id FROM alias JOIN entity USING (entity_id)"
        " WHERE kind = ? AND value = ? AND entity_type = 'person' LIMIT ?)"
    )
    places = (place for pair in pairs for place in (*pair, most + 1))
    return list(dict.fromkeys(row[0] for row in reader.rows(" UNION ALL ".join([one] * len(pairs)), *places)))


def spelling_addresses(reader: Reader, name: Name) -> list[tuple[int, str]]:
    """The people whose address spells a name whole, at any domain and with any number behind it; and that address."""
    locals_ = locals_of(name)
    if not locals_:
        return []
    one = (
        "SELECT * FROM (SELECT entity_id, value, ? FROM alias"
        " WHERE kind = 'address' AND value >= ? AND value < ? LIMIT ?)"
    )
    ends = (
        (local, local, f"{local}B", rules().bearers) for local in locals_
    )  # behind each number and @, before letters
    rows = reader.rows(" UNION ALL ".join([one] * len(locals_)), *(value for end in ends for value in end))
    spelled = {
        entity_id: address for entity_id, address, local in rows if split_address(address)[0].rstrip(_DIGITS) == local
    }
    return list(spelled.items())


def is_known(reader: Reader, entity_id: int) -> bool:
    """Whether anybody but strangers names somebody (X9.1); an address not by a text, which is found out to mean it."""
    # not `relation.trust`: a database of the first version knows none, and labels may have changed since
    sql = (
        "SELECT 1 FROM relation JOIN entry USING (entry_id) WHERE subject_id = ?1 AND entry.trust > ?2"  # noqa: S608
        f" AND {_TELLS} LIMIT 1"
    )
    return reader.value(sql, entity_id, int(Trust.STRANGER)) is not None


def known_by(reader: Reader, entry_id: int) -> list[int]:
    """The people whom an entry names, and before it nobody but strangers did."""
    rows = reader.rows(
        "SELECT DISTINCT subject_id FROM relation JOIN entry USING (entry_id) JOIN entity ON entity_id = subject_id"  # noqa: S608
        f" WHERE entry_id = ?1 AND entity_type = 'person' AND entry.trust > ?2 AND {_TELLS}",
        entry_id,
        int(Trust.STRANGER),
    )
    sql = (
        "SELECT 1 FROM relation JOIN entry USING (entry_id) WHERE subject_id = ?1 AND entry.trust > ?2"  # noqa: S608
        f" AND entry_id <> ?3 AND {_TELLS} LIMIT 1"
    )
    return [row[0] for row in rows if reader.value(sql, row[0], int(Trust.STRANGER), entry_id) is None]


def is_spelled(reader: Reader, entity_id: int) -> bool:
    """Whether an address is somebody's because it spells their name."""
    sql = "SELECT 1 FROM entity_merge WHERE into_id = ? AND undone_at IS NULL AND actor = ? AND evidence = ? LIMIT 1"
    return reader.value(sql, entity_id, RULES, text_column(SPELLED)) is not None


def _merged_with(reader: Reader, entity_id: int) -> list[tuple[int, _Held | None]]:
    """Whom merges make one with an entity; and the merge, where it is by a name."""
    rows = reader.rows(
        "SELECT merge_id, entity_id, into_id, evidence, entry_id, actor FROM entity_merge WHERE undone_at IS NULL"
        " AND (entity_id = ?1 OR into_id = ?1)",
        entity_id,
    )
    return [
        (
            other if one == entity_id else one,
            _Held(merge_id, one, other, evidence, entry_id) if actor == RULES and evidence in _EVIDENCE else None,
        )
        for merge_id, one, other, evidence, entry_id, actor in rows
    ]


def _look_around(reader: Reader, names: Iterable[Name], entity_ids: Iterable[int]) -> _Around:
    around = _Around()
    waiting, people = list(names), list(entity_ids)
    while waiting or people:
        if len(around.part_of) >= _MOST_AROUND or len(around.names) >= _MOST_NAMES:
            around.is_whole = False
            break
        while people:
            entity_id = people.pop()
            if entity_id not in around.part_of:
                part, others = _add_part(reader, around, entity_id)
                waiting += [name for member in part for name in names_of(reader, member)]
                people += others
        if waiting:
            name = waiting.pop()
            if name.key not in around.names:
                around.names[name.key] = name
                most = 4 * rules().bearers
                found = bearing(reader, name, most=most)
                around.bearing[name.key] = found if len(found) <= most else []
                around.spelling[name.key] = spelling_addresses(reader, name)
                people += around.bearing[name.key]
                people += (entity_id for entity_id, _ in around.spelling[name.key])
    return around


def _add_part(reader: Reader, around: _Around, entity_id: int) -> tuple[tuple[int, ...], set[int]]:
    """Note those who are one with an entity by something else than their names; and who is so by their names."""
    found, waiting, by_name = {entity_id}, [entity_id], set[int]()
    while waiting and len(found) < _MOST_AROUND:
        merged = _merged_with(reader, waiting.pop())
        around.held |= {held.merge_id: held for _, held in merged if held is not None}
        by_name |= {other for other, held in merged if held is not None}
        new = {other for other, held in merged if held is None} - found
        found |= new
        waiting += sorted(new)
    part = tuple(sorted(found))
    around.part_of |= dict.fromkeys(part, part)
    return part, by_name


class _Finding:
    """What follows for everybody around, found without writing."""

    def __init__(self, reader: Reader, around: _Around) -> None:
        self._reader = reader
        self._around = around
        self._of = dict(around.part_of)
        parts = set(around.part_of.values())
        self._groups: dict[tuple[int, ...], Group] = {part: group_among(reader, part) for part in parts}
        self._wanted: dict[tuple[int, int, str], Reason] = {}
        self._known: dict[tuple[int, ...], bool] = {}

    def find(self) -> dict[tuple[int, int, str], Reason]:
        """The merges that there are to be, by their sides and their evidence."""
        names = [self._around.names[key] for key in sorted(self._around.names)]
        for name in names:
            self._by_bearers(name)
        talks = [one for one in self._around.held.values() if one.evidence == text_column(SAME_TALK)]
        for held in sorted(talks, key=lambda one: (one.one, one.other)):
            self._by_talk(held)
        for name in names:
            self._by_spelling(name)
        return self._wanted

    def _bearers(self, name: Name) -> list[tuple[int, ...]]:
        """Who bears a name; only where nobody else does, those of whom strangers alone tell (X9.1)."""
        ids = self._around.bearing[name.key]
        found = sorted({self._of[entity_id] for entity_id in ids if entity_id in self._of})
        if not any(self._is_known(part) for part in found):
            return found
        # a bare name claims nothing, whoever writes it
        return [part for part in found if self._is_known(part) or not self._groups[part].addresses]

    def _is_known(self, part: tuple[int, ...]) -> bool:
        if part not in self._known:
            self._known[part] = any(is_known(self._reader, member) for member in part)
        return self._known[part]

    def _by_bearers(self, name: Name) -> None:
        found = self._bearers(name)
        groups = [self._groups[part] for part in found]
        if not 1 < len(found) <= rules().bearers or not can_be_one(groups):
            return
        first = found[0]
        for part, group in zip(found[1:], groups[1:], strict=True):
            is_same_key = {one.key for one in self._groups[first].full} & {one.key for one in group.full}
            kind = "only_bearer" if is_same_key else "only_reading"
            first = self._join(first, part, (part[0], first[0]), (ONLY_BEARER, kind, None))

    def _by_talk(self, held: _Held) -> None:
        """A merge of a conversation stands while the name can be no other's."""
        name, one, other = self._name_of(held.one), self._of[held.one], self._of[held.other]
        bearers = self._bearers(name) if name is not None and name.key in self._around.names else []
        all_of_it = sorted({*bearers, one, other})
        if self._is_known(one) and not self._is_known(other):
            return
        if len(all_of_it) > rules().bearers or not can_be_one([self._groups[part] for part in all_of_it]):
            return
        self._join(one, other, (held.one, held.other), (SAME_TALK, "local_part", held.entry_id))

    def _name_of(self, entity_id: int) -> Name | None:
        key = self._reader.value("SELECT value FROM alias WHERE entity_id = ? AND kind = 'bare'", entity_id)
        return None if key is None else parse(key)

    def _by_spelling(self, name: Name) -> None:
        found, spelling = self._bearers(name), self._around.spelling[name.key]
        holders = [
            (one, address)
            for one, address in spelling
            if one in self._of and self._is_nameless(one, address, name) and is_known(self._reader, one)
        ]
        if len(found) != 1 or len(holders) != 1:
            return
        (holder, address), mine = holders[0], self._groups[found[0]]
        theirs = self._groups[self._of[holder]]
        if self._of[holder] == found[0] or mine.addresses or not groups_agree(mine, theirs):
            return
        if _BETWEEN_WORDS.search(address):
            self._join(found[0], self._of[holder], (found[0][0], holder), (SPELLED, "spelled", None))

    def _is_nameless(self, entity_id: int, address: str, name: Name) -> bool:
        """Whether somebody known by an address alone can be the bearer of a name."""
        rows = self._reader.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'name'", entity_id)
        own = [other for (text,) in rows for other in names_in(text)]
        is_agreed = not any(other.is_full for other in own) and all(same_given(one.given, name.given) for one in own)
        return is_agreed and is_of_a_person(address)

    def _join(
        self,
        one: tuple[int, ...],
        other: tuple[int, ...],
        sides: tuple[int, int],
        why: tuple[Text, str, int | None],
    ) -> tuple[int, ...]:
        """Take two for one from here on, unless a person said that they are not."""
        if one != other and is_forbidden(self._reader, one, other):
            return one
        evidence, kind, entry_id = why
        reason = Reason(evidence, rules().confidence[kind], RULES, rules().version, entry_id)
        self._wanted[(*sides, str(text_column(evidence)))] = reason
        both = tuple(sorted({*one, *other}))
        self._groups[both] = joined(self._groups[one], self._groups[other], both)
        self._of |= dict.fromkeys(both, both)
        return both
