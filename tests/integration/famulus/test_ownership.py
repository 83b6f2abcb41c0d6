"""Whoever starts, and however many at once: one owner (DESIGN 3)."""

import asyncio
import json
import subprocess
import sys

import pytest

from app.domain.errors import DiskFull, Unavailable
from app.famulus import line, ownership
from app.famulus.ownership import Ending, become_owner, quit_owner, reach
from app.runtime.single_instance import OwnerLock


async def test_an_owner_is_started_when_there_is_none(paths, owners):
    remote = await reach(paths)
    assert (await remote.api.status()).process_id == owners.started[0].pid
    await remote.close()


async def test_the_running_owner_is_taken(paths, owners):
    owners.run()
    remote = await reach(paths)
    assert len(owners.started) == 1
    await remote.close()


async def test_many_at_once_meet_one_owner(paths, owners):
    remotes = await asyncio.gather(*(reach(paths) for _ in range(4)))
    (owner,) = {(await remote.api.status()).process_id for remote in remotes}
    for remote in remotes:
        await remote.close()
    for process in owners.started:
        assert process.pid == owner or process.wait(30) == 0, "who is not the owner goes"


async def test_after_a_killed_owner_another_is_started(paths, owners):
    owners.run().kill()
    remote = await reach(paths)
    assert (await remote.api.status()).process_id == owners.started[1].pid
    await remote.close()


async def test_an_owner_that_left_between_two_calls_is_replaced(paths, owners):
    remote = await reach(paths)
    first = (await remote.api.status()).process_id
    await remote.api.shut_down()
    owners.started[0].wait(30)
    assert (await remote.api.status()).process_id != first
    await remote.close()


async def test_an_owner_that_cannot_start_says_why(paths, monkeypatch):
    error = {"code": "disk_full", "what": "No {room}", "lost": "Nothing.", "next_step": "Free some."}
    script = f"print({json.dumps(json.dumps({'error': error}))}); raise SystemExit(3)"

    def start(arguments, folder):
        assert arguments[-1] == "serve"
        return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)

    monkeypatch.setattr(ownership, "start_detached", start)
    with pytest.raises(DiskFull, match=r"No \{room\}"):
        await reach(paths)


@pytest.mark.parametrize("script", ["raise SystemExit(1)", "print('{}'); raise SystemExit(1)", "print(1); exit(2)"])
async def test_an_owner_that_breaks_at_once(paths, monkeypatch, script):
    monkeypatch.setattr(
        ownership,
        "start_detached",
        lambda arguments, folder: subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE),
    )
    with pytest.raises(Unavailable, match="exit code"):
        await reach(paths)


async def test_no_owner_comes_up_in_time(paths, owners):
    lock = OwnerLock(paths)
    assert lock.take()
    with pytest.raises(Unavailable, match="did not start"):
        await ownership._find_line(paths, timeout_s=0.2)
    lock.give_back()


async def test_another_version_is_not_talked_to(paths, owners, monkeypatch):
    owners.run()
    monkeypatch.setattr(ownership, "__version__", "99.0")
    with pytest.raises(Unavailable, match=r"this is 99\.0"):
        await reach(paths)
    assert await quit_owner(paths) is Ending.ENDED, "quitting works across versions"


async def test_quitting(paths, owners):
    assert await quit_owner(paths) is Ending.WAS_NOT_RUNNING
    process = owners.run()
    assert await quit_owner(paths) is Ending.ENDED
    assert process.wait(30) == 0
    assert OwnerLock(paths).is_free()


async def test_quitting_ends_where_somebody_starts_another_at_once(paths, owners, monkeypatch):
    owners.run()
    is_alive = ownership.is_alive
    others = []

    def is_alive_while_another_starts(process_id):
        is_still_alive = is_alive(process_id)
        if not others and not is_still_alive:
            others.append(owners.run())
        return is_still_alive

    monkeypatch.setattr(ownership, "is_alive", is_alive_while_another_starts)
    monkeypatch.setattr(ownership, "_QUIT_TIMEOUT_S", 30.0)
    assert await quit_owner(paths) is Ending.RUNS_AGAIN
    assert others[0].poll() is None


async def test_a_window_takes_over_from_an_owner_without_one(paths, owners):
    process = owners.run()
    lock = await become_owner(paths)
    assert lock.is_held
    assert process.wait(30) == 0
    lock.give_back()


async def test_a_second_window_shows_the_first(paths, owners):
    process = owners.run("window")
    assert await become_owner(paths) is None
    assert process.poll() is None


async def test_a_window_is_the_owner_where_there_is_none(paths):
    lock = await become_owner(paths)
    assert lock.is_held
    lock.give_back()


async def test_a_silent_owner_is_given_up(paths, monkeypatch):
    lock = OwnerLock(paths)
    lock.take()
    monkeypatch.setattr(ownership, "START_TIMEOUT_S", 0.1)
    with pytest.raises(Unavailable, match="does not answer"):
        await become_owner(paths)
    lock.give_back()


def test_every_call_has_a_limit():
    assert line._HELLO_TIMEOUT_S < ownership.START_TIMEOUT_S
