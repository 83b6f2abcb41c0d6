"""What rested on a removed source goes with it: merges by its names, and whom texts meant by them (G2.4, G8.4)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from app.store.source_rows import add_source
from app.store.writes import remove_source
from tests.unit.govern.people.worlds import START, understand, write
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from app.store.database import Database

EMMA = "emma.johnson@x.example"
NAMES_HER: dict[str, Any] = {"source": "other", "people": [["Emma Johnson", EMMA, "author"]]}
HER_CARD: dict[str, Any] = {"source": "other", "card": {"names": ["Emma Johnson"], "addresses": [EMMA]}}
HIS_NAME: dict[str, Any] = {"source": "other", "people": [["张三", "zs@x.example", "author"]]}
ASKED: dict[str, Any] = {"thread": "t", "people": [["", EMMA, "recipient"]], "text": "Emma comes.", "person": ["Emma"]}
NAMELESS: dict[str, Any] = {"people": [["", EMMA, "author"]]}
TASKED: dict[str, Any] = {"text": "Emma Johnson comes.", "person": ["Emma Johnson"]}
TOLD: dict[str, Any] = {"text": "张三会来。", "person": ["张三"]}
WRITES: dict[str, Any] = {"people": [["", "zs@x.example", "author"]]}


def who_is_who(database: Database) -> tuple[list[Any], list[Any], list[Any]]:
    """Names, merges and what texts mean, without numbers that depend on what came first."""
    with database.reader() as reader:
        sign = "(SELECT group_concat(value) FROM alias WHERE entity_id = {} AND kind IN ('address', 'bare', 'card'))"
        people = reader.rows(f"SELECT {sign.format('entity.entity_id')}, name FROM entity WHERE entity_type = 'person'")  # noqa: S608
        merges = reader.rows(f"SELECT {sign.format('m.entity_id')}, {sign.format('into_id')} FROM entity_merge AS m")  # noqa: S608
        meant = reader.rows(
            f"SELECT entry_id, object_text, {sign.format('subject_id')} FROM relation WHERE predicate = 'mentions'"  # noqa: S608
        )
        return sorted(people), sorted(merges), sorted(meant)


@pytest.mark.parametrize(
    ("rows", "other"),
    [
        ([ASKED], NAMES_HER),
        ([ASKED], HER_CARD),
        ([NAMELESS, ASKED, TASKED], HER_CARD),
        ([WRITES, TOLD], HIS_NAME),
        ([TOLD, WRITES], HIS_NAME),
    ],
)
def test_nothing_of_a_removed_source_is_left_in_who_is_who(
    database: Database, rows: list[dict[str, Any]], other: dict[str, Any]
) -> None:
    with database.write() as tx:
        add_source(tx, source_info("other"))
    entries = [write(database, number, row) for number, row in enumerate(rows)]
    before = who_is_who(database)
    with database.write() as tx:
        tx.run(
            "INSERT INTO understanding SELECT entry_id, value, ?, 0, NULL FROM entry, meta WHERE name = 'entity_rules'",
            "2025-05-10",
        )
    write(database, len(rows), other)
    assert who_is_who(database) != before
    with database.write() as tx:
        remove_source(tx, "other", now=START)
        assert tx.value("SELECT count(*) FROM entity_merge") == 0
    for number, entry_id in enumerate(entries):
        with database.reader() as reader:
            is_waiting = reader.value("SELECT 1 FROM understanding WHERE entry_id = ?", entry_id) is None
        if is_waiting:
            understand(database, entry_id, rows[number], START + timedelta(hours=number))
    assert who_is_who(database) == before
