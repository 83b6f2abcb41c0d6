"""Serves clients: who asks, how often, within which limits, what is logged, and what is handed out (G4.6, G8.1).

    token -> client_desk -> limits -> viewer -> context desk (filter, search) -> log -> sealed ids

What a client may see is decided below, by the filter that the context desk makes of the viewer (G4.3); this desk never
looks at what that left out. A request is in the log before its answer is handed out. The person's own requests are
taken down too, after their answers (`note`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.clients import ClientState
from app.domain.context_item import OWNER, SearchRequest, Viewer
from app.domain.errors import BadInput, Denied, Expected, Refused
from app.domain.progress import ignore_progress
from app.domain.serving import Served
from app.domain.text import msg
from app.famulus.client_desk import denied
from app.famulus.handouts import NOTHING, Ask, Handout, cut, into_parts, logged, of, of_parts, sealed, sealed_item
from app.famulus.request_book import RequestBook
from app.famulus.turns import Turns
from app.policy.client_requests import as_logged, checked_query, checked_text
from app.policy.clients import UNKNOWN
from app.runtime import clock
from app.store.request_log import LoggedRequest, audit, handed_out_since

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from app.context.desk import ContextDesk
    from app.context.search import ContextService
    from app.domain.clients import AuditReport
    from app.domain.context_item import ContextItem
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import Briefing, ContextQuery, TemplateInfo
    from app.domain.text import Text
    from app.famulus.client_desk import Caller, ClientDesk
    from app.famulus.parts import Parts
    from app.store.database import Database

_A_DAY = timedelta(hours=24)
_ATTEMPTS = 3
"""How often a request is done again because its client was granted something else meanwhile."""
_MOST_REFUSALS_LOGGED = 30
"""A minute and a client: who hammers on a closed door fills no log."""


class ServingDesk:
    """See the module docstring. Its methods are called on the loop.

    Attributes:
        book: where requests are taken down.
    """

    def __init__(
        self, parts: Parts, database: Database, desk: ContextDesk, clients: ClientDesk, ranking: ContextService
    ) -> None:
        self._parts = parts
        self._database = database
        self._desk = desk
        self._clients = clients
        self._ranking = ranking
        self._turns = Turns()
        self._refusals = Turns()
        self._counting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.book = RequestBook(parts, database)

    # ----- what clients ask

    async def search(
        self,
        token: str,
        query: ContextQuery,
        *,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Served:
        """Passages, best first; raises as `ClientApi` says."""

        async def work(caller: Caller) -> Handout:
            asked = checked_query(query)
            request = SearchRequest(
                asked.text,
                asked.limit,
                asked.scope,
                asked.include_stale,
                viewer=caller.viewer,
                kinds=asked.kinds,
                since=asked.since,
                until=asked.until,
                budget_tokens=asked.budget_tokens,
            )
            found = await self._desk.gather(request, progress=progress, stop=stop)
            return Handout((Served("", found.items, notes=found.notes),))

        return await self._answer(token, Ask("search", query.text, include_stale=query.include_stale), work)

    async def item(self, token: str, item_id: str, *, budget_tokens: int | None = None) -> Served:
        """An item with the passages around it; the same `BadInput` for whatever cannot be had."""

        async def work(caller: Caller) -> Handout:
            known = caller.seal.open(item_id)
            if known is None:
                raise no_item()
            budget = checked_query(budget_tokens=budget_tokens).budget_tokens
            try:
                found = await self._desk.item(caller.viewer, known, budget_tokens=budget)
            except BadInput:
                raise no_item() from None
            if not found:
                raise no_item()
            return of(found)

        return await self._answer(token, Ask("item", include_stale=True), work)

    async def agenda(self, token: str, when: str | None = None) -> Served:
        """Events, tasks and deadlines of a span."""

        async def work(caller: Caller) -> Handout:
            found = await self._desk.agenda(caller.viewer, None if when is None else checked_text(when))
            return of(agenda=found)

        return await self._answer(token, Ask("agenda", when), work)

    async def tasks(self, token: str, *, owner: str | None = None, include_done: bool = False) -> Served:
        """Tasks."""

        async def work(caller: Caller) -> Handout:
            name = None if owner is None else checked_text(owner)
            found = await self._desk.tasks(caller.viewer, owner=name, include_done=include_done)
            return of(agenda=found)

        return await self._answer(token, Ask("tasks", owner), work)

    async def facts(self, token: str, subject: str, *, predicate: str | None = None) -> Served:
        """Key-value facts."""

        async def work(caller: Caller) -> Handout:
            what = None if predicate is None else checked_text(predicate)
            found = await self._desk.facts(caller.viewer, checked_text(subject), what)
            return of(facts=found)

        return await self._answer(token, Ask("facts", f"{subject} {predicate or ''}".strip()), work)

    async def templates(self, token: str) -> Sequence[TemplateInfo]:
        """The templates that a client can use: none of a scope that it does not hold."""
        caller = self.admit(token, Ask("templates"))
        return self._templates_of(caller)

    async def prepare(
        self,
        token: str,
        template: str,
        fields: Mapping[str, str],
        *,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """What a task needs, within what the client may see."""
        ask = Ask("prepare", "; ".join(f"{name}: {value}" for name, value in fields.items()), template)
        made: list[Briefing] = []

        async def work(caller: Caller) -> Handout:
            self._refuse_unseen(caller, template)
            wanted = {checked_text(name): checked_text(value, may_be_empty=True) for name, value in fields.items()}
            made[:] = [await self._desk.prepare(caller.viewer, template, wanted, progress=progress, stop=stop)]
            handout = of_parts(made[0].parts)
            await self._refuse_beyond(caller, handout.count)
            return handout

        caller, request_id, handout, notes = await self._serve(token, ask, work)
        parts = into_parts(sealed(handout, caller.seal), made[0].parts)
        return replace(made[0], request_id=request_id, parts=parts, notes=(*made[0].notes, *notes))

    # ----- what the person asks

    async def search_as(self, name: str, request: SearchRequest) -> Sequence[ContextItem]:
        """What a client would get; taken down as the person's own request.

        Raises:
            BadInput: an unknown client, or as a search does. Denied: that client gets nothing now.
        """
        caller = self._looked_through(name)
        found = await self._desk.search(replace(request, viewer=caller.viewer))
        self.note(Ask("search", request.text, include_stale=request.include_stale), of(found))
        return [sealed_item(item, caller.seal) for item in found]

    async def prepare_own(
        self,
        template: str,
        fields: Mapping[str, str],
        *,
        as_client: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """What a task of the person needs, or as a client would see it; raises as `search_as`."""
        caller = None if as_client is None else self._looked_through(as_client)
        viewer = Viewer() if caller is None else caller.viewer
        if caller is not None:
            self._refuse_unseen(caller, template)
        made = await self._desk.prepare(viewer, template, fields, progress=progress, stop=stop)
        request_id = self.note(Ask("prepare", template=template), of_parts(made.parts))
        if caller is not None:
            made = replace(made, parts=into_parts(sealed(of_parts(made.parts), caller.seal), made.parts))
        return replace(made, request_id=request_id)

    def note(self, ask: Ask, handout: Handout = NOTHING) -> str:
        """Take down a request of the person, after its answer; returns its id at once."""
        request = self._request(OWNER, ask, handout)
        self.book.later(request)
        return request.request_id

    async def audit(self, client: str | None, since: datetime, limit: int) -> AuditReport:
        """What was read since a moment, by one client or by all; with what was asked just now."""
        await self.book.settle()
        known = None if client is None else self._clients.find(client)
        name = client if known is None else known.name

        def read() -> AuditReport:
            with self._database.reader() as reader:
                return audit(reader, since, clock.now(), client=name, limit=limit)

        return await self._parts.lanes.readers.run(read)

    # ----- shared with what else clients do

    def admit(self, token: str, ask: Ask) -> Caller:
        """Who asks, counted; raises `Denied`, and `Refused` beyond its requests a minute."""
        try:
            caller = self._clients.caller(token)
        except Denied as problem:
            holder = self._clients.holder(token)
            self._note_refusal(UNKNOWN if holder is None else holder.info.name, ask, problem)
            raise
        try:
            self._turns.count(caller.info)
        except Refused as problem:
            self._note_refusal(caller.info.name, ask, problem)
            raise
        return caller

    async def keep(self, caller: Caller, ask: Ask) -> str:
        """Take down what a client did that hands nothing out; returns the request's id."""
        request = self._request(caller.info.name, ask, NOTHING)
        await self.book.keep(request)
        return request.request_id

    async def _answer(self, token: str, ask: Ask, work: Callable[[Caller], Awaitable[Handout]]) -> Served:
        caller, request_id, handout, notes = await self._serve(token, ask, work)
        (group,) = sealed(handout, caller.seal).groups
        return replace(group, request_id=request_id, notes=(*group.notes, *notes))

    async def _serve(
        self, token: str, ask: Ask, work: Callable[[Caller], Awaitable[Handout]]
    ) -> tuple[Caller, str, Handout, tuple[Text, ...]]:
        """One request from its token to what may be handed out, which is in the log by then."""
        caller = self.admit(token, ask)
        try:
            async with self._turns.turn(caller.info.name):
                await self._refuse_beyond(caller, 1)
                for _ in range(_ATTEMPTS):
                    handout = await work(caller)
                    if self._clients.caller(token).viewer == caller.viewer:
                        request_id, handout, notes = await self._take_down(caller, ask, handout)
                        if self._clients.caller(token).viewer == caller.viewer:
                            return caller, request_id, handout, notes
                    # what was granted has changed meanwhile: what was found may be too much
                    caller = self._clients.caller(token)
                raise denied()
        except Expected as problem:
            self._note_refusal(caller.info.name, ask, problem)
            raise

    async def _take_down(self, caller: Caller, ask: Ask, handout: Handout) -> tuple[str, Handout, tuple[Text, ...]]:
        """Cut what was found to what the client may still get today, and log it; one by one for a client."""
        name = caller.info.name
        notes: tuple[Text, ...] = ()
        async with self._counting[name]:
            left = await self._left(caller)
            if handout.count > left:
                notes = (msg("Shortened: the granted number of items a day is reached."),)
                handout = cut(handout, left)
            request = self._request(name, ask, handout)
            await self.book.keep(request)
        self._clients.note_seen(name)
        return request.request_id, handout, notes

    async def _refuse_beyond(self, caller: Caller, count: int) -> None:
        """Raise `Refused` where a client may not get so many items any more."""
        if await self._left(caller) < count:
            raise Refused(
                msg("That is more than the {count} items a day that were granted.", count=caller.info.items_per_day),
                next_step=msg("Ask again tomorrow, or ask the person to grant more."),
            )

    async def _left(self, caller: Caller) -> int:
        since = clock.now() - _A_DAY

        def read() -> int:
            with self._database.reader() as reader:
                return handed_out_since(reader, caller.info.name, since)

        return max(0, caller.info.items_per_day - await self._parts.lanes.readers.run(read))

    def _templates_of(self, caller: Caller) -> list[TemplateInfo]:
        held = caller.info.scopes
        return [
            info
            for info in self._desk.templates()
            if info.problem is None and (info.scope is None or info.scope in held)
        ]

    def _refuse_unseen(self, caller: Caller, template: str) -> None:
        if all(info.name != template for info in self._templates_of(caller)):
            raise BadInput(
                msg("There is no such template."), next_step=msg("List the templates, and name one of them.")
            )

    def _looked_through(self, name: str) -> Caller:
        caller = self._clients.as_client(name)
        state = self._clients.state_of(caller.info)
        if state is not ClientState.ACTIVE:
            raise Denied(
                msg("The client {name} gets nothing now.", name=caller.info.name),
                next_step=msg("See its state: famulus clients list"),
            )
        return caller

    def _note_refusal(self, name: str, ask: Ask, problem: Expected) -> None:
        if self._refusals.is_within(name, _MOST_REFUSALS_LOGGED):
            self.book.later(self._request(name, ask, NOTHING, refusal=problem.code))

    def _request(self, name: str, ask: Ask, handout: Handout, *, refusal: str | None = None) -> LoggedRequest:
        return LoggedRequest(
            request_id=secrets.token_hex(10),
            at=clock.now(),
            client=name,
            action=ask.action,
            query=as_logged(ask.query),
            template=as_logged(ask.template),
            refusal=refusal,
            items=logged(handout),
            ranking=self._ranking.weights.version,
            include_stale=ask.include_stale,
        )


def no_item() -> BadInput:
    """What a client gets for an id that is malformed, unknown, another's, gone or hidden: one and the same."""
    return BadInput(msg("There is no such item."), next_step=msg("Use the item_id of something that was found."))
