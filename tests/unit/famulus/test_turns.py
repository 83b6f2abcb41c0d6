"""How many calls of clients run at once."""

from __future__ import annotations

import asyncio

import pytest

from app.domain.errors import Refused
from app.famulus.turns import AT_ONCE, AT_ONCE_IN_ALL, MOST_UNDER_WAY, Turns


async def test_a_few_run_and_the_rest_wait():
    turns, running, most = Turns(), [], []

    async def call(client):
        async with turns.turn(client):
            running.append(client)
            most.append((len(running), max(running.count(one) for one in running)))
            await asyncio.sleep(0)
            running.remove(client)

    await asyncio.gather(*(call(client) for client in ["a"] * 15 + ["b"] * 15 + ["c"] * 15))
    assert max(count for count, _ in most) <= AT_ONCE_IN_ALL
    assert max(count for _, count in most) <= AT_ONCE


async def test_too_many_are_refused_and_a_break_down_frees_its_place():
    turns, gate = Turns(), asyncio.Event()

    async def call():
        async with turns.turn("a"):
            await gate.wait()
            raise ValueError

    calls = [asyncio.ensure_future(call()) for _ in range(MOST_UNDER_WAY)]
    await asyncio.sleep(0)
    with pytest.raises(Refused):
        await call()
    async with turns.turn("b"):
        pass
    gate.set()
    assert {type(one) for one in await asyncio.gather(*calls, return_exceptions=True)} == {ValueError}
    async with turns.turn("a"):
        pass
