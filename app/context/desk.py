"""The one context service: whatever is read of the person's context, by whatever shell, is read through here (G4).

    viewer -> policy.disclosure -> filter -> facts, structure, search -> ranking -> neighbours and budget -> items

Every method takes who asks, and makes the filter of it before anything is looked up; so no shell, tool or template can
forget it (G4.3). It knows nothing of tokens, limits and logs: those are `app.famulus.serving_desk`'s.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from app.context.agenda import agenda_of, read_span
from app.context.assembly import Around, Gathered, within_budget
from app.context.cache import Life, ResultCache
from app.context.facts import facts_of
from app.context.lookup import standing_around
from app.context.question import LONGEST_QUESTION
from app.context.search import FULL
from app.context.stated import tasks_of
from app.domain.errors import BadInput
from app.domain.progress import Progress, ignore_progress
from app.domain.text import msg
from app.govern.understanding.debts import may_owe
from app.policy.disclosure import filter_for, visible_to
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from app.context.answers import AnswerService
    from app.context.assembly import Counter
    from app.context.search import ContextService, Found
    from app.context.templates.declaration import Template
    from app.domain.context_item import AgendaItem, Answer, ContextItem, SearchRequest, Viewer
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import Briefing, Fact, TemplateInfo
    from app.runtime.lanes import Lanes
    from app.store.store import Store


MOST_TOKENS = 100_000
_LONGEST_NAME = 200
_BY_WORDS = msg("Words alone were searched; search by meaning is not there yet.")


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
        counter: counts tokens.
        shelf: the task templates; None where there are none.

    Attributes:
        own_addresses: the person's, folded; by them `me` is known.
    """

    def __init__(  # noqa: PLR0917 - its parts
        self,
        store: Store,
        lanes: Lanes,
        context: ContextService,
        answers: AnswerService,
        counter: Counter,
        shelf: Shelf | None = None,
    ) -> None:
        self._store = store
        self._lanes = lanes
        self._context = context
        self._answers = answers
        self._counter = counter
        self._cache = ResultCache()
        store.database.follow(self._cache.follow)
        self._shelf = shelf
        self.own_addresses: frozenset[str] = frozenset()

    def count_with(self, counter: Counter) -> None:
        """Count tokens so from now on: by the model's own tokenizer where there is a model."""
        self._counter = counter
        self._cache.clear()

    async def search(
        self, request: SearchRequest, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> list[ContextItem]:
        """The best passages for a request, best first; raises as `gather` does."""
        return list((await self.gather(request, progress=progress, stop=stop)).items)

    async def gather(
        self, request: SearchRequest, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> Gathered:
        """The same, with what is to be known of the result.

        Raises:
            BadInput: an empty question, an unknown mode, or a number out of its range.
            Unavailable: search by meaning alone was asked for, and there is no model.
            Cancelled: the asker said stop.
        """
        _check(request)
        await self._go_on(stop)
        progress(Progress("search", msg("Searching"), 0))
        asked = replace(request, text=request.text.strip()[:LONGEST_QUESTION])
        key = (asked, self._context.model, self._context.weights.version)
        gathered = await self._cache.through(
            request.viewer, ("search", key), lambda: self._gathered(asked, stop), self._life_of_search(asked)
        )
        await self._go_on(stop)
        return gathered

    async def _gathered(self, request: SearchRequest, stop: StopSignal | None) -> Gathered:
        now = clock.now()
        found = await self._context.find(request)
        await self._go_on(stop)
        notes = (_BY_WORDS,) if request.mode == FULL and found.semantics is None else ()
        if request.budget_tokens is None:
            return Gathered(tuple(ranked.item for ranked in found.ranked), notes)
        gathered = await self._lanes.readers.run(self._assembled, found, request, now)
        return Gathered(gathered.items, gathered.notes + notes)

    def _life_of_search(self, request: SearchRequest) -> Callable[[Gathered, datetime], Life | None]:
        """Results of a model are kept while it is the model, and what was answered without one for its failure not."""
        model = self._context.model

        def life(gathered: Gathered, now: datetime) -> Life | None:
            if self._context.model != model or (model is not None and _BY_WORDS in gathered.notes):
                return None
            return Life.of(now, len(gathered.items), [request.since, *(item.valid_to for item in gathered.items)])

        return life

    def _assembled(self, found: Found, request: SearchRequest, now: datetime) -> Gathered:
        """On a reader's lane: within the budget, with what stands around."""
        visible = filter_for(request.viewer, request)
        view = self._store.visibility.view(visible, now)
        ranked = [one for one in found.ranked if view.shows(one.passage.chunk_id)]
        with self._store.database.reader() as reader:
            around = Around(reader, view, visible)
            return within_budget(ranked, around, self._counter, request.budget_tokens or 0)

    def span(self, when: str) -> tuple[datetime, datetime]:
        """The span [start, end) that words name, such as `last week` or 5月; raises `BadInput` for others."""
        found = read_span(when, clock.now())
        return found.start, found.end

    async def agenda(self, viewer: Viewer, when: str | None = None) -> list[AgendaItem]:
        """Events, tasks and deadlines of a span, in words; raises `BadInput` for one that is not understood."""
        span, visible = read_span(when, clock.now()), visible_to(viewer)

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
                    reader, item_id, view, visible, self._counter, now=now, budget_tokens=budget_tokens
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

    async def _go_on(self, stop: StopSignal | None) -> None:
        """Raise `Cancelled` where the asker said stop; not on the loop, since a pause is waited for."""
        if stop is not None:
            await self._lanes.readers.run(stop.checkpoint)


def _life_of_items(items: Sequence[ContextItem], now: datetime) -> Life:
    return Life.of(now, len(items), [item.valid_to for item in items])


def _life_of_agenda(items: Sequence[AgendaItem], now: datetime) -> Life:
    """Until something begins, ends or falls due."""
    return Life.of(now, len(items), [moment for item in items for moment in (item.start, item.end)])


def _life_of_facts(facts: Sequence[Fact], now: datetime) -> Life:
    return Life.of(now, len(facts), [])


def _check(request: SearchRequest) -> None:
    budget = request.budget_tokens
    if budget is not None and not 1 <= budget <= MOST_TOKENS:
        raise BadInput(
            msg("A budget of {count} tokens cannot be kept.", count=budget),
            next_step=msg("Ask for 1 to {most}.", most=MOST_TOKENS),
        )
    if any(moment is not None and moment.tzinfo is None for moment in (request.since, request.until)):
        raise BadInput(
            msg("A time without its zone is not a moment."), next_step=msg("Say it with an offset, such as +08:00.")
        )
