"""All of an open database that its first search can do without: collecting, governing, answering, and serving clients.

They need ten times the imports that a search by words does, so `house` opens them when somebody first needs them, or
when the model is there: made on a lane, started on the loop, and closed before the database is.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from app.context.answers import AnswerService
from app.context.desk import ContextDesk
from app.context.templates.shelf import TemplateShelf
from app.domain.collecting import SyncState
from app.domain.errors import Expected
from app.domain.events import EntriesChanged, SourceChanged
from app.famulus.change_desk import ChangeDesk
from app.famulus.clips import Clips
from app.famulus.collection import Collection
from app.famulus.governing import Governing
from app.famulus.people_desk import PeopleDesk
from app.famulus.reception import Reception
from app.famulus.resting import Resting
from app.famulus.rule_host import RuleHost
from app.famulus.unasked import Unasked
from app.govern.batches import BatchLimits
from app.govern.pipeline import Pipeline
from app.settings.declarations import WRITE_BATCH
from app.store import source_rows

if TYPE_CHECKING:
    from app.famulus.house import House
    from app.famulus.model_host import ModelHost
    from app.famulus.parts import Parts
    from app.famulus.route_host import RouteHost


class Offices:
    """See the module docstring. Made on a lane; its methods are called on the loop."""

    def __init__(self, parts: Parts, house: House, model: ModelHost, routes: RouteHost | None = None) -> None:
        self._parts = parts
        self._house = house
        self._model = model
        store, database = house.store, house.store.database
        limits = BatchLimits(entries=parts.settings.get(WRITE_BATCH))
        self.pipeline = Pipeline(database, parts.lanes, model.make_counter(), bus=parts.bus, limits=limits)
        self.pipeline.wait_for(self._know_model)
        self.collection = Collection(parts, database, self.pipeline)
        self.governing = Governing(parts, database)
        self.collection.on_taken = self.governing.with_records
        self.change_desk = ChangeDesk(parts, database, self.governing.freshness.wake)
        self.people = PeopleDesk(database, parts.lanes)
        self.rules = RuleHost(parts, database, self.pipeline, self.governing)
        # their rules compile here, and once: several readers will ask for them at the same time
        _ = self.governing.queue.version
        read_intent = routes.read_if_can if routes is not None else None
        self.answers = AnswerService(store, parts.lanes, house.context, read_intent)
        shelf = TemplateShelf(parts.paths.config / "templates")
        self.desk = ContextDesk(house.searching, store, parts.lanes, self.answers, shelf)
        self.clips = Clips(parts, database, self.pipeline)
        self.reception = Reception(parts, house, desk=self.desk, clips=self.clips, waiting=self.governing.queue.waiting)
        self._unasked = Unasked(parts, self.collection)
        self._tasks: list[asyncio.Task[Any]] = []
        self._unsubscribe = parts.bus.subscribe(EntriesChanged, self._on_entries)
        self._unsubscribe_people = parts.bus.subscribe(SourceChanged, self._on_source)

    async def start(self) -> None:
        """Begin the background work."""
        # a full disk is no reason to keep the database closed
        with contextlib.suppress(Expected):
            await self._parts.lanes.writer.run(self._begin)
        await self.reception.start()
        self.governing.start()
        self._tasks.append(self._parts.tasks.start(self.collection.senses.watch_idleness(), "rest the senses"))
        queues, parts = (self._house.indexer, self.governing.queue), (self._house.rest, self.governing.rest)
        resting = Resting(self._parts.lanes, queues, parts)
        self._tasks.append(self._parts.tasks.start(resting.watch(), "give memory back"))
        await self._unasked.start()
        await self.follow_people()
        self.label_anew()

    def label_anew(self) -> None:
        """Let entries follow the rules and their sources, in the background; goes on where it was after a crash."""
        self._tasks.append(self._parts.tasks.start(self.rules.catch_up(), "label by the rules"))

    async def follow_people(self) -> None:
        """Know whom the person is and knows; asked again when a source comes, whose mailbox may be theirs."""
        with contextlib.suppress(Expected):
            self.rules.follow(await self.collection.list())
            self.desk.own_addresses = self.rules.own_addresses
            self.answers.structured.own_addresses = self.rules.own_addresses

    def follow_model(self) -> None:
        """A model came or went."""
        self.governing.follow_model()
        self.pipeline.count_with(self._house.searching.counter)

    async def close(self) -> None:
        """End the background work; what is being written is finished first."""
        self._unsubscribe()
        self._unsubscribe_people()
        self.rules.stop()
        await self._unasked.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.governing.close()
        await self.reception.close()
        self.rules.close()

    def _on_entries(self, _: EntriesChanged) -> None:
        self.governing.wake()

    def _on_source(self, event: SourceChanged) -> None:
        if event.state is SyncState.IDLE:
            self._parts.tasks.start(self.follow_people(), "follow people")

    async def _know_model(self) -> None:
        """Passages are cut by the model's own count where there is one, not by an estimate while it loads (G3.1)."""
        await self._model.known()
        self.pipeline.count_with(self._model.make_counter())

    def _begin(self) -> None:
        """End the syncs that a crash interrupted."""
        with self._house.store.database.write() as tx:
            source_rows.end_interrupted_syncs(tx)
