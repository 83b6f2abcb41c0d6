"""Lists of records, vaults and clips, put through the suite that every source passes."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.errors import Refused
from app.runtime import clock
from app.sources.contract import Added, Changed, CursorRows, Deleted, Skipped
from tests.integration.sources.conformance import Conformance
from tests.unit.sources.makers import RESTED, context, drain, write
from tests.unit.sources.parsing.browser_files import chromium, firefox

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>x</TITLE>\n<H1>x</H1>\n<DL><p>\n"


class ListConformance(Conformance):
    """A list in one file, written anew for each change; what makes it unreadable makes all of it so."""

    def write(self, world: Path, items: dict[int, str]) -> None:
        raise NotImplementedError

    def name(self, number: int) -> str:
        raise NotImplementedError

    def items(self, world: Path) -> dict[int, str]:
        return self.__dict__.setdefault("_items", {}).setdefault(str(world), {})

    def make(self, world: Path, number: int, text: str = "text") -> str:
        self.items(world)[number] = text
        self._write(world)
        return self.name(number)

    def fill(self, world: Path, count: int = 6, first: int = 0) -> list[str]:
        self.items(world).update({number: f"text {number}" for number in range(first, first + count)})
        self._write(world)
        return [self.name(number) for number in range(first, first + count)]

    def remove(self, world: Path, number: int) -> None:
        del self.items(world)[number]
        self._write(world)

    def _write(self, world: Path) -> None:
        self.write(world, self.items(world))
        self.tick = getattr(self, "tick", RESTED) + 10
        os.utime(self.location(world), (self.tick, self.tick))

    def spoil(self, world: Path) -> None:
        write(self.location(world), b"\x7fELF" + bytes(50), at=RESTED + 1_000_000)

    def test_garbage_is_skipped_and_the_rest_goes_on(self, world):
        """What was known of the list stays as it was."""
        self.fill(world)
        rows = CursorRows()
        drain(self.open(world)[0], rows)
        known = {key: row for key, row in rows.items() if key.startswith("record:")}
        self.spoil(world)
        changes = drain(self.open(world)[0], rows)
        told = [change for change in changes if isinstance(change, Skipped)]
        assert told
        assert not any(isinstance(change, Added | Changed | Deleted) for change in changes)
        again, parse = self.open(world)
        assert [change for change in drain(again, rows) if isinstance(change, Skipped)] == told
        assert parse.names == []
        assert {key: row for key, row in rows.items() if key.startswith("record:")} == known
        self._write(world)
        assert not any(isinstance(change, Added | Deleted) for change in drain(self.open(world)[0], rows))


class TestBookmarkFile(ListConformance):
    kind = "bookmarks"

    def location(self, world: Path) -> Path:
        return world / "bookmarks.html"

    def name(self, number: int) -> str:
        import hashlib

        return hashlib.sha256(f"https://example.org/{number}".encode()).hexdigest()[:20]

    def write(self, world: Path, items: dict[int, str]) -> None:
        lines = [f'<DT><A HREF="https://example.org/{number}">{text}</A>\n' for number, text in items.items()]
        write(self.location(world), HEAD + "".join(lines) + "</DL><p>\n")


class TestFirefoxBookmarks(ListConformance):
    kind = "bookmarks"

    def location(self, world: Path) -> Path:
        return world / "places.sqlite"

    def name(self, number: int) -> str:
        return f"guid{number}"

    def write(self, world: Path, items: dict[int, str]) -> None:
        self.location(world).unlink(missing_ok=True)
        rows: list[tuple[str, tuple[Any, ...]]] = []
        for number, text in items.items():
            place = (number + 1, f"https://example.org/{number}", text)
            rows.append(("INSERT INTO moz_places (id, url, title) VALUES (?, ?, ?)", place))
            mark = (number + 100, number + 1, text, f"guid{number}")
            rows.append(
                ("INSERT INTO moz_bookmarks (id, type, fk, parent, title, guid) VALUES (?, 1, ?, 2, ?, ?)", mark)
            )
        firefox(self.location(world), rows=rows)


class TestHistory(ListConformance):
    kind = "history"

    def location(self, world: Path) -> Path:
        return world / "History"

    def name(self, number: int) -> str:
        import hashlib

        return hashlib.sha256(f"https://example.org/{number}".encode()).hexdigest()[:24]

    def write(self, world: Path, items: dict[int, str]) -> None:
        self.location(world).unlink(missing_ok=True)
        at = clock.now().timestamp() - 3600
        pages = [(f"https://example.org/{number}", text, 1, at) for number, text in items.items()]
        chromium(self.location(world), pages)


class TestTodoFile(ListConformance):
    kind = "todo"

    def location(self, world: Path) -> Path:
        return world / "todo.txt"

    def write(self, world: Path, items: dict[int, str]) -> None:
        lines = [f"number {number} due:{self._day(text)}\n" for number, text in items.items()]
        write(self.location(world), "".join(lines) or "\n")

    def name(self, number: int) -> str:
        from app.sources.parsing.task_entry import TaskNames

        return TaskNames().name(f"number {number}")

    def _day(self, text: str) -> str:
        return (datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=sum(map(ord, text)) % 300)).date().isoformat()


class TestVault(Conformance):
    kind = "notes"

    def location(self, world: Path) -> Path:
        return world / "vault"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        write(self.location(world) / f"{number % 3}" / f"note {number}.md", f"# Note\n\n{text} {number} [[note 1]]\n")
        return f"{number % 3}/note {number}.md"

    def remove(self, world: Path, number: int) -> None:
        (self.location(world) / f"{number % 3}" / f"note {number}.md").unlink()

    def spoil(self, world: Path) -> None:
        write(self.location(world) / "broken.md", b"\x7fELF" + bytes(50))


class TestClips(Conformance):
    kind = "clips"

    def location(self, world: Path) -> Path:
        return world / "clips"

    def make(self, world: Path, number: int, text: str = "text") -> str:
        write(self.location(world) / f"{number}.html", f"<html><body><p>{text} {number}</p></body></html>")
        return f"{number}.html"

    def remove(self, world: Path, number: int) -> None:
        (self.location(world) / f"{number}.html").unlink()

    def spoil(self, world: Path) -> None:
        write(self.location(world) / "broken.pdf", b"%PDF-1.7\nnothing")


def records(changes: list[Any], kind: type) -> list[str]:
    return [change.entry.title for change in changes if isinstance(change, kind)]


def open_kind(place: Path, kind: str, **changes: Any) -> Any:
    from app.sources.registry import Registry

    registry = Registry()
    registry.load()
    made = context(place, kind, **changes)
    return registry.open(made)


def test_an_archived_task_is_the_same_task(tmp_path):
    write(tmp_path / "todo.txt", "buy milk\ncall mom\nwrite\n")
    rows = CursorRows()
    assert records(drain(open_kind(tmp_path, "todo"), rows), Added) == ["buy milk", "call mom", "write"]
    write(tmp_path / "todo.txt", "call mom\nwrite\n")
    write(tmp_path / "done.txt", "x 2025-05-02 buy milk\n")
    changes = drain(open_kind(tmp_path, "todo"), rows)
    assert records(changes, Changed) == ["buy milk"]
    assert not any(isinstance(change, Added | Deleted) for change in changes)


def test_a_list_of_which_one_file_is_unreadable_loses_nothing(tmp_path):
    write(tmp_path / "todo.txt", "buy milk\n")
    write(tmp_path / "done.txt", "x 2025-05-02 call mom\n")
    rows = CursorRows()
    drain(open_kind(tmp_path, "todo"), rows)
    write(tmp_path / "done.txt", "- a list\n- of another kind\n", at=RESTED + 50)
    changes = drain(open_kind(tmp_path, "todo"), rows)
    assert [change.native_id for change in changes if isinstance(change, Skipped)] == ["done.txt"]
    assert not any(isinstance(change, Deleted) for change in changes)


def test_pages_that_grow_old_are_no_deletions(tmp_path):
    def pages(*days: str) -> None:
        path = tmp_path / "History"
        path.unlink(missing_ok=True)
        moments = [datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp() for day in days]
        chromium(path, [(f"https://example.org/{at:.0f}", "a page", 1, at) for at in moments])
        os.utime(path, (RESTED + len(days), RESTED + len(days)))

    rows = CursorRows()
    with clock.use(datetime(2025, 5, 1, tzinfo=UTC)):
        pages("2025-04-30", "2025-04-29", "2025-02-02")
        assert len(records(drain(open_kind(tmp_path / "History", "history"), rows), Added)) == 3
    with clock.use(datetime(2025, 5, 10, tzinfo=UTC)):
        pages("2025-04-30", "2025-04-29")
        changes = drain(open_kind(tmp_path / "History", "history"), rows)
    assert not any(isinstance(change, Added | Changed | Deleted) for change in changes)
    assert sum(key.startswith("record:") for key, _ in rows.items()) == 2


def test_a_cleared_history_asks(tmp_path):
    path = tmp_path / "History"
    now = clock.now().timestamp()
    chromium(path, [(f"https://example.org/{number}", "x", 1, now) for number in range(9)])
    rows = CursorRows()
    drain(open_kind(path, "history"), rows)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM urls")
        connection.commit()
    with pytest.raises(Refused):
        drain(open_kind(path, "history"), rows)
    changes = drain(open_kind(path, "history", is_deletion_confirmed=True), rows)
    assert sum(isinstance(change, Deleted) for change in changes) == 9
