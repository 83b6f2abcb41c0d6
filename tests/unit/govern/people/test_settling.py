"""What follows from names alone, whatever came first (G2.4, X9.1, X9.3)."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from app.govern.people.names import parse
from app.govern.people.settling import settle_names
from app.store.merges import members_of
from app.store.people import people
from tests.unit.govern.people.worlds import entity, write

if TYPE_CHECKING:
    from datetime import datetime

    from app.store.database import Database

TALK: dict[str, Any] = {
    "thread": "t",
    "people": [["", "zhangsan@x.example", "author"]],
    "text": "张三会来。",
    "person": ["张三"],
}
OTHER: dict[str, Any] = {"people": [["Zhang San", "zs@y.example", "author"]]}


def test_nothing_is_written_where_all_is_as_it_was(database: Database, now: datetime) -> None:
    for number, row in enumerate((TALK, {"text": "张三来了。", "person": ["张三"]})):
        write(database, number, row)
    with database.write() as tx:
        before = tx.rows("SELECT * FROM entity_merge")
        assert len(before) == 1
        assert settle_names(tx, [parse("张三")], (), now) == set()
        assert tx.rows("SELECT * FROM entity_merge") == before


@pytest.mark.parametrize("order", list(permutations((0, 1))))
def test_a_second_bearer_ends_what_one_conversation_had_tied(database: Database, order: tuple[int, ...]) -> None:
    entries = {number: write(database, number, (TALK, OTHER)[number]) for number in order}
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entity_merge") == 0
        of_talk = entity(reader, [entries[0]], "1:张三")
        assert of_talk == entity(reader, [entries[0]], "1:zhangsan@x.example"), "within this entry he is meant"


@pytest.mark.parametrize("order", list(permutations((0, 1, 2))))
def test_what_strangers_call_somebody_counts_only_while_nobody_else_does(
    database: Database, order: tuple[int, ...]
) -> None:
    rows: list[dict[str, Any]] = [
        {"people": [["Li Si", "zs@example.com", "recipient"]], "trust": "STRANGER"},
        {"people": [["Winner of the lottery of the year", "zs@example.com", "recipient"]], "trust": "STRANGER"},
        {"people": [["Zhang San", "zs@example.com", "author"]]},
    ]
    for number in order:
        write(database, number, rows[number])
    with database.reader() as reader:
        (one,) = people(reader, 10)
        assert one.name == "Zhang San"
        names = {row[0] for row in reader.rows("SELECT value FROM alias WHERE kind IN ('name', 'key')")}
        assert names == {"zhang san"}


@pytest.mark.parametrize("order", list(permutations((0, 1, 2))))
def test_an_address_on_cards_of_two_people_belongs_to_neither(database: Database, order: tuple[int, ...]) -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "card": {"names": ["Jonas Vogel"], "addresses": ["vogels@example.com"]}},
        {"id": "b", "card": {"names": ["Mia Winter"], "addresses": ["vogels@example.com"]}},
        {"people": [["", "vogels@example.com", "author"]]},
    ]
    for number in order:
        write(database, number, rows[number])
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entity_merge") == 0


KNOWN: dict[str, Any] = {"people": [["Emma Johnson", "emma@x.example", "author"]], "trust": "KNOWN_SENDER"}
NOTED: dict[str, Any] = {"text": "Emma Johnson comes.", "person": ["Emma Johnson"]}
CLAIMS: dict[str, Any] = {"people": [["Emma Johnson", "emma.johnson@evil.example", "author"]], "trust": "STRANGER"}
SPELLS: dict[str, Any] = {"people": [["", "emma.johnson@evil.example", "author"]], "trust": "STRANGER"}
TALKS: dict[str, Any] = {**SPELLS, **NOTED, "thread": "t"}
CARD: dict[str, Any] = {"card": {"names": ["Emma Johnson"], "addresses": ["emma@evil.example"]}, "trust": "STRANGER"}


@pytest.mark.parametrize("others", [[CLAIMS], [SPELLS], [TALKS], [CARD], [CLAIMS, TALKS]])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_stranger_is_nobody_whom_the_own_entries_name_and_takes_nobody_apart(
    database: Database, others: list[dict[str, Any]], is_known: bool
) -> None:
    own = [NOTED, KNOWN] if is_known else [NOTED]
    for order in permutations(range(len(own) + len(others))):
        _forget_all(database)
        rows = [*own, *others]
        entries = {number: write(database, number, rows[number]) for number in order}
        with database.reader() as reader:
            noted = entity(reader, [entries[0]], "1:Emma Johnson")
            group = members_of(reader, noted)
            addresses = {
                row[0]
                for one in group
                for row in reader.rows("SELECT value FROM alias WHERE entity_id = ? AND kind = 'address'", one)
            }
            assert addresses == ({"emma@x.example"} if is_known else set()), order


def test_who_becomes_known_is_found_then(database: Database) -> None:
    answered: dict[str, Any] = {"people": [["", "emma.johnson@evil.example", "recipient"]]}
    entries = [write(database, number, row) for number, row in enumerate((NOTED, CLAIMS, answered))]
    with database.reader() as reader:
        assert entity(reader, entries, "1:Emma Johnson") == entity(reader, entries, "3:emma.johnson@evil.example")


def test_of_more_people_than_can_be_looked_at_nothing_follows(
    database: Database, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three who have a name two are looked at, who would be the only ones."""
    other: dict[str, Any] = {"people": [["Emma Johnson", "emma@y.example", "author"]]}
    entries = [write(database, number, row) for number, row in enumerate((NOTED, KNOWN, other))]
    with database.write() as tx:
        assert tx.value("SELECT count(*) FROM entity_merge") == 0
        seen = [entity(tx, entries, "1:Emma Johnson"), entity(tx, entries, "2:emma@x.example")]
        monkeypatch.setattr("app.govern.people.settling._MOST_AROUND", 2)
        assert settle_names(tx, (), seen, now) == set()


def _forget_all(database: Database) -> None:
    with database.write() as tx:
        for table in ("relation", "record", "entry", "entity_merge", "alias", "entity"):
            tx.run(f"DELETE FROM {table}")  # noqa: S608 - our own names
