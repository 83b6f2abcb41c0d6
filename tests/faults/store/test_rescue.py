"""Damaged pages: what can be read is saved, what cannot is said and comes back with the next sync (X9.2)."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Damaged
from app.domain.instants import to_ixdtf
from app.domain.labels import Sensitivity, Status, Trust
from app.domain.records import RecordKind, RuleKind, Subject
from app.domain.text import msg
from app.store.analyser import analyse
from app.store.change_rows import OWNER as OWNER_ACTOR
from app.store.change_rows import NewChange, make_change, undo_change
from app.store.check import check
from app.store.connection import PAGE_SIZE
from app.store.freshness_rows import Effect, NewRule, put_rule
from app.store.records import NewRecord, put_record
from app.store.rescue import rescue
from app.store.source_rows import add_source, cursor_rows, move_cursor
from app.store.store import Store
from app.store.vector_rows import put_vectors
from app.store.writes import Written, note_rules, upsert_entry
from tests.unit.store.makers import KEY, OWNER, admit, make_chunk, make_entry, source_info
from tests.unit.store.worlds import MODEL, clustered

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from app.store.connection import Row

COUNT = 40
WORDS = [f"word{number}" for number in range(60)]


def text_of(number: int) -> str:
    return f"unique{number} " + " ".join(random.Random(number).choices(WORDS, k=120))


def write_all(store: Store, now: datetime) -> list[Written]:
    written = []
    with store.database.write() as tx:
        for number in range(COUNT):
            entry = make_entry(f"n{number}", text_of(number))
            written.append(upsert_entry(tx, admit(entry), [make_chunk(text_of(number))], now=now).written)
        move_cursor(tx, "notes", {"at": "1"}, now=now)
    return written


@pytest.fixture(autouse=True)
def _same_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """For each damaged page the same few texts are analysed several times: what comes of it is worked out once."""
    for module in ("check", "words", "writes"):
        monkeypatch.setattr(f"app.store.{module}.analyse", known)


known = cache(analyse)


@pytest.fixture
def whole(path: Path, now: datetime) -> bytes:
    """A closed database with entries, words and vectors."""
    store = Store.create(path, KEY, now=now)
    with store.database.write() as tx:
        add_source(tx, source_info())
    write_all(store, now)
    with store.database.write() as tx:
        put_vectors(tx, MODEL, list(enumerate(clustered(COUNT, seed=1), start=1)), now=now)
    store.close()
    return path.read_bytes()


def damage(path: Path, whole: bytes, page: int) -> None:
    data = bytearray(whole)
    data[page * PAGE_SIZE + 321] ^= 0xFF
    path.write_bytes(data)


def test_damaged_pages_here_and_there_are_survived(path: Path, whole: bytes, now: datetime) -> None:
    survive(path, whole, now, step=17)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_almost_every_page_is_survived(path: Path, whole: bytes, now: datetime) -> None:
    survive(path, whole, now, step=1)


def survive(path: Path, whole: bytes, now: datetime, *, step: int) -> None:
    pages = len(whole) // PAGE_SIZE
    complete = beyond_help = 0
    for page in range(1, pages, step):
        damage(path, whole, page)
        try:
            report = rescue(path, KEY, now=now)
        except Damaged:
            # a page of the schema
            beyond_help += 1
            continue
        store = Store.open(path, KEY, now=now)
        found = check(store)
        assert found.is_clean, (page, [str(finding.problem) for finding in found.findings if finding.problem])
        # a sync afterwards brings everything back, and nothing twice
        with store.database.reader() as reader:
            keeps_cursor = not {"source", "cursor", "entry", "chunk"} & set(report.lost)
            assert cursor_rows(reader, "notes") == ({"at": "1"} if keeps_cursor else {})
            has_source = reader.value("SELECT count(*) FROM source") == 1
        if not has_source:
            with store.database.write() as tx:
                add_source(tx, source_info())
        again = write_all(store, now)
        complete += again == [Written.UNCHANGED] * COUNT
        view = store.visibility.view(OWNER, now)
        for number in (0, COUNT // 2, COUNT - 1):
            hits = store.lexical.search(f"unique{number}", view, 5, is_unrestricted=True)
            assert (hits.coverage > 0.5).sum() == 1, (page, number)
        assert check(store).is_clean
        store.close()
        report.kept.unlink()
    # most pages hold what is derived
    assert complete > pages / step / 2
    assert beyond_help <= 4


def test_a_whole_database_comes_out_the_same(path: Path, whole: bytes, now: datetime) -> None:
    report = rescue(path, KEY, now=now)
    assert report.lost == ()
    assert (report.rows["entry"], report.rows["chunk"], report.rows["vector"]) == (COUNT, COUNT, COUNT)
    assert report.kept.read_bytes() == whole
    store = Store.open(path, KEY, now=now)
    assert check(store).is_clean
    assert write_all(store, now) == [Written.UNCHANGED] * COUNT
    store.close()


def task(number: int) -> NewRecord:
    text = f"do {number}"
    return NewRecord(1, number, RecordKind.TASK, text, text, 0.8, Trust.OWN_FILES, Sensitivity.INTERNAL, "r1")


def done(record_id: int, now: datetime) -> NewChange:
    return NewChange(Subject.RECORD, record_id, 1, {"status": "done"}, msg("By you"), OWNER_ACTOR, "r1", now, now)


def note_governed(path: Path, now: datetime) -> None:
    """A task done by hand, a plan whose change was undone, and a condition of it."""
    store = Store.open(path, KEY, now=now)
    with store.database.write() as tx:
        note_rules(tx, "r1", now=now)
        tx.run("INSERT INTO understanding VALUES (1, 'r1', ?, 1, NULL)", to_ixdtf(now))
        ids = [put_record(tx, task(number)) for number in range(300)]
        tx.run("UPDATE record SET condition_of = ? WHERE record_id = ?", ids[0], ids[1])
        changes = [make_change(tx, done(record_id, now)) for record_id in ids[:2]]
        undo_change(tx, changes[1], now=now)
        late = Effect(Status.PENDING, msg("late"))
        put_rule(tx, NewRule(1, ids[0], ids[1], RuleKind.NOT_DONE_BY, now, late, "r1"))
        tx.run(
            "INSERT INTO statement (entry_id, record_id, kind, head, said_at, body, rule_version)"
            " VALUES (1, ?, 'plan', 'trip', ?, '{}', 'r1')",
            ids[0],
            to_ixdtf(now),
        )
        tx.run("INSERT INTO sample VALUES (7, 1)")
        tx.run("INSERT INTO likeness VALUES (1, 2, 'near', 0.9, 'r1')")
        tx.run("DELETE FROM record WHERE record_id = ?", ids[-1])
    store.close()


GOVERNED = ("understanding", "record", "freshness_rule", "change", "statement", "sample", "likeness", "rule_version")


def test_what_people_did_and_what_texts_state_survives(path: Path, whole: bytes, now: datetime) -> None:
    assert whole
    note_governed(path, now)
    before = governed(path, now)
    assert rescue(path, KEY, now=now).lost == ()
    assert governed(path, now) == before
    store = Store.open(path, KEY, now=now)
    assert check(store).is_clean
    with store.database.write() as tx:
        # the id of what is gone does not come back
        assert put_record(tx, task(1)) == 301
    store.close()


def governed(path: Path, now: datetime) -> dict[str, list[Row]]:
    store = Store.open(path, KEY, now=now)
    with store.database.reader() as reader:
        rows = {table: reader.rows(f"SELECT * FROM {table}") for table in GOVERNED}  # noqa: S608 - our own names
    store.close()
    return rows


def test_where_a_part_of_it_is_lost_all_is_understood_anew(path: Path, whole: bytes, now: datetime) -> None:
    assert whole
    note_governed(path, now)
    noted = path.read_bytes()
    seen: set[str] = set()
    for page in range(len(whole) // PAGE_SIZE, len(noted) // PAGE_SIZE):
        damage(path, noted, page)
        report = rescue(path, KEY, now=now)
        seen |= set(report.lost)
        store = Store.open(path, KEY, now=now)
        assert check(store).is_clean, page
        with store.database.reader() as reader:
            is_known = reader.value("SELECT count(*) FROM understanding") == 1
            assert is_known == ({"record", "change", "statement"}.isdisjoint(report.lost)), (page, report.lost)
        store.close()
        report.kept.unlink()
    assert "record" in seen


def test_without_its_first_page_nothing_is_touched(path: Path, whole: bytes, now: datetime) -> None:
    damage(path, whole, 0)
    before = path.read_bytes()
    with pytest.raises(Damaged):
        rescue(path, KEY, now=now)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
