"""Records, the rules that wait for a day, and changes with an undo: rows (G2.6, G2.7)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import BadInput, Bug, Refused
from app.domain.labels import Sensitivity, Status, Trust
from app.domain.records import RecordKind, RuleKind, RuleState, Subject
from app.domain.text import msg
from app.store import change_rows, freshness_rows, records
from app.store.change_rows import NewChange, Which, make_change, undo_change
from app.store.check import check
from app.store.freshness_rows import Effect, NewRule, put_rule, rules_due
from app.store.records import NewRecord, put_record
from app.store.store import Store
from app.store.writes import note_rules, remove_source
from tests.unit.store.makers import KEY, store_text

if TYPE_CHECKING:
    from app.store.connection import Writer
    from app.store.database import Database

NOW = datetime(2025, 5, 10, 9, 0, tzinfo=UTC)
DUE = NOW + timedelta(days=5)


@pytest.fixture
def entry_id(database: Database, now: datetime) -> int:
    with database.write() as tx:
        note_rules(tx, "r1", now=now)
    return store_text(database, "a.md", "text")


def new(entry_id: int, title: str = "finish it", **changes: object) -> NewRecord:
    values: dict[str, object] = {
        "entry_id": entry_id,
        "ordinal": 0,
        "kind": RecordKind.TASK,
        "title": title,
        "text": "Ann must finish it",
        "confidence": 0.8,
        "trust": Trust.OWN_FILES,
        "sensitivity": Sensitivity.INTERNAL,
        "rule_version": "r1",
    }
    return NewRecord(**(values | changes))


def pending(record_id: int, entry_id: int, **changes: object) -> NewChange:
    values: dict[str, object] = {
        "subject": Subject.RECORD,
        "subject_id": record_id,
        "entry_id": entry_id,
        "after": {"status": "pending"},
        "reason": msg("{what} was late", what="it"),
        "actor": "freshness",
        "rule_version": "r1",
        "at": NOW,
        "effective_at": NOW,
    }
    return NewChange(**(values | changes))


def test_a_record_comes_back_as_it_was_written(database: Database, entry_id: int) -> None:
    given = new(entry_id, "交报告\0", owner="张三", due_at=DUE, is_whole_day=True, condition="如果", valid_to=DUE)
    with database.write() as tx:
        record_id = put_record(tx, given)
    with database.reader() as reader:
        found = records.record(reader, record_id)
        assert records.records_of(reader, entry_id) == [found]
        assert records.records_with(reader, [99, record_id]) == [found]
        assert records.record(reader, 99) is None
    assert found is not None
    assert (found.title, found.owner, found.due_at, found.condition) == ("交报告\ufffd", "张三", DUE, "如果")
    assert (found.is_whole_day, found.status, found.trust) == (True, Status.ACTIVE, Trust.OWN_FILES)
    assert found.event_at is found.completed_at is found.superseded_by is None


def test_records_go_with_their_entry(database: Database, entry_id: int) -> None:
    with database.write() as tx:
        task = put_record(tx, new(entry_id))
        armed(tx, entry_id, task, task)
        make_change(tx, pending(task, entry_id))
        remove_source(tx, "notes", now=NOW)
        for table in ("record", "freshness_rule", "change"):
            assert tx.value(f"SELECT count(*) FROM {table}") == 0  # noqa: S608


def test_a_change_alters_and_an_undo_puts_back(database: Database, entry_id: int) -> None:
    with database.write() as tx:
        task = put_record(tx, new(entry_id))
        change_id = make_change(tx, pending(task, entry_id))
        assert status(tx, task) is Status.PENDING
        (change,) = change_rows.changes(tx, Which(entry_id=entry_id, subject=Subject.RECORD, is_standing=True))
        assert (change.change_id, str(change.reason)) == (change_id, "it was late")
        assert (change.before, change.after) == ({"status": "active"}, {"status": "pending"})
        undo_change(tx, change_id, now=NOW)
        assert status(tx, task) is Status.ACTIVE
        assert change_rows.changes(tx, Which(is_standing=True)) == []
        with pytest.raises(BadInput, match="already"):
            undo_change(tx, change_id, now=NOW)
        with pytest.raises(BadInput, match="no change"):
            undo_change(tx, 99, now=NOW)


def test_what_was_altered_again_is_not_put_back(database: Database, entry_id: int) -> None:
    with database.write() as tx:
        task = put_record(tx, new(entry_id))
        first = make_change(tx, pending(task, entry_id))
        make_change(tx, pending(task, entry_id, after={"status": "done"}, actor="owner"))
        with pytest.raises(Refused, match="altered again"):
            undo_change(tx, first, now=NOW)


def test_a_suggestion_alters_nothing(database: Database, entry_id: int) -> None:
    with database.write() as tx:
        task = put_record(tx, new(entry_id))
        change_id = make_change(tx, pending(task, entry_id, is_suggestion=True))
        assert status(tx, task) is Status.ACTIVE
        undo_change(tx, change_id, now=NOW)
        assert status(tx, task) is Status.ACTIVE


@pytest.mark.parametrize("after", [{"text": "x"}, {}, {"status": "done", "trust": 4}])
def test_only_some_columns_may_be_changed(database: Database, entry_id: int, after: dict[str, object]) -> None:
    with database.write() as tx, pytest.raises(Bug):
        make_change(tx, pending(put_record(tx, new(entry_id)), entry_id, after=after))


def test_an_entry_that_ends_is_told_to_what_is_in_memory(database: Database, entry_id: int) -> None:
    with database.write() as tx:
        change = pending(
            entry_id, entry_id, subject=Subject.ENTRY, after={"valid_to": change_rows.stamp(NOW)}, kind="valid_until"
        )
        make_change(tx, change)
        assert [one.valid_to for one in tx.changes.rights] == [change_rows.stamp(NOW)]


def test_rules_wait_for_their_moment(database: Database, entry_id: int) -> None:
    with database.write() as tx:
        task = put_record(tx, new(entry_id))
        plan = put_record(tx, new(entry_id, "launch", kind=RecordKind.PLAN))
        rule_id = armed(tx, entry_id, plan, task)
        assert freshness_rows.next_due(tx) == DUE
        assert rules_due(tx, DUE - timedelta(seconds=1)) == []
        (rule,) = rules_due(tx, DUE)
        assert (rule.rule_id, rule.record_id, rule.watched_id, rule.state) == (rule_id, plan, task, RuleState.ARMED)
        assert (rule.effect.status, str(rule.effect.reason)) == (Status.PENDING, "it is late")
        assert freshness_rows.rules_of(tx, [task]) == freshness_rows.rules_of(tx, [plan]) == [rule]
        freshness_rows.set_rule_state(tx, rule_id, RuleState.FIRED, DUE)
        assert (freshness_rows.next_due(tx), rules_due(tx, DUE)) == (None, [])


def test_rules_of_an_entry_that_is_gone_sleep(database: Database, entry_id: int) -> None:
    with database.write() as tx:
        task = put_record(tx, new(entry_id))
        armed(tx, entry_id, task, task)
        tx.run("UPDATE entry SET is_current = 0")
        assert (freshness_rows.next_due(tx), rules_due(tx, DUE)) == (None, [])


def test_the_check_finds_changes_of_nothing_and_mute_rules(path: object, database: Database, entry_id: int) -> None:
    with database.write() as tx:
        task = put_record(tx, new(entry_id))
        freshness_rows.set_rule_state(tx, armed(tx, entry_id, task, task), RuleState.FIRED, DUE)
        make_change(tx, pending(put_record(tx, new(entry_id, "other")), entry_id))
        tx.run("DELETE FROM record WHERE title = 'other'")
    database.close()
    store = Store.open(database.path, KEY, now=NOW)
    found = {one.subject: str(one.problem) for one in check(store).findings if one.problem is not None}
    assert found == {
        "records": "1 change is of a record that is gone",
        "rules": "1 has fired and changed nothing",
    }
    check(store, is_repairing=True)
    assert check(store).is_clean
    with store.database.reader() as reader:
        assert freshness_rows.next_due(reader) == DUE
    store.close()


def armed(tx: Writer, entry_id: int, record_id: int, watched_id: int) -> int:
    effect = Effect(Status.PENDING, msg("it is late"), "the launch waits")
    return put_rule(tx, NewRule(entry_id, record_id, watched_id, RuleKind.NOT_DONE_BY, DUE, effect, "r1"))


def status(tx: Writer, record_id: int) -> Status:
    found = records.record(tx, record_id)
    assert found is not None
    return found.status
