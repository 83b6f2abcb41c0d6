"""The facade's part for clients, templates, facts and suggestions; see `api_serving` for the methods."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.context_item import Viewer
from app.domain.progress import ignore_progress
from app.famulus.handouts import Ask, of
from app.runtime import clock
from app.store.audit_rows import AuditScope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.domain.clients import AuditReport, ClientInfo, ClientProgram, Connection, Grant, NewClient
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.serving import (
        Briefing,
        Candidate,
        ContextQuery,
        Fact,
        Greeting,
        Outcome,
        Served,
        Suggestion,
        TemplateInfo,
    )
    from app.famulus.model_host import ModelHost
    from app.famulus.parts import Parts
    from app.famulus.reception import Reception
    from app.famulus.vault import Vault

_AUDITED = timedelta(days=7)
_MOST_LINES = 10_000
_MOST_SKIPPED = 1_000_000


class ServingFacade:
    """Hands each question to the desk that knows; a closed database raises why it is closed."""

    _vault: Vault
    _model: ModelHost
    _parts: Parts

    # ----- ClientApi

    async def ask_access(self, program: str, *, instead_of: str = "") -> str:
        """See `ClientApi`."""
        return await (await self._reception()).consent.ask_access(program, instead_of=instead_of)

    async def end_access(self, token: str) -> None:
        """See `ClientApi`."""
        await (await self._reception()).consent.end_access(token)

    async def client_hello(self, token: str, *, program: str = "") -> Greeting:
        """See `ClientApi`."""
        return (await self._reception()).serving.hello(token, program)

    async def client_search(
        self,
        token: str,
        query: ContextQuery,
        *,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Served:
        """See `ClientApi`."""
        self._model.touch()
        return await (await self._reception()).serving.search(token, query, progress=progress, stop=stop)

    async def client_item(self, token: str, item_id: str, *, budget_tokens: int | None = None) -> Served:
        """See `ClientApi`."""
        return await (await self._reception()).serving.item(token, item_id, budget_tokens=budget_tokens)

    async def client_agenda(self, token: str, when: str | None = None) -> Served:
        """See `ClientApi`."""
        return await (await self._reception()).serving.agenda(token, when)

    async def client_tasks(self, token: str, *, owner: str | None = None, include_done: bool = False) -> Served:
        """See `ClientApi`."""
        return await (await self._reception()).serving.tasks(token, owner=owner, include_done=include_done)

    async def client_facts(self, token: str, subject: str, *, predicate: str | None = None) -> Served:
        """See `ClientApi`."""
        return await (await self._reception()).serving.facts(token, subject, predicate=predicate)

    async def client_remember(self, token: str, suggestion: Suggestion) -> int:
        """See `ClientApi`."""
        return await (await self._reception()).inbox.suggest(token, suggestion)

    async def client_outcome(self, token: str, outcome: Outcome) -> None:
        """See `ClientApi`."""
        await (await self._reception()).outcomes.report(token, outcome)

    async def client_templates(self, token: str) -> Sequence[TemplateInfo]:
        """See `ClientApi`."""
        return await (await self._reception()).serving.templates(token)

    async def client_prepare(
        self,
        token: str,
        template: str,
        fields: Mapping[str, str],
        *,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """See `ClientApi`."""
        self._model.touch()
        return await (await self._reception()).serving.prepare(token, template, fields, progress=progress, stop=stop)

    # ----- ServingApi

    async def clients(self) -> Sequence[ClientInfo]:
        """See `ServingApi`."""
        return await (await self._reception()).clients.list()

    async def add_client(self, name: str, grant: Grant) -> NewClient:
        """See `ServingApi`."""
        return await (await self._reception()).clients.add(name, grant)

    async def answer_client(self, name: str, grant: Grant | None) -> ClientInfo:
        """See `ServingApi`."""
        return await (await self._reception()).consent.answer(name, grant)

    async def change_client(self, name: str, grant: Grant) -> ClientInfo:
        """See `ServingApi`."""
        return await (await self._reception()).clients.change(name, grant)

    async def revoke_client(self, name: str) -> ClientInfo:
        """See `ServingApi`."""
        return await (await self._reception()).clients.revoke(name)

    async def remove_client(self, name: str) -> None:
        """See `ServingApi`."""
        await (await self._reception()).clients.remove(name)

    async def new_client_token(self, name: str) -> NewClient:
        """See `ServingApi`."""
        return await (await self._reception()).clients.new_token(name)

    async def time_ahead(self) -> datetime | None:
        """See `ServingApi`."""
        return (await self._reception()).registry.time.ahead()

    async def trust_clock(self) -> None:
        """See `ServingApi`."""
        await (await self._reception()).serving.trust_clock()

    async def client_programs(self) -> Sequence[ClientProgram]:
        """See `ServingApi`."""
        return await (await self._reception()).connecting.programs()

    async def connect_client(
        self, name: str, program_id: str, *, grant: Grant | None = None, is_writing: bool = True
    ) -> Connection:
        """See `ServingApi`."""
        return await (await self._reception()).connecting.connect(name, program_id, grant=grant, is_writing=is_writing)

    async def audit(
        self,
        *,
        client: str | None = None,
        since: datetime | None = None,
        limit: int = 100,
        skip: int = 0,
        is_own_included: bool = True,
    ) -> AuditReport:
        """See `ServingApi`."""
        start = clock.now() - _AUDITED if since is None else since
        scope = AuditScope(start, client, is_own_included)
        return await (await self._reception()).serving.audit(
            scope, limit=max(1, min(limit, _MOST_LINES)), skip=max(0, min(skip, _MOST_SKIPPED))
        )

    async def inbox(self, *, include_decided: bool = False) -> Sequence[Candidate]:
        """See `ServingApi`."""
        return await (await self._reception()).inbox.list(include_decided=include_decided)

    async def decide_candidate(self, candidate_id: int, *, is_accepted: bool, text: str | None = None) -> Candidate:
        """See `ServingApi`."""
        return await (await self._reception()).inbox.decide(candidate_id, is_accepted=is_accepted, text=text)

    async def facts(self, subject: str, *, predicate: str | None = None) -> Sequence[Fact]:
        """See `ServingApi`."""
        house, offices = self._vault.house, await self._vault.offices()
        found = await offices.desk.facts(Viewer(), subject, predicate)
        house.book.note(Ask("facts", f"{subject} {predicate or ''}".strip()), of(facts=found))
        return found

    async def templates(self) -> Sequence[TemplateInfo]:
        """See `ServingApi`."""
        desk = (await self._vault.offices()).desk
        return await self._parts.lanes.blocking.run(desk.templates)

    async def prepare(
        self,
        template: str,
        fields: Mapping[str, str],
        *,
        as_client: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """See `ServingApi`."""
        self._model.touch()
        return await (await self._reception()).serving.prepare_own(
            template, fields, as_client=as_client, progress=progress, stop=stop
        )

    async def _reception(self) -> Reception:
        return (await self._vault.offices()).reception
