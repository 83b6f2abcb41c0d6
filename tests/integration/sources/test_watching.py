"""The watcher on a real folder."""

from __future__ import annotations

import queue
import threading

import pytest

from app.sources.watch import Watcher


@pytest.mark.timeout(60)
def test_a_change_on_the_disk_is_told_and_stop_ends_it(tmp_path):
    told: queue.Queue[str] = queue.Queue()
    watcher = Watcher(told.put, debounce_ms=50)
    folder = tmp_path / "notes"
    folder.mkdir()
    watcher.watch({"notes": [folder]})
    thread = threading.Thread(target=watcher.run)
    thread.start()
    try:
        # the watch begins at some moment after the start of the thread, so write until it is noticed
        for number in range(200):
            (folder / f"{number}.md").write_text("x", "utf-8")
            try:
                assert told.get(timeout=0.2) == "notes"
                break
            except queue.Empty:
                continue
        else:
            pytest.fail("nothing was told")
    finally:
        watcher.stop()
        thread.join(timeout=20)
    assert not thread.is_alive()
