"""The one context service: whatever is read of the person's context, by whatever shell, is read through here (G4).

    viewer -> policy.disclosure -> filter -> facts, structure, search -> ranking -> neighbours and budget -> items

Every method takes who asks, and makes the filter of it before anything is looked up; so no shell, tool or template can
forget it (G4.3). It knows nothing of tokens, limits and logs: those are `app.famulus.serving_desk`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from app.context.agenda import agenda_of, read_span
from app.context.cache import Life
from app.context.facts import facts_of
from app.context.lookup import standing_around
from app.context.stated import tasks_of
from app.domain.errors import BadInput
from app.domain.progress import ignore_progress
from app.domain.text import msg
from app.govern.understanding.debts import may_owe
from app.policy.disclosure import visible_to
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.context.answers import AnswerService
    from app.context.assembly import Gathered
    from app.context.search_desk import SearchDesk
    from app.context.templates.declaration import Template
    from app.domain.context_item import AgendaItem, Answer, ContextItem, SearchRequest, Viewer
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import Briefing, Fact, TemplateInfo
    from app.runtime.lanes import Lanes
    from app.store.store import Store


_LONGEST_NAME = 200


class Shelf(Protocol):
    """The task templates (G4.5); each asks the desk for what it needs, as the viewer who wants it prepared."""

    def list(self) -> list[TemplateInfo]:
        """The templates, shipped and own. Reads files."""
        ...

    def get(self, name: str) -> Template:
        """One of them; raises `BadInput` for one that is not there, or cannot be used. Reads files."""
        ...

    async def prepare(  # noqa: PLR0913 - what a template needs
        self,
        desk: ContextDesk,
        viewer: Viewer,
        template: Template,
        fields: Mapping[str, str],
        *,
        language: str | None,
        progress: ProgressSink,
        stop: StopSignal | None,
    ) -> Briefing:
        """Fill a template in; raises `BadInput` for a missing field, and `Cancelled`."""
        ...


class ContextDesk:
    """See the module docstring. Its methods are called on the loop.

    Args:
        searching: searches, and keeps all results.
        shelf: the task templates; None where there are none.

    Attributes:
        own_addresses: the person's, folded; by them `me` is known.
    """

    def __init__(
        self, searching: SearchDesk, store: Store, lanes: Lanes, answers: AnswerService, shelf: Shelf | None = None
    ) -> None:
        self._searching = searching
        self._store = store
        self._lanes = lanes
        self._answers = answers
        self._cache = searching.cache
        self._shelf = shelf
        self.own_addresses: frozenset[str] = frozenset()

    async def search(
        self, request: SearchRequest, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> list[ContextItem]:
        """The best passages for a request, best first; raises as `SearchDesk.gather` does."""
        return await self._searching.search(request, progress=progress, stop=stop)

    async def gather(
        self, request: SearchRequest, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> Gathered:
        """The same, with what is to be known of the result; raises as `SearchDesk.gather` does."""
        return await self._searching.gather(request, progress=progress, stop=stop)

    def span(self, when: str) -> tuple[datetime, datetime]:
        """The span [start, end) that words name, such as `last week` or 5月; raises `BadInput`. On a lane."""
        found = read_span(when, clock.now())
        return found.start, found.end

    async def agenda(self, viewer: Viewer, when: str | None = None) -> list[AgendaItem]:
        """Events, tasks and deadlines of a span, in words; raises `BadInput` for one that is not understood."""
        visible = visible_to(viewer)
        # the first expression brings its grammar in, which would hold the loop
        span = await self._lanes.readers.run(read_span, when, clock.now())

        def read() -> tuple[AgendaItem, ...]:
            with self._store.database.reader() as reader:
                return tuple(agenda_of(reader, span, visible))

        key = ("agenda", span)
        found = await self._cache.through(viewer, key, lambda: self._lanes.readers.run(read), _life_of_agenda)
        return list(found)

    async def tasks(self, viewer: Viewer, *, owner: str | None = None, include_done: bool = False) -> list[AgendaItem]:
        """All tasks, of lists and as texts state them, by their day; those without a day last."""
        now, visible = clock.now(), visible_to(viewer)
        owner = None if owner is None else owner[:_LONGEST_NAME]

        def read() -> tuple[AgendaItem, ...]:
            with self._store.database.reader() as reader:
                found = tasks_of(reader, now, visible, owner=owner, include_done=include_done)
                if include_done or not any(may_owe(item.title) for item in found if item.item_id.startswith("r")):
                    return tuple(found)
                # a debt of money that was paid back is no open task
                paid = self._answers.structured.paid(reader, visible, now)
                return tuple(item for item in found if item.item_id not in paid)

        key = ("tasks", (owner, include_done))
        found = await self._cache.through(viewer, key, lambda: self._lanes.readers.run(read), _life_of_agenda)
        return list(found)

    async def item(self, viewer: Viewer, item_id: str, *, budget_tokens: int | None = None) -> list[ContextItem]:
        """An entry, a passage or a record by its id, with what stands around it in its entry, in reading order.

        Raises:
            BadInput: there is none; the same for one that the viewer may not see, and for what is no id at all.
        """
        now = clock.now()
        visible = visible_to(viewer, include_stale=True)

        def read() -> tuple[ContextItem, ...]:
            view = self._store.visibility.view(visible, now)
            with self._store.database.reader() as reader:
                found = standing_around(
                    reader, item_id, view, visible, self._searching.counter, now=now, budget_tokens=budget_tokens
                )
                return tuple(found)

        key = ("item", (item_id, budget_tokens))
        found = await self._cache.through(viewer, key, lambda: self._lanes.readers.run(read), _life_of_items)
        return list(found)

    async def facts(self, viewer: Viewer, subject: str, predicate: str | None = None) -> list[Fact]:
        """Key-value facts of somebody, looked up and never searched for (L6.3); empty where nothing is known.

        Args:
            subject: a name, an address, or `me` for the person.
            predicate: lives_in, phone, email, works_at, role, or a word for one of them; None: all.
        """
        visible, own = visible_to(viewer, include_stale=True), self.own_addresses
        subject, predicate = subject[:_LONGEST_NAME], None if predicate is None else predicate[:_LONGEST_NAME]

        def read() -> tuple[Fact, ...]:
            with self._store.database.reader() as reader:
                return tuple(facts_of(reader, subject, predicate, visible, own))

        key = ("facts", (subject, predicate, own))
        found = await self._cache.through(viewer, key, lambda: self._lanes.readers.run(read), _life_of_facts)
        return list(found)

    async def ask(self, viewer: Viewer, text: str) -> Answer:
        """An honest extract with its sources; raises `BadInput` for an empty question."""
        return await self._answers.ask(text, viewer)

    def templates(self) -> list[TemplateInfo]:
        """The task templates. Reads files: not on the loop."""
        return [] if self._shelf is None else self._shelf.list()

    async def prepare(
        self,
        viewer: Viewer,
        template: str,
        fields: Mapping[str, str],
        *,
        language: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """What a task needs, within what the viewer may see; its `request_id` is empty.

        Raises:
            BadInput: there is no such template, or a field is missing. Cancelled: the asker said stop.
        """
        if self._shelf is None:
            raise BadInput(
                msg("There is no template {name}.", name=template), next_step=msg("Search or ask in your own words.")
            )
        chosen = await self._lanes.blocking.run(self._shelf.get, template)
        return await self._shelf.prepare(self, viewer, chosen, fields, language=language, progress=progress, stop=stop)


def _life_of_items(items: Sequence[ContextItem], now: datetime) -> Life:
    return Life.of(now, len(items), [item.valid_to for item in items])


def _life_of_agenda(items: Sequence[AgendaItem], now: datetime) -> Life:
    """Until something begins, ends or falls due."""
    return Life.of(now, len(items), [moment for item in items for moment in (item.start, item.end)])


def _life_of_facts(facts: Sequence[Fact], now: datetime) -> Life:
    return Life.of(now, len(facts), [])
