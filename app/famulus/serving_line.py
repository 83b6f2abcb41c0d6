"""The way of every request of a client: who asks, how often, within which limits, and what is logged (G4.6, G8.1).

    token -> registry -> pace -> turn -> work -> limit of items -> log -> still the same rights? -> out

What a client may see is decided by the filter that the context desk makes of its viewer; nothing here looks at what
that left out (G4.3). A request is in the log before its answer is handed out.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.errors import Denied, Expected, Refused
from app.domain.text import counted, msg
from app.famulus.client_registry import denied
from app.famulus.handouts import NOTHING, Ask, Handout, cut
from app.famulus.turns import Paces, Turns
from app.famulus.volumes import Volumes
from app.policy.clients import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from app.domain.serving import Greeting
    from app.domain.text import Text
    from app.famulus.client_registry import Caller, ClientRegistry
    from app.famulus.parts import Parts
    from app.famulus.request_book import RequestBook
    from app.store.database import Database

_ATTEMPTS = 3
"""How often a request is done again because its client was granted something else meanwhile."""
_LEAST_GREETINGS, _GREETINGS = 600, 10
"""A minute: how often a client may ask who it is at the least, and for each request that it was granted."""
_MOST_REFUSALS_LOGGED = 30
"""A minute and a client: who hammers on a closed door fills no log."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that is logged, and whose answer may go out to who asked. Its ids are still the store's."""

    caller: Caller
    request_id: str
    handout: Handout
    notes: tuple[Text, ...]


class ServingLine:
    """See the module docstring. Its methods are called on the loop.

    Attributes:
        book: where requests are taken down.
    """

    def __init__(self, parts: Parts, database: Database, registry: ClientRegistry, book: RequestBook) -> None:
        self._registry = registry
        self.book = book
        self._turns = Turns()
        self._requests, self._greetings, self._refusals = Paces(), Paces(), Paces()
        self._counting: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._volumes = Volumes(parts, database, registry.time)

    def greet(self, token: str, program: str) -> Greeting:
        """Who a token belongs to; raises `Denied`, and `Refused` for one that hammers on the door.

        Not one of its requests a minute: over HTTP it comes with each of them, and with what is no question at all.
        """
        ask = Ask("hello")
        with self._noting_denied(token, ask):
            info = self._registry.known(token)
        with self.noting(info.name, ask):
            self._greetings.count(info, max(_LEAST_GREETINGS, _GREETINGS * info.rate_per_minute))
        return self._registry.greet(info, program)

    def admit(self, token: str, ask: Ask) -> Caller:
        """Who asks, counted; raises `Denied`, and `Refused` beyond its requests a minute."""
        with self._noting_denied(token, ask):
            caller = self._registry.caller(token)
        with self.noting(caller.info.name, ask):
            self._requests.count(caller.info)
        return caller

    async def serve(self, token: str, ask: Ask, work: Callable[[Caller], Awaitable[Handout]]) -> Answered:
        """One request, from its token to what may be handed out.

        Raises:
            Denied: the token does not hold, or no longer when the work was done.
            Refused: beyond the client's limits. DiskFull and others: it could not be logged. And as the work does.
        """
        caller = self.admit(token, ask)
        with self.noting(caller.info.name, ask):
            async with self._turns.turn(caller.info.name):
                await self.refuse_beyond(caller, 1)
                for _ in range(_ATTEMPTS):
                    handout = await work(caller)
                    if self._registry.caller(token).viewer == caller.viewer:
                        answered = await self._take_down(caller, ask, handout)
                        if self._registry.caller(token).viewer == caller.viewer:
                            return answered
                    # what was granted has changed meanwhile: what was found may be too much
                    caller = self._registry.caller(token)
                raise denied()

    def confirm(self, token: str) -> None:
        """Raise `Denied` where a token does not hold any more since its request came."""
        self._registry.caller(token)

    async def keep(self, caller: Caller, ask: Ask) -> None:
        """Take down what a client did that hands nothing out."""
        await self.book.keep(self.book.request(caller.info.name, ask, NOTHING))

    @contextlib.contextmanager
    def noting(self, name: str, ask: Ask) -> Iterator[None]:
        """Take down that a client got nothing, and why, where what is done within is refused."""
        try:
            yield
        except Expected as problem:
            self._note_refusal(name, ask, problem)
            raise

    @contextlib.contextmanager
    def _noting_denied(self, token: str, ask: Ask) -> Iterator[None]:
        """The same while nobody knows yet whose token it is."""
        try:
            yield
        except Denied as problem:
            holder = self._registry.holder(token)
            self._note_refusal(UNKNOWN if holder is None else holder.info.name, ask, problem)
            raise

    def _note_refusal(self, name: str, ask: Ask, problem: Expected) -> None:
        if self._refusals.is_within(name, _MOST_REFUSALS_LOGGED):
            self.book.later(self.book.request(name, ask, NOTHING, refusal=problem.code))

    async def refuse_beyond(self, caller: Caller, count: int) -> None:
        """Raise `Refused` where a client may not get so many items any more."""
        if await self._volumes.left(caller.info) < count:
            raise too_many(caller)

    async def _take_down(self, caller: Caller, ask: Ask, handout: Handout) -> Answered:
        """Cut what was found to what the client may still get today, and log it; one by one for a client."""
        name = caller.info.name
        notes: tuple[Text, ...] = ()
        async with self._counting[name]:
            left = await self._volumes.left(caller.info)
            if handout.count > left:
                notes = (msg("Shortened: the granted number of items a day is reached."),)
                handout = cut(handout, left)
            request = self.book.request(name, ask, handout)
            self._volumes.add(name, handout.count)
            try:
                await self.book.keep(request)
            except Exception:
                # nothing is handed out
                self._volumes.add(name, -handout.count)
                raise
        self._registry.note_seen(name)
        return Answered(caller, request.request_id, handout, notes)


def too_many(caller: Caller) -> Refused:
    """What a client gets beyond its items a day."""
    return Refused(
        counted(
            "That is more than the {count} item a day that was granted.",
            "That is more than the {count} items a day that were granted.",
            count=caller.info.items_per_day,
        ),
        next_step=msg("Ask again tomorrow, or ask the person to grant more."),
    )
