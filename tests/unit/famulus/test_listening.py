"""Servers that say by themselves that something is new (L6.2)."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from types import SimpleNamespace

from app.domain.collecting import SyncState
from app.domain.errors import Refused, Unavailable
from app.domain.events import SourceChanged
from app.domain.text import msg
from app.famulus import listening
from app.famulus.listening import Listening
from app.runtime.bus import Bus
from app.runtime.lanes import Lanes
from app.runtime.tasks import Tasks
from tests.unit.store.makers import source_info

INFO = source_info("mail")
GONE = Unavailable(msg("It is gone."), next_step=msg("Wait."))


class Server:
    """Answers by what it is given: an error is raised, True is news."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = 0

    def wait_for_change(self, stop):
        self.asked += 1
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        ended = threading.Event()
        stop.listen(lambda _: ended.set())
        ended.wait(10)
        stop.checkpoint()
        return False


class World:
    """A process with one lane for each connection."""

    def __init__(self, *sources):
        self.sources = list(sources)
        self.synced = []
        self.tasks = Tasks()
        self.bus = Bus(asyncio.get_running_loop())
        lanes = SimpleNamespace(endless=Lanes.endless.__get__(SimpleNamespace()))
        parts = SimpleNamespace(bus=self.bus, tasks=self.tasks, lanes=lanes)
        self.listening = Listening(parts, self._pushing, self._sync)

    async def _pushing(self):
        return tuple(self.sources)

    async def _sync(self, source_id):
        self.synced.append(source_id)

    async def until(self, condition):
        async with asyncio.timeout(10):
            while not condition():
                await asyncio.sleep(0)

    async def close(self):
        await self.listening.stop()
        await self.tasks.close()


async def test_news_are_collected_and_waited_for_again():
    server = Server(True, False, True)
    world = World((INFO, server))
    await world.listening.follow()
    await world.until(lambda: server.asked == 4)
    assert world.synced == ["mail", "mail"]
    await world.close()


async def test_a_server_that_does_not_tell_is_left_alone():
    server = Server(Refused(msg("No."), next_step=msg("No.")))
    world = World((INFO, server))
    await world.listening.follow()
    await world.until(lambda: not [name for name in world.tasks.names if name.startswith("listen to")])
    assert server.asked == 1
    await world.close()


async def test_a_server_that_is_gone_is_waited_for_again(monkeypatch):
    monkeypatch.setattr(listening, "_AGAIN_S", (0.0,))
    server = Server(GONE, GONE, True)
    world = World((INFO, server))
    await world.listening.follow()
    await world.until(lambda: world.synced)
    await world.close()


async def test_a_server_that_was_collected_from_is_listened_to_at_once(monkeypatch):
    monkeypatch.setattr(listening, "_AGAIN_S", (3600.0,))
    server = Server(GONE, True)
    world = World((INFO, server))
    await world.listening.follow()
    await world.until(lambda: server.asked == 1)
    world.bus.publish(SourceChanged("other", SyncState.IDLE))
    world.bus.publish(SourceChanged("mail", SyncState.FAILED))
    for _ in range(50):
        await asyncio.sleep(0)
    assert server.asked == 1
    while not world.synced:
        world.bus.publish(SourceChanged("mail", SyncState.IDLE))
        await asyncio.sleep(0)
    await world.close()


async def test_a_paused_or_changed_source_is_let_go():
    first, second = Server(), Server()
    world = World((INFO, first))
    await world.listening.follow()
    await world.until(lambda: first.asked == 1)
    world.sources = [(replace(INFO, options={"folders": "Work"}), second)]
    world.bus.publish(SourceChanged("mail", SyncState.IDLE))
    await world.until(lambda: second.asked == 1)
    world.sources = []
    world.bus.publish(SourceChanged("mail", SyncState.IDLE))
    await world.until(lambda: not world.listening._ears)
    await world.close()


async def test_who_is_let_go_while_collecting_collects_to_the_end():
    server = Server(True)
    world = World((INFO, server))
    gate = asyncio.Event()

    async def sync(source_id):
        await gate.wait()
        world.synced.append(source_id)

    world.listening._sync = sync
    await world.listening.follow()
    await world.until(lambda: server.asked == 1 and not server.answers)
    for _ in range(50):
        await asyncio.sleep(0)
    world.sources = []
    await world.listening.follow()
    gate.set()
    await world.until(lambda: not [name for name in world.tasks.names if name.startswith("listen to")])
    assert world.synced == ["mail"]
    assert server.asked == 1
    await world.close()


async def test_a_pause_ends_with_the_listening(monkeypatch):
    monkeypatch.setattr(listening, "_AGAIN_S", (3600.0,))
    server = Server(GONE)
    world = World((INFO, server))
    await world.listening.follow()
    await world.until(lambda: server.asked == 1)
    async with asyncio.timeout(10):
        await world.close()
