"""The clock of the reviews (G7)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from app.domain.errors import DiskFull
from app.domain.text import msg
from app.famulus import review_desk
from app.famulus.review_desk import ReviewDesk
from app.runtime import clock


@pytest.fixture
def desk(monkeypatch, now):
    """A desk whose clock ticks at once; `days` are the days it lives through, and then it is cancelled."""
    made = ReviewDesk(SimpleNamespace(), None, None, None)
    made.days, made.written = [now], []

    async def tick(_):
        if not made.days:
            raise asyncio.CancelledError

    async def write_due(moment):
        made.written.append(moment.date())
        return []

    monkeypatch.setattr(review_desk, "asyncio", SimpleNamespace(sleep=tick))
    monkeypatch.setattr(clock, "present", lambda: made.days.pop(0))
    monkeypatch.setattr(made, "write_due", write_due)
    return made


async def test_it_looks_once_a_day(desk, now):
    desk.days = [now.replace(hour=hour) for hour in (1, 2, 23)] + [now.replace(day=13), now.replace(day=13, hour=20)]
    with pytest.raises(asyncio.CancelledError):
        await desk.run()
    assert [day.day for day in desk.written] == [12, 13]


@pytest.mark.parametrize("problem", [DiskFull(msg("Full."), next_step=msg("Free some.")), ValueError("broken")])
async def test_what_goes_wrong_today_is_tried_again_tomorrow(desk, now, monkeypatch, caplog, problem):
    tried = []

    async def fail(moment):
        tried.append(moment.day)
        raise problem

    monkeypatch.setattr(desk, "write_due", fail)
    desk.days = [now, now.replace(day=13)]
    with pytest.raises(asyncio.CancelledError):
        await desk.run()
    assert tried == [12, 13]
    assert ("broke down" in caplog.text) == isinstance(problem, ValueError)
