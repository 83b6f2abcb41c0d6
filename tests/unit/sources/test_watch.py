"""The watcher, with the system's own watching replaced: what it tells, and when it falls back."""

from __future__ import annotations

import pytest
import watchfiles

from app.sources.watch import Watcher

CHANGED = watchfiles.Change.modified


class Watched:
    """Stands in for `watchfiles.watch`: yields what the test gives, then stops the watcher."""

    def __init__(self, *rounds):
        self.rounds = list(rounds)
        self.calls = []
        self.watcher = None

    def __call__(self, *paths, **options):
        self.calls.append((sorted(paths), options["force_polling"]))
        if not self.rounds:
            self.watcher.stop()
            return
        current = self.rounds.pop(0)
        if isinstance(current, Exception):
            raise current
        for step in current:
            changes = step() if callable(step) else step
            yield {(CHANGED, str(path)) for path in changes or ()}
            if options["stop_event"].is_set():
                return


@pytest.fixture
def tell(tmp_path, monkeypatch):
    """Runs a watcher over two folders through rounds of changes; returns what it told, and the calls."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()

    def run(*rounds, excluded=(), targets=None):
        told = []
        watched = Watched(*rounds)
        monkeypatch.setattr(watchfiles, "watch", watched)
        watcher = Watcher(told.append)
        watched.watcher = watcher
        watcher.watch(targets or {"a": [tmp_path / "a"], "b": [tmp_path / "b"]}, excluded)
        watcher.run()
        return told, watched, watcher

    return run


def test_the_source_of_a_change_is_told_once_a_round(tell, tmp_path):
    told, _, _ = tell([[tmp_path / "a" / "x.md", tmp_path / "a" / "deep" / "y.md"], [tmp_path / "b" / "z.md"]])
    assert told == ["a", "b"]


def test_clutter_and_our_own_files_are_not_told(tell, tmp_path):
    clutter = [tmp_path / "a" / ".git" / "index", tmp_path / "a" / "x.md~", tmp_path / "a" / "base" / "famulus.db"]
    told, _, _ = tell([clutter], excluded=[tmp_path / "a" / "base"])
    assert told == []


def test_one_folder_within_another_belongs_to_both(tell, tmp_path):
    (tmp_path / "a" / "in").mkdir()
    targets = {"outer": [tmp_path / "a"], "inner": [tmp_path / "a" / "in"]}
    told, _, _ = tell([[tmp_path / "a" / "in" / "x.md"]], targets=targets)
    assert told == ["inner", "outer"]


def test_when_the_system_cannot_watch_it_looks_instead(tell, tmp_path):
    told, watched, watcher = tell(OSError("limit reached"), [[tmp_path / "a" / "x.md"]])
    assert told == ["a"]
    assert [polling for _, polling in watched.calls[:2]] == [False, True]
    assert watcher.is_polling


def test_a_folder_that_goes_and_comes_back_is_told(tell, tmp_path):
    def go():
        (tmp_path / "a").rename(tmp_path / "gone")

    def come():
        (tmp_path / "gone").rename(tmp_path / "a")

    told, watched, _ = tell([go], [come])
    assert told == ["a", "a"]
    assert [paths for paths, _ in watched.calls] == [
        [tmp_path / "a", tmp_path / "b"],
        [tmp_path / "b"],
        [tmp_path / "a", tmp_path / "b"],
    ]


def test_a_single_file_that_is_replaced_is_told(tell, tmp_path):
    path = tmp_path / "cal.ics"
    path.write_text("x", "utf-8")

    def replace():
        (tmp_path / "new").write_text("another", "utf-8")
        (tmp_path / "new").replace(path)

    told, watched, _ = tell([replace], targets={"cal": [path], "a": [tmp_path / "a"]})
    assert told == ["cal"]
    assert watched.calls[0][0] == [tmp_path / "a"]


def test_new_targets_are_taken_up(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "c").mkdir()
    told = []
    watcher = Watcher(told.append)
    watched = Watched([lambda: watcher.watch({"c": [tmp_path / "c"]})], [[tmp_path / "c" / "x"]])
    watched.watcher = watcher
    monkeypatch.setattr(watchfiles, "watch", watched)
    watcher.watch({"a": [tmp_path / "a"]})
    watcher.run()
    assert told == ["c"]
