"""kill -9 at random moments of an import: every restart works, nothing is lost, nothing is double (X9.2)."""

from __future__ import annotations

import contextlib
import random
import subprocess

import pytest


def _make_files(folder, count):
    folder.mkdir()
    for index in range(count):
        (folder / f"note-{index:04d}.md").write_text(
            f"# Note {index}\n\nUnique word w{index:05d}x stands here.\n", "utf-8"
        )


def _import_with_kills(cli, folder, kills, rng):
    """Kill the owner in the middle of `sync`, `kills` times, then let it finish; returns the entry counts seen."""
    seen = []
    for _ in range(kills):
        pid = cli.owner_pid()
        process = cli.start("sync")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=rng.uniform(0.0, 1.2))
        cli.kill(pid)
        process.communicate(timeout=60)
        status = cli.json("status")
        seen.append(status["counts"]["entries"])
        assert cli.json("check")["is_clean"] is True
    return seen


def _check(cli, folder, count, kills, seed):
    _make_files(folder, count)
    cli.json("add", "files", str(folder))
    seen = _import_with_kills(cli, folder, kills, random.Random(seed))
    assert seen == sorted(seen), "an entry that was stored has gone"
    report = cli.json("sync")[0]
    status = cli.json("status")
    assert status["counts"]["entries"] == count
    assert status["counts"]["chunks"] == count
    assert report["unchanged"] >= seen[-1]
    for index in (0, count // 2, count - 1):
        hits = cli.json("search", f"w{index:05d}x", "-k", "3")
        assert [hit for hit in hits if f"w{index:05d}x" in hit["content"]]
    assert cli.json("check")["is_clean"] is True


@pytest.mark.timeout(400)
def test_a_few_kills(cli, tmp_path):
    _check(cli, tmp_path / "notes", count=200, kills=4, seed=1)


@pytest.mark.slow
@pytest.mark.longest
@pytest.mark.timeout(1500)
def test_fifty_kills_in_an_import_of_2000_files(cli, tmp_path):
    _check(cli, tmp_path / "notes", count=2000, kills=50, seed=2)
