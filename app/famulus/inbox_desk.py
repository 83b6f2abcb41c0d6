"""The inbox: what clients suggest to remember, and what the person says to it (X9.1).

A suggestion is a row of its own until the person takes it: it is no entry, is not searched, and tells nobody anything.
Taken, it becomes a note of the person's, which says who suggested it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.context_item import OWNER
from app.domain.errors import BadInput, Refused
from app.domain.events import InboxChanged
from app.domain.serving import CandidateState
from app.domain.text import msg
from app.famulus.clips import CLIPS
from app.famulus.handouts import Ask
from app.policy.client_requests import LONGEST_SUGGESTION, checked_suggestion
from app.runtime import clock
from app.store import client_rows
from app.store.record_agenda import current_entry_ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.serving import Candidate, Suggestion
    from app.famulus.clips import Clips
    from app.famulus.parts import Parts
    from app.famulus.serving_line import ServingLine
    from app.store.database import Database

MOST_WAITING = 200
"""Undecided suggestions of one client."""


class InboxDesk:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database, line: ServingLine, clips: Clips) -> None:
        self._parts = parts
        self._database = database
        self._line = line
        self._clips = clips
        self._deciding, self._suggesting = asyncio.Lock(), asyncio.Lock()

    async def suggest(self, token: str, suggestion: Suggestion) -> int:
        """Put what a client suggests into the inbox; returns its number among this client's.

        What was suggested before is not put there again: what was declined stays declined.

        Raises:
            Denied, BadInput, and Refused where too many of this client's are undecided.
        """
        ask = Ask("remember")
        caller = self._line.admit(token, ask)
        name = caller.info.name
        # one after another, so that there is still room when it is written
        async with self._suggesting:
            with self._line.noting(name, ask):
                wanted = checked_suggestion(suggestion)
                digest = caller.seal.digest(wanted.text)
                known = await self._parts.lanes.readers.run(self._known, name, digest)
            await self._line.keep(caller, ask)
            self._line.confirm(token)
            if known is not None:
                return known

            def write() -> tuple[int, int]:
                with self._database.write() as tx:
                    number = client_rows.put_candidate(tx, name, wanted, digest=digest, now=clock.now())
                    return number, client_rows.waiting_candidates(tx)

            number, waiting = await self._parts.lanes.writer.run(write)
        self._parts.bus.publish(InboxChanged(waiting))
        return number

    async def list(self, *, include_decided: bool) -> Sequence[Candidate]:
        """What waits, newest first; what was decided too, if wanted."""

        def read() -> Sequence[Candidate]:
            with self._database.reader() as reader:
                return client_rows.candidates(reader, include_decided=include_decided)

        return await self._parts.lanes.readers.run(read)

    async def decide(self, candidate_id: int, *, is_accepted: bool, text: str | None) -> Candidate:
        """Keep a suggestion as an own note, or decline it for good.

        Raises:
            BadInput: there is no such suggestion, it was decided, or the edited text is empty or too long.
        """
        async with self._deciding:
            candidate = await self._parts.lanes.readers.run(self._waiting, candidate_id)
            entry_id = await self._take(candidate, text) if is_accepted else None

            def write() -> int:
                with self._database.write() as tx:
                    if is_accepted:
                        client_rows.accept_candidate(tx, candidate_id, entry_id, now=clock.now())
                    else:
                        client_rows.decline_candidate(tx, candidate_id, now=clock.now())
                    return client_rows.waiting_candidates(tx)

            waiting = await self._parts.lanes.writer.run(write)
        self._parts.bus.publish(InboxChanged(waiting))
        state = CandidateState.ACCEPTED if is_accepted else CandidateState.DECLINED
        return replace(candidate, state=state, decided_at=clock.now())

    async def _take(self, candidate: Candidate, edited: str | None) -> int | None:
        """Keep it as a note; returns the note's entry."""
        text = candidate.text if edited is None else edited
        if not text.strip() or len(text) > LONGEST_SUGGESTION:
            raise BadInput(
                msg("The text is empty, or longer than {count} characters.", count=LONGEST_SUGGESTION),
                next_step=msg("Shorten it, or decline the suggestion."),
            )
        said = {"suggested_by": candidate.client, "accepted_by": OWNER}
        kept = await self._clips.keep(text, title=candidate.title, metadata=said)

        def find() -> int | None:
            with self._database.reader() as reader:
                return next(iter(current_entry_ids(reader, CLIPS, list(kept[:1]))), None)

        return await self._parts.lanes.readers.run(find)

    def _known(self, name: str, digest: str) -> int | None:
        """The number of what a client suggested before; raises `Refused` for something new that has no room."""
        with self._database.reader() as reader:
            known = client_rows.same_candidate(reader, name, digest)
            if known is None and client_rows.waiting_candidates(reader, name) >= MOST_WAITING:
                raise _full()
        return known

    def _waiting(self, candidate_id: int) -> Candidate:
        with self._database.reader() as reader:
            found = client_rows.candidate(reader, candidate_id)
        if found is None:
            raise BadInput(
                msg("There is no suggestion {number}.", number=candidate_id),
                next_step=msg("`famulus inbox` shows their numbers."),
            )
        if found.state is not CandidateState.WAITING:
            raise _decided(candidate_id)
        return found


def _decided(candidate_id: int) -> BadInput:
    return BadInput(
        msg("The suggestion {number} was decided already.", number=candidate_id),
        next_step=msg("`famulus inbox list --all` shows what was said."),
    )


def _full() -> Refused:
    return Refused(
        msg("Too many suggestions of this client are undecided."),
        next_step=msg("Wait until the person has looked at them."),
    )
