from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from app.domain.entries import ContactFacts, PersonRef
from app.domain.labels import Trust
from app.domain.text import msg
from app.store import merges
from app.store.connection import Writer
from app.store.database import Database
from app.store.entities import add_alias, new_entity
from app.store.merges import OWNER, RULES, Reason, canonical_of, members_of, merge, split_off, undo, withdraw
from app.store.reading import people_of
from app.store.rescue import rescue
from app.store.source_rows import add_source
from app.store.writes import note_rules, remove_source, upsert_entry
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry, source_info

VERSION = "entities-1"


def reason(actor: str = RULES, entry_id: int | None = None) -> Reason:
    return Reason(msg("A contact card has both"), 0.9, actor, VERSION, entry_id)


@pytest.fixture
def tx(database: Database, now: datetime) -> Writer:
    with database.write() as writer:
        note_rules(writer, VERSION, now=now)
        yield writer


def made(tx: Writer, *names: str) -> list[int]:
    return [new_entity(tx, "person", name, (0.9, 1, VERSION)) for name in names]


def test_what_is_merged_has_one_canonical_entity(tx: Writer, now: datetime) -> None:
    one, two, three = made(tx, "a@example.com", "Zhang San", "张三")
    assert merge(tx, one, two, reason(), now=now)
    assert merge(tx, three, one, reason(), now=now)
    assert {canonical_of(tx, entity) for entity in (one, two, three)} == {two}
    assert sorted(members_of(tx, two)) == [one, two, three]
    assert not merge(tx, two, three, reason(), now=now)


def test_a_card_stands_for_its_person(tx: Writer, now: datetime) -> None:
    one, two = made(tx, "Zhang San", "San")
    add_alias(tx, two, "card", "notes\ncard")
    merge(tx, one, two, reason(), now=now)
    assert canonical_of(tx, one) == two


def test_what_was_undone_is_not_done_again_on_any_way(tx: Writer, now: datetime) -> None:
    one, two, three = made(tx, "one", "two", "three")
    merge(tx, one, two, reason(), now=now)
    (merge_id,) = merges.merges_within(tx, [one, two])
    assert undo(tx, [merge_id], now=now) == 1
    assert undo(tx, [merge_id], now=now) == 0
    assert canonical_of(tx, one) != canonical_of(tx, two)
    assert not merge(tx, two, one, reason(), now=now)
    assert merge(tx, one, three, reason(), now=now)
    assert not merge(tx, three, two, reason(), now=now), "by way of a third one"


def test_a_person_may_change_their_mind(tx: Writer, now: datetime) -> None:
    one, two = made(tx, "one", "two")
    merge(tx, one, two, reason(), now=now)
    undo(tx, merges.merges_within(tx, [one, two]), now=now)
    assert merge(tx, one, two, reason(OWNER), now=now)
    assert canonical_of(tx, one) == canonical_of(tx, two)


def test_what_is_withdrawn_may_be_done_again(tx: Writer, now: datetime) -> None:
    one, two = made(tx, "one", "two")
    merge(tx, one, two, reason(), now=now)
    withdraw(tx, merges.merges_within(tx, [one, two]))
    assert canonical_of(tx, one) == one
    assert canonical_of(tx, two) == two
    assert merge(tx, one, two, reason(), now=now)


def test_a_split_leaves_the_others_together(tx: Writer, now: datetime) -> None:
    one, two, three = made(tx, "one", "two", "three")
    merge(tx, one, two, reason(), now=now)
    merge(tx, two, three, reason(), now=now)
    assert split_off(tx, two, now=now)
    assert canonical_of(tx, one) == canonical_of(tx, three) != canonical_of(tx, two)
    assert not merge(tx, two, three, reason(), now=now)
    assert not split_off(tx, two, now=now)


def test_a_removed_source_takes_its_card_and_what_it_tied_together(database: Database, now: datetime) -> None:
    """What only the removed source said goes: its merge, its names, its number (G8.4)."""
    card = ContactFacts(("Anna Weber", "Anni"), ("a@example.com", "b@example.com"), ("030 1234567",))
    with database.write() as tx:
        note_rules(tx, VERSION, now=now)
        add_source(tx, source_info("cards"))
        for number, address in enumerate(("a@example.com", "b@example.com")):
            entry = make_entry(str(number), address, people=(PersonRef("", address, "author"),))
            upsert_entry(tx, admit(entry), [make_chunk("x")], now=now)
        own = upsert_entry(tx, admit(make_entry("card", source_id="cards", contact=card)), [], now=now).entry_id
        holder = tx.value("SELECT subject_id FROM relation WHERE predicate = 'card'")
        for (entity,) in tx.rows("SELECT entity_id FROM alias WHERE kind = 'address'"):
            merge(tx, entity, holder, reason(entry_id=own), now=now)
        assert people_of(tx, 1) == [("Anna Weber", "author")]
        remove_source(tx, "cards", now=now)
        assert tx.value("SELECT count(*) FROM entity_merge") == 0
        assert tx.rows("SELECT kind, value FROM alias ORDER BY value") == [
            ("address", "a@example.com"),
            ("address", "b@example.com"),
        ]
        assert tx.rows("SELECT name, canonical_id FROM entity ORDER BY name") == [
            ("a@example.com", None),
            ("b@example.com", None),
        ]


def test_a_name_that_only_a_removed_source_gave_goes(database: Database, now: datetime) -> None:
    with database.write() as tx:
        add_source(tx, source_info("mails"))
        for source, name in (("mails", "Secret Name"), ("notes", "Zhang San")):
            people = (PersonRef(name, "zs@example.com", "author"),)
            upsert_entry(tx, admit(make_entry(source, source_id=source, people=people)), [], now=now)
        remove_source(tx, "mails", now=now)
        assert tx.rows("SELECT value FROM alias WHERE kind = 'name'") == [("zhang san",)]
        assert tx.value("SELECT name FROM entity") == "Zhang San"


def test_a_stranger_gives_nobody_another_name(database: Database, now: datetime) -> None:
    with database.write() as tx:
        for number, (name, trust) in enumerate((("Zhang San", Trust.KNOWN_SENDER), ("The Boss", Trust.STRANGER))):
            entry = make_entry(str(number), people=(PersonRef(name, "zs@example.com", "recipient"),))
            upsert_entry(tx, admit(entry, trust=trust), [], now=now)
        assert tx.rows("SELECT value FROM alias WHERE kind = 'name'") == [("zhang san",)]


def test_others_see_a_person_as_this_entry_names_them(database: Database, now: datetime) -> None:
    """A name from another entry would tell a client of what it may not see (G4.3)."""
    with database.write() as tx:
        for number, name in enumerate(("Zhang San", "老张", "")):
            entry = make_entry(str(number), people=(PersonRef(name, "zs@example.com", "attendee"),))
            upsert_entry(tx, admit(entry), [], now=now)
        names = [people_of(tx, entry_id, is_owner=False)[0][0] for entry_id in (1, 2, 3)]
    assert names == ["Zhang San", "老张", "zs@example.com"]


def test_what_a_person_decided_survives_a_rescue(path: Path, now: datetime) -> None:
    made_here = Database.create(path, KEY, now=now)
    with made_here.write() as tx:
        note_rules(tx, VERSION, now=now)
        one, two, three = made(tx, "one", "two", "three")
        merge(tx, one, two, reason(OWNER), now=now)
        merge(tx, two, three, reason(), now=now)
        undo(tx, merges.merges_within(tx, [two]), now=now)
    made_here.close()
    rescue(path, KEY, now=now)
    rescued = Database.open(path, KEY, now=now)
    with rescued.write() as tx:
        assert canonical_of(tx, one) == canonical_of(tx, two) != canonical_of(tx, three)
        assert not merge(tx, three, one, reason(), now=now)
    rescued.close()
