"""The encrypted database file: one writer, pooled readers, transactions (D3.1, DESIGN 3).

Not a place for SQL: `writes` and `reading` have it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Self

from sqlcipher3 import dbapi2

from app.domain.errors import Damaged, Refused, Unavailable, WrongKey
from app.domain.text import msg
from app.store import migrations
from app.store.atomic_file import sync_folder
from app.store.blobs import FOLDER_NAME, BlobFolder
from app.store.connection import PAGE_SIZE, DatabaseKey, Reader, Writer, connect
from app.store.faults import NOT_A_DATABASE, code_of, translated
from app.store.footprints import taken, watch
from app.store.histories import steps_by_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from app.domain.errors import Expected
    from app.domain.text import Text
    from app.store.changes import ChangeListener
    from app.store.footprints import Footprint

FILE_NAME = "famulus.db"
_PLAIN_HEADER = b"SQLite format 3\x00"
_SPARE_READERS = 4


class Database:
    """An open database. Make one with `create` or `open`; close it when done.

    Attributes:
        blobs: the originals that are kept beside it.
    """

    def __init__(self, path: Path, key: DatabaseKey, raw: dbapi2.Connection) -> None:
        self.path = path
        self._key = key
        self._writer = raw
        self._writing = Lock()
        self._spare: list[dbapi2.Connection] = []
        self._pool = Lock()
        self.blobs = BlobFolder(path.parent / FOLDER_NAME, key, self)
        self._listeners: list[ChangeListener] = [self.blobs]
        self._followers: list[Callable[[frozenset[Footprint]], None]] = []
        watch(raw)
        self._is_open = True

    @classmethod
    def create(cls, path: Path, key: DatabaseKey, *, now: datetime) -> Self:
        """Make a new database, whole or not at all: it is built beside its place and moved there.

        Raises:
            Refused: there is a file already; it is left as it is.
            DiskFull, ReadOnly: nothing was made.
        """
        if path.exists():
            raise Refused(
                msg("There is a database already, so no new one was made."),
                next_step=msg("Unlock the present database, or move it away first."),
            )
        draft = path.with_name(path.name + ".new")
        with translated(path):
            draft.unlink(missing_ok=True)
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            raw = connect(draft, key, is_writer=True)
            try:
                migrations.migrate(raw, now=now)
            finally:
                raw.close()
            draft.replace(path)
            sync_folder(path.parent)
        return cls.open(path, key, now=now)

    @classmethod
    def open(cls, path: Path, key: DatabaseKey, *, now: datetime) -> Self:
        """Open a database and bring it up to date; a copy is kept before any migration.

        Raises:
            WrongKey: it belongs to another key.
            Damaged: empty, cut short, unencrypted, or with broken pages; it is left as it is.
            FromTheFuture, DiskFull, ReadOnly, Unavailable: as they say.
        """
        _refuse_what_is_no_database(path)
        raw: dbapi2.Connection | None = None
        try:
            with translated(path):
                raw = _unlocked(path, key)
                migrations.refuse_the_future(raw)
                raw.execute("PRAGMA journal_mode = WAL")
                migrations.migrate(raw, now=now, backup_beside=path)
        except BaseException:
            if raw is not None:
                raw.close()
            raise
        return cls(path, key, raw)

    def subscribe(self, listener: ChangeListener) -> None:
        """Let a structure in memory follow every commit from now on."""
        self._listeners.append(listener)

    def follow(self, follower: Callable[[frozenset[Footprint]], None]) -> None:
        """Tell whom every commit from now on concerns, after it; on the writer's thread."""
        self._followers.append(follower)

    @contextmanager
    def write(self) -> Iterator[Writer]:
        """One write transaction: all of it is durable when the block ends, or nothing of it happened.

        Raises:
            DiskFull, ReadOnly, Damaged, Unavailable: rolled back.
        """
        with self._writing:
            self._refuse_closed()
            writer = Writer(self._writer)
            with translated(self.path):
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield writer
                    writer.changes.histories = {row: steps_by_id(writer, *row) for row in writer.changes.touched}
                    footprints = taken(writer, writer.changes)
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                    raise
            if writer.changes:
                for listener in self._listeners:
                    listener.apply(writer.changes)
            if footprints:
                for follower in self._followers:
                    follower(footprints)

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """A read connection that sees one state of the database throughout the block; from any thread."""
        raw = self._take_reader()
        with translated(self.path):
            try:
                raw.execute("BEGIN")
                yield Reader(raw)
            finally:
                with suppress(dbapi2.Error):
                    raw.execute("ROLLBACK")
                self._give_reader_back(raw)

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database file and empty it, so that no old page is left in it."""
        with self._writing, translated(self.path):
            self._refuse_closed()
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def give_memory_back(self) -> None:
        """Drop the pages that the writer has kept: up to 16 MB after many writes, and none that a search needs."""
        with self._writing, translated(self.path):
            self._refuse_closed()
            self._writer.execute("PRAGMA shrink_memory").fetchall()

    def close(self) -> None:
        """Empty the log and close every connection. Does nothing the second time."""
        with self._writing:
            if not self._is_open:
                return
            self._is_open = False
            with self._pool:
                spare, self._spare = self._spare, []
            for raw in spare:
                raw.close()
            # a full disk must not keep the program from ending; the log is replayed at the next start
            with suppress(dbapi2.Error):
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._writer.close()

    def _take_reader(self) -> dbapi2.Connection:
        with self._pool:
            self._refuse_closed()
            if self._spare:
                return self._spare.pop()
        with translated(self.path):
            return connect(self.path, self._key, is_writer=False)

    def _give_reader_back(self, raw: dbapi2.Connection) -> None:
        with self._pool:
            if self._is_open and len(self._spare) < _SPARE_READERS:
                self._spare.append(raw)
                return
        raw.close()

    def _refuse_closed(self) -> None:
        if not self._is_open:
            raise Unavailable(msg("The database is closed."), next_step=msg("Unlock Famulus first."))


def key_id_of(path: Path) -> bytes | None:
    """The public id in the first 16 bytes of a database file; None where there is no such file."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError:
        return None
    return head if len(head) == 16 and head != _PLAIN_HEADER else None  # noqa: PLR2004


def _refuse_what_is_no_database(path: Path) -> None:
    """Refuse before SQLite sees it: it would take an empty or a missing file for a new database."""
    if not path.exists():
        raise Unavailable(
            msg("The database file is not in its folder."),
            next_step=msg("Put it back where it was, or restore a backup. Famulus makes no new one in its place."),
        )
    with translated(path), path.open("rb") as file:
        head = file.read(16)
    if head == _PLAIN_HEADER:
        raise _in_its_place(msg("The file in the place of the database is not encrypted, so it is not Famulus's own."))
    if not head:
        raise _in_its_place(msg("The database file is empty."))
    if path.stat().st_size < PAGE_SIZE:
        raise _in_its_place(msg("The database file was cut short."))


def _in_its_place(what: Text) -> Damaged:
    return Damaged(
        what,
        lost=msg("The file was left as it is."),
        next_step=msg("Put the right file back, or restore the newest backup."),
    )


def _unlocked(path: Path, key: DatabaseKey) -> dbapi2.Connection:
    try:
        raw = connect(path, key, is_writer=True)
    except dbapi2.DatabaseError as error:
        if code_of(error) != NOT_A_DATABASE:
            raise
        raise _why_it_does_not_open(path, key) from error
    if raw.execute("PRAGMA application_id").fetchone()[0] != migrations.APPLICATION_ID:
        raw.close()
        raise _in_its_place(msg("The file in the place of the database is not a database of Famulus."))
    return raw


def _why_it_does_not_open(path: Path, key: DatabaseKey) -> Expected:
    """The key was proven when it was unwrapped; so a file that names it and does not open is damaged."""
    if key_id_of(path) != key.key_id:
        return WrongKey(
            msg("This database belongs to another key."),
            next_step=msg("Put the key file (key.json) that belongs to it back beside it, or restore a backup."),
        )
    return Damaged(
        msg("The beginning of the database is damaged, or its key is not the right one."),
        lost=msg("The file was left as it is."),
        next_step=msg("Restore the newest backup, or put back an undamaged copy of the file."),
    )
