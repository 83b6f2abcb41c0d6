"""One sync: counts, order, errors in the middle, and what is kept (L5.2, L6.2, G1.3, X9.2)."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from app.domain.collecting import SourceChange, SyncState
from app.domain.entries import EventFacts, Occurrence
from app.domain.errors import Bug, Cancelled, DiskFull, Refused, Unavailable
from app.domain.labels import EntryKind
from app.domain.text import msg
from app.govern import pipeline as pipeline_module
from app.govern.batches import BatchLimits
from app.govern.pipeline import Pipeline
from app.runtime.stop import StopSwitch
from app.sources.contract import Added, Changed, CursorMoved, Deleted, Marked, Skipped, Unchanged, Warned
from app.store.check import check
from app.store.reading import counts
from app.store.source_rows import add_source, change_source, cursor_rows, set_source_state, source
from tests.unit.govern.makers import WHEN, WordCounter, entry, paragraph
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.collecting import SourceInfo
    from app.domain.entries import Entry
    from app.domain.progress import Progress, StopSignal
    from app.runtime.lanes import Lanes
    from app.sources.contract import Change, CursorReader
    from app.store.store import Store

INFO = source_info("src")


def item(name: str, text: str = "some text") -> Entry:
    return entry([paragraph(f"{name}: {text}")], native_id=name, title=name, source_uri=f"file:///{name}")


@dataclass
class Told:
    """A source that tells a fixed story; an exception in it is raised at its place."""

    story: Sequence[Change | Exception]
    is_reachable: bool = True
    seen: dict[str, str] = field(default_factory=dict)
    threads: set[int] = field(default_factory=set)

    capabilities = frozenset[object]()

    def authenticate(self) -> None:
        if not self.is_reachable:
            raise Unavailable(msg("gone"), next_step=msg("plug it in"))

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        self.seen = dict(cursor.items())
        for step in self.story:
            self.threads.add(threading.get_ident())
            stop.checkpoint()
            if isinstance(step, Exception):
                raise step
            yield step


@pytest.fixture
def pipeline(store: Store, lanes: Lanes) -> Pipeline:
    with store.database.write() as tx:
        add_source(tx, INFO)
    return Pipeline(store.database, lanes, WordCounter(), limits=BatchLimits(entries=2))


def state_of(store: Store) -> tuple[SyncState, str | None, int, dict[str, str]]:
    with store.database.reader() as reader:
        info = source(reader, "src")
        assert info is not None
        return info.state, info.problem and str(info.problem), counts(reader).entries, cursor_rows(reader, "src")


def added(*names: str) -> list[Change]:
    return [step for name in names for step in (Added(item(name)), CursorMoved({name: "1"}))]


async def test_a_sync_counts_what_it_did(store: Store, pipeline: Pipeline) -> None:
    report = await pipeline.sync(Told(added("a", "b", "c")), INFO)
    assert (report.added, report.changed, report.deleted, report.unchanged) == (3, 0, 0, 0)
    story = [
        Changed(item("a", "new")),
        CursorMoved({"a": "2"}),
        Unchanged(1),
        Skipped("x.bin", msg("unreadable")),
        Warned(msg("careful")),
        Deleted("c"),
        CursorMoved({"c": None}),
    ]
    second = Told(story)
    report = await pipeline.sync(second, INFO)
    assert (report.added, report.changed, report.deleted, report.unchanged) == (0, 1, 1, 1)
    assert [skipped.native_id for skipped in report.skipped] == ["x.bin"]
    assert [str(warning) for warning in report.warnings] == ["careful"]
    assert second.seen == {"a": "1", "b": "1", "c": "1"}
    assert state_of(store) == (SyncState.IDLE, None, 2, {"a": "2", "b": "1"})


async def test_passages_are_measured_by_what_is_known_when_it_is_ready(store: Store, lanes: Lanes) -> None:
    class Counted(WordCounter):
        def count(self, text: str) -> int:
            counted.append(text)
            return super().count(text)

    async def ready() -> None:
        assert not told.seen
        made.count_with(Counted())

    counted: list[str] = []
    told = Told(added("a"))
    made = Pipeline(store.database, lanes, WordCounter())
    made.wait_for(ready)
    with store.database.write() as tx:
        add_source(tx, INFO)
    await made.sync(told, INFO)
    assert counted


async def test_a_second_sync_of_the_same_changes_nothing(store: Store, pipeline: Pipeline) -> None:
    await pipeline.sync(Told(added("a", "b")), INFO)
    report = await pipeline.sync(Told(added("a", "b")), INFO)
    assert (report.added, report.unchanged) == (0, 2)
    assert state_of(store)[2] == 2


async def test_a_mark_is_noted_beside_the_content(store: Store, pipeline: Pipeline) -> None:
    await pipeline.sync(Told(added("a", "b")), INFO)
    first = [Marked("a", {"folder": "收件箱", "flags": "seen"}), Marked("none such", {"flags": "seen"})]
    report = await pipeline.sync(Told(first), INFO)
    assert (report.changed, report.unchanged) == (1, 1)
    report = await pipeline.sync(Told([Marked("a", {"flags": ""}), Marked("a", {"folder": "收件箱"})]), INFO)
    assert (report.changed, report.unchanged) == (1, 1)
    with store.database.reader() as reader:
        (row,) = reader.rows("SELECT metadata, version FROM entry WHERE native_id = 'a'")
    assert row[1] == 1
    assert json.loads(row[0]) == {"folder": "收件箱"}


async def test_what_was_read_before_an_error_is_kept(store: Store, pipeline: Pipeline) -> None:
    broken = Unavailable(msg("the cable is out"), next_step=msg("plug it in"))
    with pytest.raises(Unavailable):
        await pipeline.sync(Told([*added("a", "b", "c"), broken]), INFO)
    state, problem, entries, cursor = state_of(store)
    assert (state, problem, entries) == (SyncState.FAILED, "the cable is out", 3)
    assert cursor == {"a": "1", "b": "1", "c": "1"}


async def test_a_refused_deletion_deletes_nothing(store: Store, pipeline: Pipeline) -> None:
    await pipeline.sync(Told(added("a", "b")), INFO)
    refused = Refused(msg("too many"), next_step=msg("confirm"))
    with pytest.raises(Refused):
        await pipeline.sync(Told([*added("c"), refused]), INFO)
    assert state_of(store)[2] == 3


async def test_an_unreachable_source_changes_nothing(store: Store, pipeline: Pipeline) -> None:
    await pipeline.sync(Told(added("a")), INFO)
    with pytest.raises(Unavailable):
        await pipeline.sync(Told([Deleted("a")], is_reachable=False), INFO)
    assert state_of(store)[2:] == (1, {"a": "1"})


async def test_stop_keeps_what_was_read(store: Store, pipeline: Pipeline) -> None:
    switch = StopSwitch()
    steps: list[int] = []

    def progress(step: Progress) -> None:
        steps.append(step.done)
        switch.stop()

    names = [f"n{number}" for number in range(40)]
    with pytest.raises(Cancelled):
        await pipeline.sync(Told(added(*names)), INFO, progress=progress, stop=switch)
    state, problem, entries, cursor = state_of(store)
    assert (state, problem) == (SyncState.IDLE, None)
    assert 0 < entries < 40
    assert len(cursor) == entries or len(cursor) == entries - 1
    report = await pipeline.sync(Told(added(*names)), INFO)
    assert report.added == 40 - entries
    assert steps == sorted(steps)


async def test_the_cursor_is_never_ahead_of_the_entries(
    store: Store, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = 0
    real = pipeline_module.write_batch

    def failing(*arguments: object, **named: object) -> object:
        nonlocal written
        written += 1
        if written == 3:
            raise DiskFull(msg("full"), next_step=msg("make room"))
        return real(*arguments, **named)

    monkeypatch.setattr(pipeline_module, "write_batch", failing)
    with pytest.raises(DiskFull):
        await pipeline.sync(Told(added(*"abcdefgh")), INFO)
    _, problem, entries, cursor = state_of(store)
    assert problem == "full"
    assert entries == 4
    assert set(cursor) <= set("abcd")


async def test_a_bug_ends_the_sync_and_keeps_the_batches_before(store: Store, pipeline: Pipeline) -> None:
    alien = entry([paragraph("x")], source_id="other", native_id="x")
    with pytest.raises(Bug):
        await pipeline.sync(Told([*added("a", "b"), Added(alien)]), INFO)
    state, problem, entries, _ = state_of(store)
    assert (state, entries) == (SyncState.FAILED, 2)
    assert problem is not None
    assert "fault of Famulus" in problem


async def test_the_source_is_never_read_on_the_loop(pipeline: Pipeline) -> None:
    told = Told(added("a", "b", "c"))
    await pipeline.sync(told, INFO)
    assert threading.get_ident() not in told.threads


async def test_what_moved_points_to_its_new_place(pipeline: Pipeline, store: Store) -> None:
    await pipeline.sync(Told([Added(item("old/a.md", "the plan"))]), INFO)
    await pipeline.sync(Told([Deleted("old/a.md", "new/a.md"), Added(item("new/a.md", "the plan"))]), INFO)
    with store.database.reader() as reader:
        rows = reader.rows("SELECT native_id, stale_reason, superseded_by FROM entry ORDER BY entry_id")
    assert rows == [("old/a.md", '["Moved to {place}", {"place": "new/a.md"}]', 2), ("new/a.md", None, None)]
    # and back again
    await pipeline.sync(Told([Deleted("new/a.md", "old/a.md"), Added(item("old/a.md", "the plan"))]), INFO)
    with store.database.reader() as reader:
        rows = reader.rows("SELECT native_id, stale_reason IS NULL, superseded_by FROM entry ORDER BY entry_id")
    assert rows == [("old/a.md", 1, None), ("new/a.md", 0, 1)]
    assert check(store).is_clean


async def test_an_event_that_its_calendar_moved_says_from_when_to_when(pipeline: Pipeline, store: Store) -> None:
    def event(day: int) -> Entry:
        start = WHEN.replace(day=day)
        happening = Occurrence(start, start + timedelta(hours=1), is_all_day=False)
        return replace(
            item("review", f"on {day}"), kind=EntryKind.EVENT, event=EventFacts("", (happening,), is_recurring=False)
        )

    await pipeline.sync(Told([Added(event(20))]), INFO)
    await pipeline.sync(Told([Changed(event(22))]), INFO)
    with store.database.reader() as reader:
        (row,) = reader.rows("SELECT stale_reason, superseded_by FROM entry WHERE is_current = 0")
    assert json.loads(row[0]) == [
        "Moved from {old} to {new}", {"old": "2025-05-20T09:00:00+08:00", "new": "2025-05-22T09:00:00+08:00"}
    ]  # fmt: skip
    assert row[1] == 2


@pytest.mark.parametrize(
    "change", [SourceChange(secret="new"), SourceChange(options={"user": "zhang"}), SourceChange(is_paused=False)]
)
async def test_what_was_wrong_is_forgotten_when_a_person_looks_after_it(
    store: Store, pipeline: Pipeline, change: SourceChange
) -> None:
    with pytest.raises(Unavailable):
        await pipeline.sync(Told([], is_reachable=False), INFO)
    with store.database.write() as tx:
        change_source(tx, "src", SourceChange(name="Mail"))
    assert state_of(store)[:2] == (SyncState.FAILED, "gone")
    with store.database.write() as tx:
        change_source(tx, "src", change)
    assert state_of(store)[:2] == (SyncState.IDLE, None)
    with store.database.reader() as reader:
        info = source(reader, "src")
    assert info is not None
    assert (info.failures, info.next_sync_at, info.next_step) == (0, None, None)


async def test_a_source_that_is_changed_while_it_is_synced_is_still_being_synced(
    store: Store, pipeline: Pipeline
) -> None:
    with store.database.write() as tx:
        set_source_state(tx, "src", SyncState.SYNCING)
        change_source(tx, "src", SourceChange(secret="new"))
    assert state_of(store)[0] is SyncState.SYNCING


async def test_a_source_that_was_reached_last_time_is_not_asked_twice(store: Store, pipeline: Pipeline) -> None:
    asked: list[str] = []

    class Asked(Told):
        def authenticate(self) -> None:
            asked.append("login")

    def info() -> SourceInfo:
        with store.database.reader() as reader:
            found = source(reader, "src")
        assert found is not None
        return found

    await pipeline.sync(Asked([]), info())
    await pipeline.sync(Asked([]), info())
    assert len(asked) == 1
    with pytest.raises(Unavailable):
        await pipeline.sync(Asked([Unavailable(msg("gone"), next_step=msg("wait"))]), info())
    await pipeline.sync(Asked([]), info())
    assert len(asked) == 2
