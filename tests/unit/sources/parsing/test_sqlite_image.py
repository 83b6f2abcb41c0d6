"""Databases in the middle of being written, made by SQLite itself: what is committed is read, and nothing else."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sources.parsing.sqlite_image import committed, is_database


def words_in(image: bytes) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(image)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return [word for (word,) in connection.execute("SELECT word FROM t ORDER BY rowid")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.sqlite"


def connect(path, mode: str, page_size: int = 4096) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {page_size}")
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("CREATE TABLE IF NOT EXISTS t (word TEXT)")
    return connection


def files(path) -> tuple[bytes, bytes, bytes]:
    beside = [path.with_name(path.name + suffix) for suffix in ("-wal", "-journal")]
    wal, journal = (one.read_bytes() if one.exists() else b"" for one in beside)
    return path.read_bytes(), wal, journal


@pytest.mark.parametrize("page_size", [512, 4096, 65_536])
def test_a_write_ahead_log_is_applied(path, page_size):
    with closing(connect(path, "wal", page_size)) as browser:
        browser.execute("INSERT INTO t VALUES ('kept'), ('网页')")
        data, wal, journal = files(path)
        assert is_database(data)
        assert len(wal) > 0
        assert words_in(committed(data, wal, journal)) == ["kept", "网页"]


def test_what_is_not_committed_is_not_there(path):
    with closing(connect(path, "wal")) as browser:
        browser.execute("INSERT INTO t VALUES ('kept')")
        browser.execute("PRAGMA cache_size = 1")
        browser.execute("BEGIN")
        browser.executemany("INSERT INTO t VALUES (?)", [("x" * 3000,)] * 200)  # so much that it spills into the log
        data, wal, journal = files(path)
        assert len(wal) > 100_000
        assert words_in(committed(data, wal, journal)) == ["kept"]


def test_frames_of_an_earlier_round_are_stale(path):
    with closing(connect(path, "wal")) as browser:
        browser.executemany("INSERT INTO t VALUES (?)", [("old" * 1000,)] * 20)
        browser.execute("PRAGMA wal_checkpoint(RESTART)")
        browser.execute("DELETE FROM t")
        browser.execute("INSERT INTO t VALUES ('new')")
        data, wal, journal = files(path)
        assert words_in(committed(data, wal, journal)) == ["new"]


def test_a_database_that_shrank(path):
    with closing(connect(path, "wal")) as browser:
        browser.executemany("INSERT INTO t VALUES (?)", [("y" * 3000,)] * 50)
        browser.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        browser.execute("DELETE FROM t")
        browser.execute("INSERT INTO t VALUES ('left')")
        browser.execute("VACUUM")
        data, wal, journal = files(path)
        image = committed(data, wal, journal)
        assert len(image) < len(data)
        assert words_in(image) == ["left"]


def test_an_unfinished_write_is_rolled_back(path):
    with closing(connect(path, "delete")) as browser:
        browser.execute("BEGIN")
        browser.executemany("INSERT INTO t VALUES (?)", [(f"{number:04}" * 500,) for number in range(60)])
        browser.execute("COMMIT")
        before = path.read_bytes()
        browser.execute("PRAGMA cache_size = 1")
        browser.execute("BEGIN")
        browser.execute("UPDATE t SET word = 'half'")
        browser.executemany("INSERT INTO t VALUES (?)", [("z" * 3000,)] * 100)
        data, wal, journal = files(path)
        assert data != before
        assert len(journal) > 100_000
        found = words_in(committed(data, wal, journal))
        assert len(found) == 60
        assert "half" not in found


@pytest.mark.parametrize("mode", ["persist", "truncate"])
def test_a_journal_that_is_over_changes_nothing(path, mode):
    with closing(connect(path, mode)) as browser:
        browser.execute("INSERT INTO t VALUES ('one')")
        browser.execute("UPDATE t SET word = 'two'")
        assert words_in(committed(*files(path))) == ["two"]


@pytest.fixture(scope="module")
def three_commits(tmp_path_factory) -> tuple[bytes, bytes]:
    path = tmp_path_factory.mktemp("wal") / "t.sqlite"
    with closing(connect(path, "wal", 512)) as browser:
        browser.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for word in ("a", "b", "c"):
            browser.execute("INSERT INTO t VALUES (?)", (word,))
        data, wal, _ = files(path)
    return data, wal


@given(cut=st.integers(0, 4000), place=st.integers(0, 4000), bit=st.integers(0, 7))
def test_a_torn_log_gives_a_state_that_was(three_commits, cut, place, bit):
    data, wal = three_commits
    torn = bytearray(wal[: max(0, len(wal) - cut)])
    if place < len(torn):
        torn[place] ^= 1 << bit
    found = words_in(committed(data, bytes(torn)))
    assert found in (["a", "b", "c"][:count] for count in range(4))


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_bytes_beside_it_do_no_harm(three_commits, wal, journal):
    data, real = three_commits
    assert words_in(committed(data, real[:32] + wal, b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + journal)) == []


def test_what_is_no_whole_database_is_handed_back():
    assert committed(b"SQLite format 3\0") == b"SQLite format 3\0"
    assert not is_database(b"SQLite format 2\0")
