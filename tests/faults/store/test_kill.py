"""Killed in the middle of writing: the next start works, nothing committed is lost, and nothing is double (X9.2)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.store.check import check
from app.store.database import FILE_NAME
from app.store.source_rows import add_source, cursor_rows
from app.store.store import Store
from tests.faults.store.writer_process import texts_of
from tests.unit.store.makers import KEY, source_info

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

PROGRAM = Path(__file__).with_name("writer_process.py")


def killed_after(path: Path, first_batch: int, seconds: float) -> int:
    """Let the program write for a while and kill it; returns the last batch that it said was committed."""
    with subprocess.Popen(
        [sys.executable, PROGRAM, str(path), str(first_batch)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = [int(process.stdout.readline())]
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        said += [int(line) for line in process.stdout.read().splitlines()]
    assert process.returncode != 0
    return said[-1]


def fork_killed_after(writers: subprocess.Popen[str], first_batch: int, seconds: float) -> int:
    """The same with a fork of a program that has its imports behind it, which take longer than what is to be killed."""
    assert writers.stdin is not None
    assert writers.stdout is not None
    writers.stdin.write(f"{first_batch}\n")
    writers.stdin.flush()
    writer = int(writers.stdout.readline())
    said = [int(writers.stdout.readline())]
    with pytest.raises(subprocess.TimeoutExpired):
        writers.wait(seconds)
    os.kill(writer, signal.SIGKILL)
    while not (line := writers.stdout.readline()).startswith("ended"):
        said.append(int(line))
    assert line == f"ended by {signal.SIGKILL.value}\n"
    return said[-1]


def assert_whole(path: Path, said: int, now: datetime) -> int:
    """Open after a kill; returns the last batch that is there."""
    store = Store.open(path, KEY, now=now)
    report = check(store)
    assert report.is_clean, [str(finding.problem) for finding in report.findings if finding.problem]
    with store.database.reader() as reader:
        last = int(cursor_rows(reader, "notes")["batch"])
        # a commit may have reached the disk without having been reported, never the other way round
        assert last in {said, said + 1}
        rows = reader.rows("SELECT native_id, content_hash FROM entry WHERE is_current = 1")
    assert len(rows) == len(dict(rows))
    wanted = {}
    for batch in range(last + 1):
        wanted |= texts_of(batch)
    assert set(dict(rows)) == set(wanted)
    store.close()
    return last


def kill_repeatedly(path: Path, now: datetime, times: int, kill: Callable[[int, float], int]) -> None:
    store = Store.create(path, KEY, now=now)
    with store.database.write() as tx:
        add_source(tx, source_info())
    store.close()
    moments = random.Random(20250512)
    last = -1
    for _ in range(times):
        last = assert_whole(path, kill(last + 1, moments.uniform(0, 0.25)), now)
    assert last >= times - 1


@pytest.mark.timeout(120)
def test_killed_a_few_times(basedir: Path, now: datetime) -> None:
    path = basedir / FILE_NAME
    kill_repeatedly(path, now, 4, partial(killed_after, path))


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_many_random_moments(basedir: Path, now: datetime) -> None:
    path = basedir / FILE_NAME
    if not hasattr(os, "fork"):
        kill_repeatedly(path, now, 60, partial(killed_after, path))
        return
    command = [sys.executable, PROGRAM, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writers:
        try:
            kill_repeatedly(path, now, 60, partial(fork_killed_after, writers))
        finally:
            writers.kill()
