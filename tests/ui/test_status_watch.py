"""The window hears of every change, and asks no more often than it must."""

from __future__ import annotations

import asyncio

from app.domain.events import EntriesChanged, LockStateChanged, ModelStateChanged
from app.famulus.api import LockState, ModelState
from app.ui.status_watch import StatusWatch
from tests.ui.stage import calm, until


def test_an_event_leads_to_a_fresh_report(stage):
    async def scenario(desk):
        told = []
        desk.status.changed.connect(lambda: told.append(desk.status.report.model))
        desk.api.model = ModelState.LOADING
        desk.bus.publish(ModelStateChanged("loading"))
        await until(lambda: told == [ModelState.LOADING])
        assert not desk.status.is_meaning_ready

    stage.play(scenario)


def test_many_events_while_it_asks_lead_to_one_more_question(stage):
    async def scenario(desk):
        gate = desk.api.gates["status"] = asyncio.Event()
        asked = desk.api.names().count("status")
        for _ in range(5):
            desk.bus.publish(EntriesChanged("s1", 1))
            await calm()
        desk.api.lock_state = LockState.PASSPHRASE_NEEDED
        desk.bus.publish(LockStateChanged(is_open=False))
        await calm()
        gate.set()
        await until(lambda: not desk.status.is_open)
        await calm()
        assert desk.api.names().count("status") == asked + 2

    stage.play(scenario)


def test_before_the_first_report_nothing_is_open(stage):
    async def scenario(desk):
        watch = StatusWatch(desk.api, desk.bus, desk.doing)
        assert watch.report is None
        assert not watch.is_open
        assert not watch.is_meaning_ready

    stage.play(scenario)
