"""The command line's way to the owner: calls, errors, progress, stopping, and an owner that dies (DESIGN 3)."""

import asyncio
import shutil
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.collecting import SourceDraft
from app.domain.errors import Bug, Cancelled, Refused, Unavailable, WrongKey
from app.domain.labels import Sensitivity
from app.famulus.client import RemoteFamulus
from app.runtime import clock
from app.runtime.ipc import endpoint
from app.runtime.stop import StopSwitch


@pytest.fixture
async def remote(paths, owners):
    owners.run()
    remote = await RemoteFamulus.connect(paths)
    yield remote
    await remote.close()


async def test_values_and_texts_arrive(remote, owners):
    status = await remote.api.status()
    assert status.process_id == remote.hello.process_id == owners.started[0].pid
    assert status.model_problem.template == "{n} parts are missing"
    assert str(status.model_problem) == "2 parts are missing"
    assert remote.is_same_version


async def test_arguments_arrive(remote):
    with pytest.raises(WrongKey) as caught:
        await remote.api.add_source(SourceDraft("files", "/home/\udcff中", sensitivity=Sensitivity.CONFIDENTIAL))
    assert caught.value.what.template == repr(("files", "/home/\udcff中", "personal", Sensitivity.CONFIDENTIAL))
    assert await remote.api.remove_source("seven") == 7


async def test_an_expected_error_keeps_its_kind_and_words(remote):
    with pytest.raises(WrongKey) as caught:
        await remote.api.unlock(passphrase="x")
    assert caught.value.what.template == "{x} does not fit"
    assert str(caught.value.next_step) == "Try again."


async def test_a_bug_tells_nothing_and_the_owner_lives_on(remote):
    with pytest.raises(Bug) as caught:
        await remote.api.set_passphrase("secret")
    assert "secret" not in str(caught.value)
    with pytest.raises(Bug):
        await remote.api.remove_source("an object that cannot travel")
    assert (await remote.api.status()).process_id


async def test_the_clock_of_a_request_goes_along(remote, now):
    with clock.use(now):
        (item,) = await remote.api.agenda("today")
    assert item.start == now
    assert item.start.utcoffset() == timedelta(hours=8)
    (item,) = await remote.api.agenda()
    assert abs(item.start - datetime.now(UTC)) < timedelta(minutes=5)


async def test_progress_arrives_first_and_last(remote):
    seen = []
    (report,) = await remote.api.sync("s", progress=seen.append)
    assert report.added == 3
    assert (seen[0].done, seen[-1].done, str(seen[-1].label)) == (0, 3, "at 3")


async def test_progress_is_not_a_flood(remote):
    seen = []
    await remote.api.sync("chatty", progress=seen.append)
    assert 2 <= len(seen) < 1000


async def test_what_was_understood_arrives(remote):
    (report,) = await remote.api.import_paths(["a"])
    assert dict(report.understood) == {"text": "中文\x00", "$odd": [1, None]}


async def test_an_answer_that_is_too_large_is_refused(remote):
    with pytest.raises(Refused, match="too large"):
        await remote.api.import_paths(["huge"])
    assert (await remote.api.status()).process_id


@pytest.mark.parametrize("is_paused", [False, True])
async def test_stop_reaches_the_work(remote, is_paused):
    switch = StopSwitch()
    if is_paused:
        switch.pause()
    started = asyncio.Event()
    task = asyncio.ensure_future(remote.api.sync("endless", stop=switch, progress=lambda _: started.set()))
    await started.wait()
    switch.stop()
    with pytest.raises(Cancelled):
        await task
    assert (await remote.api.status()).counts.entries == 1


async def test_a_switch_that_was_pressed_before(remote):
    switch = StopSwitch()
    switch.stop()
    with pytest.raises(Cancelled):
        await remote.api.sync("endless", stop=switch)


async def test_who_hangs_up_stops_its_work(remote, paths):
    started = asyncio.Event()
    task = asyncio.ensure_future(remote.api.sync("endless", progress=lambda _: started.set(), stop=StopSwitch()))
    await started.wait()
    await remote.close()
    with pytest.raises(Unavailable):
        await task
    other = await RemoteFamulus.connect(paths)
    while (await other.api.status()).counts.entries != 1:
        await asyncio.sleep(0)
    await other.close()


async def test_calls_run_side_by_side(remote):
    switch = StopSwitch()
    endless = asyncio.ensure_future(remote.api.sync("endless", stop=switch))
    assert (await remote.api.status()).process_id
    switch.stop()
    with pytest.raises(Cancelled):
        await endless


async def test_a_killed_owner_is_told_at_once(remote, owners):
    waiting = asyncio.ensure_future(remote.api.lock())
    await remote.api.status()
    owners.started[0].kill()
    with pytest.raises(Unavailable, match="ended unexpectedly") as caught:
        await asyncio.wait_for(waiting, 30)
    assert "safe" in str(caught.value.lost)


async def test_after_a_killed_owner_nobody_is_there(paths, owners):
    owners.run().kill()
    owners.started[0].wait()
    assert endpoint.find(paths) is not None
    assert await RemoteFamulus.connect(paths) is None
    owners.run()
    remote = await RemoteFamulus.connect(paths)
    assert (await remote.api.status()).process_id == owners.started[1].pid
    await remote.close()


async def test_quitting_answers_first_and_stops_long_work(remote, owners, paths):
    started = asyncio.Event()
    other = await RemoteFamulus.connect(paths)
    task = asyncio.ensure_future(other.api.sync("endless", progress=lambda _: started.set(), stop=StopSwitch()))
    await started.wait()
    await remote.api.shut_down()
    with pytest.raises(Unavailable, match="was quit"):
        await task
    await other.close()
    assert owners.started[0].wait(30) == 0
    assert endpoint.find(paths) is None
    assert not list(paths.runtime_dir.glob("*.sock"))


async def test_only_the_facades_methods_can_be_called(remote):
    for name in ("ended", "_sync", "lane"):
        with pytest.raises(AttributeError):
            getattr(remote.api, name)


async def test_nobody_there(paths):
    assert await RemoteFamulus.connect(paths) is None


async def test_an_idle_owner_leaves_but_not_from_under_a_visitor(paths, owners):
    process = owners.run("hasty")
    remote = await RemoteFamulus.connect(paths)
    waiting = asyncio.ensure_future(remote.api.sync("endless", stop=StopSwitch()))
    done, _ = await asyncio.wait([waiting], timeout=0.6)
    assert not done
    assert process.poll() is None
    await remote.close()
    with pytest.raises(Unavailable):
        await waiting
    assert process.wait(30) == 0


async def test_an_owner_whose_folder_is_gone_still_leaves(paths, owners):
    process = owners.run("hasty")
    shutil.rmtree(paths.basedir)
    assert process.wait(30) == 0


async def test_quitting_works_though_the_folder_is_gone(paths, owners):
    process = owners.run()
    remote = await RemoteFamulus.connect(paths)
    shutil.rmtree(paths.basedir)
    await remote.api.shut_down()
    assert process.wait(30) == 0
    await remote.close()
