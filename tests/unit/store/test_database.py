from __future__ import annotations

import stat
import sys
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Bug, Damaged, FromTheFuture, Refused, Unavailable
from app.store import migrations
from app.store.connection import DatabaseKey, connect
from app.store.database import Database, key_id_of
from tests.unit.store.makers import KEY, store_text

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlcipher3 import dbapi2

    from app.store.changes import ChangeSet


class Listener:
    def __init__(self) -> None:
        self.heard: list[ChangeSet] = []

    def apply(self, changes: ChangeSet) -> None:
        self.heard.append(changes)


def fail(database: Database) -> None:
    with database.write() as tx:
        tx.changes.removed_chunks.append(1)
        raise ZeroDivisionError


def test_the_file_shows_nothing_but_its_public_id(database: Database, path: Path) -> None:
    store_text(database, "a", "canary-words-that-nobody-else-writes")
    database.close()
    data = path.read_bytes()
    assert data[:16] == KEY.key_id == key_id_of(path)
    assert b"SQLite" not in data
    assert b"canary" not in data


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_every_file_is_for_its_owner_alone(database: Database, path: Path) -> None:
    store_text(database, "a", "text")
    files = list(path.parent.glob("famulus.db*"))
    assert len(files) == 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(Bug), database.reader() as reader:
        reader.rows("DELETE FROM source")


def test_a_reader_sees_one_state_throughout(database: Database) -> None:
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entry") == 0
        store_text(database, "a", "text")
        assert reader.value("SELECT count(*) FROM entry") == 0
    with database.reader() as reader:
        assert reader.value("SELECT count(*) FROM entry") == 1


def test_readers_are_used_again(database: Database) -> None:
    for _ in range(3):
        with database.reader(), database.reader():
            pass
    assert len(database._spare) == 2


def test_listeners_hear_of_commits_alone(database: Database) -> None:
    listener = Listener()
    database.subscribe(listener)
    with database.write():
        pass
    with pytest.raises(ZeroDivisionError):
        fail(database)
    assert listener.heard == []
    store_text(database, "a", "text")
    assert [len(changes.chunks) for changes in listener.heard] == [1]


def test_a_wrong_statement_is_our_own_fault_and_tells_no_data(database: Database) -> None:
    with pytest.raises(Bug) as caught, database.write() as tx:
        tx.run("INSERT INTO meta VALUES ('secret', 1, 2)")
    assert str(caught.value) == "the database refused a statement: SQLITE_ERROR"


def test_after_closing_nothing_can_be_done(database: Database) -> None:
    database.close()
    database.close()
    with pytest.raises(Unavailable), database.reader():
        pass
    with pytest.raises(Unavailable), database.write():
        pass
    with pytest.raises(Unavailable):
        database.checkpoint()


def test_a_reader_may_outlive_the_closing(database: Database) -> None:
    with database.reader() as reader:
        database.close()
        assert reader.value("SELECT count(*) FROM source") == 1


def test_closing_leaves_one_file(database: Database, path: Path) -> None:
    store_text(database, "a", "text")
    database.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_database_is_never_made_over_a_file(path: Path, now: datetime) -> None:
    path.write_bytes(b"")
    with pytest.raises(Refused):
        Database.create(path, KEY, now=now)
    assert path.read_bytes() == b""


def test_an_unfinished_database_is_begun_anew(path: Path, now: datetime) -> None:
    path.with_name(path.name + ".new").write_bytes(b"half")
    Database.create(path, KEY, now=now).close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_settings_of_the_writer(database: Database) -> None:
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "temp_store": 2,
        "foreign_keys": 1,
        "cipher_page_size": "8192",
        "trusted_schema": 0,
    }
    with database.write() as tx:
        for name, value in wanted.items():
            assert str(tx.value(f"PRAGMA {name}")) == str(value), name


def test_a_key_has_the_right_size_and_does_not_show() -> None:
    for secret, key_id in ((bytes(31), bytes(16)), (bytes(32), bytes(15))):
        with pytest.raises(ValueError, match="a key has"):
            DatabaseKey(secret, key_id)
    assert KEY.secret.hex() not in repr(KEY)
    assert str(KEY.secret) not in repr(KEY)


class Addition:
    """A second version."""

    def upgrade(self, raw: dbapi2.Connection, now: datetime) -> None:
        raw.execute("CREATE TABLE added (a TEXT) STRICT")


class Failure:
    """A third version that breaks in the middle."""

    def upgrade(self, raw: dbapi2.Connection, now: datetime) -> None:
        raw.execute("CREATE TABLE half (a TEXT) STRICT")
        raise ZeroDivisionError


RELEASED = len(migrations.MIGRATIONS)


def with_versions(monkeypatch: pytest.MonkeyPatch, *more: migrations.Migration) -> None:
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, *more))


def tables(path: Path, key: DatabaseKey) -> set[str]:
    raw = connect(path, key, is_writer=True)
    names = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    raw.close()
    return names


def test_a_migration_keeps_a_copy_of_what_was(
    database: Database, path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_text(database, "a", "text")
    database.close()
    with_versions(monkeypatch, Addition())
    upgraded = Database.open(path, KEY, now=now)
    with upgraded.reader() as reader:
        assert reader.value("SELECT count(*) FROM entry") == 1
        assert reader.value("PRAGMA user_version") == RELEASED + 1
    upgraded.close()
    copy = path.with_name(f"famulus.db.before-v{RELEASED + 1}")
    assert "added" in tables(path, KEY)
    assert "added" not in tables(copy, KEY)
    assert copy.stat().st_mode & 0o777 == 0o600 or sys.platform == "win32"


def test_a_migration_that_breaks_leaves_the_version_before(
    database: Database, path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_text(database, "a", "text")
    database.close()
    with monkeypatch.context() as patch:
        with_versions(patch, Addition(), Failure())
        with pytest.raises(ZeroDivisionError):
            Database.open(path, KEY, now=now)
    assert "added" in tables(path, KEY)
    assert "half" not in tables(path, KEY)
    with_versions(monkeypatch, Addition(), Addition())
    monkeypatch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[: RELEASED + 1])
    reopened = Database.open(path, KEY, now=now)
    with reopened.reader() as reader:
        assert reader.value("SELECT count(*) FROM entry") == 1
    reopened.close()


def test_a_database_from_the_future_is_left_alone(
    database: Database, path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.close()
    with monkeypatch.context() as patch:
        with_versions(patch, Addition())
        Database.open(path, KEY, now=now).close()
    before = path.read_bytes()
    with pytest.raises(FromTheFuture):
        Database.open(path, KEY, now=now)
    assert path.read_bytes() == before


def test_another_program_s_database_is_refused(path: Path, now: datetime) -> None:
    raw = connect(path, KEY, is_writer=True)
    raw.execute("CREATE TABLE theirs (a)")
    raw.close()
    with pytest.raises(Damaged, match="not a database of Famulus"):
        Database.open(path, KEY, now=now)


def test_two_processes_do_not_write_at_once(database: Database, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = connect(path, KEY, is_writer=True)
    other.execute("BEGIN IMMEDIATE")
    database._writer.execute("PRAGMA busy_timeout = 1")
    with pytest.raises(Unavailable, match="Another program"), database.write():
        pass
    other.execute("ROLLBACK")
    other.close()
    store_text(database, "a", "text")
