"""The tables of a database from outside, read one by one; `database` opens it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

# A virtual table runs code, and a generated column an expression, which SQLite lets no authorizer see
_COMPUTED = re.compile(r"\s*CREATE\s+VIRTUAL|.*?\bAS\s*\(", re.IGNORECASE | re.DOTALL)
_CHARS = 20_000
Row = dict[str, "str | int | float | None"]


class Tables:
    """The plain tables of a database. Its methods raise sqlite3.Error for a damaged one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        made = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        self._names = frozenset(str(name) for name, sql in made.fetchall() if not _COMPUTED.match(str(sql)))
        self._columns: dict[str, frozenset[str]] = {}

    def has(self, *names: str) -> bool:
        """Whether all these tables are there."""
        return self._names.issuperset(names)

    def columns(self, table: str) -> frozenset[str]:
        """The names of a table's columns; empty for one that is not there. The name is ours."""
        if table not in self._columns and table in self._names:
            cursor = self._connection.execute(f'SELECT * FROM "{table}" LIMIT 0')  # noqa: S608 - a name of ours
            self._columns[table] = frozenset(str(column[0]) for column in cursor.description)
        return self._columns.get(table, frozenset())

    def count(self, table: str) -> int:
        """How many rows a table has."""
        if table not in self._names:
            return 0
        return sum(1 for _ in self._connection.execute(f'SELECT 1 FROM "{table}"'))  # noqa: S608 - see `columns`

    def rows(self, table: str, columns: Sequence[str], *, newest_by: str = "", limit: int = -1) -> Iterator[Row]:
        """Rows as values by column; a column that this version of the program does not have is None."""
        there = self.columns(table)
        if not there:
            return
        chosen = ", ".join(f'"{name}"' if name in there else "NULL" for name in columns)
        order = f' ORDER BY "{newest_by}" DESC' if newest_by in there else ""
        query = f'SELECT {chosen} FROM "{table}"{order} LIMIT ?'  # noqa: S608 - names of ours
        for row in self._connection.execute(query, (limit,)):
            yield dict(zip(columns, (_bounded(value) for value in row), strict=True))


def _bounded(value: object) -> str | int | float | None:
    if isinstance(value, str):
        return value[:_CHARS]
    return value if isinstance(value, int | float) else None


def whole(value: str | float | None) -> int:
    """A number as programs keep it, sometimes as text; 0 for what is none, or beyond all reason."""
    try:
        number = int(value or 0)
    except (ValueError, OverflowError):
        return 0
    return number if abs(number) < 1 << 62 else 0


def text(value: str | float | None) -> str:
    """A text column; what is no text is empty."""
    return value if isinstance(value, str) else ""
