"""A change of model: search goes on with the old one until the new one has all its vectors (G9.1)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.domain.context_item import SearchRequest
from app.govern.indexing import model_of
from tests.integration.context.conftest import empty, lanes, store
from tests.integration.famulus.houses import house_over
from tests.unit.govern.makers import entry, paragraph

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from app.famulus.house import House
    from tests.integration.context.makers import World

__all__ = ["empty", "lanes", "store"]


@pytest.fixture
async def house(empty: World, basedir: Path) -> AsyncIterator[House]:
    made, tasks = house_over(empty, basedir)
    tasks.start(made.indexer.run(), "index")
    yield made
    await tasks.close()


async def settle(house: House) -> None:
    await house.indexer.wait_until_done()
    while house._parts.tasks.names != ("index",):
        await asyncio.sleep(0)


async def test_the_old_model_answers_until_the_new_one_is_complete(house: House, empty: World) -> None:
    await empty.add(*(entry([paragraph(f"rent {n}")], source_id="notes", native_id=str(n)) for n in range(5)))
    host = house._model
    await house.follow_model()
    assert house.context.model is None
    old = host.bring("1")
    await house.follow_model()
    await settle(house)
    assert house.context.model == model_of(old)

    house.indexer.pause()
    new = host.bring("2")
    await house.follow_model()
    assert house.context.model == model_of(old)
    assert len(await house.context.search(SearchRequest("rent"))) == 5
    house.indexer.resume()
    await settle(house)
    assert house.context.model == model_of(new)
    assert empty.store.vectors(model_of(new)).size == 5


async def test_without_a_model_words_answer(house: House, empty: World) -> None:
    await empty.add(entry([paragraph("rent")], source_id="notes"))
    house._model.bring("1")
    await house.follow_model()
    await settle(house)
    house._model.embedder = None
    await house.follow_model()
    assert house.context.model is None
    assert len(await house.context.search(SearchRequest("rent"))) == 1
