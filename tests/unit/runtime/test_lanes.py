import asyncio
import threading

import pytest

from app.runtime import clock
from app.runtime.lanes import Lane, Lanes


@pytest.fixture
def lane():
    lane = Lane("test")
    yield lane
    lane.close()


async def test_work_runs_on_a_named_thread(lane):
    name = await lane.run(lambda: threading.current_thread().name)
    assert name.startswith("famulus-test")


async def test_arguments_results_and_errors_come_through(lane):
    assert await lane.run(divmod, 7, 2) == (3, 1)
    assert await lane.run(sorted, [2, 1], reverse=True) == [2, 1]
    with pytest.raises(ZeroDivisionError):
        await lane.run(divmod, 1, 0)


async def test_a_requests_time_goes_along(lane, now):
    with clock.use(now):
        assert await lane.run(clock.now) == now
    assert await lane.run(clock.given) is None


async def test_one_writer_keeps_the_order(lane):
    order = []
    await asyncio.gather(*(lane.run(order.append, n) for n in range(100)))
    assert order == list(range(100))


async def test_the_depth_shows_what_waits(lane):
    gate = threading.Event()
    futures = [lane.submit(gate.wait) for _ in range(3)]
    assert lane.depth == 3
    gate.set()
    await asyncio.gather(*map(asyncio.wrap_future, futures))
    await lane.run(int)
    assert lane.depth <= 1  # the callback of the last one may be under way


async def test_cancelling_drops_what_has_not_begun(lane):
    gate, done = threading.Event(), []
    first = lane.submit(gate.wait)
    second = asyncio.ensure_future(lane.run(done.append, 1))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    gate.set()
    first.result(10)
    await lane.run(int)
    assert done == []


def test_a_closed_lane_takes_nothing():
    lane = Lane("test")
    lane.close()
    with pytest.raises(RuntimeError):
        lane.submit(int)
    assert lane.depth == 0


def test_a_process_has_one_writer():
    lanes = Lanes(readers=2, blocking=1)
    assert (lanes.writer.threads, lanes.inference.threads, lanes.readers.threads) == (1, 1, 2)
    lanes.close()
    for lane in lanes.all:
        with pytest.raises(RuntimeError):
            lane.submit(int)


def test_threads_of_lanes_take_turns_often_and_never_less_often_than_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = []
    monkeypatch.setattr("sys.setswitchinterval", wanted.append)
    for interval in (0.005, 0.0001):
        monkeypatch.setattr("sys.getswitchinterval", lambda interval=interval: interval)
        Lanes(readers=1, blocking=1).close()
    assert wanted == [0.0002, 0.0001]
