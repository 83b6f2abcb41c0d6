"""The registry of clients: whose token it is, and whether it holds (G4.6, G8.1).

All of it is in memory while the database is open, and changes there when the change is durable; so a token that is
revoked, replaced or expired is refused from that moment on, whatever was asked before. Who may change what is decided
by `client_desk` and `consent`; what a client then gets, by `serving_desk`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.clients import ClientInfo, ClientState, likeness
from app.domain.context_item import Viewer
from app.domain.errors import BadInput, Denied, Expected
from app.domain.events import ClientsChanged
from app.domain.serving import Greeting
from app.domain.text import msg
from app.famulus.client_tokens import matching
from app.famulus.sealing import Seal
from app.policy.clients import checked_grant, name_for, shown_program
from app.runtime import clock
from app.store import client_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from app.domain.clients import Grant
    from app.famulus.known_time import KnownTime
    from app.famulus.parts import Parts
    from app.store.client_rows import StoredClient
    from app.store.connection import Writer
    from app.store.database import Database

_SEEN_EVERY = timedelta(minutes=1)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Caller:
    """A client whose token holds now."""

    info: ClientInfo
    seal: Seal

    @property
    def viewer(self) -> Viewer:
        """What it may see."""
        return Viewer(self.info.name, self.info.scopes, self.info.acls, int(self.info.ceiling))


class ClientRegistry:
    """See the module docstring. Its methods are called on the loop.

    Attributes:
        turn: held by whoever reads a client, changes it and writes it, so that two changes never cross.
        time: by which access ends.
    """

    def __init__(self, parts: Parts, database: Database, time: KnownTime) -> None:
        self._parts = parts
        self._database = database
        self._clients: dict[str, StoredClient] = {}
        self._seals: dict[str, Seal] = {}
        self._ends: set[tuple[str, datetime]] = set()
        self.turn = asyncio.Lock()
        self.time = time

    async def start(self) -> None:
        """Know the clients; those whose processes ended with the last Famulus are forgotten.

        Where the registry cannot be read, nobody has access, and the person's own window opens all the same.
        """

        def read() -> Sequence[StoredClient]:
            with self._database.reader() as reader:
                return client_rows.clients(reader)

        try:
            await self.time.start()
            found = await self._parts.lanes.readers.run(read)
        except Expected as problem:
            _log.warning("no client has access: their registry cannot be read (%s)", problem.code)
            return
        self._clients = {one.info.name: one for one in found if not one.info.is_session}
        if len(found) > len(self._clients):
            # a full disk is no reason to keep the database closed: they are in memory no longer
            with contextlib.suppress(Expected):
                await self.write(client_rows.remove_sessions)

    # ----- who asks

    def caller(self, token: str) -> Caller:
        """Who a token belongs to; raises `Denied` for one that does not hold: the same for whatever reason.

        A program that waits for the person's answer is told so.
        """
        client = self.holder(token)
        state = None if client is None else self.state_of(client.info)
        if client is None or state is not ClientState.ACTIVE:
            raise _waiting() if state is ClientState.WAITING else denied()
        return self._as_caller(client)

    def holder(self, token: str) -> StoredClient | None:
        """Whose token it is, whether or not it holds; None for nobody's."""
        known = list(self._clients.values())
        place = matching(token, (client.token_hash for client in known))
        return None if place is None else known[place]

    def known(self, token: str) -> ClientInfo:
        """Who a token belongs to, also one that waits for the person's answer; raises `Denied`."""
        client = self.holder(token)
        if client is None or self.state_of(client.info) not in {ClientState.ACTIVE, ClientState.WAITING}:
            raise denied()
        return client.info

    def greet(self, info: ClientInfo, program: str) -> Greeting:
        """What a client is told of itself; what it says it is is noted, unless it waits."""
        if info.state is ClientState.ACTIVE:
            self.note_seen(info.name, program)
        # a number behind the name would tell that another client has it
        name = name_for(info.program, ()) if info.is_session else info.name
        return Greeting(name, info.state.value, tuple(sorted(info.scopes)), info.ceiling, info.expires_at)

    def state_of(self, info: ClientInfo) -> ClientState:
        """Whether a client has access now."""
        return ClientState.EXPIRED if info.state is ClientState.ACTIVE and self.is_over(info) else info.state

    def is_over(self, info: ClientInfo) -> bool:
        """Whether the time of a grant has passed; from then on it has, whatever the clock is set to."""
        if info.expires_at is None or info.expires_at > self.time.now():
            return False
        end = (info.name, info.expires_at)
        if clock.given() is None and end not in self._ends:
            self._ends.add(end)
            self._parts.tasks.start(self.time.keep(), "note the end of a grant")
        return True

    def looked_through(self, name: str) -> Caller:
        """A client as the person looks through its eyes.

        Raises:
            BadInput: there is no such client. Denied: it gets nothing now.
        """
        client = self.called(name)
        if self.state_of(client.info) is not ClientState.ACTIVE:
            raise Denied(
                msg("The client {name} gets nothing now.", name=client.info.name),
                next_step=msg("See its state: famulus clients list"),
            )
        return self._as_caller(client)

    def note_seen(self, name: str, program: str = "") -> None:
        """When a client was here last, to the minute, and what it says it is; written in the background."""
        client = self._clients.get(name)
        if client is None:
            return
        now, info = clock.now(), client.info
        word = shown_program(program) or info.program
        is_new = info.last_seen_at is None or abs(now - info.last_seen_at) >= _SEEN_EVERY
        seen_at = now if is_new else info.last_seen_at
        self._clients[info.name] = replace(client, info=replace(info, last_seen_at=seen_at, program=word))
        if is_new:
            # a program that says it is another one each time makes nobody write: its last word goes with the next time
            self._parts.tasks.start(self._write_seen(info.name, now, word), "note a client")

    # ----- which there are

    @property
    def names(self) -> Sequence[str]:
        """The names that are taken."""
        return list(self._clients)

    @property
    def infos(self) -> Sequence[ClientInfo]:
        """All clients, as they stand now."""
        return [replace(client.info, state=self.state_of(client.info)) for client in self._clients.values()]

    @property
    def waiting(self) -> int:
        """How many wait for an answer."""
        return sum(client.info.state is ClientState.WAITING for client in self._clients.values())

    def find(self, name: str) -> StoredClient | None:
        """A client by its name, however it is written."""
        found = self._clients.get(name)
        if found is not None:
            return found
        wanted = likeness(name)
        return next((one for one in self._clients.values() if likeness(one.info.name) == wanted), None)

    def called(self, name: str) -> StoredClient:
        """The same; raises `BadInput` where there is none."""
        found = self.find(name)
        if found is None:
            raise no_client(name)
        return found

    def checked(self, grant: Grant) -> Grant:
        """A grant that means something, in its one form.

        Raises:
            BadInput: it means nothing. Refused: it would have ended already, since the computer's clock is behind.
        """
        if grant.expires_in_days is not None:
            self.time.refuse_behind()
        return checked_grant(grant)

    # ----- how they change

    async def enter(self, client: StoredClient, action: str) -> None:
        """Let a new client in. Its name is taken at once; raises as the store does, and then there is none."""
        name = client.info.name
        self._clients[name] = client
        try:
            await self._keep(client, action)
        except BaseException:
            self.drop(name)
            raise
        self.tell()

    async def settle(self, client: StoredClient, action: str) -> ClientInfo:
        """Make a change durable, let it hold, and tell of it."""
        await self._keep(client, action)
        self._clients[client.info.name] = client
        self.tell()
        return replace(client.info, state=self.state_of(client.info))

    def bar(self, client: StoredClient) -> StoredClient:
        """Take access away in memory before it is written: a disk that is full must not keep a door open."""
        barred = replace(client, info=replace(client.info, state=ClientState.REVOKED))
        self._clients[client.info.name] = barred
        return barred

    def drop(self, name: str) -> None:
        """Know a client no longer."""
        self._clients.pop(name, None)
        self._seals.pop(name, None)

    async def write(self, work: Callable[[Writer], object]) -> None:
        """Write to the registry's tables, in one transaction."""

        def write() -> None:
            with self._database.write() as tx:
                work(tx)

        await self._parts.lanes.writer.run(write)

    def tell(self) -> None:
        """Tell that something changed."""
        self._parts.bus.publish(ClientsChanged(self.waiting))

    async def _keep(self, client: StoredClient, action: str) -> None:
        def keep(tx: Writer) -> None:
            client_rows.put_client(tx, client)
            client_rows.note_grant(tx, client.info, action, now=clock.present())

        await self.write(keep)

    async def _write_seen(self, name: str, at: datetime, program: str) -> None:
        # nothing depends on it
        with contextlib.suppress(Expected):
            await self.write(lambda tx: client_rows.note_seen(tx, name, at, program))

    def _as_caller(self, client: StoredClient) -> Caller:
        name = client.info.name
        if name not in self._seals:
            self._seals[name] = Seal(client.seal_key)
        return Caller(client.info, self._seals[name])


def no_client(name: str) -> BadInput:
    """What the person gets for a name that no client has."""
    return BadInput(
        msg("There is no client {name}.", name=shown_program(name)),
        next_step=msg("`famulus clients list` shows them; `famulus clients add` registers one."),
    )


def denied() -> Denied:
    """What everybody gets whose token does not hold: nothing in it tells why."""
    return Denied(
        msg("This token gives no access."),
        next_step=msg("Ask the person whose context it is for another one: famulus clients token NAME"),
    )


def _waiting() -> Denied:
    return Denied(
        msg("The person has not answered yet whether this program may have access."),
        next_step=msg("Wait for the answer: it is asked for in the window of Famulus and by `famulus clients list`."),
    )
