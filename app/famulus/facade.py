"""The facade: everything that a shell may ask, answered in the process that owns the data.

It decides nothing itself: each method hands its question to the part that knows, and what a closed database cannot
answer raises why it is closed.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from app import __version__
from app.domain.context_item import Viewer
from app.domain.events import SettingChanged
from app.domain.progress import ignore_progress
from app.famulus.api import Counts, ModelInfo, StatusReport
from app.famulus.facade_governing import GoverningFacade
from app.famulus.facade_metrics import MetricsFacade
from app.famulus.facade_serving import ServingFacade
from app.famulus.facade_sources import SourcesFacade
from app.famulus.handouts import Ask, of
from app.famulus.ledger import Ledger
from app.famulus.model_host import ModelHost
from app.famulus.route_host import RouteHost
from app.famulus.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from app.domain.checking import CheckReport
    from app.domain.context_item import AgendaItem, Answer, ContextItem, SearchRequest
    from app.domain.intents import Intent, IntentReading
    from app.domain.outgoing import EgressLine
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.text import Text
    from app.famulus.parts import Parts


_FILE = frozenset({"pages", "tables"})
"""Subjects of `check` that cannot be mended inside the database."""


class Famulus(SourcesFacade, GoverningFacade, ServingFacade, MetricsFacade):
    """See `api.FamulusApi` for the methods, and `start` and `close` for its life.

    Args:
        parts: what this process is made of.
        show: brings quick-ask up or (toggling) down; None in a process without a window.
        quit_: ends the process.
    """

    def __init__(self, parts: Parts, *, quit_: Callable[[], None], show: Callable[[bool], None] | None = None) -> None:
        self._parts = parts
        self._model = ModelHost(parts)
        self._routes = RouteHost(parts, self._model)
        self._vault = Vault(parts, self._model, self._routes)
        self._show = show
        self._quit = quit_
        self._model.on_change(self._on_model)

    async def start(self) -> None:
        """Open the database with what is at hand, and load the model in the background."""
        await self._vault.open_quietly()
        self._parts.tasks.start(self._model.start(), "model")
        self._parts.tasks.start(self._model.watch_idleness(), "model idleness")

    async def close(self) -> None:
        """Close the database. What is being written is finished first."""
        await self._vault.lock()

    async def is_busy(self) -> bool:
        """Whether work goes on that nobody waits for: what waits to be understood, or for its vectors."""
        if not self._vault.is_open:
            return False
        return await self._vault.house.is_busy()

    async def status(self) -> StatusReport:
        """See `FamulusApi`."""
        vault, model = self._vault, self._model
        return StatusReport(
            version=__version__,
            lock=vault.state,
            lock_problem=vault.problem.what if vault.problem is not None else None,
            lock_next_step=vault.problem.next_step if vault.problem is not None else None,
            has_recovery_key=vault.has_recovery_key,
            has_window=self._show is not None,
            model=model.state,
            model_problem=model.problem.what if model.problem is not None else None,
            counts=await vault.house.counts() if vault.is_open else Counts(),
            is_embedding_paused=vault.is_open and vault.house.indexer.is_paused,
            process_id=os.getpid(),
            warnings=self._warnings(),
        )

    async def create(self, *, passphrase: str | None = None) -> str:
        """See `FamulusApi`."""
        return await self._vault.create(passphrase)

    async def unlock(self, *, passphrase: str | None = None, recovery_key: str | None = None) -> None:
        """See `FamulusApi`."""
        await self._vault.unlock(passphrase=passphrase, recovery_key=recovery_key)

    async def lock(self) -> None:
        """See `FamulusApi`."""
        await self._vault.lock()

    async def set_passphrase(self, passphrase: str | None) -> None:
        """See `FamulusApi`."""
        await self._vault.set_passphrase(passphrase)

    async def new_recovery_key(self) -> str:
        """See `FamulusApi`."""
        return await self._vault.new_recovery_key()

    async def ask(self, text: str) -> Answer:
        """See `FamulusApi`."""
        self._model.touch()
        house, offices = self._vault.house, await self._vault.offices()
        answer = await offices.desk.ask(Viewer(), text)
        return replace(answer, request_id=house.book.note(Ask("ask", text), of(answer.items, answer.agenda)))

    async def search(
        self, request: SearchRequest, *, as_client: str | None = None, is_asked: bool = True
    ) -> Sequence[ContextItem]:
        """See `FamulusApi`."""
        self._model.touch()
        if as_client is not None:
            return await (await self._vault.offices()).reception.serving.search_as(as_client, request)
        house = self._vault.house
        found = await house.search(request)
        if is_asked:
            house.book.note(Ask("search", request.text, include_stale=request.include_stale), of(found))
        return found

    async def span(self, when: str) -> tuple[datetime, datetime]:
        """See `FamulusApi`."""
        desk = (await self._vault.offices()).desk
        return await self._parts.lanes.readers.run(desk.span, when)

    async def agenda(self, when: str | None = None, *, is_asked: bool = True) -> Sequence[AgendaItem]:
        """See `FamulusApi`."""
        house, offices = self._vault.house, await self._vault.offices()
        found = await offices.desk.agenda(Viewer(), when)
        if is_asked:
            house.book.note(Ask("agenda", when), of(agenda=found))
        return found

    async def tasks(
        self, *, owner: str | None = None, include_done: bool = False, is_asked: bool = True
    ) -> Sequence[AgendaItem]:
        """See `FamulusApi`."""
        house, offices = self._vault.house, await self._vault.offices()
        found = await offices.desk.tasks(Viewer(), owner=owner, include_done=include_done)
        if is_asked:
            house.book.note(Ask("tasks", owner), of(agenda=found))
        return found

    async def models(self) -> Sequence[ModelInfo]:
        """See `FamulusApi`."""
        return await self._model.list()

    async def install_model(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> ModelInfo:
        """See `FamulusApi`."""
        return await self._model.install(progress=progress, stop=stop)

    async def remove_model(self, name: str) -> None:
        """See `FamulusApi`."""
        await self._model.remove(name)

    async def build_model(
        self,
        folder: str,
        *,
        name: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> ModelInfo:
        """See `FamulusApi`."""
        return await self._model.build(folder, name, progress=progress, stop=stop)

    async def intents(self) -> Sequence[Intent]:
        """See `FamulusApi`."""
        return await self._routes.intents()

    async def read_intent(self, text: str) -> IntentReading:
        """See `FamulusApi`."""
        await self._model.settled()
        return await self._routes.read(text)

    async def add_intent_example(self, intent: str, example: str, *, is_new: bool = False) -> None:
        """See `FamulusApi`."""
        await self._routes.add(intent, example, is_new=is_new)

    async def egress(self, *, limit: int = 100) -> Sequence[EgressLine]:
        """See `FamulusApi`."""
        return await Ledger(self._vault.house.store.database, self._parts.lanes).lines(limit=limit)

    async def check(self, *, is_repairing: bool = False, progress: ProgressSink = ignore_progress) -> CheckReport:
        """See `FamulusApi`."""
        if is_repairing and self._vault.is_damaged:
            await self._vault.rescue()
        report = await self._vault.house.check(is_repairing=is_repairing, progress=progress)
        if is_repairing and any(finding.problem is not None for finding in report.findings if finding.subject in _FILE):
            await self._vault.rescue()
            report = await self._vault.house.check(is_repairing=is_repairing, progress=progress)
        return report

    async def setting(self, name: str) -> str:
        """See `FamulusApi`."""
        return self._parts.settings.text(name)

    async def change_setting(self, name: str, value: str) -> None:
        """See `FamulusApi`."""
        await self._parts.lanes.blocking.run(self._parts.settings.change, name, value)
        self._parts.bus.publish(SettingChanged(name, value))

    async def show_window(self, *, is_toggling: bool = False) -> bool:
        """See `FamulusApi`."""
        if self._show is None:
            return False
        self._show(is_toggling)
        return True

    async def shut_down(self) -> None:
        """See `FamulusApi`."""
        self._quit()

    def _on_model(self) -> None:
        if self._vault.is_open:
            self._parts.tasks.start(self._vault.house.follow_model(), "follow the model")

    def _warnings(self) -> tuple[Text, ...]:
        found = [problem.what for problem in self._parts.settings.problems]
        if self._vault.is_open:
            house = self._vault.house
            problems = house.indexer.problem, house.context.problem, house.problem
            found += [problem.what for problem in problems if problem is not None]
        return tuple(found)
