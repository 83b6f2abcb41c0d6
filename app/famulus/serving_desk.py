"""What clients ask, and what the person asks through a client's eyes: from words and ids to the context desk, and back.

Every request of a client goes the way of `serving_line`, which knows the token, the limits and the log; the person's
own requests are taken down too, after their answers (`note`). Ids that go out to a client are sealed (G4.3).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.clients import likeness
from app.domain.context_item import OWNER, SearchRequest, Viewer
from app.domain.errors import BadInput
from app.domain.progress import ignore_progress
from app.domain.serving import Served
from app.domain.text import msg
from app.famulus.client_registry import no_client
from app.famulus.handouts import NOTHING, Ask, Handout, into_parts, of, of_parts, sealed, sealed_item
from app.famulus.serving_line import too_many
from app.policy.client_requests import checked_query, checked_text
from app.policy.clients import UNKNOWN
from app.runtime import clock
from app.store.audit_rows import audit, names_in_log

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from app.context.desk import ContextDesk
    from app.domain.clients import AuditReport
    from app.domain.context_item import ContextItem
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import Briefing, ContextQuery, Greeting, TemplateInfo
    from app.famulus.client_registry import Caller, ClientRegistry
    from app.famulus.parts import Parts
    from app.famulus.serving_line import ServingLine
    from app.store.audit_rows import AuditScope
    from app.store.connection import Reader
    from app.store.database import Database


class ServingDesk:
    """See the module docstring. Its methods are called on the loop.

    Attributes:
        book: where requests are taken down.
    """

    def __init__(
        self, parts: Parts, database: Database, desk: ContextDesk, registry: ClientRegistry, line: ServingLine
    ) -> None:
        self._parts = parts
        self._database = database
        self._desk = desk
        self._registry = registry
        self._line = line
        self.book = line.book

    # ----- what clients ask

    def hello(self, token: str, program: str) -> Greeting:
        """Who a token belongs to; raises `Denied`."""
        return self._line.greet(token, program)

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
                least_trust=asked.least_trust,
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
        return await self._templates_of(self._line.admit(token, Ask("templates")))

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
            await self._refuse_unseen(caller, template)
            wanted = {checked_text(name): checked_text(value, may_be_empty=True) for name, value in fields.items()}
            made[:] = [await self._desk.prepare(caller.viewer, template, wanted, progress=progress, stop=stop)]
            handout = of_parts(made[0].parts)
            await self._line.refuse_beyond(caller, handout.count)
            return handout

        answered = await self._line.serve(token, ask, work)
        if answered.handout.count < of_parts(made[0].parts).count:
            # its text holds more than may be handed out since another request was answered
            raise too_many(answered.caller)
        parts = into_parts(sealed(answered.handout, answered.caller.seal), made[0].parts)
        return replace(made[0], request_id=answered.request_id, parts=parts)

    # ----- what the person asks

    async def search_as(self, name: str, request: SearchRequest) -> Sequence[ContextItem]:
        """What a client would get; taken down as the person's own request.

        Raises:
            BadInput: an unknown client, or as a search does. Denied: that client gets nothing now.
        """
        caller = self._registry.looked_through(name)
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
        caller = None if as_client is None else self._registry.looked_through(as_client)
        viewer = Viewer() if caller is None else caller.viewer
        if caller is not None:
            await self._refuse_unseen(caller, template)
        made = await self._desk.prepare(viewer, template, fields, progress=progress, stop=stop)
        request_id = self.note(Ask("prepare", template=template), of_parts(made.parts))
        if caller is not None:
            made = replace(made, parts=into_parts(sealed(of_parts(made.parts), caller.seal), made.parts))
        return replace(made, request_id=request_id)

    def note(self, ask: Ask, handout: Handout = NOTHING) -> str:
        """Take down a request of the person, after its answer; returns its id at once."""
        return self.book.note(ask, handout)

    async def audit(self, scope: AuditScope, *, limit: int, skip: int = 0) -> AuditReport:
        """What was read since a moment, by one client or by all; with what was asked just now.

        Raises:
            BadInput: nobody is or was called so. "It read nothing" would be a wrong comfort.
        """
        await self.book.settle()

        def read() -> AuditReport:
            with self._database.reader() as reader:
                name = None if scope.client is None else self._logged_name(reader, scope.client)
                return audit(reader, replace(scope, client=name), clock.now(), limit=limit, skip=skip)

        return await self._parts.lanes.readers.run(read)

    async def trust_clock(self) -> None:
        """The computer's clock is right: what ended by a later time alone holds again. Raises as the store does."""
        await self.book.settle()
        await self._registry.time.trust()
        self._registry.tell()

    def _logged_name(self, reader: Reader, name: str) -> str:
        known = (*self._registry.names, *names_in_log(reader), OWNER, UNKNOWN)
        if name in known:
            return name
        found = next((one for one in known if likeness(one) == likeness(name)), None)
        if found is None:
            raise no_client(name)
        return found

    async def _answer(self, token: str, ask: Ask, work: Callable[[Caller], Awaitable[Handout]]) -> Served:
        answered = await self._line.serve(token, ask, work)
        (group,) = sealed(answered.handout, answered.caller.seal).groups
        return replace(group, request_id=answered.request_id, notes=(*group.notes, *answered.notes))

    async def _templates_of(self, caller: Caller) -> list[TemplateInfo]:
        held = caller.info.scopes
        found = await self._parts.lanes.blocking.run(self._desk.templates)
        return [info for info in found if info.problem is None and (info.scope is None or info.scope in held)]

    async def _refuse_unseen(self, caller: Caller, template: str) -> None:
        wanted = likeness(template)
        if all(likeness(info.name) != wanted for info in await self._templates_of(caller)):
            raise BadInput(
                msg("There is no such template."), next_step=msg("List the templates, and name one of them.")
            )


def no_item() -> BadInput:
    """What a client gets for an id that is malformed, unknown, another's, gone or hidden: one and the same."""
    return BadInput(msg("There is no such item."), next_step=msg("Use the item_id of something that was found."))
