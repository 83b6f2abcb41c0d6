"""Whom a commit concerns: whoever may see what it touched, and what caused it (L3.2, G4.3)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Unavailable
from app.domain.labels import Sensitivity, Status, Trust
from app.domain.records import RecordKind, Subject
from app.domain.text import msg
from app.domain.visibility import VisibilityFilter
from app.store.change_rows import NewChange, make_change, undo_change
from app.store.database import FILE_NAME, Database
from app.store.footprints import Footprint, Rights
from app.store.records import NewRecord, put_record
from app.store.source_rows import add_source
from app.store.writes import note_rules
from tests.unit.store.makers import WRITTEN_AT, new_database, source_info, store_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.store.connection import Writer

VERSION = "2025.1"
WORK = Rights("work", "owner", int(Sensitivity.INTERNAL))
HOME = Rights("home", "owner", int(Sensitivity.INTERNAL))
OWNER = VisibilityFilter(None, None, Sensitivity.HIGHLY_SENSITIVE, include_stale=True, is_unrestricted=True)
CLIENT = VisibilityFilter(
    frozenset({"work"}), frozenset({"owner"}), Sensitivity.INTERNAL, include_stale=True, is_unrestricted=False
)


@pytest.fixture
def database(basedir: Path, now: datetime) -> Iterator[Database]:
    opened = new_database(basedir / FILE_NAME, now=now)
    with opened.write() as tx:
        add_source(tx, source_info())
        note_rules(tx, VERSION, now=now)
    yield opened
    opened.close()


@pytest.fixture
def told(database: Database) -> list[frozenset[Footprint]]:
    found: list[frozenset[Footprint]] = []
    database.follow(found.append)
    return found


def record(entry_id: int, sensitivity: Sensitivity = Sensitivity.INTERNAL) -> NewRecord:
    return NewRecord(entry_id, 0, RecordKind.TASK, "t", "t", 1.0, Trust.USER, sensitivity, VERSION)


def test_an_entry_concerns_those_who_may_see_it(database: Database, told: list[frozenset[Footprint]]) -> None:
    entry = store_text(database, "a", "one", now=WRITTEN_AT, scope="work")
    assert told[-1] == {Footprint(WORK)}
    with database.write() as tx:
        tx.run("UPDATE entry SET scope = 'home' WHERE entry_id = ?", entry)
    assert told[-1] == {Footprint(WORK), Footprint(HOME)}, "as it was, and as it is"
    with database.write() as tx:
        tx.run("DELETE FROM entry WHERE entry_id = ?", entry)
    assert told[-1] == {Footprint(HOME)}


def test_what_is_no_content_concerns_nobody(database: Database, told: list[frozenset[Footprint]]) -> None:
    with database.write() as tx:
        note_rules(tx, "other", now=WRITTEN_AT)
        tx.run("UPDATE source SET name = 'x'")
    with pytest.raises(Unavailable), database.write() as tx:
        _break_off(tx)
    assert told == []


def test_records_and_what_is_done_to_them(database: Database, told: list[frozenset[Footprint]]) -> None:
    seen = store_text(database, "a", "one", now=WRITTEN_AT, scope="work")
    hidden = store_text(database, "b", "two", now=WRITTEN_AT, scope="home")
    told.clear()
    with database.write() as tx:
        record_id = put_record(tx, record(seen))
    assert told.pop() == {Footprint(WORK)}
    with database.write() as tx:
        put_record(tx, record(seen, Sensitivity.HIGHLY_SENSITIVE))
    assert told.pop() == {Footprint(WORK._replace(sensitivity=3))}
    for cause, expected in ((hidden, Footprint(WORK, HOME)), (seen, Footprint(WORK, WORK)), (None, Footprint(WORK))):
        change = NewChange(
            Subject.RECORD,
            record_id,
            seen,
            after={"status": Status.DONE.value},
            reason=msg("done"),
            actor="test",
            rule_version=VERSION,
            at=WRITTEN_AT,
            effective_at=WRITTEN_AT,
            cause_id=cause,
        )
        with database.write() as tx:
            change_id = make_change(tx, change)
        assert told.pop() == {expected}
        with database.write() as tx:
            undo_change(tx, change_id, now=WRITTEN_AT)
        assert told.pop() == {expected}


def test_who_is_who_concerns_the_owner(database: Database, told: list[frozenset[Footprint]]) -> None:
    with database.write() as tx:
        tx.run(
            "INSERT INTO entity (entity_type, name, confidence, sensitivity, rule_version) VALUES (?, ?, 1, 0, ?)",
            "person",
            "A",
            VERSION,
        )
        tx.run("INSERT INTO alias VALUES ('name', 'a', 1, NULL)")
    assert told == [frozenset({Footprint(None)})]


def _break_off(tx: Writer) -> None:
    tx.run("DELETE FROM source")
    raise Unavailable(msg("no"), next_step=msg("no"))


@pytest.mark.parametrize(
    ("footprint", "is_seen"),
    [
        (Footprint(WORK), True),
        (Footprint(HOME), False),
        (Footprint(WORK._replace(acl="team")), False),
        (Footprint(WORK._replace(sensitivity=2)), False),
        (Footprint(WORK, WORK), True),
        (Footprint(WORK, HOME), False),
        (Footprint(HOME, WORK), False),
        (Footprint(None), False),
    ],
)
def test_whom_it_concerns(footprint: Footprint, *, is_seen: bool) -> None:
    assert footprint.concerns(CLIENT) is is_seen
    assert footprint.concerns(OWNER)
