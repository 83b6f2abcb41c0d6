"""Collecting and indexing, through the facade of a whole house, against what the model alone takes."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from unittest import mock

from app.bootstrap.household import Household
from app.domain.collecting import SourceDraft
from app.famulus.api import ModelState
from app.govern.indexing import model_of
from app.runtime.paths import Paths
from app.runtime.single_instance import OwnerLock
from app.store.rows import unpacked
from app.store.vector_rows import embed_text
from tests.bench import corpus
from tests.bench.measures import Measure, seconds, spaced

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from app.famulus.facade import Famulus

_ROUNDS = 2
_FILES_A_ROUND = 100
_INDEX_BUDGET = 1.10
_UNCHANGED = 10_000
_UNCHANGED_BUDGET_S = 2.0


def index(folder: Path, models: Path) -> Iterator[Measure]:
    """Rounds of new files, each collected and indexed, then embedded again by the model alone."""
    yield asyncio.run(_index(folder, models))


def unchanged(folder: Path) -> Iterator[Measure]:
    """The second sync of many files; without a model, so that the first one does not take hours."""
    yield asyncio.run(_unchanged(folder, folder / "no-models", _UNCHANGED))


async def _index(folder: Path, models: Path) -> Measure:
    ours = theirs = 0.0
    async with house(folder / "base", models) as famulus:
        while (await famulus.status()).model is not ModelState.READY:
            await asyncio.sleep(0.01)
        await famulus.sync()
        for number in range(_ROUNDS):
            notes = folder / f"notes-{number}"
            write_files(notes, number * _FILES_A_ROUND, _FILES_A_ROUND)
            source = await famulus.add_source(SourceDraft("files", str(notes)))
            began = time.perf_counter()
            await famulus.sync(source.source_id)
            await famulus.wait_until_indexed()
            ours += time.perf_counter() - began
            texts = texts_of(famulus, source.source_id)
            embedder = famulus._model.embedder
            theirs += await famulus._parts.lanes.inference.run(
                seconds, lambda texts=texts, embedder=embedder: [embedder.embed_passages([text]) for text in texts]
            )
            _check_all_indexed(famulus, embedder)
    return Measure(
        f"collect and index {_ROUNDS * _FILES_A_ROUND} files of 480 tokens",
        ours,
        "s",
        theirs,
        "embedding the same passages",
        _INDEX_BUDGET,
        is_ratio=True,
    )


async def _unchanged(folder: Path, models: Path, count: int) -> Measure:
    notes = folder / "many"
    write_small_files(notes, count)
    async with house(folder / "base-many", models) as famulus:
        source = await famulus.add_source(SourceDraft("files", str(notes)))
        first = (await famulus.sync(source.source_id))[0]
        assert first.added == count
        began = time.perf_counter()
        second = (await famulus.sync(source.source_id))[0]
        taken = time.perf_counter() - began
        assert second.unchanged == count
    bare = seconds(lambda: [entry.stat() for part in notes.iterdir() for entry in os.scandir(part)])
    return Measure(
        f"second sync of {spaced(count)} unchanged files", taken, "s", bare, "listing them", _UNCHANGED_BUDGET_S
    )


@asynccontextmanager
async def house(basedir: Path, models: Path) -> AsyncIterator[Famulus]:
    """A whole house in this process, with a new database; it does not watch, so that a sync begins when it is told."""
    paths = Paths(basedir)
    paths.create()
    paths.settings.write_text("[sync]\nwatch = false\n", "utf-8")
    lock = OwnerLock(paths)
    assert lock.take()
    with mock.patch.dict(os.environ, FAMULUS_MODELS=str(models)):
        household = Household.make(paths, lock, quit_=lambda: None)
        try:
            await household.start()
            await household.api.create(passphrase="generated")
            yield household.api
        finally:
            await household.close()


def write_files(folder: Path, first: int, count: int) -> None:
    """Files of two passages each."""
    folder.mkdir(parents=True)
    for number in range(first, first + count):
        texts = [corpus.passage(2 * number + place).text for place in range(2)]
        (folder / f"{number}.md").write_text("\n\n".join(texts), "utf-8")


def write_small_files(folder: Path, count: int) -> None:
    """Files of one sentence each, a hundred to a folder."""
    for number in range(count):
        part = folder / str(number // 100)
        if number % 100 == 0:
            part.mkdir(parents=True)
        (part / f"{number}.txt").write_text(corpus.own_sentence(number, "en"), "utf-8")


def texts_of(famulus: Famulus, source_id: str) -> list[str]:
    with famulus._vault.house.store.database.reader() as reader:
        rows = reader.rows(
            "SELECT embed_frame, text FROM chunk JOIN entry USING (entry_id) WHERE source_id = ?", source_id
        )
    return [embed_text(frame, unpacked(text)) for frame, text in rows]


def _check_all_indexed(famulus: Famulus, embedder: object) -> None:
    store = famulus._vault.house.store
    with store.database.reader() as reader:
        chunks = reader.value("SELECT count(*) FROM chunk")
    assert store.vectors(model_of(embedder)).size == chunks
