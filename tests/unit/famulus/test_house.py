"""Syncs that the watcher asks for."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

from app.famulus.house import Watching
from app.runtime.bus import Bus
from app.runtime.tasks import Tasks


class Syncs:
    """Counts syncs; each lasts until it is let go."""

    def __init__(self):
        self.begun = []
        self.gates = []

    async def sync_quietly(self, source_id):
        self.begun.append(source_id)
        gate = asyncio.Event()
        self.gates.append(gate)
        await gate.wait()

    def let_go(self):
        for gate in self.gates:
            gate.set()


async def _breathe():
    for _ in range(5):
        await asyncio.sleep(0)


async def test_changes_during_a_sync_make_one_more_and_no_queue():
    syncs, tasks = Syncs(), Tasks()
    watching = Watching(SimpleNamespace(bus=Bus(asyncio.get_running_loop()), tasks=tasks), syncs)
    watching._tell("one")
    watching._tell("two")
    await _breathe()
    for _ in range(50):
        watching._tell("one")
    await _breathe()
    assert syncs.begun == ["one", "two"]
    syncs.let_go()
    await _breathe()
    assert syncs.begun == ["one", "two", "one"]
    syncs.let_go()
    await _breathe()
    assert tasks.names == ()
    watching._tell("one")
    await _breathe()
    assert syncs.begun[3:] == ["one"]
    await tasks.close()


async def test_a_sync_that_breaks_does_not_end_the_watching(caplog):
    async def broken(_):
        raise ValueError

    tasks = Tasks()
    house = SimpleNamespace(sync_quietly=broken)
    watching = Watching(SimpleNamespace(bus=Bus(asyncio.get_running_loop()), tasks=tasks), house)
    watching._tell("one")
    await _breathe()
    syncs = Syncs()
    house.sync_quietly = syncs.sync_quietly
    watching._tell("one")
    await _breathe()
    assert syncs.begun == ["one"]
    assert "failed" in caplog.text
    await tasks.close()
