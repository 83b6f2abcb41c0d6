"""What a search can do without is opened behind it: once, when it is needed or in time, and closed with the house."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.context_item import SearchRequest
from app.domain.errors import Damaged, Locked
from app.domain.text import msg
from app.famulus import house as house_module
from app.famulus.vault import Vault
from tests.integration.context.conftest import empty, lanes, store
from tests.integration.famulus.houses import house_over
from tests.unit.govern.makers import entry, paragraph

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from app.famulus.house import House
    from tests.integration.context.makers import World

__all__ = ["empty", "lanes", "store"]


class Offices:
    """Notes what becomes of it; opens when it is let."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.may_start = asyncio.Event()
        self.may_start.set()
        self.problem: Exception | None = None
        self.governing = SimpleNamespace(queue=SimpleNamespace(waiting=self._waiting, problem=None, is_paused=False))

    async def start(self) -> None:
        self.done.append("start")
        await self.may_start.wait()
        if self.problem is not None:
            raise self.problem

    def follow_model(self) -> None:
        self.done.append("model")

    async def close(self) -> None:
        self.done.append("close")

    async def _waiting(self) -> int:
        return 7


@pytest.fixture
def offices(monkeypatch: pytest.MonkeyPatch) -> Offices:
    made = Offices()
    monkeypatch.setattr(house_module, "_make_offices", lambda *_: made)
    monkeypatch.setattr(house_module, "_FIRST_QUESTIONS_S", 0.0)
    return made


@pytest.fixture
async def house(empty: World, basedir: Path) -> AsyncIterator[House]:
    made, tasks = house_over(empty, basedir)
    yield made
    await tasks.close()


async def until(done: Any) -> None:
    while not done():
        await asyncio.sleep(0)


async def test_they_open_by_themselves_and_close_with_the_house(house: House, offices: Offices) -> None:
    await house.start()
    await until(lambda: house.opened is not None)
    assert offices.done == ["start", "model"]
    await house.follow_model()
    await house.close()
    assert offices.done == ["start", "model", "model", "close"]


async def test_whoever_asks_gets_the_same_and_takes_nothing_away(house: House, offices: Offices) -> None:
    offices.may_start.clear()
    impatient, patient = asyncio.create_task(house.offices()), asyncio.create_task(house.offices())
    await until(lambda: offices.done)
    impatient.cancel()
    offices.may_start.set()
    assert await patient is offices
    assert await house.offices() is offices
    assert offices.done == ["start", "model"]


async def test_a_search_under_way_goes_first(house: House, offices: Offices, monkeypatch: pytest.MonkeyPatch) -> None:
    may_find = asyncio.Event()

    async def search(_: SearchRequest) -> list[Any]:
        await may_find.wait()
        return []

    monkeypatch.setattr(house.searching, "search", search)
    one, other = (asyncio.create_task(house.search(SearchRequest("rent"))) for _ in range(2))
    await asyncio.sleep(0)
    opening = asyncio.create_task(house.offices())
    for _ in range(5):
        await asyncio.sleep(0)
    assert not offices.done
    may_find.set()
    await asyncio.gather(one, other, opening)
    assert offices.done == ["start", "model"]


async def test_a_search_that_takes_long_is_not_waited_for(
    house: House, offices: Offices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_module, "_LONGEST_QUESTION_S", 0.0)
    house._questions += 1
    house._is_quiet.clear()
    assert await house.offices() is offices


async def test_what_keeps_them_closed_is_told_and_tried_again(house: House, offices: Offices) -> None:
    offices.problem = Damaged(msg("The database is damaged."), next_step=msg("Run `famulus check`."))
    assert await house.is_busy()
    await house.start()
    await until(lambda: house.problem is not None)
    assert house.opened is None
    assert offices.done == ["start", "close"]
    assert not await house.is_busy()
    with pytest.raises(Damaged):
        await house.offices()
    offices.problem = None
    assert await house.offices() is offices
    assert house.problem is None
    assert offices.done == ["start", "close"] * 2 + ["start", "model"]


async def test_a_house_that_closes_meanwhile_closes_them_too(house: House, offices: Offices) -> None:
    offices.may_start.clear()
    vault = Vault(house._parts, house._model)
    vault._house = house
    asked = asyncio.create_task(vault.offices())
    await until(lambda: offices.done)
    vault._house = None
    closing = asyncio.create_task(house.close())
    for _ in range(5):
        await asyncio.sleep(0)
    offices.may_start.set()
    with pytest.raises(Locked):
        await asked
    await closing
    assert offices.done == ["start", "model", "close"]


async def test_what_was_never_understood_waits_before_anybody_can_understand_it(
    house: House, offices: Offices, empty: World
) -> None:
    await empty.add(*(entry([paragraph(f"rent {n}")], source_id="notes", native_id=str(n)) for n in range(3)))
    assert (await house.counts()).understanding == 3
    await house.offices()
    assert (await house.counts()).understanding == 7
