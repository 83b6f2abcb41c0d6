import asyncio
import logging
import threading

from app.domain.events import EntriesChanged, LockStateChanged
from app.runtime.bus import Bus


async def test_events_reach_their_listeners_on_the_loop():
    bus, heard = Bus(asyncio.get_running_loop()), []
    bus.subscribe(EntriesChanged, lambda event: heard.append((event.count, threading.current_thread())))
    bus.subscribe(LockStateChanged, lambda _: heard.append("wrong"))
    thread = threading.Thread(target=lambda: [bus.publish(EntriesChanged("s", n)) for n in range(3)])
    thread.start()
    thread.join()
    assert heard == []
    await asyncio.sleep(0)
    assert heard == [(n, threading.main_thread()) for n in range(3)]


async def test_who_leaves_hears_no_more():
    bus, heard = Bus(asyncio.get_running_loop()), []
    leave = bus.subscribe(EntriesChanged, heard.append)
    leave()
    leave()
    bus.publish(EntriesChanged("s", 1))
    await asyncio.sleep(0)
    assert heard == []


async def test_a_failing_listener_does_not_silence_the_others(caplog):
    bus, heard = Bus(asyncio.get_running_loop()), []

    def fail(_):
        raise ValueError

    bus.subscribe(EntriesChanged, fail)
    bus.subscribe(EntriesChanged, heard.append)
    with caplog.at_level(logging.ERROR):
        bus.publish(EntriesChanged("s", 1))
        await asyncio.sleep(0)
    assert len(heard) == 1
    assert "EntriesChanged" in caplog.text


def test_after_the_loop_nobody_listens():
    loop = asyncio.new_event_loop()
    bus = Bus(loop)
    loop.close()
    bus.publish(EntriesChanged("s", 1))
