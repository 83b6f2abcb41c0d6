"""A folder read by the real parse process, as it is read in the program."""

from __future__ import annotations

import os

import pytest

from app.runtime.parse_process import ParseProcess
from app.sources.contract import Added, CursorRows, Skipped
from app.sources.files.source import FilesSource
from tests.unit.sources.makers import SAMPLES, context, drain, write

WORKER = "app.sources.parsing.worker:handle"


@pytest.fixture
def process():
    running = ParseProcess(WORKER, timeout_s=30)
    yield running
    running.close()


def test_every_format_comes_through(tmp_path, process):
    for name, data in SAMPLES.items():
        write(tmp_path / "f" / name, data)
    write(tmp_path / "f" / "broken.pdf", b"%PDF-1.4\nx")
    changes = drain(FilesSource(context(tmp_path / "f", parse=process.run_here)), CursorRows())
    added = {change.entry.native_id.partition("#")[0] for change in changes if isinstance(change, Added)}
    assert added == set(SAMPLES)
    assert [change.native_id for change in changes if isinstance(change, Skipped)] == ["broken.pdf"]


def test_memory_and_time_are_limited_and_the_next_file_is_read(tmp_path, process):
    write(tmp_path / "f" / "a.txt", "first")
    os.truncate(write(tmp_path / "f" / "b.txt", b"x"), 60 * 1024 * 1024)
    write(tmp_path / "f" / "c.txt", "third")
    changes = drain(FilesSource(context(tmp_path / "f", parse=process.run_here)), CursorRows())
    assert [change.entry.native_id for change in changes if isinstance(change, Added)] == ["a.txt", "c.txt"]
    assert [change.native_id for change in changes if isinstance(change, Skipped)] == ["b.txt"]
