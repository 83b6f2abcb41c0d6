"""Originals beside the database: encrypted, bound to their id, and one thing with their rows (L6.5, G8.4)."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from app.domain.entries import Original
from app.domain.errors import BadInput, Damaged
from app.store.blobs import FOLDER_NAME
from app.store.check import check
from app.store.database import Database
from app.store.store import Store
from app.store.writes import remove_source, upsert_entry
from tests.unit.store.makers import KEY, admit, make_chunk, make_entry

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

CANARY = b"a canary in a picture "
MIB = 1 << 20


class Interrupted(Exception):
    """Something went wrong in the middle of a transaction."""


@pytest.fixture
def folder(path: Path) -> Path:
    return path.parent / FOLDER_NAME


@pytest.fixture
def store(database: Database) -> Store:
    return Store(database)


def keep(database: Database, now: datetime, data: bytes = CANARY, native_id: str = "a.png") -> str:
    with database.write() as tx:
        outcome = upsert_entry(tx, admit(make_entry(native_id, native_id)), [make_chunk(native_id)], now=now)
        return database.blobs.put(tx, outcome.entry_id, Original("a.png", "image/png", data), now=now)


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def problems_of(store: Store) -> set[str]:
    return {finding.subject for finding in check(store).findings if finding.problem}


@pytest.mark.parametrize("size", [0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB])
def test_what_is_kept_is_read_again(database: Database, now: datetime, size: int) -> None:
    data = (CANARY * (size // len(CANARY) + 1))[:size]
    blob_id = keep(database, now, data)
    assert database.blobs.read(blob_id) == data


def test_nothing_is_plain_on_the_disk(database: Database, now: datetime, folder: Path) -> None:
    blob_id = keep(database, now, CANARY * 1000)
    assert files(folder) == {blob_id}
    assert CANARY not in (folder / blob_id).read_bytes()
    assert (folder / blob_id).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("harm", ["cut", "flipped", "renamed", "pieces exchanged", "gone", "longer"])
def test_a_file_that_was_tampered_with_does_not_open(
    database: Database, now: datetime, folder: Path, harm: str
) -> None:
    blob_id = keep(database, now, CANARY * 100_000)
    path = folder / blob_id
    data = path.read_bytes()
    if harm == "cut":
        path.write_bytes(data[: 24 + MIB + 16])
    elif harm == "flipped":
        path.write_bytes(data[:100] + bytes([data[100] ^ 1]) + data[101:])
    elif harm == "renamed":
        other = keep(database, now, CANARY * 100_001, "b.png")
        path.write_bytes((folder / other).read_bytes())
    elif harm == "pieces exchanged":
        piece = MIB + 16
        path.write_bytes(data[:24] + data[24 + piece : 24 + 2 * piece] + data[24 : 24 + piece] + data[24 + 2 * piece :])
    elif harm == "gone":
        path.unlink()
    else:
        path.write_bytes(data + b"x")
    with pytest.raises(Damaged):
        database.blobs.read(blob_id)


def test_an_unknown_original(database: Database) -> None:
    with pytest.raises(BadInput):
        database.blobs.read("00")


def test_a_removed_source_takes_its_originals_along(database: Database, now: datetime, folder: Path) -> None:
    keep(database, now)
    with database.write() as tx:
        remove_source(tx, "notes", now=now)
    assert files(folder) == set()


def test_a_deletion_that_is_rolled_back_keeps_them(database: Database, now: datetime, folder: Path) -> None:
    blob_id = keep(database, now)
    with suppress(Interrupted), database.write() as tx:
        remove_source(tx, "notes", now=now)
        raise Interrupted
    assert files(folder) == {blob_id}
    assert database.blobs.read(blob_id) == CANARY


def test_a_write_that_is_rolled_back_leaves_nothing_after_the_next_start(
    database: Database, now: datetime, folder: Path
) -> None:
    with database.write() as tx:
        entry_id = upsert_entry(tx, admit(make_entry("a")), [make_chunk("a")], now=now).entry_id
    with suppress(Interrupted), database.write() as tx:
        database.blobs.put(tx, entry_id, Original("a.png", "image/png", CANARY), now=now)
        raise Interrupted
    assert len(files(folder)) == 1
    Store(database)
    assert files(folder) == set()


def test_a_crash_between_commit_and_rename_loses_nothing(database: Database, now: datetime, folder: Path) -> None:
    blob_id = keep(database, now)
    (folder / blob_id).rename(folder / f"{blob_id}.new")
    assert database.blobs.read(blob_id) == CANARY
    Store(database)
    assert files(folder) == {blob_id}


def test_a_crash_between_commit_and_removal_leaves_no_deleted_file(
    database: Database, path: Path, now: datetime, folder: Path
) -> None:
    blob_id = keep(database, now)
    kept = (folder / blob_id).read_bytes()
    with database.write() as tx:
        remove_source(tx, "notes", now=now)
    (folder / blob_id).write_bytes(kept)
    database.close()
    again = Store(Database.open(path, KEY, now=now))
    assert files(folder) == set()
    again.close()


def test_check_proves_that_rows_and_files_agree(store: Store, now: datetime, folder: Path) -> None:
    blob_id = keep(store.database, now)
    assert not [finding for finding in check(store).findings if finding.problem]
    (folder / "stray").write_bytes(b"x")
    (folder / blob_id).write_bytes(b"short")
    assert problems_of(store) == {"originals", "files of originals"}
    check(store, is_repairing=True)
    assert files(folder) == set()
    assert not problems_of(store)


def test_check_finds_a_changed_byte_and_repair_makes_room_for_the_original_anew(
    store: Store, now: datetime, folder: Path
) -> None:
    whole, broken, lost = (keep(store.database, now, native_id=name) for name in ("a.png", "b.png", "c.png"))
    data = bytearray((folder / broken).read_bytes())
    data[40] ^= 1
    (folder / broken).write_bytes(bytes(data))
    (folder / lost).unlink()
    assert [finding.count for finding in check(store).findings if finding.problem] == [3]
    check(store, is_repairing=True)
    assert not problems_of(store)
    assert files(folder) == {whole}
    with store.database.reader() as reader:
        assert reader.rows("SELECT blob_id FROM blob") == [(whole,)]


def test_rows_stay_where_the_whole_folder_is_away(store: Store, now: datetime, folder: Path) -> None:
    blob_id = keep(store.database, now)
    away = folder.rename(folder.with_name("elsewhere"))
    check(store, is_repairing=True)
    assert problems_of(store) == {"originals"}
    away.rename(folder)
    assert store.blobs.read(blob_id) == CANARY
    assert not problems_of(store)
