"""What every kind of source must do. A kind is tested by a subclass that says how to make and change its items."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.errors import Cancelled, Refused, Unavailable
from app.sources.contract import Added, Changed, CursorMoved, CursorRows, Deleted, Skipped, Unchanged
from app.sources.deletion_guard import DeletionLimits
from app.sources.registry import Registry
from tests.unit.sources.makers import FIRST_OF_MANY, After, HonestParse, context, drain, parse_one_of_alike

if TYPE_CHECKING:
    from pathlib import Path


class Conformance:
    """The suite. `self.world` is a folder of the test's own."""

    kind: str

    # --- what a kind has to say ---

    def location(self, world: Path) -> Path:
        raise NotImplementedError

    def make(self, world: Path, number: int, text: str = "text") -> str:
        """Make or replace item `number`; returns its native id."""
        raise NotImplementedError

    def remove(self, world: Path, number: int) -> None:
        raise NotImplementedError

    def spoil(self, world: Path) -> None:
        """Put an item among the others that cannot be read."""
        raise NotImplementedError

    def take_away(self, world: Path) -> None:
        """Make the whole source unreachable."""
        self.location(world).rename(world / "elsewhere")

    # --- the suite ---

    @pytest.fixture
    def world(self, tmp_path: Path) -> Path:
        folder = tmp_path / "world"
        folder.mkdir()
        return folder

    def open(self, world: Path, **changes: Any) -> tuple[Any, HonestParse]:
        registry = Registry()
        registry.load()
        parse = HonestParse()
        changes = {"parse": parse} | changes
        return registry.open(context(self.location(world), self.kind, **changes)), parse

    def fill(self, world: Path, count: int = 6, first: int = 0) -> list[str]:
        return [self.make(world, number, f"text {number}") for number in range(first, first + count)]

    def test_everything_is_added_once(self, world):
        ids = self.fill(world)
        source, _ = self.open(world)
        source.authenticate()
        rows = CursorRows()
        changes = drain(source, rows)
        assert sorted(_ids(changes, Added)) == sorted(ids)
        assert _ids(changes, Changed) == []
        for change in changes:
            if isinstance(change, Added):
                entry = change.entry
                assert entry.source_id == "notes"
                assert entry.source_uri.startswith("file://")
                assert entry.content_hash
                assert entry.created_at.utcoffset() is not None
                assert entry.updated_at.utcoffset() is not None

    def test_unchanged_means_that_nothing_is_read(self, world):
        self.fill(world)
        source, _ = self.open(world)
        rows = CursorRows()
        drain(source, rows)
        again, parse = self.open(world)
        changes = drain(again, rows)
        assert parse.names == []
        assert sum(change.count for change in changes if isinstance(change, Unchanged)) == 6
        assert not any(isinstance(change, Added | Changed | Deleted | Skipped | CursorMoved) for change in changes)

    def test_changes_and_deletions_are_found(self, world):
        ids = self.fill(world)
        source, _ = self.open(world)
        rows = CursorRows()
        drain(source, rows)
        self.make(world, 1, "another text")
        new = self.make(world, 9, "new")
        self.remove(world, 3)
        changes = drain(self.open(world)[0], rows)
        assert _ids(changes, Added) == [new]
        assert _ids(changes, Changed) == [ids[1]]
        assert [change.native_id for change in changes if isinstance(change, Deleted)] == [ids[3]]
        assert sum(change.count for change in changes if isinstance(change, Unchanged)) == 4
        assert not any(isinstance(change, Deleted) for change in drain(self.open(world)[0], rows))

    def test_the_cursor_survives_a_crash_in_the_middle(self, world):
        """A consumer that dies writes some of the changes, and the cursor rows ahead of its death."""
        ids = self.fill(world)
        for death in range(1, 14):
            rows = CursorRows()
            taken: set[str] = set()
            for number, change in enumerate(self.open(world)[0].changes(rows, After(1000))):
                if number == death:
                    break
                if isinstance(change, CursorMoved):
                    rows.move(change)
                elif isinstance(change, Added | Changed):
                    taken.add(change.entry.native_id)
            rest = drain(self.open(world)[0], rows)
            assert taken | set(_ids(rest, Added)) | set(_ids(rest, Changed)) == set(ids)
            assert not any(isinstance(change, Deleted) for change in rest)

    def test_stop_in_the_middle_and_resume(self, world):
        ids = self.fill(world)
        rows = CursorRows()
        first: list[Any] = []
        with pytest.raises(Cancelled):
            drain(self.open(world)[0], rows, After(1), first)
        second = drain(self.open(world)[0], rows)
        assert sorted(_ids(first, Added) + _ids(second, Added)) == sorted(ids)

    def test_an_unreachable_source_deletes_nothing(self, world):
        self.fill(world)
        rows = CursorRows()
        drain(self.open(world)[0], rows)
        before = dict(rows.items())
        source, _ = self.open(world)
        self.take_away(world)
        with pytest.raises(Unavailable) as told:
            source.authenticate()
        assert "othing" in str(told.value.lost)
        with pytest.raises(Unavailable):
            drain(source, rows)
        assert dict(rows.items()) == before

    def test_garbage_is_skipped_and_the_rest_goes_on(self, world):
        ids = self.fill(world)
        self.spoil(world)
        rows = CursorRows()
        changes = drain(self.open(world)[0], rows)
        assert set(ids) <= set(_ids(changes, Added))
        skipped = [change for change in changes if isinstance(change, Skipped)]
        assert skipped
        again, parse = self.open(world)
        told_again = [change for change in drain(again, rows) if isinstance(change, Skipped)]
        assert parse.names == []
        assert told_again == skipped

    def test_many_deletions_at_once_stop_and_ask(self, world):
        self.fill(world, 10)
        rows = CursorRows()
        drain(self.open(world)[0], rows)
        for number in range(3):
            self.remove(world, number)
        new = self.make(world, 20, "new")
        told: list[Any] = []
        with pytest.raises(Refused) as refused:
            drain(self.open(world)[0], rows, into=told)
        assert "--confirm-deletions" in str(refused.value.next_step)
        assert _ids(told, Added) == [new]
        assert not any(isinstance(change, Deleted) for change in told)
        confirmed = drain(self.open(world, is_deletion_confirmed=True)[0], rows)
        assert sum(isinstance(change, Deleted) for change in confirmed) == 3

    def test_the_limits_of_the_guard_are_settings(self, world):
        self.fill(world, 10)
        rows = CursorRows()
        drain(self.open(world)[0], rows)
        for number in range(5):
            self.remove(world, number)
        with pytest.raises(Refused):
            drain(self.open(world, deletions=DeletionLimits(share=0.9, items=4))[0], rows)
        changes = drain(self.open(world, deletions=DeletionLimits(share=0.9, items=5))[0], rows)
        assert sum(isinstance(change, Deleted) for change in changes) == 5

    def test_what_it_cannot_do_is_refused_politely(self, world):
        self.fill(world, 1)
        source, _ = self.open(world)
        changes = drain(source, CursorRows())
        if "search" not in source.capabilities:
            with pytest.raises(Refused):
                source.search("x", 1)
        if "write" not in source.capabilities:
            with pytest.raises(Refused):
                source.write(next(change.entry for change in changes if isinstance(change, Added)))

    @pytest.mark.slow
    @pytest.mark.timeout(600)
    def test_ten_thousand_unchanged_entries_are_looked_at_quickly(self, world, monkeypatch):
        parse_one_of_alike(monkeypatch)
        self.fill(world, 10_000, FIRST_OF_MANY)
        rows = CursorRows()
        assert len(set(_ids(drain(self.open(world)[0], rows), Added))) == 10_000
        source, parse = self.open(world)
        began = time.process_time()
        changes = drain(source, rows)
        assert parse.names == []
        assert sum(change.count for change in changes if isinstance(change, Unchanged)) == 10_000
        assert time.process_time() - began < 2


def _ids(changes: list[Any], kind: type) -> list[str]:
    return [change.entry.native_id for change in changes if isinstance(change, kind)]
