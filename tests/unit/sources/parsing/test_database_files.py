"""A database and its journals, read while they change."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from app.domain.errors import Unreadable
from app.sources.parsing import database_files
from app.sources.parsing.answer import FileState
from app.sources.parsing.database_files import look, settled
from app.sources.parsing.refusals import unreadable
from tests.unit.sources.makers import RESTED, write

REFUSED = "Famulus may not open it."


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (word TEXT)")
    return path


class Reader:
    """Reads files, and lets something happen at a moment between."""

    def __init__(self, happen=None) -> None:
        self.names: list[str] = []
        self.happen = happen or (lambda count, path: None)

    def __call__(self, path):
        self.names.append(path.name)
        if not path.exists():
            raise unreadable("It is no longer there.")
        data, status = path.read_bytes(), path.stat()
        self.happen(len(self.names), path)
        return data, FileState(status.st_size, status.st_mtime_ns, status.st_ino, is_fresh=False)


def test_its_state_is_that_of_all_its_files(path):
    write(path.with_name("t.sqlite-wal"), b"x" * 10, at=RESTED + 5)
    before = look(path)
    content, state = settled(path, Reader())
    assert (state.size, state.mtime_ns, state.inode) == (before.size, before.mtime_ns, before.inode)
    assert before.size == len(content) + 10
    assert not state.is_fresh
    write(path.with_name("t.sqlite-wal"), b"x" * 11, at=RESTED + 5)
    assert look(path) != before
    assert look(write(path.with_name("other"), b"abc")).size == 3


def test_what_changed_meanwhile_is_read_again(path):
    def happen(count, _):
        if count == 1:
            write(path.with_name("t.sqlite-wal"), b"new", at=RESTED + 9)

    reader = Reader(happen)
    _, state = settled(path, reader)
    assert reader.names == ["t.sqlite", "t.sqlite-wal", "t.sqlite"]
    assert not state.is_fresh


def test_what_never_rests_is_looked_at_again_next_time(path):
    reader = Reader(lambda count, _: write(path.with_name("t.sqlite-wal"), b"x" * count, at=RESTED + count))
    _, state = settled(path, reader)
    assert state.is_fresh
    assert reader.names.count("t.sqlite") == database_files._TRIES


def test_a_journal_that_goes_away_is_over_and_one_that_is_forbidden_is_not(path, monkeypatch):
    journal = write(path.with_name("t.sqlite-journal"), b"x")
    reader = Reader()

    def gone(one):
        if one.name.endswith("-journal"):
            journal.unlink(missing_ok=True)
        return reader(one)

    settled(path, gone)
    write(journal, b"x")

    def forbidden(one):
        if one.name.endswith("-journal"):
            raise unreadable(REFUSED)
        return reader(one)

    with pytest.raises(Unreadable):
        settled(path, forbidden)


def test_a_database_that_is_gone_is_told(tmp_path):
    with pytest.raises(Unreadable):
        settled(tmp_path / "missing", Reader())
