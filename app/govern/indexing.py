"""The background queue that gives every passage its vector (G9.1).

The database itself is the queue: a passage without a vector of the present model waits. So nothing is lost by a crash,
a pause or a change of the model, and a new model's vectors never mix with the old one's: search stays with the old
model until `on_complete` says that the new one has all of its own.

One passage at a time goes to the inference lane, so a person's question waits for one passage at most.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from app.domain.text import msg
from app.govern.work_queue import WorkQueue
from app.runtime import clock
from app.store.vector_rows import EmbeddingModel, chunks_without_vectors, put_vectors, waiting_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.progress import StopSignal
    from app.runtime.bus import Bus
    from app.runtime.lanes import Lanes
    from app.store.database import Database
    from app.store.vector_rows import PendingChunk

_FETCHED = 128
_WRITTEN = 32


class PassageEmbedder(Protocol):
    """What the queue needs of the embedding model."""

    @property
    def model_id(self) -> str:
        """Its name."""
        ...

    @property
    def version(self) -> str:
        """Its vector space."""
        ...

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        ...

    def embed_passages(self, texts: Sequence[str], stop: StopSignal | None = None) -> NDArray[np.float16]:
        """float16[len(texts), dimension], normalised."""
        ...


def model_of(embedder: PassageEmbedder) -> EmbeddingModel:
    """How the store names a model."""
    return EmbeddingModel(embedder.model_id, embedder.version, embedder.dimension)


class Indexer(WorkQueue):
    """The queue. It stands still without a model, and begins again at the next `wake` or `use`."""

    def __init__(
        self,
        database: Database,
        lanes: Lanes,
        *,
        bus: Bus | None = None,
        on_complete: Callable[[EmbeddingModel], None] | None = None,
    ) -> None:
        super().__init__(lanes, bus, "index", msg("Preparing search by meaning"))
        self._database = database
        self._on_complete = on_complete
        self._embedder: PassageEmbedder | None = None

    def use(self, embedder: PassageEmbedder | None) -> None:
        """Embed with this model from now on; None while there is none."""
        self._embedder = embedder
        self.wake()

    def wake(self) -> None:
        """Look for waiting passages; without a model nothing can be done for them."""
        super().wake()
        if self._embedder is None:
            self._is_due.clear()
            self._is_done.set()

    async def waiting(self) -> int:
        """How many passages have no vector of the present model; 0 without one."""
        embedder = self._embedder
        return 0 if embedder is None else await self._lanes.readers.run(self._count_waiting, model_of(embedder))

    async def _work_off(self) -> None:
        """Embed until nothing waits."""
        after = 0
        while (embedder := self._embedder) is not None:
            model = model_of(embedder)
            pending = await self._lanes.readers.run(self._fetch, model, after)
            if not pending:
                if after == 0:
                    break
                # entries written meanwhile have higher ids, but one that was replaced may leave a gap: look once more
                after = 0
                continue
            await self._embed_all(embedder, pending)
            after = pending[-1].chunk_id
        if embedder is not None and self._on_complete is not None:
            self._on_complete(model_of(embedder))

    async def _embed_all(self, embedder: PassageEmbedder, pending: Sequence[PendingChunk]) -> None:
        model = model_of(embedder)
        ready: list[tuple[int, NDArray[np.float16]]] = []
        writing: Future[int] | None = None
        for chunk in pending:
            await self._may_go.wait()
            if self._embedder is not embedder:
                break
            vectors = await self._lanes.inference.run(embedder.embed_passages, [chunk.embed_text])
            ready.append((chunk.chunk_id, vectors[0]))
            if len(ready) == _WRITTEN:
                await self._finish(writing)
                writing = self._lanes.writer.submit(self._put, model, ready)
                ready = []
        await self._finish(writing)
        if ready:
            await self._lanes.writer.run(self._put, model, ready)
        self._tell(len(pending), await self._lanes.readers.run(self._count_waiting, model))

    @staticmethod
    async def _finish(writing: Future[int] | None) -> None:
        if writing is not None:
            await asyncio.wrap_future(writing)

    def _fetch(self, model: EmbeddingModel, after: int) -> list[PendingChunk]:
        with self._database.reader() as reader:
            return chunks_without_vectors(reader, model, _FETCHED, after_chunk_id=after)

    def _put(self, model: EmbeddingModel, vectors: Sequence[tuple[int, NDArray[np.float16]]]) -> int:
        with self._database.write() as tx:
            return put_vectors(tx, model, vectors, now=clock.now())

    def _count_waiting(self, model: EmbeddingModel) -> int:
        with self._database.reader() as reader:
            return waiting_count(reader, model)
