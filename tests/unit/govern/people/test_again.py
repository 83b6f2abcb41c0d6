"""Names are decided again when who they mean becomes known (G2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.store.merges import members_of, merges_within, undo
from tests.unit.govern.people.worlds import entity, write

if TYPE_CHECKING:
    from datetime import datetime

    from app.store.database import Database

EMMA, OTHER = "emma.johnson@x.example", "emma.weber@x.example"
ASKED: dict[str, Any] = {
    "thread": "t",
    "people": [["", EMMA, "recipient"], ["Bob Smith", "bob@x.example", "author"]],
    "text": "Emma works at Acme.",
    "person": ["Emma"],
    "organisation": ["Acme"],
}
NAMED: dict[str, Any] = {"people": [["Emma Johnson", EMMA, "author"]]}
JOINED: dict[str, Any] = {"thread": "t", "people": [["Emma Weber", OTHER, "author"]]}


def meant(database: Database, text: str) -> tuple[int, set[int]]:
    """Whom a name in the first entry means, and of whom that entry states a job."""
    with database.reader() as reader:
        found = reader.value("SELECT subject_id FROM relation WHERE entry_id = 1 AND object_text = ?", text)
        rows = reader.rows("SELECT subject_id FROM relation WHERE entry_id = 1 AND predicate = 'works_at'")
        return found, {row[0] for row in rows}


def test_a_name_that_stands_in_a_later_entry_is_found_in_an_earlier_one(database: Database) -> None:
    entries = [write(database, number, row) for number, row in enumerate((ASKED, NAMED))]
    with database.reader() as reader:
        emma = entity(reader, entries, f"2:{EMMA}")
        assert reader.value("SELECT count(*) FROM alias WHERE kind = 'bare' AND value = 'emma'") == 0
    assert meant(database, "Emma") == (emma, {emma})


def test_who_joins_a_conversation_makes_a_name_doubtful(database: Database) -> None:
    for number, row in enumerate((ASKED, NAMED, JOINED)):
        write(database, number, row)
    with database.reader() as reader:
        bare = reader.value("SELECT entity_id FROM alias WHERE kind = 'bare' AND value = 'emma'")
    assert bare is not None
    assert meant(database, "Emma") == (bare, {bare})


@pytest.mark.parametrize("text", ["王伟", "小王"])
def test_who_answers_later_was_meant_before(database: Database, text: str) -> None:
    first = {"thread": "t", "people": [["李娜", "ln@x.example", "author"]], "text": f"请{text}确认。", "person": [text]}
    later = {"thread": "t", "people": [["王伟", "ww@x.example", "author"]]}
    entries = [write(database, number, row) for number, row in enumerate((first, later))]
    with database.reader() as reader:
        assert entity(reader, entries, f"1:{text}") == entity(reader, entries, "2:ww@x.example")


def test_a_name_about_which_the_person_decided_is_kept(database: Database, now: datetime) -> None:
    text = {"thread": "t", "people": [["", "ln@x.example", "author"]], "text": "王伟来了。", "person": ["王伟"]}
    entries = [write(database, 0, text), write(database, 1, {"people": [["Wang Wei", "ww@x.example", "author"]]})]
    with database.write() as tx:
        group = members_of(tx, entity(tx, entries, "1:王伟"))
        assert undo(tx, merges_within(tx, group), now=now) == 1
    write(database, 2, {"thread": "t", "people": [["王伟", "ww@x.example", "recipient"]]})
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM alias WHERE kind = 'bare' AND value = '王伟'") == 1
        assert reader.value("SELECT count(*) FROM entity_merge WHERE undone_at IS NOT NULL") == 1
