"""One SQLCipher connection: how it is opened, and the two types that stand for what may be done with it.

A `Writer` can be passed where a `Reader` is asked for, never the other way round; the type checker holds this.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlcipher3 import dbapi2

from app.store.changes import ChangeSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Row = tuple[Any, ...]

PAGE_SIZE = 8192
"""Bytes a page. A 768-byte vector takes 1,007 bytes at 4096, 835 at 8192, and 100k of them load a fifth faster."""

_BUSY_TIMEOUT_MS = 5000
_WAL_LIMIT_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class DatabaseKey:
    """The raw 256-bit key, and the public id of the database that it belongs to.

    Attributes:
        key_id: 16 bytes; also the first 16 bytes of the database file (SQLCipher's salt, which is public).
    """

    secret: bytes = field(repr=False)
    key_id: bytes

    def __post_init__(self) -> None:
        if len(self.secret) != 32 or len(self.key_id) != 16:  # noqa: PLR2004
            raise ValueError("a key has 32 bytes and its id 16")


class Reader:
    """A connection for reading. Parameters are always bound, never formatted into the statement."""

    __slots__ = ("_raw",)

    def __init__(self, raw: dbapi2.Connection) -> None:
        self._raw = raw

    def rows(self, sql: str, *values: object) -> list[Row]:
        """All rows of a query."""
        found: list[Row] = self._raw.execute(sql, values).fetchall()
        return found

    def row(self, sql: str, *values: object) -> Row | None:
        """The first row, or None."""
        found: Row | None = self._raw.execute(sql, values).fetchone()
        return found

    def value(self, sql: str, *values: object) -> Any:  # noqa: ANN401 - a column can be anything
        """The first column of the first row, or None."""
        found = self.row(sql, *values)
        return None if found is None else found[0]

    def batches(self, sql: str, *values: object, size: int = 2000) -> Iterator[list[Row]]:
        """The rows of a query, `size` at a time, so that a large table is never in memory whole."""
        cursor = self._raw.execute(sql, values)
        while rows := cursor.fetchmany(size):
            yield rows


class Writer(Reader):
    """A connection inside a write transaction, with a record of what it has changed so far."""

    __slots__ = ("changes",)

    def __init__(self, raw: dbapi2.Connection) -> None:
        super().__init__(raw)
        self.changes = ChangeSet()

    def run(self, sql: str, *values: object) -> int:
        """Run a statement; returns the number of rows that it touched."""
        return int(self._raw.execute(sql, values).rowcount)

    def insert(self, sql: str, *values: object) -> int:
        """Insert one row; returns its rowid."""
        return int(self._raw.execute(sql, values).lastrowid)

    def run_many(self, sql: str, rows: Iterable[Row]) -> None:
        """Run a statement once for each row of values."""
        self._raw.executemany(sql, rows)


def connect(path: Path, key: DatabaseKey, *, is_writer: bool) -> dbapi2.Connection:
    """Open a connection with every safety on, and prove the key by reading.

    Raises:
        dbapi2.DatabaseError: among others with the code `faults.NOT_A_DATABASE`, where the key does not open the file.

    synchronous=FULL: a commit has reached the disk when it returns. NORMAL would halve the time of one row (0.4 against
    0.8 ms, under the budget of 1 ms either way) and could lose the last commits when the power fails: a cursor that was
    reported, or a note that a person saw saved.
    secure_delete=ON: what is deleted is overwritten with zeros, also in pages that become free.
    """
    raw = dbapi2.connect(str(path), isolation_level=None, check_same_thread=False, cached_statements=256)
    try:
        _set_up(raw, key, is_writer=is_writer)
    except BaseException:
        raw.close()
        raise
    return raw


def _set_up(raw: dbapi2.Connection, key: DatabaseKey, *, is_writer: bool) -> None:
    # it would print on stderr, once for each wrong key
    raw.execute("PRAGMA cipher_log_level = NONE")
    raw.execute(f"PRAGMA key = \"x'{key.secret.hex()}{key.key_id.hex()}'\"")
    raw.execute(f"PRAGMA cipher_page_size = {PAGE_SIZE}")
    raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
    raw.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    raw.execute("PRAGMA temp_store = MEMORY")
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA trusted_schema = OFF")
    if is_writer:
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("PRAGMA fullfsync = ON")
        raw.execute("PRAGMA checkpoint_fullfsync = ON")
        raw.execute("PRAGMA secure_delete = ON")
        raw.execute("PRAGMA cache_size = -16384")
        raw.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")
    else:
        raw.execute("PRAGMA query_only = ON")
        raw.execute("PRAGMA cache_size = -8192")
