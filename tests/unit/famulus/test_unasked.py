"""Syncs that nobody asked for: by the watcher, by the clock, and by servers that tell."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace

import pytest

from app.famulus.unasked import Unasked
from app.famulus.watching import Watching
from app.runtime import power
from app.runtime.bus import Bus
from app.runtime.tasks import Tasks
from tests.unit.store.makers import source_info


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


class Sources:
    """A folder and a mailbox; counts what is collected, and one of them may break down."""

    def __init__(self, broken=""):
        self.broken = broken
        self.synced = []
        self.folder = source_info("folder")
        self.mailbox = source_info("mailbox", location="imaps://zhang@imap.example.com")

    async def list(self):
        return [self.folder, self.mailbox]

    async def pushing(self):
        return [(self.mailbox, object())]

    def is_remote(self, info):
        return info is self.mailbox

    async def sync(self, source_id, **_):
        self.synced.append(source_id)
        if source_id == self.broken:
            raise ValueError


def _unasked(sources, around, monkeypatch):
    async def run(call):
        return call()

    monkeypatch.setattr(power, "look", lambda: around)
    unasked = Unasked.__new__(Unasked)
    unasked.collection = sources
    unasked._switch = None
    lanes = SimpleNamespace(blocking=SimpleNamespace(run=run))
    unasked._parts = SimpleNamespace(lanes=lanes, settings=SimpleNamespace(get=lambda setting: setting.default))
    return unasked


@pytest.mark.parametrize(
    ("around", "synced", "heard"),
    [
        (power.Surroundings(), ["folder", "mailbox"], 1),
        (power.Surroundings(is_metered=True), ["folder"], 0),
        (power.Surroundings(is_on_battery=True), [], 0),
    ],
)
async def test_a_device_that_saves_neither_collects_nor_listens(monkeypatch, around, synced, heard):
    sources = Sources()
    unasked = _unasked(sources, around, monkeypatch)
    await unasked._sync_due(timedelta(minutes=30))
    assert sources.synced == synced
    assert len(await unasked._pushing()) == heard


async def test_one_source_that_breaks_down_does_not_stop_the_clock(monkeypatch, caplog):
    sources = Sources(broken="folder")
    unasked = _unasked(sources, power.Surroundings(), monkeypatch)
    await unasked._sync_due(timedelta(minutes=30))
    assert sources.synced == ["folder", "mailbox"]
    assert "broke down" in caplog.text
