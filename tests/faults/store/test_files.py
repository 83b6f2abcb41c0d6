"""What may be in the place of the database: each has its own clear error, and is left as it is (X9.2)."""

from __future__ import annotations

import random
import sqlite3
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Damaged, Expected, Unavailable, WrongKey
from app.store.check import check
from app.store.connection import PAGE_SIZE, DatabaseKey
from app.store.database import FILE_NAME, Database
from app.store.source_rows import add_source
from app.store.store import Store
from app.store.writes import upsert_entry
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry, source_info

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path


@pytest.fixture
def path(basedir: Path, now: datetime) -> Path:
    """A closed database with 200 entries."""
    path = basedir / FILE_NAME
    words = random.Random(1)
    database = Database.create(path, KEY, now=now)
    with database.write() as tx:
        add_source(tx, source_info())
        for number in range(200):
            text = " ".join(words.choices("abcdefghijklmnopqrstuvwxyz", k=300))
            upsert_entry(tx, admit(make_entry(f"n{number}")), [make_chunk(text)], now=now)
    database.close()
    return path


def cut(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 0xFF
    path.write_bytes(data)


def plain_sqlite(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE source (a)")
    connection.commit()
    connection.close()


def empty_sqlite(path: Path) -> None:
    path.unlink()
    Database.create(path, DatabaseKey(bytes(32), bytes(16)), now=_NOW[0]).close()


_NOW: list[datetime] = []


@pytest.mark.parametrize(
    ("spoil", "kind", "says"),
    [
        (lambda path: cut(path, 0), Damaged, "is empty"),
        (lambda path: cut(path, 1000), Damaged, "cut short"),
        (lambda path: cut(path, 30 * PAGE_SIZE), Damaged, "part of the database is damaged"),
        (lambda path: cut(path, 30 * PAGE_SIZE + 77), Damaged, "part of the database is damaged"),
        (lambda path: flip(path, 300), Damaged, "beginning of the database is damaged"),
        (lambda path: path.write_bytes(b"hello world " * 5000), WrongKey, "belongs to another key"),
        (plain_sqlite, Damaged, "not encrypted"),
        (empty_sqlite, WrongKey, "belongs to another key"),
        (lambda path: path.unlink(), Unavailable, "not in its folder"),
    ],
    ids=["empty", "cut within a page", "cut", "cut oddly", "first page", "text", "plain", "another's", "missing"],
)
def test_it_has_its_own_error_and_is_left_as_it_is(
    path: Path, now: datetime, spoil: Callable[[Path], None], kind: type[Expected], says: str
) -> None:
    _NOW[:] = [now]
    spoil(path)
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(kind, match=says) as caught:
        Store.open(path, KEY, now=now)
    assert caught.value.next_step
    assert caught.value.lost
    assert (path.read_bytes() if path.exists() else None) == before


def test_a_wrong_key_is_told_from_damage(path: Path, now: datetime, capfd: pytest.CaptureFixture[str]) -> None:
    before = path.read_bytes()
    other = DatabaseKey(bytes(32), bytes(16))
    with pytest.raises(WrongKey):
        Database.open(path, other, now=now)
    assert path.read_bytes() == before
    assert capfd.readouterr() == ("", "")
    Database.open(path, KEY, now=now).close()


def test_a_damaged_page_is_met_with_a_clear_error_and_the_rest_is_readable(path: Path, now: datetime) -> None:
    """Every page in turn, but for the first: what can be read is right, what cannot is said."""
    pages = path.stat().st_size // PAGE_SIZE
    whole = path.read_bytes()
    met = 0
    for page in range(1, pages, 7):
        path.write_bytes(whole)
        flip(path, page * PAGE_SIZE + 123)
        try:
            store = Store.open(path, KEY, now=now)
        except Damaged:
            met += 1
            continue
        report = check(store)
        assert not report.is_clean
        met += 1
        store.close()
    assert met == len(range(1, pages, 7))


def test_a_flipped_id_does_not_keep_the_database_closed(path: Path, now: datetime) -> None:
    flip(path, 3)
    store = Store.open(path, KEY, now=now)
    with store.database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entry") == 200
    store.close()


def test_a_log_of_garbage_loses_nothing_that_was_in_the_database(path: Path, now: datetime) -> None:
    path.with_name(path.name + "-wal").write_bytes(b"\x37\x7f\x06\x82" + b"garbage" * 5000)
    store = Store.open(path, KEY, now=now)
    assert check(store).is_clean
    store.close()
