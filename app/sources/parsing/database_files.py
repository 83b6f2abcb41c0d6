"""A database and the journals beside it, read while another program may be writing them.

The files are read, and looked at again: where one of them changed meanwhile they are read anew, a few times. What is
handed on is the content that is committed in them (`sqlite_image`), in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import Unreadable
from app.sources.parsing.answer import FileState
from app.sources.parsing.sqlite_image import committed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Read = Callable[[Path], tuple[bytes, FileState]]

_WAL, _JOURNAL = "-wal", "-journal"
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Look:
    """What a database looks like from outside: its own identity, and the sizes and times of all its files."""

    size: int
    mtime_ns: int
    inode: int


def look(path: Path) -> Look:
    """Look at a file with what may stand beside it; for any other file it is the file alone. Raises OSError."""
    own = path.stat()
    size, mtime_ns = own.st_size, own.st_mtime_ns
    for suffix in (_WAL, _JOURNAL):
        try:
            status = path.with_name(path.name + suffix).stat()
        except (OSError, ValueError):
            continue
        size, mtime_ns = size + status.st_size, max(mtime_ns, status.st_mtime_ns)
    return Look(size, mtime_ns, own.st_ino)


def settled(path: Path, read: Read) -> tuple[bytes, FileState]:
    """What is committed in a database, and the state of its files taken together; raises `Unreadable`."""
    for attempt in range(1, _TRIES + 1):
        before = _look(path)
        wal, journal = (_beside(path, suffix, read) for suffix in (_WAL, _JOURNAL))
        data, state = read(path)
        parts = [part for part in (wal, journal) if part is not None]
        is_steady = before == _look(path)
        if is_steady or attempt == _TRIES:
            break
    content = committed(data, wal[0] if wal is not None else b"", journal[0] if journal is not None else b"")
    states = [state, *(beside for _, beside in parts)]
    whole = FileState(
        size=sum(one.size for one in states),
        mtime_ns=max(one.mtime_ns for one in states),
        inode=state.inode,
        is_fresh=not is_steady or any(one.is_fresh for one in states),
    )
    return content, whole


def _look(path: Path) -> Look | None:
    try:
        return look(path)
    except (OSError, ValueError):
        return None


def _beside(path: Path, suffix: str, read: Read) -> tuple[bytes, FileState] | None:
    """A journal; None where there is none. One that may not be read makes the whole unreadable."""
    beside = path.with_name(path.name + suffix)
    try:
        if not beside.exists():
            return None
        return read(beside)
    except Unreadable:
        # deleted in this instant: the program has just finished with it
        if not beside.exists():
            return None
        raise
    except OSError:
        return None
