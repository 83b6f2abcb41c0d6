import asyncio
import logging

import pytest

from app.runtime import clock
from app.runtime.tasks import Tasks


async def test_a_task_is_kept_and_gives_its_result():
    tasks = Tasks()

    async def work():
        await asyncio.sleep(0)
        return 3

    task = tasks.start(work(), "three")
    assert tasks.names == ("three",)
    assert await task == 3
    await asyncio.sleep(0)
    assert tasks.names == ()


async def test_a_failure_is_logged_by_its_name(caplog):
    tasks = Tasks()

    async def fail():
        raise ValueError("secret")

    with caplog.at_level(logging.ERROR):
        tasks.start(fail(), "failing")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert "the task failing failed" in caplog.text


async def test_closing_cancels_and_waits():
    tasks, ended = Tasks(), []

    async def forever():
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(1)

    tasks.start(forever(), "forever")
    await asyncio.sleep(0)
    await tasks.close()
    assert ended == [1]
    with pytest.raises(RuntimeError):
        tasks.start(forever(), "late")


async def test_a_task_may_close_the_others():
    tasks = Tasks()
    task = tasks.start(tasks.close(), "closing")
    await asyncio.wait_for(task, 10)


@pytest.mark.parametrize("is_by_itself", [True, False])
async def test_what_goes_on_by_itself_has_not_the_time_of_a_request(now, is_by_itself):
    tasks = Tasks(is_by_itself=is_by_itself)

    async def tell():
        return clock.given()

    with clock.use(now):
        task = tasks.start(tell(), "tell")
        assert clock.given() == now
    assert await task == (None if is_by_itself else now)
