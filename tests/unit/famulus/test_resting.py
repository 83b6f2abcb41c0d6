"""Memory is given back once for each stretch of background work, and not in the middle of it (DESIGN 8)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.famulus.resting import Resting


@pytest.fixture
def queues():
    return [SimpleNamespace(runs=1, is_done=True), SimpleNamespace(runs=0, is_done=True)]


def resting(lanes, queues):
    rests = []

    async def rest():
        rests.append(1)

    return Resting(lanes, queues, [rest]), rests


async def test_it_rests_once_when_nothing_was_done_between_two_looks(lanes, queues):
    made, rests = resting(lanes, queues)
    await made.look()
    assert not rests
    for _ in range(3):
        await made.look()
    assert len(rests) == 1


async def test_it_does_not_rest_while_a_queue_works(lanes, queues):
    made, rests = resting(lanes, queues)
    queues[1].is_done = False
    for _ in range(3):
        await made.look()
    assert not rests


async def test_work_between_two_looks_puts_it_off_and_it_rests_again_after_more_work(lanes, queues):
    made, rests = resting(lanes, queues)
    await made.look()
    queues[1].runs += 1
    await made.look()
    assert not rests
    await made.look()
    queues[0].runs += 1
    await made.look()
    await made.look()
    assert len(rests) == 2


async def test_a_part_that_cannot_rest_keeps_no_other_one_from_it(lanes, queues):
    rests = []

    async def closed():
        raise Unavailable(msg("closed"), next_step=msg("open it"))

    async def rest():
        rests.append(1)

    made = Resting(lanes, queues, [closed, rest])
    await made.look()
    await made.look()
    assert rests
