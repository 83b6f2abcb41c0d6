"""A browser that is running: another process holds its database open, with a write that is not committed yet.

The history is read while that goes on, in a real parse process that can write no file, and nothing is left beside it.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from app.runtime import clock
from app.runtime.parse_process import ParseProcess
from app.sources.contract import Added, Changed, CursorRows
from tests.integration.sources.test_record_conformance import open_kind
from tests.unit.sources.makers import drain
from tests.unit.sources.parsing.browser_files import firefox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BROWSER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = " + sys.argv[2])
connection.execute("PRAGMA wal_autocheckpoint = 0")
connection.execute("PRAGMA cache_size = 1")
def visit(number, title):
    connection.execute(
        "INSERT INTO moz_places (url, title, visit_count, last_visit_date) VALUES (?, ?, 1, 1700000000000000)",
        (f"https://example.org/{number}", title),
    )
for line in sys.stdin:
    order, _, title = line.strip().partition(" ")
    if order == "begin":
        connection.execute("BEGIN")
    elif order == "commit":
        connection.execute("COMMIT")
    else:
        for number in range(int(order)):
            visit(f"{title}{number}", title)
    print("done", flush=True)
"""


@contextmanager
def running(path: Path, mode: str) -> Iterator[subprocess.Popen[str]]:
    browser = subprocess.Popen(
        [sys.executable, "-c", BROWSER, str(path), mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield browser
    finally:
        browser.stdin.close()
        browser.wait(20)
        browser.stdout.close()


def tell(browser: subprocess.Popen[str], order: str) -> None:
    browser.stdin.write(order + "\n")
    browser.stdin.flush()
    assert browser.stdout.readline() == "done\n"


@pytest.fixture
def parse():
    with closing(ParseProcess("app.sources.parsing.worker:handle")) as process:
        yield process


def synced(path: Path, parse: ParseProcess, rows: CursorRows) -> list[str]:
    """The titles of the pages that a sync brings."""
    with clock.use(datetime(2023, 11, 20, tzinfo=UTC)):
        changes = drain(open_kind(path, "history", parse=parse.call), rows)
    return sorted({change.entry.title for change in changes if isinstance(change, Added | Changed)})


@pytest.mark.parametrize("mode", ["wal", "truncate"])
def test_what_is_committed_is_read_while_the_browser_writes(tmp_path, parse, mode):
    path = tmp_path / "places.sqlite"
    firefox(path)
    rows = CursorRows()
    with running(path, mode) as browser:
        tell(browser, "3 first")
        assert synced(path, parse, rows) == ["first"]
        tell(browser, "begin")
        tell(browser, "500 half")  # far more than the cache holds: it is in the files already, and is not committed
        assert synced(path, parse, rows) == []
        tell(browser, "commit")
        assert synced(path, parse, rows) == ["half"]
        before = {one.name: one.stat().st_mtime_ns for one in tmp_path.iterdir()}
        assert synced(path, parse, rows) == []
        assert {one.name: one.stat().st_mtime_ns for one in tmp_path.iterdir()} == before
    assert synced(path, parse, rows) == []


@pytest.mark.slow
def test_a_long_history_is_sorted_without_a_file(tmp_path, parse):
    """SQLite sorts in a temporary file where it is let; the parse process can write none."""
    path = tmp_path / "places.sqlite"
    script = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
    INSERT INTO moz_places (url, title, visit_count, last_visit_date)
    SELECT 'https://example.org/' || i, hex(randomblob(100)), 1, 1700000000000000 + i FROM n;
    """
    firefox(path, script)
    assert len(synced(path, parse, CursorRows())) == 20_000
