"""Databases of programs that keep a person's things in SQLite: browsers and Taskwarrior. Read in memory, read only.

A database is a program for SQLite to run, and this one came from outside: views, triggers, recursive queries and
functions are not available to it, and only plain tables are read, by their columns.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from app.domain.text import msg
from app.sources.parsing import bookmarks_firefox, browser_history, taskwarrior
from app.sources.parsing.database_tables import Tables
from app.sources.parsing.refusals import damaged, not_read_yet
from app.sources.parsing.sqlite_image import committed

if TYPE_CHECKING:
    from app.sources.parsing.parsed import About, Parsed

_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})
_MOST_VALUE_BYTES = 16 * 1024 * 1024
BOOKMARKS, HISTORY = "bookmarks", "history"


def parse(data: bytes, about: About) -> Parsed:
    """Read the database of a browser or of Taskwarrior.

    Raises:
        Unreadable: it is damaged, or of a program that is not known.
    """
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.deserialize(committed(data))
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            connection.execute("PRAGMA temp_store = MEMORY")  # what is sorted would else go to the disk
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_VALUE_BYTES)
            connection.set_authorizer(_allow)
            return _parse(Tables(connection), about)
        except (sqlite3.Error, UnicodeError):  # its messages quote names that may be no UTF-8
            raise damaged("SQLite") from None


def _parse(tables: Tables, about: About) -> Parsed:
    if tables.has("moz_places"):
        if about.kind == BOOKMARKS:
            return bookmarks_firefox.parse(tables, about)
        visited = browser_history.parse_firefox(tables, about)
        return visited if about.kind == HISTORY else bookmarks_firefox.parse(tables, about, visited)
    if tables.has("urls", "visits"):
        return browser_history.parse_chromium(tables, about)
    if "data" in tables.columns("tasks"):
        return taskwarrior.parse_database(tables, about)
    raise not_read_yet(msg("It is a database of a program that Famulus does not know."))


def _allow(action: int, first: str | None, second: str | None, database: str | None, inner: str | None) -> int:
    """Let SQLite read columns and nothing else; `inner` names the view or trigger that wants to."""
    del first, second, database
    return sqlite3.SQLITE_OK if action in _ALLOWED and inner is None else sqlite3.SQLITE_DENY
