"""A database with entries in it, and a model that knows words by their letters alone."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from app.context.ranking import load_weights
from app.context.search import ContextService
from app.context.semantics import vectors_of
from app.govern.indexing import Indexer
from app.govern.pipeline import Pipeline
from app.inference.calibration import Calibration, PassagePoints, Points
from app.runtime.paths import resource
from app.runtime.tasks import Tasks
from app.sources.contract import Added
from app.store.source_rows import add_source
from tests.unit.govern.makers import WordCounter
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.context.ranking import Weights
    from app.domain.collecting import SourceInfo
    from app.domain.entries import Entry
    from app.domain.errors import Expected
    from app.runtime.lanes import Lanes
    from app.store.store import Store

DIMENSION = 64
_WORD = re.compile(r"[a-z0-9]+|[一-鿿]")
# What the little model knows of the world: words of one line mean the same.
_SAME = [{"rent", "房", "租"}, {"dentist", "牙", "teeth"}, {"car", "vehicle", "auto"}]


def nothing_in_common() -> Calibration:
    """A calibration without anything to take off."""
    pairs = [(one, other) for one in ("en", "zh") for other in ("en", "zh")]
    means = {"en": _zeros(), "zh": _zeros()}
    points, alike = Points(-0.2, 0.4, 1.0), PassagePoints(0.0, 0.5, 0.8)
    return Calibration(dict.fromkeys(pairs, points), dict.fromkeys(pairs, alike), means, means)


@dataclass
class LittleModel:
    """Counts words into a vector, synonyms into one place. `problem` is raised instead of an answer."""

    model_id: str = "little"
    version: str = "1"
    dimension: int = DIMENSION
    is_loaded: bool = True
    calibration: Calibration = field(default_factory=nothing_in_common)
    problem: Expected | None = None
    embedded: int = 0

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        if self.problem is not None:
            raise self.problem
        return np.stack([_vector(text) for text in texts])

    def embed_passages(self, texts: Sequence[str], stop: object = None) -> np.ndarray:
        if self.problem is not None:
            raise self.problem
        self.embedded += len(texts)
        return np.stack([_vector(text) for text in texts]).astype(np.float16)


@dataclass(frozen=True)
class World:
    """A store with its pipeline and its search."""

    store: Store
    lanes: Lanes
    pipeline: Pipeline
    context: ContextService

    async def add(self, *entries: Entry, source: SourceInfo | None = None) -> None:
        """Take entries in, under a source that is made when it is new."""
        info = source or source_info()
        with self.store.database.write() as tx:
            known = tx.value("SELECT 1 FROM source WHERE source_id = ?", info.source_id)
            if known is None:
                add_source(tx, info)
        await self.pipeline.take_in(info, iter([Added(entry) for entry in entries]))

    async def learn(self, model: LittleModel | None = None) -> LittleModel:
        """Give every passage its vector, and search by meaning."""
        embedder = model or LittleModel()
        await index(self.store, self.lanes, embedder)
        self.context.use(embedder, vectors_of(self.store, embedder))
        return embedder


async def index(store: Store, lanes: Lanes, embedder: LittleModel) -> None:
    """Run the queue until nothing waits."""
    indexer = Indexer(store.database, lanes)
    tasks = Tasks()
    indexer.use(embedder)
    tasks.start(indexer.run(), "index")
    try:
        await indexer.wait_until_done()
    finally:
        await tasks.close()


def world(store: Store, lanes: Lanes, weights: Weights | None = None) -> World:
    """Put it together."""
    ranking = weights or load_weights(resource("rules", "ranking.toml"))
    pipeline = Pipeline(store.database, lanes, WordCounter())
    return World(store, lanes, pipeline, ContextService(store, lanes, ranking))


def _zeros() -> np.ndarray:
    return np.zeros(DIMENSION, np.float32)


def _vector(text: str) -> np.ndarray:
    vector = _zeros()
    for word in _WORD.findall(text.lower()):
        meaning = next((min(group) for group in _SAME if word in group), word)
        vector[int.from_bytes(hashlib.sha256(meaning.encode()).digest()[:4], "big") % DIMENSION] += 1
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
