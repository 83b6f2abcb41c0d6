import asyncio
import logging

from app.runtime import watchdog
from app.runtime.watchdog import LoopWatchdog


class Clock:
    """A loop and a monotonic clock that are moved by hand."""

    def __init__(self, monkeypatch):
        self.now_s = 100.0
        self.due = None
        monkeypatch.setattr(watchdog, "monotonic_s", lambda: self.now_s)

    def call_later(self, delay_s, callback):
        self.due = callback
        return asyncio.TimerHandle(0.0, callback, (), asyncio.get_event_loop())

    def beat(self, late_s):
        self.now_s += watchdog._BEAT_S + late_s
        self.due()


async def test_only_what_is_too_late_is_counted(monkeypatch, caplog):
    clock = Clock(monkeypatch)
    dog = LoopWatchdog(clock)
    dog.start()
    for late_s in (0.0, 0.04, 0.06, 0.3):
        clock.beat(late_s)
    assert dog.late_count == 2
    assert round(dog.worst_s, 3) == 0.3
    with caplog.at_level(logging.WARNING):
        dog.stop()
        dog.stop()
    assert caplog.text.count("held up 2 times, at worst 300 ms") == 1


async def test_a_report_comes_once_a_minute_and_only_with_news(monkeypatch, caplog):
    clock = Clock(monkeypatch)
    dog = LoopWatchdog(clock)
    dog.start()
    with caplog.at_level(logging.WARNING):
        clock.beat(0.1)
        assert caplog.text == ""
        clock.beat(61)
        clock.beat(0.0)
        for _ in range(400):
            clock.beat(0.0)
    assert caplog.text.count("held up") == 1
    dog.stop()


async def test_on_a_real_loop():
    dog = LoopWatchdog(asyncio.get_running_loop())
    dog.start()
    await asyncio.sleep(0)
    dog.stop()
    assert dog.late_count == 0
