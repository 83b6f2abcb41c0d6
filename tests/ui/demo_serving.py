"""The part of the demo facade that serves: clients, what they read, suggestions, templates, metrics, marks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.clients import AuditReport, ClientInfo, ClientProgram, ClientState, Connection, Grant, NewClient
from app.domain.context_item import OWNER
from app.domain.errors import BadInput
from app.domain.events import ClientsChanged, InboxChanged, ReviewWritten
from app.domain.progress import ProgressSink, StopSignal, ignore_progress
from app.domain.serving import Briefing, Candidate, CandidateState, Outcome, TemplateInfo
from app.domain.text import msg
from tests.ui.demo_served import PIECE, PIECE_WITH_TOKEN, TOKEN, WAITING, client, served_of
from tests.ui.demo_world import NOW, World

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from app.domain.metrics import AskedQuestion, MarkedItem, MetricsReport, Review, ReviewKind, TuningProposal
    from app.domain.progress import Progress
    from app.runtime.bus import Bus


class DemoServing:
    """Remembers what was granted, decided and marked."""

    bus: Bus
    steps: dict[str, list[Progress]]

    def serve(self, world: World) -> None:
        """Begin with what is served in a world."""
        self.served = served_of(world)
        self.registered: list[ClientInfo] = list(self.served.clients)
        self.candidates: list[Candidate] = list(self.served.inbox)
        self.written: list[Review] = list(self.served.reviews)
        self.marks: dict[tuple[str, int], bool | None] = {}
        self.outcomes: list[Outcome] = []
        self.has_keychain = True
        self.ahead: datetime | None = None

    async def _enter(self, name: str, *details: object) -> None:
        raise NotImplementedError

    async def clients(self) -> Sequence[ClientInfo]:
        await self._enter("clients")
        return tuple(sorted(self.registered, key=lambda one: one.state is not ClientState.WAITING))

    async def time_ahead(self) -> datetime | None:
        return self.ahead

    async def trust_clock(self) -> None:
        await self._enter("trust_clock")
        self.ahead = None

    async def add_client(self, name: str, grant: Grant) -> NewClient:
        await self._enter("add_client", name, grant)
        if not name or any(one.name == name for one in self.registered):
            raise BadInput(msg("There is an agent of this name already."), next_step=msg("Choose another name."))
        made = _granted(client(name, last_seen_at=None), grant)
        self.registered.append(made)
        self._tell_clients()
        return NewClient(made, TOKEN, self.has_keychain)

    async def answer_client(self, name: str, grant: Grant | None) -> ClientInfo:
        await self._enter("answer_client", name, grant)
        before = self._client(name)
        after = replace(before, state=ClientState.REVOKED) if grant is None else _granted(before, grant)
        return self._put(after)

    async def change_client(self, name: str, grant: Grant) -> ClientInfo:
        await self._enter("change_client", name, grant)
        return self._put(_granted(self._client(name), grant))

    async def revoke_client(self, name: str) -> ClientInfo:
        await self._enter("revoke_client", name)
        return self._put(replace(self._client(name), state=ClientState.REVOKED))

    async def remove_client(self, name: str) -> None:
        await self._enter("remove_client", name)
        self.registered = [one for one in self.registered if one.name != name]
        self._tell_clients()

    async def new_client_token(self, name: str) -> NewClient:
        await self._enter("new_client_token", name)
        return NewClient(self._client(name), TOKEN, self.has_keychain)

    async def client_programs(self) -> Sequence[ClientProgram]:
        await self._enter("client_programs")
        return self.served.programs

    async def connect_client(
        self, name: str, program_id: str, *, grant: Grant | None = None, is_writing: bool = True
    ) -> Connection:
        await self._enter("connect_client", name, program_id, grant, is_writing)
        if all(one.name != name for one in self.registered):
            self.registered.append(_granted(client(name, last_seen_at=None), grant or Grant(frozenset())))
            self._tell_clients()
        program = next(program for program in self.served.programs if program.program_id == program_id)
        is_written = is_writing and self.has_keychain
        return Connection(
            self._client(name),
            program_id,
            PIECE if self.has_keychain else PIECE_WITH_TOKEN,
            path=program.path if is_written else None,
            backup=f"{program.path}.before" if is_written else None,
            token=None if self.has_keychain else TOKEN,
        )

    async def audit(
        self,
        *,
        client: str | None = None,
        since: datetime | None = None,
        limit: int = 100,
        skip: int = 0,
        is_own_included: bool = True,
    ) -> AuditReport:
        await self._enter("audit", client, since, limit)
        report = self.served.audit
        lines = tuple(
            line
            for line in report.lines
            if (line.client == client if client is not None else is_own_included or line.client != OWNER)
            and (since is None or line.at >= since)
        )
        items = [item for line in lines for item in line.items]
        levels: dict[str, int] = {}
        for item in items:
            levels[item.sensitivity.word] = levels.get(item.sensitivity.word, 0) + 1
        return replace(
            report,
            client=client,
            requests=len(lines),
            refused=sum(line.refusal is not None for line in lines),
            items=len(items),
            entries=len({item.title for item in items}),
            by_sensitivity=tuple(levels.items()),
            lines=lines[skip : skip + limit],
            clients=tuple({line.client for line in report.lines}),
        )

    async def inbox(self, *, include_decided: bool = False) -> Sequence[Candidate]:
        await self._enter("inbox", include_decided)
        return [one for one in self.candidates if include_decided or one.state is CandidateState.WAITING]

    async def decide_candidate(self, candidate_id: int, *, is_accepted: bool, text: str | None = None) -> Candidate:
        await self._enter("decide_candidate", candidate_id, is_accepted, text)
        state = CandidateState.ACCEPTED if is_accepted else CandidateState.DECLINED
        decided = {one.candidate_id: replace(one, state=state, decided_at=NOW) for one in self.candidates}
        self.candidates = [
            decided[one.candidate_id] if one.candidate_id == candidate_id else one for one in self.candidates
        ]
        self.bus.publish(InboxChanged(sum(one.state is CandidateState.WAITING for one in self.candidates)))
        return decided[candidate_id]

    async def templates(self) -> Sequence[TemplateInfo]:
        await self._enter("templates")
        return self.served.templates

    async def prepare(
        self,
        template: str,
        fields: Mapping[str, str],
        *,
        as_client: str | None = None,
        progress: ProgressSink = ignore_progress,
        stop: StopSignal | None = None,
    ) -> Briefing:
        for step in self.steps["prepare"]:
            progress(step)
        await self._enter("prepare", template, dict(fields), as_client)
        if stop is not None:
            stop.checkpoint()
        return self.served.briefing

    async def report_outcome(self, outcome: Outcome) -> None:
        await self._enter("report_outcome", outcome)
        self.outcomes.append(outcome)

    async def metrics(self, *, first_day: date | None = None, last_day: date | None = None) -> MetricsReport:
        await self._enter("metrics", first_day, last_day)
        return self.served.metrics

    async def reviews(self) -> Sequence[Review]:
        await self._enter("reviews")
        return [replace(review, text="") for review in self.written]

    async def review(self, review_id: int) -> Review:
        await self._enter("review", review_id)
        return next(review for review in self.written if review.review_id == review_id)

    async def write_review(self, kind: ReviewKind, *, day: date | None = None) -> Review:
        await self._enter("write_review", kind, day)
        made = replace(self.written[0], review_id=99, kind=kind, made_at=NOW) if self.written else None
        assert made is not None
        self.written.insert(0, made)
        self.bus.publish(ReviewWritten(kind.value))
        return made

    async def asked_questions(self, *, limit: int = 50) -> Sequence[AskedQuestion]:
        await self._enter("asked_questions", limit)
        return self.served.questions

    async def items_to_mark(self, query: str, *, more: str | None = None) -> Sequence[MarkedItem]:
        await self._enter("items_to_mark", query, more)
        found = self.served.marked + (self.served.more if more else ())
        return [replace(one, is_wanted=self.marks.get((query, one.entry_id), one.is_wanted)) for one in found]

    async def mark(self, query: str, entry_id: int, *, is_wanted: bool | None) -> None:
        await self._enter("mark", query, entry_id, is_wanted)
        self.marks[query, entry_id] = is_wanted

    async def propose_tuning(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> TuningProposal:
        for step in self.steps["tune"]:
            progress(step)
        await self._enter("propose_tuning")
        if stop is not None:
            stop.checkpoint()
        return self.served.proposal

    async def apply_tuning(self, proposal_id: str) -> str:
        await self._enter("apply_tuning", proposal_id)
        return "ranking-1+9f2c"

    async def reset_tuning(self) -> str:
        await self._enter("reset_tuning")
        return "ranking-1"

    def ask_for_access(self) -> None:
        """A program asks for access, as one does while the window is open."""
        self.registered.append(replace(WAITING, name=f"session-{len(self.registered)}"))
        self._tell_clients()

    def _client(self, name: str) -> ClientInfo:
        return next(one for one in self.registered if one.name == name)

    def _put(self, after: ClientInfo) -> ClientInfo:
        self.registered = [after if one.name == after.name else one for one in self.registered]
        self._tell_clients()
        return after

    def _tell_clients(self) -> None:
        self.bus.publish(ClientsChanged(sum(one.state is ClientState.WAITING for one in self.registered)))


def _granted(before: ClientInfo, grant: Grant) -> ClientInfo:
    return replace(
        before,
        state=ClientState.ACTIVE,
        scopes=grant.scopes,
        ceiling=grant.ceiling,
        rate_per_minute=grant.rate_per_minute,
        items_per_day=grant.items_per_day,
        consented_at=NOW,
    )
