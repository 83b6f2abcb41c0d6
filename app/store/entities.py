"""People, organisations, projects and places as rows: who an entry names, and by which names (G2.4).

An entity is what one sign stands for: an address, a contact card, or a bare name. That several of them are one person
is said by merges (`app.store.merges`), which can be taken back; here nothing is ever put together by a likeness.

    alias kind    of                      value
    address       a person with one       the address; also a messenger's account
    bare          whoever has no address  the name's key: its own sign
    card          a contact card          source and native id
    name          anybody                 the key of a name as it is written somewhere; origin: `STRANGERS`
    phone         a card, a caller        `name_keys.phone_key`
    card_address  a contact card          an address that it tells of
    domain        an organisation         where its people have their addresses
    key, reading, turned                  what `app.govern.people` makes of a name; origin: that name

A relation of an entity to an entry keeps, in `object_text`, how it is named there: so what only a deleted entry said
can be found and goes with it (`forget_unsaid`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.labels import Trust
from app.store.merges import RULES, canonical_of, members_of, settle, withdraw
from app.store.name_keys import address_key, name_key, phone_key, preference
from app.store.rows import marks, stamp, storable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from app.domain.entries import AdmittedEntry, ContactFacts, PersonRef
    from app.store.connection import Writer

PERSON, ORGANISATION, PROJECT, PLACE = "person", "organisation", "project", "place"
MENTIONS, WORKS_AT, ROLE_OF, OWNER_OF, MEMBER_OF = "mentions", "works_at", "role_of", "owner_of", "member_of"
CARD, CARD_NAME, CARD_ADDRESS, CARD_PHONE = "card", "card_name", "card_address", "card_phone"
CARD_ORGANISATION, CARD_ROLE = "card_organisation", "card_role"
LIVES_IN, PHONE_IS, EMAIL_IS = "lives_in", "phone_is", "email_is"
"""Facts that somebody says of themselves (`fact_rows`)."""
NO_ROLES = (
    MENTIONS, WORKS_AT, ROLE_OF, OWNER_OF, MEMBER_OF, CARD, CARD_NAME, CARD_ADDRESS, CARD_PHONE, CARD_ORGANISATION,
    CARD_ROLE, LIVES_IN, PHONE_IS, EMAIL_IS,
)  # fmt: skip
"""Predicates that do not say in which role a person takes part in an entry."""
UNDERSTOOD = (MENTIONS, WORKS_AT, ROLE_OF, OWNER_OF, MEMBER_OF)
"""Predicates that understanding writes; the others come with the entry itself."""
IS_A_ROLE = f"object_id IS NULL AND predicate NOT IN ({', '.join(map(repr, NO_ROLES))})"
"""A condition on `relation`."""
DERIVED = ("key", "reading", "turned", "read")
STRANGERS = "strangers"
"""Origin of a name that nobody but strangers give to whoever has it."""
_MOST_OF_A_CARD = 50


def write_people(tx: Writer, entry_id: int, admitted: AdmittedEntry) -> None:
    """Store the people of a new entry, and the person of a contact card."""
    for person in admitted.entry.people:
        _write_person(tx, entry_id, person, admitted)
    if admitted.entry.contact is not None:
        _write_card(tx, entry_id, admitted.entry.contact, admitted)


def entity_of(tx: Writer, kind: str, value: str, entity_type: str = PERSON) -> int | None:
    """The entity of a type that has an alias; the oldest of several."""
    found: int | None = tx.value(
        "SELECT min(entity_id) FROM alias JOIN entity USING (entity_id)"
        " WHERE kind = ? AND value = ? AND entity_type = ?",
        kind,
        value,
        entity_type,
    )
    return found


def add_alias(tx: Writer, entity_id: int, kind: str, value: str, origin: str | None = None) -> None:
    """Give an entity an alias, unless it has it."""
    tx.run("INSERT OR IGNORE INTO alias VALUES (?, ?, ?, ?)", kind, value, entity_id, origin)


def new_entity(tx: Writer, entity_type: str, name: str, admitted: AdmittedEntry | tuple[float, int, str]) -> int:
    """Make an entity. `admitted`: whose confidence, sensitivity and rule version it takes, or these three."""
    if isinstance(admitted, tuple):
        confidence, sensitivity, version = admitted
    else:
        confidence, sensitivity, version = admitted.confidence, int(admitted.sensitivity), admitted.rule_version
    return tx.insert(
        "INSERT INTO entity (entity_type, name, confidence, sensitivity, rule_version) VALUES (?, ?, ?, ?, ?)",
        entity_type,
        name,
        confidence,
        sensitivity,
        version,
    )


def bare_entity(
    tx: Writer, entity_type: str, key: str, name: str, admitted: AdmittedEntry | tuple[float, int, str]
) -> int:
    """The entity of a bare name, made if there is none."""
    found = entity_of(tx, "bare", key, entity_type)
    if found is None:
        found = new_entity(tx, entity_type, name, admitted)
        add_alias(tx, found, "bare", key)
        add_alias(tx, found, "name", key)
    else:
        _show(tx, found, name)
    return found


def forget_unsaid(tx: Writer, entity_ids: Iterable[int], *, doubtful: Collection[int]) -> None:
    """Take from entities the names and numbers that no entry gives them any more, and what rests on these.

    A name in a text gives nobody a name: that they are meant by it was found out from what may be gone.

    Args:
        doubtful: those who lost somebody with whom they were one, and whatever was known by them.
    """
    for entity_id in entity_ids:
        no_names = (CARD_ORGANISATION, CARD_ROLE, *UNDERSTOOD)
        rows = tx.rows(
            "SELECT DISTINCT object_text FROM relation WHERE subject_id = ? AND object_text IS NOT NULL"  # noqa: S608
            f" AND predicate NOT IN ({marks(no_names)})",
            entity_id,
            *no_names,
        )
        said = [row[0] for row in rows]
        names, phones = {name_key(text) for text in said}, {phone_key(text) for text in said}
        aliases = tx.rows("SELECT kind, value, origin FROM alias WHERE entity_id = ?", entity_id)
        # a bare name is what the entity is
        names |= {value for kind, value, _ in aliases if kind == "bare"}
        is_less = entity_id in doubtful
        for kind, value, origin in aliases:
            is_unsaid = {"name": value not in names, "phone": value not in phones, "card_address": value not in said}
            is_unsaid |= dict.fromkeys(DERIVED, origin not in names)
            if is_unsaid.get(kind):
                is_less = True
                tx.run("DELETE FROM alias WHERE kind = ? AND value = ? AND entity_id = ?", kind, value, entity_id)
        if is_less:
            _find_anew(tx, entity_id)
        _call_as_still_called(tx, entity_id, said, names)


def _find_anew(tx: Writer, entity_id: int) -> None:
    """Who somebody is, and which texts mean them, may have rested on what was taken from them."""
    rows = tx.rows(
        "SELECT merge_id FROM entity_merge WHERE (entity_id = ?1 OR into_id = ?1) AND undone_at IS NULL"
        " AND entry_id IS NULL AND actor = ?2",
        entity_id,
        RULES,
    )
    withdraw(tx, [row[0] for row in rows])
    tx.run("DELETE FROM alias WHERE entity_id = ? AND kind = 'read'", entity_id)
    tx.run(
        "DELETE FROM understanding WHERE entry_id IN (SELECT entry_id FROM relation WHERE subject_id = ?1 AND"
        " predicate = ?2 UNION SELECT entry_id FROM record WHERE owner_id = ?1)",
        entity_id,
        MENTIONS,
    )


def _call_as_still_called(tx: Writer, entity_id: int, said: list[str], names: set[str]) -> None:
    """Call an entity by what it is still called."""
    called = tx.value("SELECT name FROM entity WHERE entity_id = ?", entity_id)
    address = tx.value("SELECT value FROM alias WHERE entity_id = ? AND kind = 'address'", entity_id)
    if address is not None and called != address and name_key(called) not in names:
        tx.run(
            "UPDATE entity SET name = ? WHERE entity_id = ?", min(said, key=preference) if said else address, entity_id
        )


def _write_person(tx: Writer, entry_id: int, person: PersonRef, admitted: AdmittedEntry) -> None:
    address, name = address_key(storable(person.address)), " ".join(storable(person.name).split())
    key, phone = name_key(name), phone_key(name)
    if not address and not key:
        return
    entity_id = _person_at(tx, address, name, admitted) if address else None
    if entity_id is None:
        entity_id = bare_entity(tx, PERSON, key, name, admitted)
    if key:
        _call(tx, entity_id, name, key, admitted.trust)
    if phone:
        add_alias(tx, entity_id, "phone", phone)
    relate(tx, (entity_id, person.role), entry_id, admitted, name or None)


def _person_at(tx: Writer, address: str, name: str, admitted: AdmittedEntry) -> int:
    found = entity_of(tx, "address", address)
    if found is None:
        found = new_entity(tx, PERSON, name or address, admitted)
        add_alias(tx, found, "address", address)
    return found


def _call(tx: Writer, entity_id: int, name: str, key: str, trust: Trust) -> None:
    """Give somebody a name. What strangers call them counts only as long as nobody else names them (X9.1)."""
    sql = "SELECT 1 FROM alias WHERE entity_id = ? AND kind = 'name' AND origin IS NOT ? LIMIT 1"
    is_named = tx.value(sql, entity_id, STRANGERS) is not None
    if trust <= Trust.STRANGER:
        if not is_named:
            add_alias(tx, entity_id, "name", key, STRANGERS)
            _show(tx, entity_id, name)
        return
    if is_named:
        _show(tx, entity_id, name)
    else:
        tx.run("DELETE FROM alias WHERE entity_id = ? AND kind = 'name'", entity_id)
        _rename(tx, entity_id, name)
    add_alias(tx, entity_id, "name", key)


def _show(tx: Writer, entity_id: int, name: str) -> None:
    """Call somebody or something by the best of its names, which is no other one when they come in another order."""
    known = str(tx.value("SELECT name FROM entity WHERE entity_id = ?", entity_id) or "")
    if preference(name) < preference(known):
        _rename(tx, entity_id, name)


def _rename(tx: Writer, entity_id: int, name: str) -> None:
    """Who stands for a group is told by their names too."""
    tx.run("UPDATE entity SET name = ? WHERE entity_id = ?", name, entity_id)
    group = members_of(tx, canonical_of(tx, entity_id))
    if len(group) > 1:
        settle(tx, group)


def _write_card(tx: Writer, entry_id: int, contact: ContactFacts, admitted: AdmittedEntry) -> None:
    names = [text for name in contact.names[:_MOST_OF_A_CARD] if (text := " ".join(storable(name).split()))]
    addresses = [
        key
        for text in (*contact.addresses, *contact.accounts)[:_MOST_OF_A_CARD]
        if (key := address_key(storable(text)))
    ]
    if not names and not addresses:
        return
    sign = f"{admitted.entry.source_id}\n{admitted.entry.native_id}"
    card = entity_of(tx, "card", sign)
    if card is None:
        card = new_entity(tx, PERSON, names[0] if names else addresses[0], admitted)
        add_alias(tx, card, "card", sign)
    relate(tx, (card, CARD), entry_id, admitted, names[0] if names else None)
    for name in names:
        if key := name_key(name):
            add_alias(tx, card, "name", key)
            relate(tx, (card, CARD_NAME), entry_id, admitted, name)
    for address in addresses:
        holder = _person_at(tx, address, "", admitted)
        add_alias(tx, card, "card_address", address)
        relate(tx, (card, CARD_ADDRESS), entry_id, admitted, address)
        relate(tx, (holder, CARD_ADDRESS), entry_id, admitted, None)
    for phone in contact.phones[:_MOST_OF_A_CARD]:
        if key := phone_key(phone):
            add_alias(tx, card, "phone", key)
            relate(tx, (card, CARD_PHONE), entry_id, admitted, storable(phone))
    for predicate, text in ((CARD_ORGANISATION, contact.organisation), (CARD_ROLE, contact.role)):
        if text.strip():
            relate(tx, (card, predicate), entry_id, admitted, storable(" ".join(text.split())))


def relate(tx: Writer, who: tuple[int, str], entry_id: int, admitted: AdmittedEntry, text: str | None) -> None:
    """Store that an entity has a part in an entry: (entity, predicate), and how it is named there."""
    tx.insert(
        "INSERT INTO relation (subject_id, predicate, object_text, entry_id, valid_from, valid_to, confidence,"
        " rule_version, trust) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *who,
        text,
        entry_id,
        stamp(admitted.entry.valid_from),
        stamp(admitted.entry.valid_to),
        admitted.confidence,
        admitted.rule_version,
        int(admitted.trust),
    )
