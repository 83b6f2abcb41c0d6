"""What SQLite says, as an `Expected` that a person can act on. The one place where its errors are understood."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlcipher3 import dbapi2

from app.domain.errors import Bug, Damaged, DiskFull, FamulusError, ReadOnly, Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOT_A_DATABASE = 26
"""SQLite's code for a file that the key does not open: another key, another kind of file, or a broken first page."""

_BUSY, _LOCKED, _READ_ONLY, _IO_ERROR, _CORRUPT, _FULL, _CANNOT_OPEN = 5, 6, 8, 10, 11, 13, 14
_LITTLE_ROOM_BYTES = 1 << 20


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn database and file errors inside the block into `Expected` (or `Bug`, where the fault is ours).

    Args:
        path: the database file.
    """
    try:
        yield
    except FamulusError:
        raise
    except dbapi2.Error as error:
        raise from_database(error, path) from error
    except OSError as error:
        raise from_system(error, path) from error


def code_of(error: dbapi2.Error) -> int:
    """The primary result code of a database error; 0 where it has none."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def from_database(error: dbapi2.Error, path: Path) -> FamulusError:
    """The meaning of an error of SQLite or SQLCipher."""
    code = code_of(error)
    if code == _FULL or (code == _IO_ERROR and _free_bytes(path) < _LITTLE_ROOM_BYTES):
        return disk_full()
    # a statement that writes through a reader gives the same code in a writable folder: that is our fault
    if code in {_READ_ONLY, _CANNOT_OPEN, _IO_ERROR} and not (is_writable(path.parent) and _may_write(path)):
        return read_only()
    if code in {_CORRUPT, NOT_A_DATABASE}:
        return damaged()
    if code in {_IO_ERROR, _CANNOT_OPEN}:
        return Unavailable(
            msg("The disk that holds the database did not answer."),
            next_step=msg("Check that the disk is connected and healthy, then start Famulus again."),
        )
    if code in {_BUSY, _LOCKED}:
        return Unavailable(
            msg("Another program holds the database."),
            next_step=msg("Close the other program that has the database open, then try again."),
        )
    return Bug(f"the database refused a statement: {getattr(error, 'sqlite_errorname', type(error).__name__)}")


def from_system(error: OSError, path: Path) -> FamulusError:
    """The meaning of a file error beside the database."""
    from errno import EACCES, EDQUOT, EFBIG, ENOSPC, EPERM, EROFS  # noqa: PLC0415 - EDQUOT is absent on Windows

    if error.errno in {ENOSPC, EDQUOT, EFBIG}:
        return disk_full()
    if error.errno in {EACCES, EPERM, EROFS} or not is_writable(path.parent):
        return read_only()
    return Unavailable(
        msg("A file of the database could not be read or written."),
        next_step=msg("Check that the disk is connected and healthy, then start Famulus again."),
    )


def disk_full() -> DiskFull:
    """No room left."""
    return DiskFull(
        msg("The disk is full, so the last change was not saved."),
        lost=msg("Everything saved before is safe."),
        next_step=msg("Free some space, then try again."),
    )


def read_only() -> ReadOnly:
    """The data folder cannot be written."""
    return ReadOnly(
        msg("The data folder cannot be written."),
        next_step=msg("Make the folder writable for you, or choose another one, then start Famulus again."),
    )


def damaged() -> Damaged:
    """Some page of the database does not carry the bytes that were written."""
    return Damaged(
        msg("A part of the database is damaged."),
        lost=msg("What is in undamaged parts is safe; nothing was overwritten."),
        next_step=msg("Run “famulus check” to see what is affected, and restore the newest backup if it says so."),
    )


def is_writable(folder: Path) -> bool:
    """Whether files can be made in the folder: by its rights, and by how its disk is mounted."""
    if not os.access(folder, os.W_OK):
        return False
    if not hasattr(os, "statvfs"):
        return True
    try:
        return not os.statvfs(folder).f_flag & os.ST_RDONLY
    except OSError:
        return False


def _may_write(path: Path) -> bool:
    return not path.exists() or os.access(path, os.W_OK)


def _free_bytes(path: Path) -> int:
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return _LITTLE_ROOM_BYTES
