"""All that exists while the database is open: the store, the sync pipeline, the embedding queue, the search.

Made by `vault` when the key is there, closed by it before the key is forgotten.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.context.answers import AnswerService
from app.context.desk import ContextDesk
from app.context.ranking import load_weights
from app.context.search import ContextService
from app.context.semantics import vectors_of
from app.context.templates.shelf import TemplateShelf
from app.domain.collecting import SyncState
from app.domain.errors import Expected
from app.domain.events import EntriesChanged, Progressed, SourceChanged
from app.famulus.api import Counts
from app.famulus.change_desk import ChangeDesk
from app.famulus.clips import Clips
from app.famulus.collection import BUILT_IN, Collection
from app.famulus.governing import Governing
from app.famulus.listening import Listening
from app.famulus.reception import Reception
from app.famulus.resting import Resting
from app.famulus.rule_host import RuleHost
from app.famulus.watching import Watching
from app.govern.batches import BatchLimits
from app.govern.indexing import Indexer, model_of
from app.govern.pipeline import Pipeline
from app.govern.schedule import is_due
from app.runtime import clock, power
from app.runtime.paths import resource
from app.runtime.stop import StopSwitch
from app.settings.declarations import (
    PAUSE_ON_BATTERY,
    PAUSE_ON_METERED,
    SYNC_INTERVAL_MINUTES,
    WATCH,
    WRITE_BATCH,
)
from app.store import reading, source_rows
from app.store.check import check
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.checking import CheckReport
    from app.domain.collecting import SourceInfo
    from app.domain.progress import Progress, ProgressSink
    from app.famulus.model_host import ModelHost
    from app.famulus.parts import Parts
    from app.famulus.route_host import RouteHost
    from app.inference.embedder import Embedder
    from app.sources.contract import PushingSource
    from app.store.store import Store
    from app.store.vector_rows import EmbeddingModel

_log = logging.getLogger(__name__)


class House:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, store: Store, model: ModelHost, routes: RouteHost | None = None) -> None:
        self.store = store
        self._parts = parts
        self._model = model
        limits = BatchLimits(entries=parts.settings.get(WRITE_BATCH))
        self.pipeline = Pipeline(store.database, parts.lanes, model.make_counter(), bus=parts.bus, limits=limits)
        self.pipeline.wait_for(self._know_model)
        self.indexer = Indexer(store.database, parts.lanes, bus=parts.bus, on_complete=self._vectors_complete)
        self.collection = Collection(parts, store.database, self.pipeline)
        self.governing = Governing(parts, store.database)
        self.collection.on_taken = self.governing.with_records
        self.change_desk = ChangeDesk(parts, store.database, self.governing.freshness.wake)
        self.rules = RuleHost(parts, store.database, self.pipeline, self.governing)
        weights = load_weights(resource("rules", "ranking.toml"), parts.paths.config / "ranking.toml")
        self.context = ContextService(store, parts.lanes, weights)
        read_intent = routes.read_if_can if routes is not None else None
        self.answers = AnswerService(store, parts.lanes, self.context, read_intent)
        shelf = TemplateShelf(parts.paths.config / "templates")
        self.desk = ContextDesk(store, parts.lanes, self.context, self.answers, model.make_counter(), shelf)
        self.clips = Clips(parts, store.database, self.pipeline)
        waiting = self.governing.queue.waiting
        self.reception = Reception(
            parts, store.database, desk=self.desk, context=self.context, clips=self.clips, waiting=waiting
        )
        self._coming: Embedder | None = None
        self._watching: Watching | None = None
        self._listening: Listening | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._switch = StopSwitch()
        self._unsubscribe = parts.bus.subscribe(EntriesChanged, self._on_entries)
        self._unsubscribe_people = parts.bus.subscribe(SourceChanged, self._on_source)

    async def start(self) -> None:
        """Begin the background work, and follow the model."""
        # a full disk is no reason to keep the database closed
        with contextlib.suppress(Expected):
            await self._parts.lanes.writer.run(self._begin)
        await self.reception.start()
        self._tasks.append(self._parts.tasks.start(self.indexer.run(), "index"))
        self.governing.start()
        self._tasks.append(self._parts.tasks.start(self._sync_by_the_clock(), "sync by the clock"))
        self._tasks.append(self._parts.tasks.start(self.collection.senses.watch_idleness(), "rest the senses"))
        queues, parts = (self.indexer, self.governing.queue), (self._rest, self.governing.rest)
        resting = Resting(self._parts.lanes, queues, parts)
        self._tasks.append(self._parts.tasks.start(resting.watch(), "give memory back"))
        if self._parts.settings.get(WATCH):
            self._watching = Watching(self._parts, self)
            await self._watching.start()
            self._listening = Listening(self._parts, self._pushing, self.sync_quietly)
            self._tasks.append(self._parts.tasks.start(self._listening.follow(), "listen"))
        await self.follow_people()
        self.label_anew()
        await self.follow_model()

    def label_anew(self) -> None:
        """Let entries follow the rules and their sources, in the background; goes on where it was after a crash."""
        self._tasks.append(self._parts.tasks.start(self.rules.catch_up(), "label by the rules"))

    def _on_entries(self, _: EntriesChanged) -> None:
        self.indexer.wake()
        self.governing.wake()

    def _on_source(self, event: SourceChanged) -> None:
        if event.state is SyncState.IDLE:
            self._parts.tasks.start(self.follow_people(), "follow people")

    async def follow_people(self) -> None:
        """Know whom the person is and knows; asked again when a source comes, whose mailbox may be theirs."""
        with contextlib.suppress(Expected):
            self.rules.follow(await self.collection.list())
            self.desk.own_addresses = self.rules.own_addresses
            self.answers.structured.own_addresses = self.rules.own_addresses

    async def follow_model(self) -> None:
        """Take the model up, or do without it.

        The present model goes on while another one is prepared, and until that one has all its vectors (G9.1).
        """
        self.governing.follow_model()
        embedder = self._model.embedder
        if embedder is None:
            self._coming = None
            self.context.use_words_alone()
            self.indexer.use(None)
            return
        self.pipeline.count_with(embedder.counter)
        self.desk.count_with(embedder.counter)
        if self.context.model in {None, model_of(embedder)}:
            await self._search_with(embedder)
        else:
            self._coming = embedder
        self.indexer.use(embedder)

    async def _know_model(self) -> None:
        """Passages are cut by the model's own count where there is one, not by an estimate while it loads (G3.1)."""
        await self._model.known()
        self.pipeline.count_with(self._model.make_counter())

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

    async def counts(self) -> Counts:
        """How much there is, for the owner alone."""

        def read() -> reading.StoreCounts:
            with self.store.database.reader() as reader:
                return reading.counts(reader)

        found = await self._parts.lanes.readers.run(read)
        waiting = await self.indexer.waiting()
        understanding = await self.governing.queue.waiting()
        return Counts(found.sources, found.entries, found.chunks, waiting, understanding)

    async def check(self, *, is_repairing: bool, progress: ProgressSink) -> CheckReport:
        """Prove that the database is whole; what a repair dropped is made again in the background."""
        lane = self._parts.lanes.writer if is_repairing else self._parts.lanes.blocking
        report = await lane.run(check, self.store, is_repairing=is_repairing, progress=progress)
        if is_repairing:
            self.indexer.wake()
        return report

    async def close(self) -> None:
        """End the background work, wait for what is being written, and close the database."""
        self._unsubscribe()
        self._unsubscribe_people()
        self._switch.stop()
        self.rules.stop()
        if self._watching is not None:
            self._watching.stop()
        if self._listening is not None:
            await self._listening.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.governing.close()
        await self.reception.close()
        self.rules.close()
        await self._parts.lanes.writer.run(self.store.close)

    async def sync_quietly(self, source_id: str) -> None:
        """A sync that nobody asked for: what goes wrong stands in the source's health line."""
        try:
            infos = await self.collection.list()
        except Expected as problem:
            _log.info("an unasked sync ended with %s", problem.code)
            return
        if any(info.source_id == source_id and not info.is_paused for info in infos):
            await self._sync_one(source_id)

    async def _sync_one(self, source_id: str) -> None:
        try:
            await self.collection.sync(
                source_id, confirm_deletions=False, progress=self._tell_progress, stop=self._switch
            )
        except Expected as problem:
            _log.info("an unasked sync of %s ended with %s", source_id, problem.code)
        except Exception:  # noqa: BLE001 - what breaks down in one source ends neither the clock nor the listening
            _log.exception("an unasked sync of %s broke down", source_id)

    async def _rest(self) -> None:
        await self._parts.lanes.writer.run(self.store.database.give_memory_back)
        if self._model.embedder is not None:
            await self._parts.lanes.inference.run(self._model.embedder.rest)

    def _begin(self) -> None:
        """End the syncs that a crash interrupted, and note the ranking that is in force (G2.8)."""
        with self.store.database.write() as tx:
            source_rows.end_interrupted_syncs(tx)
            note_rules(tx, self.context.weights.version, now=clock.now())

    def _tell_progress(self, progress: Progress) -> None:
        self._parts.bus.publish(Progressed(progress))

    async def _sync_by_the_clock(self) -> None:
        """Every minute, collect the sources whose time has come, and listen or not as the device can afford it."""
        while True:
            await asyncio.sleep(60)
            if self._listening is not None:
                await self._listening.follow()
            minutes = self._parts.settings.get(SYNC_INTERVAL_MINUTES)
            if minutes:
                await self._sync_due(timedelta(minutes=minutes))

    async def _sync_due(self, interval: timedelta) -> None:
        try:
            infos = [info for info in await self.collection.list() if info.source_id not in BUILT_IN]
        except Expected as problem:
            _log.info("cannot sync by the clock now: %s", problem.code)
            return
        if not any(is_due(info, clock.now(), interval, is_held_back=False) for info in infos):
            return  # the device is asked, and what asks it loaded, only when something hangs on it
        is_saving, is_saving_servers = await self._savings()
        for info in infos:
            is_held_back = is_saving_servers if self.collection.is_remote(info) else is_saving
            if is_due(info, clock.now(), interval, is_held_back=is_held_back):
                await self._sync_one(info.source_id)

    async def _pushing(self) -> Sequence[tuple[SourceInfo, PushingSource]]:
        """Whom to listen to; nobody while servers are left alone."""
        found = await self.collection.pushing()
        if not found:
            return ()
        _, is_saving_servers = await self._savings()
        return () if is_saving_servers else found

    async def _savings(self) -> tuple[bool, bool]:
        """Whether sources on this device, and whether those on servers, are to be left alone now."""
        settings = self._parts.settings
        around = await self._parts.lanes.blocking.run(power.look)
        is_saving = around.is_on_battery and settings.get(PAUSE_ON_BATTERY)
        return is_saving, is_saving or (around.is_metered and settings.get(PAUSE_ON_METERED))
