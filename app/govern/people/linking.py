"""Which entities are one person: merges by evidence, and never more than the evidence says (G2.4, X9.3).

    card           a contact card of one's own holds both addresses
    phone          both have the number, and no other name speaks against it
    by a name      only bearer, local part, spelled: see `settling`

Two addresses are never put together by a name: homonyms stay apart, and whoever writes under another's name stays
somebody else. What is doubtful is a suggestion (`app.store.people.suggestions`). When a second bearer of a name comes,
what was merged because there was only one is taken apart again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.labels import Trust
from app.domain.text import msg
from app.govern.people.addresses import is_of_a_person, names_of_local
from app.govern.people.groups import Group, can_be_one, group_among, group_of, groups_agree, share_a_name
from app.govern.people.own_names import learn_names, names_of
from app.govern.people.rules import rules
from app.govern.people.settling import bearing, is_known, is_spelled, settle_names
from app.store import entities
from app.store.merges import CANONICAL, RULES, Reason, canonical_of, merge, withdraw
from app.store.rows import marks, text_column

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.govern.people.names import Name
    from app.store.connection import Reader, Writer

SAME_CARD = msg("A contact card has both")
SAME_PHONE = msg("Both have the same phone number")


def link(tx: Writer, entity_id: int, *, now: datetime) -> set[int]:
    """Put an entity together with whom it is, by its numbers and its names, and take apart what is no longer sure.

    Returns:
        Whoever is called or put together otherwise than before.
    """
    learnt = learn_names(tx, entity_id, SAME_CARD)
    changed = set() if learnt is None else {entity_id}
    if learnt is not None:
        changed |= _link_cards_of(tx, entity_id, now)
    if learnt is not None or _has(tx, entity_id, "phone"):
        changed |= _link_by_phone(tx, entity_id, now)
    names = _spelled_by(tx, entity_id)
    if changed or names:
        # an address that spells a name is looked at again each time: others than strangers may know it now
        changed |= settle_names(tx, [*(learnt or ()), *names], changed | {entity_id}, now)
    return changed


def link_card(tx: Writer, entry_id: int, trust: Trust, *, now: datetime) -> set[int]:
    """Put together what a contact card holds; a card from elsewhere ties nobody's addresses together (X9.1).

    Returns:
        Whoever is put together otherwise than before.
    """
    card = tx.value("SELECT subject_id FROM relation WHERE entry_id = ? AND predicate = ?", entry_id, entities.CARD)
    if card is None:
        return set()
    _withdraw_of_older_versions(tx, entry_id)
    if trust < Trust.OWN_FILES:
        return set()
    rows = tx.rows(
        "SELECT DISTINCT subject_id FROM relation WHERE entry_id = ? AND predicate = ? AND subject_id <> ?",
        entry_id,
        entities.CARD_ADDRESS,
        card,
    )
    holders = [row[0] for row in rows]
    changed = {one for holder in holders for one in _link_cards_of(tx, holder, now)}
    return changed | settle_names(tx, (), {card, *holders}, now) if changed else changed


def bearers(reader: Reader, name: Name, *, most: int) -> list[int]:
    """The people, by their canonical ids, who bear a full name, or one that is read like it."""
    found = bearing(reader, name, most=4 * most)
    rows = reader.rows(
        f"SELECT DISTINCT {CANONICAL} FROM entity WHERE entity_id IN ({marks(found)}) ORDER BY 1",  # noqa: S608 - places
        *found,
    )
    return [row[0] for row in rows]


def can_be_one_with(reader: Reader, name: Name, others: Sequence[int] = ()) -> bool:
    """Whether all bearers of a name, and some other people, can be one person; whoever is called so here is one too."""
    found = [group_of(reader, one) for one in bearers(reader, name, most=rules().bearers) if one not in others]
    groups = [*(group_of(reader, one) for one in others), *found]
    if any(is_known(reader, member) for group in groups for member in group.members):
        # strangers under the name take nobody apart (X9.1)
        groups = [one for one in groups if one.canonical in others or not _is_strangers(reader, one)]
    here = Group(0, (), frozenset(), frozenset(), frozenset(), (name,))
    return len(groups) <= rules().bearers and can_be_one([here, *groups])


def _is_strangers(reader: Reader, group: Group) -> bool:
    return bool(group.addresses) and not any(is_known(reader, member) for member in group.members)


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


def _spelled_by(reader: Reader, entity_id: int) -> list[Name]:
    """The names that somebody else bears and this entity's address spells, where nothing came of it yet.

    Where something did, whoever changes that is linked by themselves: another bearer, or another address.
    """
    rows = reader.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'address'", entity_id)
    names = [name for (address,) in rows for name in names_of_local(address)]
    if not names or is_spelled(reader, entity_id):
        return []
    own = {name.key for name in names_of(reader, entity_id)}
    return [name for name in names if name.key not in own and bearing(reader, name, most=1)]


def _link_cards_of(tx: Writer, holder: int, now: datetime) -> set[int]:
    """Tie an address to the cards of one's own that have it, or to none: cards of several people tie nobody."""
    rows = tx.rows(
        "SELECT DISTINCT one.subject_id, one.entry_id FROM relation AS one JOIN relation AS its USING (entry_id)"
        " JOIN entry USING (entry_id) WHERE its.subject_id = ? AND its.predicate = ? AND one.predicate = ?"
        " AND is_current = 1 AND one.trust >= ? ORDER BY one.subject_id LIMIT ?",
        holder,
        entities.CARD_ADDRESS,
        entities.CARD,
        int(Trust.OWN_FILES),
        rules().bearers,
    )
    cards = {card: entry_id for card, entry_id in rows if card != holder}
    theirs = group_among(tx, [holder])
    groups = {card: group_among(tx, [card]) for card in cards}
    is_one = all(share_a_name(one, other) for one in groups.values() for other in groups.values() if one is not other)
    is_tied = is_one and all(map(is_of_a_person, theirs.addresses))
    held = tx.rows(
        "SELECT merge_id, into_id FROM entity_merge WHERE undone_at IS NULL AND actor = ? AND evidence = ?"
        " AND entity_id = ?",
        RULES,
        text_column(SAME_CARD),
        holder,
    )
    wanted = {card for card, mine in groups.items() if is_tied and groups_agree(mine, theirs)}
    gone = [(merge_id, card) for merge_id, card in held if card not in wanted]
    withdraw(tx, [merge_id for merge_id, _ in gone])
    new = {
        card
        for card in sorted(wanted - {card for _, card in held})
        if merge(tx, holder, card, _reason(SAME_CARD, "card", cards[card]), now=now)
    }
    changed = {card for _, card in gone} | new
    return changed | {holder} if changed else changed


def _link_by_phone(tx: Writer, entity_id: int, now: datetime) -> set[int]:
    if not _is_its_number(tx, entity_id):
        return set()
    changed: set[int] = set()
    for (phone,) in tx.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'phone'", entity_id):
        rows = tx.rows(
            "SELECT entity_id FROM alias WHERE kind = 'phone' AND value = ? ORDER BY entity_id LIMIT ?",
            phone,
            4 * rules().bearers,
        )
        others = [row[0] for row in rows if row[0] != entity_id and _is_its_number(tx, row[0])]
        for canonical in dict.fromkeys(canonical_of(tx, one) for one in others[: rules().bearers]):
            mine, other = group_of(tx, canonical_of(tx, entity_id)), group_of(tx, canonical)
            if groups_agree(mine, other) and merge(
                tx, mine.canonical, other.canonical, _reason(SAME_PHONE, "phone"), now=now
            ):
                changed |= {entity_id, other.canonical}
    return changed


def _is_its_number(reader: Reader, entity_id: int) -> bool:
    """Whether anybody but strangers says that it has it; of a card, whether it is one's own (X9.1)."""
    least = Trust.OWN_FILES if _has(reader, entity_id, "card") else Trust.KNOWN_SENDER
    sql = "SELECT 1 FROM relation WHERE subject_id = ? AND trust >= ? LIMIT 1"
    return reader.value(sql, entity_id, int(least)) is not None


def _has(reader: Reader, entity_id: int, kind: str) -> bool:
    sql = "SELECT 1 FROM alias WHERE entity_id = ? AND kind = ? LIMIT 1"
    return reader.value(sql, entity_id, kind) is not None


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
