"""What follows from names alone, whatever came first (G2.4, X9.1, X9.3)."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest

from app.govern.people.names import parse
from app.govern.people.settling import settle_names
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
