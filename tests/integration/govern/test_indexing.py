"""The queue that gives passages their vectors (G9.1)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import Cancelled, Unavailable
from app.domain.text import msg
from app.govern.indexing import Indexer, model_of
from app.runtime.stop import StopSwitch
from app.runtime.tasks import Tasks
from app.store.vector_rows import waiting_count
from tests.integration.context.makers import LittleModel, World
from tests.unit.govern.makers import entry, paragraph

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    import numpy as np

    from app.domain.progress import Progress
    from app.store.vector_rows import EmbeddingModel


@pytest.fixture
def completed() -> list[EmbeddingModel]:
    return []


@pytest.fixture
async def indexer(empty: World, completed: list[EmbeddingModel]) -> AsyncIterator[Indexer]:
    made = Indexer(empty.store.database, empty.lanes, on_complete=completed.append)
    tasks = Tasks()
    tasks.start(made.run(), "index")
    yield made
    await tasks.close()


async def fill(world: World, count: int, start: int = 0) -> None:
    await world.add(
        *(
            entry([paragraph(f"note number {number}")], source_id="notes", native_id=str(number), title=f"t{number}")
            for number in range(start, start + count)
        )
    )


def waiting(world: World, model: LittleModel) -> int:
    with world.store.database.reader() as reader:
        return waiting_count(reader, model_of(model))


async def test_every_passage_gets_its_vector(empty: World, indexer: Indexer, completed: list[EmbeddingModel]) -> None:
    await fill(empty, 70)
    model = LittleModel()
    steps: list[Progress] = []
    indexer.use(model)
    await indexer.wait_until_done(progress=steps.append)
    assert waiting(empty, model) == 0
    assert await indexer.waiting() == 0
    assert completed == [model_of(model)]
    assert model.embedded == 70
    assert steps[-1].done == steps[-1].total


async def test_new_entries_wake_the_queue_and_only_they_are_embedded(empty: World, indexer: Indexer) -> None:
    model = LittleModel()
    await fill(empty, 3)
    indexer.use(model)
    await indexer.wait_until_done()
    await fill(empty, 2, start=3)
    indexer.wake()
    await indexer.wait_until_done()
    assert model.embedded == 5
    assert waiting(empty, model) == 0


async def test_without_a_model_there_is_nothing_to_wait_for(empty: World, indexer: Indexer) -> None:
    await fill(empty, 3)
    indexer.wake()
    await indexer.wait_until_done()
    assert await indexer.waiting() == 0


async def test_a_pause_holds_the_queue(empty: World, indexer: Indexer) -> None:
    await fill(empty, 3)
    model = LittleModel()
    indexer.pause()
    indexer.use(model)
    switch = StopSwitch()
    watching = asyncio.ensure_future(indexer.wait_until_done(progress=lambda _: switch.stop(), stop=switch))
    with pytest.raises(Cancelled):
        await watching
    assert indexer.is_paused
    assert model.embedded == 0
    indexer.resume()
    await indexer.wait_until_done()
    assert waiting(empty, model) == 0


async def test_a_model_that_fails_stops_the_queue_until_it_is_woken(empty: World, indexer: Indexer) -> None:
    await fill(empty, 3)
    model = LittleModel(problem=Unavailable(msg("broken"), next_step=msg("mend it")))
    indexer.use(model)
    with pytest.raises(Unavailable):
        await indexer.wait_until_done()
    assert indexer.problem is model.problem
    model.problem = None
    indexer.wake()
    await indexer.wait_until_done()
    assert waiting(empty, model) == 0


async def test_two_models_never_share_a_vector(empty: World, indexer: Indexer) -> None:
    await fill(empty, 4)
    old, new = LittleModel(version="1"), LittleModel(version="2", dimension=64)
    indexer.use(old)
    await indexer.wait_until_done()
    indexer.use(new)
    await indexer.wait_until_done()
    assert waiting(empty, old) == waiting(empty, new) == 0
    with empty.store.database.reader() as reader:
        assert reader.value("SELECT count(*) FROM vector") == 8
    assert empty.store.vectors(model_of(old)).size == empty.store.vectors(model_of(new)).size == 4


async def test_a_new_model_takes_over_in_the_middle(empty: World, indexer: Indexer) -> None:
    await fill(empty, 20)
    new = LittleModel(version="2")

    class Leaving(LittleModel):
        def embed_passages(self, texts: Sequence[str], stop: object = None) -> np.ndarray:
            vectors = super().embed_passages(texts, stop)
            if self.embedded == 3:
                loop.call_soon_threadsafe(indexer.use, new)
            return vectors

    loop = asyncio.get_running_loop()
    old = Leaving()
    indexer.use(old)
    await indexer.wait_until_done()
    assert old.embedded < 20
    assert waiting(empty, new) == 0
