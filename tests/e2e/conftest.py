"""The real program in real processes, driven by its command line, as a person would."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PASSPHRASE = "correct horse battery staple"


class Cli:
    """`famulus` with a base folder of its own and a passphrase, since a test machine has no keychain."""

    def __init__(self, basedir: Path, passphrase: str | None = PASSPHRASE) -> None:
        self.basedir = basedir
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("FAMULUS_")}
        self.environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
        if passphrase is not None:
            self.environment["FAMULUS_PASSPHRASE"] = passphrase

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        """Begin a command, without waiting for it."""
        return subprocess.Popen(
            [sys.executable, "-m", "app", "--basedir", str(self.basedir), *arguments],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            **options,
        )

    def run(self, *arguments: str, expect: int | None = 0, timeout_s: float = 100) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, and check its exit code unless `expect` is None."""
        process = self.start(*arguments)
        try:
            out, err = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            pytest.fail(f"{arguments} did not end; stdout {out[-500:]!r}, stderr {err[-500:]!r}")
        if expect is not None:
            assert process.returncode == expect, f"{arguments}: exit {process.returncode}\n{out[-2000:]}\n{err[-2000:]}"
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def json(self, *arguments: str, expect: int | None = 0) -> Any:
        """Run a command with --json, and read what it printed."""
        return json.loads(self.run("--json", *arguments, expect=expect).stdout)

    def owner_pid(self) -> int:
        """The process that owns the data."""
        return int(self.json("status")["process_id"])

    def kill(self, pid: int) -> None:
        """kill -9, and wait until the process is gone."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
            os.sched_yield()

    def end(self) -> None:
        """Quit the owner, if there is one."""
        with contextlib.suppress(Exception):
            self.run("quit", expect=None, timeout_s=30)


@pytest.fixture(scope="session")
def unused(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base folder in which nothing is but a setting: a folder is collected when a test says so."""
    basedir = tmp_path_factory.mktemp("unused") / "base"
    basedir.mkdir(mode=0o700)
    Cli(basedir).run("settings", "set", "sync.watch", "false")
    return basedir


@pytest.fixture
def cli(basedir: Path, unused: Path):
    """The command line on an empty base folder; the owner is ended afterwards."""
    command = Cli(basedir)
    shutil.copytree(unused, basedir, dirs_exist_ok=True)
    yield command
    command.end()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A few notes in both languages, and a calendar."""
    return write_notes(tmp_path / "notes")


@dataclass(frozen=True)
class Collected:
    """An installation that has collected the notes, and whose owner has ended; as it was then, and where tests use it.

    What is collected is known by its path, so all tests of a process use the same one, after one another.
    """

    kept: Path
    used: Path

    def restore(self) -> Path:
        """All as it was; returns the folder of base and notes."""
        shutil.rmtree(self.used, ignore_errors=True)
        shutil.copytree(self.kept, self.used)
        return self.used


@pytest.fixture(scope="session")
def _collected(tmp_path_factory: pytest.TempPathFactory, unused: Path) -> Collected:
    folder = tmp_path_factory.mktemp("collected")
    made = Collected(folder / "kept", folder / "used")
    shutil.copytree(unused, made.used / "base")
    command = Cli(made.used / "base")
    command.json("add", "files", str(write_notes(made.used / "notes")))
    command.run("sync")
    command.run("quit")
    shutil.copytree(made.used, made.kept)
    return made


@pytest.fixture
def collected(_collected: Collected):
    """The command line on a base folder that has collected the notes; the owner is ended afterwards."""
    command = Cli(_collected.restore() / "base")
    yield command
    command.end()


@pytest.fixture
def collected_notes(collected: Cli) -> Path:
    """The notes of `collected`."""
    return collected.basedir.with_name("notes")


def write_notes(folder: Path) -> Path:
    """Write notes in both languages, and a calendar; returns their folder."""
    folder.mkdir()
    (folder / "launch.md").write_text(
        "# Project A weekly meeting\n\nThe launch is tentatively set for next Friday. Zhang San must finish the test "
        "report by Wednesday. If the test report is not finished, the launch is postponed by one week.\n",
        "utf-8",
    )
    (folder / "garden.txt").write_text("The roses in the garden need water every second day in summer.\n", "utf-8")
    (folder / "租房.md").write_text("# 租房合同\n\n每个月一号交房租，房东是王伟，押金两个月。\n", "utf-8")
    (folder / "旅行.txt").write_bytes("国庆假期我们去杭州西湖，酒店订在断桥附近。\n".encode("gbk"))
    (folder / "calendar.ics").write_text(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//\r\n"
        "BEGIN:VEVENT\r\nUID:dentist-1\r\nDTSTAMP:20250501T000000Z\r\nDTSTART:20250514T070000Z\r\n"
        "DTEND:20250514T080000Z\r\nSUMMARY:Dentist\r\nLOCATION:Main Street 5\r\nEND:VEVENT\r\n"
        "BEGIN:VEVENT\r\nUID:standup-1\r\nDTSTAMP:20250501T000000Z\r\nDTSTART:20250512T010000Z\r\n"
        "DTEND:20250512T011500Z\r\nRRULE:FREQ=DAILY;COUNT=5\r\nSUMMARY:项目晨会\r\nEND:VEVENT\r\n"
        "END:VCALENDAR\r\n",
        "utf-8",
    )
    return folder
