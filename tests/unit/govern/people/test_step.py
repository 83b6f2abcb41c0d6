from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from app.domain.labels import EntryKind, Sensitivity, Trust
from app.domain.readings import SpanLabel, TextSpan
from app.domain.records import RecordKind
from app.govern.extraction import Extraction, Record
from app.govern.people import rules
from app.govern.people.groups import group_of
from app.govern.people.step import PeopleStep
from app.govern.understanding.contract import StoredEntry, Understood
from app.store import people
from app.store.database import Database
from app.store.merges import canonical_of, members_of, merges_within, undo
from app.store.reading import people_of
from app.store.records import NewRecord, put_record, records_of
from app.store.source_rows import add_source
from app.store.writes import remove_source
from tests.unit.govern.people.worlds import START, entity, understand, write
from tests.unit.store.makers import source_info

MAIL: dict[str, Any] = {"people": [["Zhang San", "zs@example.com", "author"]]}
TEXT: dict[str, Any] = {"text": "张三周三前完成测试报告。", "person": ["张三"]}


def both(database: Database) -> list[int]:
    return [write(database, number, row) for number, row in enumerate((MAIL, TEXT))]


def test_an_undone_merge_stays_undone_when_everything_is_understood_again(database: Database, now: datetime) -> None:
    entries = both(database)
    with database.write() as tx:
        group = members_of(tx, entity(tx, entries, "1:zs@example.com"))
        undo(tx, merges_within(tx, group), now=now)
    for entry_id, row in zip(entries, (MAIL, TEXT), strict=True):
        understand(database, entry_id, row, START)
    write(database, 5, TEXT | {"text": "张三来了。"})
    with database.reader() as reader:
        assert entity(reader, entries, "1:zs@example.com") != entity(reader, entries, "2:张三")


def test_understanding_again_changes_nothing(database: Database) -> None:
    entries = both(database)
    tables = ("entity", "alias", "relation", "entity_merge")
    with database.reader() as reader:
        before = {table: len(reader.rows(f"SELECT * FROM {table}")) for table in tables}  # noqa: S608
    for entry_id, row in zip(entries, (MAIL, TEXT), strict=True):
        understand(database, entry_id, row, START)
    with database.reader() as reader:
        assert {table: len(reader.rows(f"SELECT * FROM {table}")) for table in tables} == before  # noqa: S608
        assert entity(reader, entries, "1:zs@example.com") == entity(reader, entries, "2:张三")


def test_new_rules_begin_anew_and_come_to_the_same(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = both(database)
    newer = replace(rules.rules(), version="entities-next")
    for module in ("step", "linking", "mentions", "jobs", "participants", "settling"):
        monkeypatch.setattr(f"app.govern.people.{module}.rules", lambda: newer)
    assert PeopleStep().version == "entities-next"
    understand(database, entries[0], MAIL, START)
    with database.reader() as reader:
        assert entity(reader, entries, "1:zs@example.com") != entity(reader, entries, "2:张三"), "not yet understood"
    understand(database, entries[1], TEXT, START)
    with database.reader() as reader:
        assert entity(reader, entries, "1:zs@example.com") == entity(reader, entries, "2:张三")
        assert reader.value("SELECT max(rule_version) FROM entity_merge") == "entities-next"


def test_a_second_bearer_takes_apart_what_the_name_alone_had_tied(database: Database) -> None:
    entries = both(database)
    entries.append(write(database, 2, {"people": [["张三", "zhang3@other.example", "author"]]}))
    with database.reader() as reader:
        ids = {entity(reader, entries, handle) for handle in ("1:zs@example.com", "2:张三", "3:zhang3@other.example")}
        assert len(ids) == 3
        pairs = {(pair.one.name, pair.other.name) for pair in people.suggestions(reader, 10)}
        assert ("Zhang San", "张三") in pairs


def test_a_changed_card_ties_what_it_holds_now(database: Database) -> None:
    for number, address in enumerate(("a@example.com", "b@example.com")):
        write(database, number, {"people": [["", address, "author"]]})
    card = {"names": ["Anna Weber"], "addresses": ["a@example.com", "b@example.com"]}
    write(database, 2, {"id": "card", "card": card})
    with database.reader() as reader:
        assert entity(reader, [1, 2], "1:a@example.com") == entity(reader, [1, 2], "2:b@example.com")
    write(database, 3, {"id": "card", "card": card | {"addresses": ["a@example.com"]}})
    with database.reader() as reader:
        assert entity(reader, [1, 2], "1:a@example.com") != entity(reader, [1, 2], "2:b@example.com")
        assert people_of(reader, 1) == [("Anna Weber", "author")]


def test_the_agenda_names_people_as_they_are_known(database: Database) -> None:
    write(database, 0, {"people": [["", "zs@example.com", "attendee"]]})
    write(database, 1, {"card": {"names": ["张三"], "addresses": ["zs@example.com"]}})
    with database.reader() as reader:
        assert people_of(reader, 1) == [("张三", "attendee")]
        assert people_of(reader, 1, is_owner=False) == [("zs@example.com", "attendee")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Anna Weber works at Acme.", [("works_at", "Acme")]),
        ("Anna Weber now works for Acme, as you know.", [("works_at", "Acme")]),
        ("Anna Weber joined Acme in May.", [("works_at", "Acme")]),
        ("Anna Weber在Acme工作。", [("works_at", "Acme")]),
        ("Anna Weber就职于Acme。", [("works_at", "Acme")]),
        ("Anna Weber在Acme开会。", []),
        ("Does Anna Weber work? Anna Weber called Acme.", []),
        ("If Anna Weber joined Acme, we would know.", []),
        ("Anna Weber works at Acme?", []),
        ("I hope Anna Weber joined Acme.", []),
        ("Anna Weber administers Acme's git.", []),
        ("Anna Weber从Acme离职了。", []),
    ],
)
def test_jobs_are_read_from_the_plain_statement_alone(
    database: Database, text: str, found: list[tuple[str, str]]
) -> None:
    write(database, 0, {"text": text, "person": ["Anna Weber"], "organisation": ["Acme"]})
    with database.reader() as reader:
        rows = reader.rows(
            "SELECT predicate, name FROM relation JOIN entity ON entity_id = object_id WHERE object_id IS NOT NULL"
        )
        assert rows == found


@pytest.mark.parametrize("text", ["Anna Weber, CTO, will come.", "Anna Weber (CTO) agreed.", "Anna Weber is the CTO"])
def test_a_role_stands_right_behind_the_name(database: Database, text: str) -> None:
    write(database, 0, {"text": text, "person": ["Anna Weber"], "role": ["CTO"]})
    with database.reader() as reader:
        assert people.card(reader, entity(reader, [1], "1:Anna Weber")).jobs[0].role == "CTO"


def test_a_card_says_where_somebody_works(database: Database) -> None:
    card = {"names": ["李娜"], "addresses": ["ln@bluesky.example"], "organisation": "蓝天科技有限公司", "role": "会计"}
    write(database, 0, {"card": card})
    with database.reader() as reader:
        jobs = people.card(reader, entity(reader, [1], "1:李娜")).jobs
        assert {(job.organisation, job.role) for job in jobs} == {("蓝天科技有限公司", ""), ("", "会计")}


def test_a_strangers_number_is_no_evidence(database: Database) -> None:
    write(database, 0, {"card": {"names": ["刘洋"], "phones": ["13800138000"]}})
    stranger = {
        "card": {"names": ["刘洋"], "phones": ["13800138000"], "addresses": ["x@evil.example"]},
        "trust": "STRANGER",
    }
    write(database, 1, {"id": "theirs"} | stranger)
    with database.reader() as reader:
        assert canonical_of(reader, entity(reader, [1, 2], "1:刘洋")) != entity(reader, [1, 2], "2:x@evil.example")


def test_hostile_names_are_names_of_nobody(database: Database) -> None:
    names = [
        "A" * 5000,
        "\u202e\u202d",
        "张" * 300,
        "'; DROP TABLE entity; --",
        "Robert'); --",
        "\x00\ud800",
        "%",
        "0" * 40,
    ]
    write(database, 0, {"people": [[name, "", "author"] for name in names], "trust": "STRANGER"})
    write(database, 1, {"people": [[name, f"{n}@x.example", "author"] for n, name in enumerate(names)]})
    write(database, 2, {"card": {"names": names, "phones": names, "addresses": names, "organisation": names[0]}})
    with database.reader() as reader:
        assert len(people.people(reader, 100)) > 3
        people.suggestions(reader, 100)


def test_a_name_that_everybody_bears_costs_no_more(database: Database) -> None:
    for number in range(40):
        write(database, number, {"people": [["王伟", f"ww{number}@x{number}.example", "author"]]})
    write(database, 50, {"text": "王伟来了。", "person": ["王伟"]})
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entity_merge") == 0
        assert group_of(reader, entity(reader, list(range(1, 52)), "41:王伟")).addresses == frozenset()


def test_a_record_knows_whose_it_is_and_of_which_project(database: Database, now: datetime) -> None:
    write(database, 0, MAIL)
    entry_id = write(database, 1, {"text": "张三负责项目A的报告。"})
    text = "张三负责项目A的报告。"
    owner, project = TextSpan(0, 2, "person", 0.9), TextSpan(4, 7, "project", 0.9)
    task = Record(SpanLabel.TASK, TextSpan(0, len(text), "task"), owner=owner, project=project)
    with database.write() as tx:
        rights = (0.9, Trust.OWN_FILES, Sensitivity.INTERNAL, "2025.1")
        record_id = put_record(tx, NewRecord(entry_id, 0, RecordKind.TASK, "报告", text, *rights, owner="张三"))
        stored = StoredEntry(
            entry_id, "notes", "x", EntryKind.NOTE, "", text, (), now, None, None, None, (), None, {}, "personal",
            "owner", Sensitivity.INTERNAL, Trust.OWN_FILES, 1,
        )  # fmt: skip
        understood = Understood(stored, Extraction((owner, project), (), (task,)), (record_id,))
        step = PeopleStep()
        step.apply(tx, understood, step.look(tx, understood), now)
        (record,) = records_of(tx, entry_id)
        assert canonical_of(tx, record.owner_id) == entity(tx, [1], "1:zs@example.com")
        assert tx.value("SELECT name FROM entity WHERE entity_id = ?", record.project_id) == "项目A"
        card = people.card(tx, canonical_of(tx, record.owner_id))
        assert [found.title for found in card.tasks] == ["报告"]
        predicates = {
            row[0] for row in tx.rows("SELECT predicate FROM relation WHERE object_id = ?", record.project_id)
        }
        assert predicates == {"member_of", "owner_of"}


def test_a_removed_source_leaves_nobody(database: Database, now: datetime) -> None:
    """Names, readings, merges and jobs go with the last entry that tells of them (G8.4)."""
    both(database)
    card = {"names": ["李娜", "Nana"], "addresses": ["ln@bluesky.example"], "phones": ["13800138000"]}
    write(database, 2, {"card": card | {"organisation": "蓝天科技有限公司", "role": "会计"}})
    write(database, 3, {"text": "李娜在蓝天科技工作。", "person": ["李娜"], "organisation": ["蓝天科技"]})
    with database.write() as tx:
        remove_source(tx, "notes", now=now)
        for table in ("entity", "alias", "relation", "entity_merge"):
            assert tx.value(f"SELECT count(*) FROM {table}") == 0, table  # noqa: S608 - our own names


def test_what_another_source_says_stays(database: Database, now: datetime) -> None:
    with database.write() as tx:
        add_source(tx, source_info("mails"))
    entries = [write(database, 0, MAIL), write(database, 1, TEXT | {"source": "mails"})]
    with database.reader() as reader:
        assert entity(reader, entries, "1:zs@example.com") == entity(reader, entries, "2:张三")
    with database.write() as tx:
        remove_source(tx, "mails", now=now)
        found = people.card(tx, entity(tx, entries, "1:zs@example.com"))
        assert (found.person.name, found.person.other_names, found.merges) == ("Zhang San", (), ())
        assert tx.rows("SELECT value FROM alias WHERE value LIKE '%张%'") == []
