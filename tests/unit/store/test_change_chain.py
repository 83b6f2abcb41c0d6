"""Changes of one row hold in the order of their moments, whatever the order in which they were made (G2.6)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from itertools import permutations
from typing import TYPE_CHECKING

import pytest

from app.domain.instants import to_ixdtf
from app.domain.records import Subject
from app.domain.text import msg
from app.store.change_chain import RESUME, put_back, put_change, take_out, take_out_of_cause
from app.store.change_rows import NewChange, Which, changes
from app.store.writes import note_rules
from tests.unit.store.makers import WRITTEN_AT, store_text

if TYPE_CHECKING:
    from app.store.connection import Reader, Writer
    from app.store.database import Database

NOW = WRITTEN_AT + timedelta(days=9)


def make(
    tx: Writer, entry_id: int, day: int, status: str | None, *, kind: str = "cancel", cause: int | None = None
) -> int:
    moment = WRITTEN_AT + timedelta(days=day)
    after = {"status": status, "valid_to": to_ixdtf(moment)} if kind != RESUME else {"status": None, "valid_to": None}
    return put_change(
        tx,
        NewChange(
            Subject.ENTRY,
            entry_id,
            entry_id,
            after=after,
            reason=msg("because"),
            actor="supersession",
            rule_version="rules",
            at=NOW,
            effective_at=moment,
            cause_id=cause,
            kind=kind,
        ),
    )


def status(reader: Reader, entry_id: int) -> tuple[str | None, str | None]:
    row = reader.row("SELECT status, valid_to FROM entry WHERE entry_id = ?", entry_id)
    assert row is not None
    return row[0], row[1]


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_the_last_said_holds_in_any_order(database: Database, order: tuple[int, ...]) -> None:
    entry_id = store_text(database, "plan", "the trip is on")
    with database.write() as tx:
        note_rules(tx, "rules", now=NOW)
        made = {day: make(tx, entry_id, day, f"said on {day}") for day in order}
        assert status(tx, entry_id)[0] == "said on 3"
        take_out(tx, [made[2]], now=NOW, by="owner")
        assert status(tx, entry_id)[0] == "said on 3"
        take_out(tx, [made[3]], now=NOW, by="owner")
        assert status(tx, entry_id)[0] == "said on 1"
        put_back(tx, [made[2]])
        assert status(tx, entry_id)[0] == "said on 2"
        take_out(tx, [made[1], made[2]], now=NOW, by="owner")
        assert status(tx, entry_id) == (None, None)


@pytest.mark.parametrize("order", list(permutations(("off", "on", "off again"))))
def test_what_is_on_again_is_as_it_was(database: Database, order: tuple[str, ...]) -> None:
    entry_id = store_text(database, "plan", "the trip is on")
    days = {"off": 1, "on": 2, "off again": 3}
    with database.write() as tx:
        note_rules(tx, "rules", now=NOW)
        made = {name: make(tx, entry_id, days[name], name, kind=RESUME if name == "on" else "cancel") for name in order}
        assert status(tx, entry_id)[0] == "off again"
        take_out(tx, [made["off again"]], now=NOW, by="owner")
        assert status(tx, entry_id) == (None, None)
        take_out(tx, [made["on"]], now=NOW, by="owner")
        assert status(tx, entry_id)[0] == "off"


def test_what_is_undone_twice_is_undone_once(database: Database) -> None:
    entry_id = store_text(database, "plan", "the trip is on")
    with database.write() as tx:
        note_rules(tx, "rules", now=NOW)
        change_id = make(tx, entry_id, 1, "canceled")
        take_out(tx, [change_id], now=NOW, by="owner")
        take_out(tx, [change_id], now=NOW, by="rules")
        assert [one.undone_by for one in changes(tx, Which())] == ["owner"]


def test_changes_are_found_by_the_moment_from_which_they_hold(database: Database) -> None:
    entry_id = store_text(database, "plan", "the trip is on")
    moments = {day: WRITTEN_AT + timedelta(days=day) for day in (1, 2, 3)}
    beijing = timezone(timedelta(hours=8))
    with database.write() as tx:
        note_rules(tx, "rules", now=NOW)
        made = {day: make(tx, entry_id, day, "canceled") for day in moments}

        def found(since: datetime | None, until: datetime | None) -> list[int]:
            return [one.change_id for one in changes(tx, Which(since=since, until=until))]

        assert found(moments[2].astimezone(beijing), None) == [made[2], made[3]]
        assert found(None, moments[2].astimezone(beijing)) == [made[1], made[2]]
        assert found(moments[2] + timedelta(microseconds=1), moments[3] - timedelta(microseconds=1)) == []


def test_a_cause_that_goes_takes_back_what_it_changed_in_others_alone(database: Database) -> None:
    plan, mail = store_text(database, "plan", "the trip is on"), store_text(database, "mail", "it is off")
    with database.write() as tx:
        note_rules(tx, "rules", now=NOW)
        make(tx, plan, 1, "canceled", cause=mail)
        make(tx, mail, 1, "ended", cause=mail)
        take_out_of_cause(tx, mail, now=NOW, by="source")
        assert (status(tx, plan)[0], status(tx, mail)[0]) == (None, "ended")
