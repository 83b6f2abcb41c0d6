"""What exists while the database is open: the store, the search, the embedding queue, and the offices behind them.

Made by `vault` when the key is there, closed by it before the key is forgotten. A search by words is answered at once;
everything else is in `offices`, whose imports and rules take longer than a first answer may.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from app.context.ranking import load_weights
from app.context.search import ContextService
from app.context.search_desk import SearchDesk
from app.context.semantics import vectors_of
from app.domain.errors import Expected, Unavailable
from app.domain.events import EntriesChanged
from app.domain.text import msg
from app.famulus.api import Counts
from app.famulus.request_book import RequestBook
from app.govern.indexing import Indexer, model_of
from app.runtime import clock
from app.runtime.paths import resource
from app.store import reading
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.checking import CheckReport
    from app.domain.context_item import ContextItem, SearchRequest
    from app.domain.progress import ProgressSink
    from app.famulus.model_host import ModelHost
    from app.famulus.offices import Offices
    from app.famulus.parts import Parts
    from app.famulus.route_host import RouteHost
    from app.inference.embedder import Embedder
    from app.store.store import Store
    from app.store.vector_rows import EmbeddingModel

_FIRST_QUESTIONS_S = 1.0
"""What nobody asked for yet is begun so long after the model is there: whoever opened Famulus to ask something asks."""
_LONGEST_QUESTION_S = 2.0
_AGAIN_S = 60.0
"""What could not be opened is tried again after that, whether or not anybody asks: freshness and syncs hang on it."""
_log = logging.getLogger(__name__)


class House:
    """See the module docstring. Its methods are called on the loop.

    Attributes:
        problem: why the offices could not be opened, or None.
    """

    def __init__(self, parts: Parts, store: Store, model: ModelHost, routes: RouteHost | None = None) -> None:
        self.store = store
        self._parts = parts
        self._model = model
        self._routes = routes
        weights = load_weights(resource("rules", "ranking.toml"), parts.paths.config / "ranking.toml")
        self.context = ContextService(store, parts.lanes, weights)
        self.searching = SearchDesk(store, parts.lanes, self.context, model.make_counter())
        self.book = RequestBook(parts, store.database, self.context)
        self.indexer = Indexer(store.database, parts.lanes, bus=parts.bus, on_complete=self._vectors_complete)
        self.problem: Expected | None = None
        self._offices: Offices | None = None
        self._opening: asyncio.Task[Offices] | None = None
        self._questions = 0
        self._is_quiet = asyncio.Event()
        self._is_quiet.set()
        self._coming: Embedder | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._unsubscribe = parts.bus.subscribe(EntriesChanged, self._on_entries)

    async def start(self) -> None:
        """Follow the model, and open the offices in time."""
        # a full disk is no reason to keep the database closed
        with contextlib.suppress(Expected):
            await self._parts.lanes.writer.run(self._begin)
        self._tasks.append(self._parts.tasks.start(self.indexer.run(), "index"))
        await self.follow_model()
        self._tasks.append(self._parts.tasks.start(self._open_in_time(), "open the offices in time"))

    async def search(self, request: SearchRequest) -> Sequence[ContextItem]:
        """What the person searches for; raises as `SearchDesk.gather` does."""
        self._questions += 1
        self._is_quiet.clear()
        try:
            return await self.searching.search(request)
        finally:
            self._questions -= 1
            if not self._questions:
                self._is_quiet.set()

    async def offices(self) -> Offices:
        """All that a search does not need; opened by whoever asks first, after the search that is under way.

        Raises:
            Expected: what they are made of cannot be read, such as the person's own rules. They are tried again.
        """
        if self._offices is not None:
            return self._offices
        if self._opening is None or self._opening.done():
            self._opening = self._parts.tasks.start(self._open(), "open the offices")
        # whoever asked and leaves takes nothing away from the others
        return await asyncio.shield(self._opening)

    @property
    def opened(self) -> Offices | None:
        """The offices, if they are open already."""
        return self._offices

    async def follow_model(self) -> None:
        """Take the model up, or do without it.

        The present model goes on while another one is prepared, and until that one has all its vectors (G9.1).
        """
        embedder = self._model.embedder
        if embedder is None:
            self._coming = None
            self.context.use_words_alone()
        else:
            self.searching.count_with(embedder.counter)
            if self.context.model in {None, model_of(embedder)}:
                await self._search_with(embedder)
            else:
                self._coming = embedder
        self.indexer.use(embedder)
        if self._offices is not None:
            self._offices.follow_model()

    async def counts(self) -> Counts:
        """How much there is, for the owner alone. Before the offices are open, what older rules read counts as read."""

        def read() -> tuple[reading.StoreCounts, int]:
            with self.store.database.reader() as reader:
                return reading.counts(reader), 0 if self._offices is not None else reading.never_understood(reader)

        found, understanding = await self._parts.lanes.readers.run(read)
        waiting = await self.indexer.waiting()
        if self._offices is not None:
            understanding = await self._offices.governing.queue.waiting()
        return Counts(found.sources, found.entries, found.chunks, waiting, understanding)

    async def is_busy(self) -> bool:
        """Whether work goes on that nobody waits for: what waits to be understood, or for its vectors."""
        if self._offices is None:
            return self.problem is None
        queue = self._offices.governing.queue
        if queue.problem is None and not queue.is_paused and await queue.waiting() > 0:
            return True
        if self.indexer.is_paused:
            return False
        return self.indexer.problem is None and await self.indexer.waiting() > 0

    async def check(self, *, is_repairing: bool, progress: ProgressSink) -> CheckReport:
        """Prove that the database is whole; what a repair dropped is made again in the background."""
        lane = self._parts.lanes.writer if is_repairing else self._parts.lanes.blocking
        report = await lane.run(_checked, self.store, is_repairing=is_repairing, progress=progress)
        if is_repairing:
            self.indexer.wake()
        return report

    async def rest(self) -> None:
        """Nothing waits: give back what the next entries need anew."""
        await self._parts.lanes.writer.run(self.store.database.give_memory_back)
        if self._model.embedder is not None:
            await self._parts.lanes.inference.run(self._model.embedder.rest)

    async def close(self) -> None:
        """End the background work, wait for what is being written, and close the database."""
        self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._opening is not None:
            await asyncio.wait([self._opening])
        if self._offices is not None:
            await self._offices.close()
        await self.book.close()
        await self._parts.lanes.writer.run(self.store.close)

    async def _open_in_time(self) -> None:
        await self._model.known()
        await asyncio.sleep(_FIRST_QUESTIONS_S)
        while self._offices is None:
            try:
                await self.offices()
            except Exception as problem:  # noqa: BLE001 - a border: nothing else would try again
                _log.warning("the database is open for searches alone: %s", type(problem).__name__)
                await asyncio.sleep(_AGAIN_S)

    async def _open(self) -> Offices:
        made: Offices | None = None
        # a window that has just opened asks for this and that; the person who waits for a result comes first
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._is_quiet.wait(), _LONGEST_QUESTION_S)
        try:
            made = await self._parts.lanes.blocking.run(_make_offices, self._parts, self, self._model, self._routes)
            await made.start()
        except BaseException as error:
            self.problem = error if isinstance(error, Expected) else _half_open()
            if made is not None:
                await made.close()
            raise
        self.problem, self._offices = None, made
        # it may have come meanwhile
        made.follow_model()
        return made

    def _on_entries(self, _: EntriesChanged) -> None:
        self.indexer.wake()

    async def _search_with(self, embedder: Embedder) -> None:
        vectors = await self._parts.lanes.readers.run(vectors_of, self.store, embedder)
        self.context.use(embedder, vectors)

    def _vectors_complete(self, model: EmbeddingModel) -> None:
        """The queue has worked off everything with this model."""
        coming = self._coming
        if coming is not None and model_of(coming) == model:
            self._coming = None
            self._parts.tasks.start(self._search_with(coming), "change the model")
        # time for what makes the next searches and the next start faster
        tending = self._parts.lanes.blocking.run(self.store.tend_vectors, now=clock.now())
        self._tasks.append(self._parts.tasks.start(tending, "tend vectors"))

    def _begin(self) -> None:
        """Note the ranking that is in force (G2.8)."""
        with self.store.database.write() as tx:
            note_rules(tx, self.context.weights.version, now=clock.now())


def _half_open() -> Expected:
    return Unavailable(
        msg("The database is open for searches alone: something in Famulus broke down."),
        next_step=msg("It is tried again every minute. If that does not help, quit Famulus and start it again."),
    )


def _make_offices(parts: Parts, house: House, model: ModelHost, routes: RouteHost | None) -> Offices:
    from app.famulus.offices import Offices  # noqa: PLC0415 - see the module docstring

    return Offices(parts, house, model, routes)


def _checked(store: Store, *, is_repairing: bool, progress: ProgressSink) -> CheckReport:
    from app.store.check import check  # noqa: PLC0415 - for who asks

    return check(store, is_repairing=is_repairing, progress=progress)
