"""Ctrl+C in a real terminal command, whose work is done by another process (D8.5)."""

import contextlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.famulus.client import RemoteFamulus
from app.runtime.paths import Paths

ROOT = Path(__file__).resolve().parents[3]
RUN = "import sys; from app.cli.program import run; sys.exit(run(None, sys.argv[1:]))"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends a Unix signal")


@pytest.fixture
def owner(basedir):
    paths = Paths(basedir)
    paths.create()
    command = [sys.executable, "-m", "tests.integration.famulus.fake_owner", str(basedir)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def command(basedir, owner):
    started = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, "--basedir", str(basedir), *arguments],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


async def _counts(basedir):
    remote = await RemoteFamulus.connect(Paths(basedir))
    counts = (await remote.api.status()).counts
    await remote.close()
    return counts


async def _begun(basedir, process):
    """Wait until the owner works for a command."""
    while (await _counts(basedir)).sources == 0:
        assert process.poll() is None, process.communicate()


async def test_the_first_one_stops_the_work_and_says_what_is_kept(command, owner, basedir):
    process = command("sync", "endless")
    await _begun(basedir, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert "Stopping after this step" in err
    assert "what was done so far is kept" in err
    assert "Traceback" not in err
    assert out == ""
    assert (await _counts(basedir)).entries == 1


async def test_the_second_one_waits_for_nothing(command, owner, basedir):
    process = command("key", "lock")  # the fake owner never answers this
    await _begun(basedir, process)
    process.send_signal(signal.SIGINT)
    assert "press Ctrl+C again" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 3
    assert "Traceback" not in process.stderr.read()


async def test_a_killed_owner_ends_the_command_at_once(command, owner, basedir):
    process = command("key", "lock")
    await _begun(basedir, process)
    owner.kill()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert "ended unexpectedly" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("moment_s", [0.02, 0.06, 0.1, 0.15])
def test_none_is_too_early(basedir, moment_s):
    """While the program is still loading, there is no traceback of ours; Python's own start is not ours to mend."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "--basedir", str(basedir), "settings", "list"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(moment_s)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode in {0, 1, 3, -signal.SIGINT}
    assert "app/" not in err
