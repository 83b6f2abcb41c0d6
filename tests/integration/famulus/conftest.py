"""Owners in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.famulus import ownership
from app.runtime.paths import Paths

ROOT = Path(__file__).resolve().parents[3]
FAKE = ("-m", "tests.integration.famulus.fake_owner")


class Owners:
    """Starts fake owners of one installation, and ends them all."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """A process that wants to be the owner."""
        command = [sys.executable, *FAKE, str(self.paths.basedir), *words]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        self.started.append(process)
        return process

    def run(self, *words: str) -> subprocess.Popen[bytes]:
        """A process that is the owner."""
        process = self.start(*words)
        assert int(process.stdout.readline()) == process.pid
        return process

    def end(self) -> None:
        for process in self.started:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """One owner for all tests of a module, who must survive them all; gives the paths of its installation."""
    paths = Paths(tmp_path_factory.mktemp("lasting"))
    paths.create()
    owners = Owners(paths)
    owner = owners.run()
    yield paths
    assert owner.poll() is None
    owners.end()


@pytest.fixture
def paths(basedir):
    paths = Paths(basedir)
    paths.create()
    return paths


@pytest.fixture
def owners(paths, monkeypatch):
    """Fake owners; also those that `reach` starts by itself."""
    owners = Owners(paths)
    monkeypatch.setattr(ownership, "start_detached", lambda arguments, folder: owners.start())
    yield owners
    owners.end()
