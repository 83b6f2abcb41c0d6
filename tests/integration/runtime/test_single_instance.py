"""One owner at a time, and a killed one holds nothing (DESIGN 3)."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.domain.errors import Expected
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock

ROOT = Path(__file__).resolve().parents[3]
HOLD = """
import sys
from pathlib import Path
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock
lock = OwnerLock(Paths(Path(sys.argv[1])))
print(lock.take(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def paths(basedir):
    paths = Paths(basedir)
    paths.create()
    return paths


@pytest.fixture
def holder(paths):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(paths.basedir)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout.readline().strip() == b"True"
    yield process
    process.kill()
    process.communicate()


def test_the_second_one_is_told(paths):
    first, second = OwnerLock(paths), OwnerLock(paths)
    assert first.is_free()
    assert first.take()
    assert first.is_held
    assert not second.take()
    assert not second.is_free()
    assert not first.is_free()
    first.give_back()
    assert second.take(timeout_s=1)
    second.give_back()


def test_a_killed_owner_holds_nothing(paths, holder):
    lock = OwnerLock(paths)
    assert not lock.take()
    holder.kill()
    assert lock.take(timeout_s=30)
    lock.give_back()


def test_installations_do_not_meet(basedir, holder):
    other = Paths(basedir / "other")
    other.create()
    lock = OwnerLock(other)
    assert lock.take()
    lock.give_back()


def test_a_folder_that_cannot_be_used(basedir):
    (basedir / "data").write_text("")
    with pytest.raises(Expected):
        OwnerLock(Paths(basedir)).take()
