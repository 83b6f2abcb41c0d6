"""What a shell may ask of Famulus about clients, and what a client may ask itself (G4.6).

`ClientApi` is all that `app.mcp_server` calls: every method takes the client's token, and what it returns was filtered
in the process that owns the data. `ServingApi` is for the person's own shells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from app.domain.progress import ProgressSink, StopSignal, ignore_progress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.domain.clients import AuditReport, ClientInfo, ClientProgram, Connection, Grant, NewClient
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


class ClientApi(Protocol):
    """What a client may ask. Every method raises `Denied` for a token that does not hold (any more)."""

    async def ask_access(self, program: str, *, instead_of: str = "") -> str:
        """Ask the person for access, for as long as the caller's process lives; returns a token that waits.

        A program that asked before says `instead_of` which token: where that is known still, whatever the person
        answered, nobody is asked, and it is returned. It is forgotten when the database is closed.

        Raises `Refused` where too many wait already.
        """

    async def end_access(self, token: str) -> None:
        """The process that asked for access ends; its token holds no longer. Nothing for other tokens."""

    async def client_hello(self, token: str, *, program: str = "") -> Greeting:
        """Who a token belongs to, and what it may see; also for one that waits for consent."""

    async def client_search(
        self,
        token: str,
        query: ContextQuery,
        *,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Served:
        """Passages, best first. Raises `BadInput`, `Cancelled`, `Refused` beyond the client's limits."""

    async def client_item(self, token: str, item_id: str, *, budget_tokens: int | None = None) -> Served:
        """An item with the passages around it. Raises `BadInput` for one that is not there: for a hidden one too."""

    async def client_agenda(self, token: str, when: str | None = None) -> Served:
        """Events, tasks and deadlines of a day or a span."""

    async def client_tasks(self, token: str, *, owner: str | None = None, include_done: bool = False) -> Served:
        """Tasks."""

    async def client_facts(self, token: str, subject: str, *, predicate: str | None = None) -> Served:
        """Key-value facts of somebody or something; `me` is the person."""

    async def client_remember(self, token: str, suggestion: Suggestion) -> int:
        """Put a suggestion into the inbox, untrusted; returns its number among this client's own."""

    async def client_outcome(self, token: str, outcome: Outcome) -> None:
        """Report what became of an answer. Raises `BadInput` for a request that was not this client's."""

    async def client_templates(self, token: str) -> Sequence[TemplateInfo]:
        """The task templates."""

    async def client_prepare(
        self,
        token: str,
        template: str,
        fields: Mapping[str, str],
        *,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """What a task needs, within what the client may see."""


class ServingApi(Protocol):
    """What the person's own shells ask of clients, templates, facts and suggestions."""

    async def clients(self) -> Sequence[ClientInfo]:
        """All clients, those that wait for an answer first."""

    async def add_client(self, name: str, grant: Grant) -> NewClient:
        """Register a client: that is the consent. Raises `BadInput` for a name that is taken or cannot be one."""

    async def answer_client(self, name: str, grant: Grant | None) -> ClientInfo:
        """Answer one that waits: what it may see, or (None) nothing. Raises `BadInput`."""

    async def change_client(self, name: str, grant: Grant) -> ClientInfo:
        """Grant something else; holds at once. Raises `BadInput`."""

    async def revoke_client(self, name: str) -> ClientInfo:
        """Its token holds no longer; its log stays."""

    async def remove_client(self, name: str) -> None:
        """Forget a client; its log stays under its name."""

    async def new_client_token(self, name: str) -> NewClient:
        """Replace a token; the old one holds no longer."""

    async def time_ahead(self) -> datetime | None:
        """The latest time that was seen, where this computer's clock stands clearly before it; else None.

        Access ends by the later of both, and nothing that ends is granted before they agree, or `trust_clock`.
        """

    async def trust_clock(self) -> None:
        """The computer's clock is right, and all later times were not: access ends by it from now on."""

    async def client_programs(self) -> Sequence[ClientProgram]:
        """Programs that can be connected."""

    async def connect_client(
        self, name: str, program_id: str, *, grant: Grant | None = None, is_writing: bool = True
    ) -> Connection:
        """Set a program up to ask as a client, which is registered by `grant` if there is none of that name.

        Raises:
            BadInput: an unknown program, a configuration that cannot be read, or a client that has no grant.
        """

    async def audit(
        self,
        *,
        client: str | None = None,
        since: datetime | None = None,
        limit: int = 100,
        skip: int = 0,
        is_own_included: bool = True,
    ) -> AuditReport:
        """What was read: by one client or by all, in the last seven days or since a moment.

        Args:
            limit, skip: which lines, the newest first; the sums are of the whole span.
            is_own_included: of all, also what the person asked.
        """

    async def inbox(self, *, include_decided: bool = False) -> Sequence[Candidate]:
        """What clients suggest to remember, newest first."""

    async def decide_candidate(self, candidate_id: int, *, is_accepted: bool, text: str | None = None) -> Candidate:
        """Keep a suggestion as an own note (as `text`, where it was edited), or decline it. Raises `BadInput`."""

    async def facts(self, subject: str, *, predicate: str | None = None) -> Sequence[Fact]:
        """Key-value facts; `me` is the person."""

    async def templates(self) -> Sequence[TemplateInfo]:
        """The task templates, shipped and own."""

    async def prepare(
        self,
        template: str,
        fields: Mapping[str, str],
        *,
        as_client: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        """What a task needs; as a client would see it with `as_client`. Raises `BadInput`, `Cancelled`."""
