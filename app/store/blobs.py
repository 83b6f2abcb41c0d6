"""Originals of pictures and recordings, encrypted beside the database: `<data>/blobs/<id>` (DESIGN 4, L6.5, G8.4).

A file is a header (magic, a random salt) and pieces of 1 MiB, each under AES-256-GCM. Its key is derived by HKDF from
the database's key and the salt, and bound to the blob's id; the number of a piece and whether it is the last are in its
nonce. So a file that was cut, reordered, exchanged or put under another name does not open. What a file's name shows is
a random number, and its length.

A row and its file are one thing, also when the power fails: a file is written as `<id>.new` before the row, and renamed
after the commit; a row that goes, by whatever way, leaves its id in `blob_gone`, and the file goes after the commit.
`settle` finishes at the next start what was interrupted.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import struct
from contextlib import suppress
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.domain.errors import BadInput, Damaged
from app.domain.instants import to_ixdtf
from app.domain.text import msg
from app.store.faults import translated
from app.store.rows import storable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from app.domain.entries import Original
    from app.domain.text import Text
    from app.store.changes import ChangeSet
    from app.store.connection import DatabaseKey, Reader, Writer
    from app.store.database import Database

FOLDER_NAME = "blobs"
_MAGIC = b"FMLSBLB1"
_SALT_BYTES = 16
_HEADER_BYTES = len(_MAGIC) + _SALT_BYTES
_PIECE_BYTES = 1 << 20
_TAG_BYTES = 16
_NEW = ".new"
_INFO = b"famulus blob v1|"


class BlobFolder:
    """See the module docstring. `put`, `settle` and `apply` on the writer's lane; `read` anywhere."""

    def __init__(self, folder: Path, key: DatabaseKey, database: Database) -> None:
        self._folder = folder
        self._key = key
        self._database = database

    def put(self, tx: Writer, entry_id: int, original: Original, *, now: datetime) -> str:
        """Keep an entry's original; durable with the transaction. Returns the id of the blob.

        Raises:
            OSError: the disk is full, or the folder cannot be written; `Database.write` says it in words.
        """
        blob_id = secrets.token_hex(16)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._write(self._folder / (blob_id + _NEW), blob_id, original.data)
        tx.run(
            "INSERT INTO blob (blob_id, entry_id, name, media_type, size_bytes, sha256, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            blob_id,
            entry_id,
            storable(original.name),
            original.media_type,
            len(original.data),
            hashlib.sha256(original.data).hexdigest(),
            to_ixdtf(now),
        )
        tx.changes.blobs.append(blob_id)
        return blob_id

    def of_entry(self, entry_id: int) -> str | None:
        """The id of an entry's original, or None."""
        with self._database.reader() as reader:
            return _of_entry(reader, entry_id)

    def read(self, blob_id: str) -> bytes:
        """The bytes that were kept.

        Raises:
            BadInput: there is no such blob.
            Damaged: its file is missing, or not what was written.
        """
        with self._database.reader() as reader:
            row = reader.row("SELECT size_bytes, sha256 FROM blob WHERE blob_id = ?", blob_id)
        if row is None:
            raise BadInput(msg("There is no such original."), next_step=msg("Look the entry up again."))
        path = self._existing(blob_id)
        if path is None:
            raise _damaged(msg("An original that was kept is missing."))
        with translated(path):
            data = b"".join(self._pieces(path, blob_id, int(row[0])))
        if hashlib.sha256(data).hexdigest() != row[1]:
            raise _damaged(msg("An original that was kept is damaged."))
        return data

    def apply(self, changes: ChangeSet) -> None:
        """After a commit: files get their names, and those of deleted rows go."""
        for blob_id in changes.blobs:
            with suppress(OSError):  # it is read under its first name as well, and `settle` renames it
                (self._folder / (blob_id + _NEW)).rename(self._folder / blob_id)
        if changes.removed_chunks:
            with self._database.reader() as reader:
                self._remove(reader)

    def settle(self, tx: Writer) -> None:
        """Finish what a crash interrupted: no file without a row that a commit did not reach, none of a deleted one."""
        self._remove(tx)
        tx.run("DELETE FROM blob_gone")
        for path in self._files():
            if path.name.endswith(_NEW):
                is_kept = tx.value("SELECT 1 FROM blob WHERE blob_id = ?", path.name.removesuffix(_NEW)) is not None
                with suppress(OSError):
                    if is_kept:
                        path.rename(path.with_suffix(""))
                    else:
                        path.unlink()

    def strays(self, reader: Reader) -> tuple[int, int]:
        """How many rows have no file that opens, and how many files have no row. Reads every file."""
        rows = _rows(reader)
        return sum(not self._opens(*row) for row in rows), len(self._names() - {row[0] for row in rows})

    def drop_strays(self, tx: Writer) -> None:
        """Remove files that no row names, and rows whose file opens no more, so that they can be kept anew.

        Where no file at all is left the folder itself is away, and may come back: then rows stay.
        """
        rows = _rows(tx)
        if rows and self._names():
            for row in rows:
                if not self._opens(*row):
                    tx.run("DELETE FROM blob WHERE blob_id = ?", row[0])
        known = {row[0] for row in _rows(tx)}
        for path in self._files():
            if path.name.removesuffix(_NEW) not in known:
                with suppress(OSError):
                    path.unlink()

    def _names(self) -> set[str]:
        return {path.name.removesuffix(_NEW) for path in self._files()}

    def _opens(self, blob_id: str, size: int, sha256: str) -> bool:
        """Whether an original is what was kept; in pieces, whatever its size."""
        path = self._existing(blob_id)
        if path is None or _length(path) != _sealed(size):
            return False
        digest = hashlib.sha256()
        try:
            for piece in self._pieces(path, blob_id, size):
                digest.update(piece)
        except (OSError, Damaged):
            return False
        return digest.hexdigest() == sha256

    def _remove(self, reader: Reader | Writer) -> None:
        for (blob_id,) in reader.rows("SELECT blob_id FROM blob_gone"):
            for name in (blob_id, blob_id + _NEW):
                with suppress(OSError):
                    (self._folder / name).unlink()

    def _existing(self, blob_id: str) -> Path | None:
        return next((path for name in (blob_id, blob_id + _NEW) if (path := self._folder / name).is_file()), None)

    def _files(self) -> list[Path]:
        try:
            return [path for path in self._folder.iterdir() if path.is_file()]
        except OSError:
            return []

    def _write(self, path: Path, blob_id: str, data: bytes) -> None:
        salt = os.urandom(_SALT_BYTES)
        cipher = self._cipher(salt, blob_id)
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + salt)
                count = _count(len(data))
                for number in range(count):
                    piece = data[number * _PIECE_BYTES : (number + 1) * _PIECE_BYTES]
                    file.write(cipher.encrypt(_nonce(number, is_last=number == count - 1), piece, None))
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            path.unlink(missing_ok=True)
            raise

    def _pieces(self, path: Path, blob_id: str, size: int) -> Iterator[bytes]:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
            if len(header) != _HEADER_BYTES or not header.startswith(_MAGIC):
                raise _damaged(msg("An original that was kept is damaged."))
            cipher = self._cipher(header[len(_MAGIC) :], blob_id)
            count = _count(size)
            for number in range(count):
                sealed = file.read(_PIECE_BYTES + _TAG_BYTES)
                try:
                    yield cipher.decrypt(_nonce(number, is_last=number == count - 1), sealed, None)
                except (InvalidTag, ValueError):
                    raise _damaged(msg("An original that was kept is damaged.")) from None

    def _cipher(self, salt: bytes, blob_id: str) -> AESGCM:
        info = _INFO + self._key.key_id + b"|" + blob_id.encode("ascii")
        return AESGCM(HKDF(SHA256(), 32, salt, info).derive(self._key.secret))


def _of_entry(reader: Reader | Writer, entry_id: int) -> str | None:
    found: str | None = reader.value("SELECT min(blob_id) FROM blob WHERE entry_id = ?", entry_id)
    return found


def _rows(reader: Reader | Writer) -> list[tuple[str, int, str]]:
    return [tuple(row) for row in reader.rows("SELECT blob_id, size_bytes, sha256 FROM blob")]


def has_original(tx: Writer, entry_id: int) -> bool:
    """Whether an entry's original is kept."""
    return _of_entry(tx, entry_id) is not None


def _nonce(number: int, *, is_last: bool) -> bytes:
    """Never used twice: the key is the file's own."""
    return struct.pack(">7xIB", number, is_last)


def _count(size: int) -> int:
    return max(1, -(-size // _PIECE_BYTES))


def _sealed(size: int) -> int:
    """The length of the file of a blob of this size."""
    return _HEADER_BYTES + size + _TAG_BYTES * _count(size)


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _damaged(what: Text) -> Damaged:
    return Damaged(
        what,
        lost=msg("Its text is still known."),
        next_step=msg("Restore it from a backup, or take the file in again."),
    )
