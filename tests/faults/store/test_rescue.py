"""Damaged pages: what can be read is saved, what cannot is said and comes back with the next sync (X9.2)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Damaged
from app.store.check import check
from app.store.connection import PAGE_SIZE
from app.store.rescue import rescue
from app.store.source_rows import add_source, cursor_rows, move_cursor
from app.store.store import Store
from app.store.vector_rows import put_vectors
from app.store.writes import Written, upsert_entry
from tests.unit.store.makers import KEY, OWNER, admit, make_chunk, make_entry, source_info
from tests.unit.store.worlds import MODEL, clustered

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

COUNT = 40
WORDS = [f"word{number}" for number in range(500)]


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


def test_without_its_first_page_nothing_is_touched(path: Path, whole: bytes, now: datetime) -> None:
    damage(path, whole, 0)
    before = path.read_bytes()
    with pytest.raises(Damaged):
        rescue(path, KEY, now=now)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
