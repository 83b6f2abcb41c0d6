"""Which entities are one person: merges by evidence, and never more than the evidence says (G2.4, X9.3).

    card           a contact card of one's own holds both addresses
    phone          both have the number, and no other name speaks against it
    only bearer    they have the same full name, or one is the reading of the other, and all who bear it together have
                   one address and one number at most: there is only one such person as far as is known
    local part     a name without an address, and an address without a name that spells it, in one conversation
    spelled        the same anywhere (emma.johnson@), where no bearer of the name has an address, and no other address
                   without a name spells it

Two addresses are never put together by a name: homonyms stay apart, and whoever writes under another's name stays
somebody else. What is doubtful is a suggestion (`app.store.people.suggestions`). When a second bearer of a name comes,
what was merged because there was only one is taken apart again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.labels import Trust
from app.domain.text import msg
from app.govern.people.addresses import is_of_a_person, locals_of, names_of_local, split_address
from app.govern.people.groups import can_be_one, group_of, groups_agree, may_share_an_address, share_a_name
from app.govern.people.names import names_in, same_given
from app.govern.people.rules import rules
from app.store import entities
from app.store.merges import CANONICAL, RULES, Reason, canonical_of, members_of, merge, withdraw
from app.store.rows import text_column

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Literal

    from app.domain.text import Text
    from app.govern.people.names import Name
    from app.store.connection import Reader, Writer

ONLY_BEARER = msg("It is the only one known by this name")
SPELLED = msg("It is the only address that spells this name, and nobody else is known by it")
SAME_CARD = msg("A contact card has both")
SAME_PHONE = msg("Both have the same phone number")
_BETWEEN_WORDS = re.compile(r"^[^@]*[._\-]")
_DIGITS = "0123456789"
_MOST_NAMES = 40
"""An address with more of them is a list or a machine."""


def learn_names(tx: Writer, entity_id: int) -> bool:
    """Write down by what an entity's names are compared; returns whether there was a new one.

    An office's address has no name of its own, whoever writes from it; nor has one from which several people write.
    """
    rows = tx.rows(
        "SELECT value FROM alias WHERE entity_id = ?1 AND kind = 'name' AND value NOT IN"
        " (SELECT value FROM alias WHERE entity_id = ?1 AND kind = 'read')",
        entity_id,
    )
    if not rows:
        return False
    for (text,) in rows:
        entities.add_alias(tx, entity_id, "read", text, text)
    if not _has_own_names(tx, entity_id):
        tx.run("DELETE FROM alias WHERE entity_id = ? AND kind IN ('key', 'reading', 'turned')", entity_id)
        withdraw(tx, _by_name(tx, [entity_id]))
        return False
    for (text,) in rows:
        for name in names_in(text):
            if name.is_full:
                _learn(tx, entity_id, text, name)
    return True


def _has_own_names(reader: Reader, entity_id: int) -> bool:
    """Whether an entity's names are one person's."""
    addresses = reader.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'address'", entity_id)
    if not all(is_of_a_person(row[0]) for row in addresses):
        return False
    if any(_has(reader, member, "card") for member in members_of(reader, canonical_of(reader, entity_id))):
        return True
    written = _names_of(reader, entity_id)
    names = [name for text in written for name in names_in(text) if name.is_full] if len(written) <= _MOST_NAMES else []
    is_one = all(may_share_an_address(one, other) for at, one in enumerate(names) for other in names[at + 1 :])
    return len(written) <= _MOST_NAMES and is_one


def link(tx: Writer, entity_id: int, trust: Trust, *, now: datetime) -> None:
    """Put an entity together with whom it is, by its numbers and its names, and take apart what is no longer sure."""
    is_new = learn_names(tx, entity_id)
    _link_by_spelling(tx, entity_id, now)
    if not is_new and not _has(tx, entity_id, "phone"):
        return
    _link_by_phone(tx, entity_id, trust, now)
    for name in [name for text in _names_of(tx, entity_id) for name in names_in(text) if name.is_full]:
        _link_by_name(tx, name, now)


def link_card(tx: Writer, entry_id: int, trust: Trust, *, now: datetime) -> None:
    """Put together what a contact card holds; a card from elsewhere ties nobody's addresses together (X9.1)."""
    card = tx.value("SELECT subject_id FROM relation WHERE entry_id = ? AND predicate = ?", entry_id, entities.CARD)
    if card is None:
        return
    _withdraw_of_older_versions(tx, entry_id)
    if trust < Trust.OWN_FILES:
        return
    holders = tx.rows(
        "SELECT DISTINCT subject_id FROM relation WHERE entry_id = ? AND predicate = ? AND subject_id <> ?",
        entry_id,
        entities.CARD_ADDRESS,
        card,
    )
    for (holder,) in holders:
        mine, theirs = group_of(tx, canonical_of(tx, card)), group_of(tx, canonical_of(tx, holder))
        is_known = theirs.cards <= mine.cards or share_a_name(mine, theirs)
        if all(map(is_of_a_person, theirs.addresses)) and is_known and groups_agree(mine, theirs):
            merge(tx, holder, card, _reason(SAME_CARD, "card", entry_id), now=now)


def bearers(reader: Reader, name: Name, *, most: int) -> list[int]:
    """The people, by their canonical ids, who bear a full name, or one that is read like it."""
    found: list[int] = []
    values = [
        ("key", name.key),
        *(("reading", text) for text in name.readings),
        *(("turned", text) for text in name.readings),
    ]
    values += [("reading", text) for text in name.turned]
    for kind, value in values:
        rows = reader.rows(
            f"SELECT DISTINCT {CANONICAL} FROM alias JOIN entity USING (entity_id)"  # noqa: S608 - our own names
            " WHERE kind = ? AND value = ? AND entity_type = 'person' LIMIT ?",
            kind,
            value,
            most + 1,
        )
        found += [row[0] for row in rows]
    return list(dict.fromkeys(found))


def can_be_one_with(reader: Reader, name: Name, others: Sequence[int] = ()) -> bool:
    """Whether all bearers of a name, and some other people, can be one person."""
    found = dict.fromkeys((*bearers(reader, name, most=rules().bearers), *others))
    return len(found) <= rules().bearers and can_be_one([group_of(reader, canonical) for canonical in found])


def begin_version(tx: Writer) -> None:
    """Forget what other rules had made of names, when these come into force (G2.8); what a person said stays."""
    known = tx.value("SELECT value FROM meta WHERE name = 'entity_rules'")
    if known == rules().version:
        return
    tx.run("INSERT OR REPLACE INTO meta VALUES ('entity_rules', ?)", rules().version)
    if known is not None:
        tx.run("DELETE FROM alias WHERE kind IN ('key', 'reading', 'turned', 'read')")
        rows = tx.rows("SELECT merge_id FROM entity_merge WHERE undone_at IS NULL AND actor = ?", RULES)
        withdraw(tx, [row[0] for row in rows])


def _link_by_name(tx: Writer, name: Name, now: datetime) -> None:
    """Merge all bearers of a name where they can only be one person; else take apart what a name alone had merged."""
    found, spelling = bearers(tx, name, most=rules().bearers), spelling_addresses(tx, name)
    holders = [entity_id for entity_id, address in spelling if _is_nameless(tx, entity_id, address, name)]
    held = _merges_by(tx, SPELLED, "into_id", [entity_id for entity_id, _ in spelling])
    is_sole = len(holders) == 1 and len(found) == 1
    if held and not (is_sole and len(group_of(tx, found[0]).addresses) == 1):
        withdraw(tx, held)
    _link_bearers(tx, name, now)
    if is_sole and not held and _BETWEEN_WORDS.search(dict(spelling)[holders[0]]) and _is_known(tx, holders[0]):
        groups = [group_of(tx, canonical_of(tx, entity_id)) for entity_id in (found[0], holders[0])]
        if not groups[0].addresses and groups_agree(*groups):
            merge(tx, found[0], holders[0], _reason(SPELLED, "spelled"), now=now)


def _link_bearers(tx: Writer, name: Name, now: datetime) -> None:
    found = bearers(tx, name, most=rules().bearers)
    if len(found) < 2 and not _is_by_name(tx, found):  # noqa: PLR2004 - nobody else
        return
    groups = [group_of(tx, canonical) for canonical in found[: rules().bearers]]
    if len(found) <= rules().bearers and can_be_one(groups):
        first = groups[0]
        for other in groups[1:]:
            is_same_key = {name.key for name in first.full} & {name.key for name in other.full}
            reason = _reason(ONLY_BEARER, "only_bearer" if is_same_key else "only_reading")
            merge(tx, other.canonical, first.canonical, reason, now=now)
        return
    for group in groups:
        withdraw(tx, _by_name(tx, group.members))


def _link_by_spelling(tx: Writer, entity_id: int, now: datetime) -> None:
    """An address that spells names: each of them is looked at again, since it may now have one bearer or two."""
    for (address,) in tx.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'address'", entity_id):
        for name in names_of_local(address):
            if bearers(tx, name, most=1):
                _link_by_name(tx, name, now)


def spelling_addresses(reader: Reader, name: Name) -> list[tuple[int, str]]:
    """The people whose address spells a name whole, at any domain and with any number behind it; and that address."""
    found: dict[int, str] = {}
    for local in locals_of(name):
        rows = reader.rows(
            "SELECT entity_id, value FROM alias WHERE kind = 'address' AND value >= ? AND value < ? LIMIT ?",
            local,
            f"{local}B",  # behind every number and @, before every letter
            rules().bearers,
        )
        found |= {entity_id: value for entity_id, value in rows if split_address(value)[0].rstrip(_DIGITS) == local}
    return list(found.items())


def _is_nameless(reader: Reader, entity_id: int, address: str, name: Name) -> bool:
    """Whether somebody known by an address alone can be the bearer of a name."""
    own = [other for text in _names_of(reader, entity_id) for other in names_in(text)]
    is_agreed = not any(other.is_full for other in own) and all(same_given(other.given, name.given) for other in own)
    return is_agreed and is_of_a_person(address)


def _is_known(reader: Reader, entity_id: int) -> bool:
    """Whether anybody but strangers names an address (X9.1)."""
    trust = reader.value("SELECT max(trust) FROM relation WHERE subject_id = ?", entity_id)
    return trust is not None and trust > Trust.STRANGER


def _link_by_phone(tx: Writer, entity_id: int, trust: Trust, now: datetime) -> None:
    # a number that a stranger claims to have is no evidence (X9.1)
    if trust < (Trust.OWN_FILES if _has(tx, entity_id, "card") else Trust.KNOWN_SENDER):
        return
    for (phone,) in tx.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'phone'", entity_id):
        rows = tx.rows(
            f"SELECT DISTINCT {CANONICAL} FROM alias JOIN entity USING (entity_id)"  # noqa: S608 - our own names
            " WHERE kind = 'phone' AND value = ? LIMIT ?",
            phone,
            rules().bearers,
        )
        mine = group_of(tx, canonical_of(tx, entity_id))
        for other in (group_of(tx, row[0]) for row in rows if row[0] != mine.canonical):
            if groups_agree(mine, other):
                merge(tx, mine.canonical, other.canonical, _reason(SAME_PHONE, "phone"), now=now)


def _learn(tx: Writer, entity_id: int, text: str, name: Name) -> None:
    entities.add_alias(tx, entity_id, "key", name.key, text)
    for reading in name.readings:
        entities.add_alias(tx, entity_id, "reading", reading, text)
    for reading in name.turned:
        entities.add_alias(tx, entity_id, "turned", reading, text)


def _names_of(reader: Reader, entity_id: int) -> list[str]:
    return [row[0] for row in reader.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'name'", entity_id)]


def _has(reader: Reader, entity_id: int, kind: str) -> bool:
    sql = "SELECT 1 FROM alias WHERE entity_id = ? AND kind = ? LIMIT 1"
    return reader.value(sql, entity_id, kind) is not None


def _merges_by(reader: Reader, evidence: Text, side: Literal["entity_id", "into_id"], ids: Sequence[int]) -> list[int]:
    """The merges of one evidence that hold, with any of some entities at one of their sides."""
    marks = ", ".join("?" * len(ids))
    rows = reader.rows(
        "SELECT merge_id FROM entity_merge WHERE undone_at IS NULL AND actor = ? AND evidence = ?"  # noqa: S608 - places
        f" AND {side} IN ({marks})",
        RULES,
        text_column(evidence),
        *ids,
    )
    return [row[0] for row in rows]


def _by_name(reader: Reader, members: Sequence[int]) -> list[int]:
    return _merges_by(reader, ONLY_BEARER, "entity_id", members)


def _is_by_name(reader: Reader, canonicals: Sequence[int]) -> bool:
    return any(_by_name(reader, members_of(reader, canonical)) for canonical in canonicals)


def _withdraw_of_older_versions(tx: Writer, entry_id: int) -> None:
    rows = tx.rows(
        "SELECT merge_id FROM entity_merge WHERE undone_at IS NULL AND actor = ? AND entry_id IN"
        " (SELECT old.entry_id FROM entry JOIN entry AS old USING (source_id, native_id)"
        "  WHERE entry.entry_id = ? AND old.entry_id <> entry.entry_id)",
        RULES,
        entry_id,
    )
    withdraw(tx, [row[0] for row in rows])


def _reason(evidence: Text, kind: str, entry_id: int | None = None) -> Reason:
    return Reason(evidence, rules().confidence[kind], RULES, rules().version, entry_id)
