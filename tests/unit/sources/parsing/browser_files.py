"""Makers of the databases that browsers and Taskwarrior keep."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SECONDS_1601_TO_1970 = 11_644_473_600

CHROMIUM = """
CREATE TABLE urls (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, visit_count INTEGER,
                   typed_count INTEGER, last_visit_time INTEGER, hidden INTEGER DEFAULT 0);
CREATE TABLE visits (id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER);
"""
FIREFOX = """
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, title TEXT, visit_count INTEGER DEFAULT 0,
                         hidden INTEGER DEFAULT 0, last_visit_date INTEGER, guid TEXT, description TEXT);
CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, place_id INTEGER, visit_date INTEGER);
CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER, parent INTEGER, position INTEGER,
                            title TEXT, dateAdded INTEGER, lastModified INTEGER, guid TEXT);
INSERT INTO moz_bookmarks (id, type, parent, title, guid) VALUES
  (1, 2, 0, '', 'root________'), (2, 2, 1, 'menu', 'menu________'), (3, 2, 1, 'toolbar', 'toolbar_____'),
  (4, 2, 1, 'tags', 'tags________');
"""


def chromium(path: Path, pages: Iterable[tuple[str, str, int, float]]) -> bytes:
    """A history; a page is its address, title, visits and the last one's time."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(CHROMIUM)
        for number, (url, title, visits, at) in enumerate(pages, 1):
            moment = int((at + SECONDS_1601_TO_1970) * 1_000_000)
            connection.execute("INSERT INTO urls VALUES (?, ?, ?, ?, 0, ?, 0)", (number, url, title, visits, moment))
            connection.executemany(
                "INSERT INTO visits (url, visit_time) VALUES (?, ?)",
                [(number, moment - back) for back in range(visits)],
            )
        connection.commit()
    return path.read_bytes()


def firefox(path: Path, script: str = "", rows: Iterable[tuple[str, tuple[Any, ...]]] = ()) -> bytes:
    """A `places.sqlite` with what a script puts into it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(FIREFOX + script)
        for statement, values in rows:
            connection.execute(statement, values)
        connection.commit()
    return path.read_bytes()
