"""The registry of clients: who may ask, who waits for an answer, whose token holds (G4.6, G8.1).

All of it is in memory while the database is open, and changes there when the change is durable; so a token that is
revoked, replaced or expired is refused from that moment on, whatever was asked before. What a client then gets is
`serving_desk`'s.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter, deque
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.clients import ClientInfo, ClientState, Grant, NewClient
from app.domain.context_item import Viewer
from app.domain.errors import BadInput, Denied, Expected, Refused
from app.domain.events import ClientsChanged
from app.domain.labels import Sensitivity
from app.domain.serving import Greeting
from app.domain.text import msg
from app.famulus.client_tokens import TokenKeeper, matching, new_token, token_hash
from app.famulus.sealing import Seal, new_key
from app.policy.clients import checked_grant, checked_name, name_for, shown_program
from app.runtime import clock
from app.store import client_rows
from app.store.client_rows import StoredClient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from app.famulus.parts import Parts
    from app.store.connection import Writer
    from app.store.database import Database

MOST_WAITING = 8
MOST_ASKED_AN_HOUR = 60
MOST_DECLINED = 3
"""How often the person has to say no to a program before it may not ask again until Famulus starts anew."""
MOST_CLIENTS = 500
_HOUR_S = 3600.0
_SEEN_EVERY = timedelta(minutes=1)
_NOTHING = Grant(frozenset(), Sensitivity.PUBLIC, frozenset(), 1, 1, None)

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


class ClientDesk:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database) -> None:
        self._parts = parts
        self._database = database
        self._keeper = TokenKeeper(parts.paths, parts.keychain)
        self._clients: dict[str, StoredClient] = {}
        self._seals: dict[str, Seal] = {}
        self._declined: Counter[str] = Counter()
        self._asked_s: deque[float] = deque()
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Know the clients; those whose processes ended with the last Famulus are forgotten.

        Where the registry cannot be read, nobody has access, and the person's own window opens all the same.
        """

        def read() -> Sequence[StoredClient]:
            with self._database.reader() as reader:
                return client_rows.clients(reader)

        try:
            found = await self._parts.lanes.readers.run(read)
        except Expected as problem:
            _log.warning("no client has access: their registry cannot be read (%s)", problem.code)
            return
        self._clients = {one.info.name: one for one in found if not one.info.is_session}
        if len(found) > len(self._clients):
            # a full disk is no reason to keep the database closed: they are in memory no longer
            with contextlib.suppress(Expected):
                await self._write(client_rows.remove_sessions)

    # ----- who asks

    def caller(self, token: str) -> Caller:
        """Who a token belongs to; raises `Denied` for one that does not hold: the same for whatever reason.

        A program that waits for the person's answer is told so.
        """
        client = self.holder(token)
        state = None if client is None else self.state_of(client.info)
        if client is None or state is not ClientState.ACTIVE:
            raise _waiting() if state is ClientState.WAITING else denied()
        return Caller(client.info, self._seal(client))

    def holder(self, token: str) -> StoredClient | None:
        """Whose token it is, whether or not it holds; None for nobody's."""
        known = list(self._clients.values())
        place = matching(token, (client.token_hash for client in known))
        return None if place is None else known[place]

    def find(self, name: str) -> ClientInfo | None:
        """A client by its name, in whatever case it is written."""
        found = self._find(" ".join(name.split()))
        return None if found is None else found.info

    def as_client(self, name: str) -> Caller:
        """A client as the person looks through its eyes; raises `BadInput` for an unknown one."""
        client = self._called(name)
        return Caller(client.info, self._seal(client))

    def hello(self, token: str, program: str) -> Greeting:
        """Who a token belongs to, also one that waits, and what it says it is; raises `Denied`."""
        client = self.holder(token)
        state = None if client is None else self.state_of(client.info)
        if client is None or state not in {ClientState.ACTIVE, ClientState.WAITING}:
            raise denied()
        info = client.info
        if state is ClientState.ACTIVE:
            self.note_seen(info.name, program)
        return Greeting(info.name, state.value, tuple(sorted(info.scopes)), info.ceiling, info.expires_at)

    def note_seen(self, name: str, program: str = "") -> None:
        """When a client was here last, to the minute, and what it says it is; written in the background."""
        client = self._clients.get(name)
        if client is None:
            return
        now, info = clock.now(), client.info
        word = shown_program(program) or info.program
        is_new = info.last_seen_at is None or abs(now - info.last_seen_at) >= _SEEN_EVERY
        if is_new or word != info.program:
            self._clients[info.name] = replace(client, info=replace(info, last_seen_at=now, program=word))
            self._parts.tasks.start(self._write_seen(info.name, now, word), "note a client")

    async def _write_seen(self, name: str, at: datetime, program: str) -> None:
        # nothing depends on it
        with contextlib.suppress(Expected):
            await self._write(lambda tx: client_rows.note_seen(tx, name, at, program))

    # ----- a program that asks for access

    async def ask_access(self, program: str) -> str:
        """Ask the person for access; returns the token that waits for the answer.

        Raises:
            Refused: too many wait, too many were asked for, or the person said no to this program before.
        """
        word = shown_program(program)
        base = name_for(program, ())
        self._refuse_beggars(base)
        token = new_token()
        info = _new_info(name_for(program, self._clients), _NOTHING, ClientState.WAITING, program=word)
        info = replace(info, is_session=True, consented_at=None, expires_at=None)
        client = StoredClient(info, token_hash(token), new_key())
        self._clients[info.name] = client  # at once, so that no other one takes the name
        try:
            await self._keep(client, "ask")
        except BaseException:
            self._clients.pop(info.name, None)
            raise
        self._tell()
        return token

    async def end_access(self, token: str) -> None:
        """A program that asked for access has ended."""
        client = self.holder(token)
        if client is None or not client.info.is_session:
            return
        self._drop(client.info.name)
        self._tell()
        with contextlib.suppress(Expected):
            await self._write(lambda tx: client_rows.remove_client(tx, client.info.name))

    async def answer(self, name: str, grant: Grant | None) -> ClientInfo:
        """What a program that waits may see, or (None) nothing; raises `BadInput`."""
        async with self._turn:
            client = self._called(name)
            if client.info.state is not ClientState.WAITING:
                raise BadInput(
                    msg("The client {name} does not wait for an answer.", name=client.info.name),
                    next_step=msg("`famulus clients list` shows who does."),
                )
            if grant is None:
                self._declined[name_for(client.info.program, ())] += 1
                info = replace(client.info, state=ClientState.REVOKED)
                return await self._settle(replace(client, info=info), "decline")
            info = _granted(client.info, checked_grant(grant))
            info = replace(info, state=ClientState.ACTIVE, consented_at=clock.now())
            return await self._settle(replace(client, info=info), "allow")

    # ----- what the person does

    async def list(self) -> Sequence[ClientInfo]:
        """All clients; those that wait first."""
        found = [replace(client.info, state=self.state_of(client.info)) for client in self._clients.values()]
        return sorted(found, key=lambda info: (info.state is not ClientState.WAITING, info.name.casefold()))

    async def add(self, name: str, grant: Grant, *, program: str = "") -> NewClient:
        """Register a client, which is the consent; raises `BadInput`."""
        wanted = checked_name(name)
        self._refuse_taken(wanted)
        token = new_token()
        info = _new_info(wanted, checked_grant(grant), ClientState.ACTIVE, program=shown_program(program))
        client = StoredClient(info, token_hash(token), new_key())
        self._clients[wanted] = client
        try:
            await self._keep(client, "allow")
        except BaseException:
            self._clients.pop(wanted, None)
            raise
        self._tell()
        is_kept = await self._parts.lanes.blocking.run(self._keeper.keep, wanted, token)
        return NewClient(info, token, is_kept)

    async def change(self, name: str, grant: Grant) -> ClientInfo:
        """Grant something else; raises `BadInput`, also for one that waits or whose access was taken."""
        async with self._turn:
            client = self._called(name)
            if client.info.state is not ClientState.ACTIVE:
                raise BadInput(
                    msg("The client {name} has no access that could be changed.", name=client.info.name),
                    next_step=msg(
                        "Answer it with `famulus clients allow`, or give it a new token: famulus clients token NAME"
                    ),
                )
            return await self._settle(replace(client, info=_granted(client.info, checked_grant(grant))), "change")

    async def revoke(self, name: str) -> ClientInfo:
        """Its token holds no longer, from now on and for calls under way; raises `BadInput` for an unknown one."""
        self._bar(self._called(name))
        async with self._turn:
            # once more: another change may just have been written
            info = await self._settle(self._bar(self._called(name)), "revoke")
        self._parts.lanes.blocking.submit(self._keeper.forget, info.name)
        return info

    async def remove(self, name: str) -> None:
        """Forget a client; its log stays under its name. Raises `BadInput` for an unknown one."""
        async with self._turn:
            client = self._called(name)
            gone = client.info.name
            self._drop(gone)
            self._tell()

            def write(tx: Writer) -> None:
                client_rows.remove_client(tx, gone)
                client_rows.note_grant(tx, client.info, "remove", now=clock.now())

            await self._write(write)
        self._parts.lanes.blocking.submit(self._keeper.forget, gone)

    async def new_token(self, name: str) -> NewClient:
        """Replace a token, which gives access back that was taken; raises `BadInput` for what has no token."""
        token = new_token()
        async with self._turn:
            client = self._called(name)
            if client.info.is_session or self._is_over(client.info):
                raise BadInput(
                    msg("The access of {name} ended, or was for one run: a token would open nothing.", name=name),
                    next_step=msg("Grant it access anew: famulus clients change NAME --expires DAYS, or clients add"),
                )
            info = replace(client.info, state=ClientState.ACTIVE)
            await self._settle(replace(client, info=info, token_hash=token_hash(token)), "token")
        is_kept = await self._parts.lanes.blocking.run(self._keeper.keep, info.name, token)
        return NewClient(info, token, is_kept)

    # ----- inside

    @property
    def waiting(self) -> int:
        """How many wait for an answer."""
        return sum(client.info.state is ClientState.WAITING for client in self._clients.values())

    def _refuse_taken(self, name: str) -> None:
        if self._find(name) is not None:
            raise BadInput(
                msg("There is a client {name} already.", name=name),
                next_step=msg("Choose another name, change that one, or remove it: famulus clients remove NAME"),
            )
        if len(self._clients) >= MOST_CLIENTS:
            raise BadInput(
                msg("There are {count} clients, which is the most there can be.", count=len(self._clients)),
                next_step=msg("Remove those that you do not use: famulus clients list"),
            )

    def _refuse_beggars(self, base: str) -> None:
        now_s = clock.monotonic_s()
        while self._asked_s and self._asked_s[0] < now_s - _HOUR_S:
            self._asked_s.popleft()
        if self._declined[base] >= MOST_DECLINED:
            raise Refused(
                msg("You said no to this program several times."),
                next_step=msg("Register it yourself if you want it after all: famulus clients add NAME --scope S"),
            )
        if self.waiting >= MOST_WAITING or len(self._asked_s) >= MOST_ASKED_AN_HOUR:
            raise Refused(
                msg("Too many programs ask for access."),
                next_step=msg("Answer those that wait first: famulus clients list"),
            )
        self._asked_s.append(now_s)

    def _is_over(self, info: ClientInfo) -> bool:
        return info.expires_at is not None and info.expires_at <= clock.now()

    def state_of(self, info: ClientInfo) -> ClientState:
        """Whether a client has access now."""
        is_expired = self._is_over(info) and info.state is ClientState.ACTIVE
        return ClientState.EXPIRED if is_expired else info.state

    def _bar(self, client: StoredClient) -> StoredClient:
        """Take access away in memory before it is written: a disk that is full must not keep a door open."""
        barred = replace(client, info=replace(client.info, state=ClientState.REVOKED))
        self._clients[client.info.name] = barred
        return barred

    def _find(self, name: str) -> StoredClient | None:
        """A client by its name, in whatever case it is written."""
        found = self._clients.get(name)
        if found is not None:
            return found
        wanted = name.casefold()
        return next((one for one in self._clients.values() if one.info.name.casefold() == wanted), None)

    def _called(self, name: str) -> StoredClient:
        found = self._find(" ".join(name.split()))
        if found is None:
            raise BadInput(
                msg("There is no client {name}.", name=shown_program(name)),
                next_step=msg("`famulus clients list` shows them; `famulus clients add` registers one."),
            )
        return found

    def _seal(self, client: StoredClient) -> Seal:
        name = client.info.name
        if name not in self._seals:
            self._seals[name] = Seal(client.seal_key)
        return self._seals[name]

    def _drop(self, name: str) -> None:
        self._clients.pop(name, None)
        self._seals.pop(name, None)

    async def _settle(self, client: StoredClient, action: str) -> ClientInfo:
        """Make a change durable, let it hold, and tell of it."""
        await self._keep(client, action)
        self._clients[client.info.name] = client
        self._tell()
        return replace(client.info, state=self.state_of(client.info))

    async def _keep(self, client: StoredClient, action: str) -> None:
        def write(tx: Writer) -> None:
            client_rows.put_client(tx, client)
            client_rows.note_grant(tx, client.info, action, now=clock.now())

        await self._write(write)

    async def _write(self, work: Callable[[Writer], object]) -> None:
        def write() -> None:
            with self._database.write() as tx:
                work(tx)

        await self._parts.lanes.writer.run(write)

    def _tell(self) -> None:
        self._parts.bus.publish(ClientsChanged(self.waiting))


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


def _new_info(name: str, grant: Grant, state: ClientState, *, program: str) -> ClientInfo:
    now = clock.now()
    return ClientInfo(
        name=name,
        state=state,
        scopes=grant.scopes,
        acls=grant.acls,
        ceiling=grant.ceiling,
        rate_per_minute=grant.rate_per_minute,
        items_per_day=grant.items_per_day,
        program=program,
        is_session=False,
        created_at=now,
        consented_at=now,
        expires_at=_end_of(grant, now),
        last_seen_at=None,
    )


def _granted(info: ClientInfo, grant: Grant) -> ClientInfo:
    return replace(
        info,
        scopes=grant.scopes,
        acls=grant.acls,
        ceiling=grant.ceiling,
        rate_per_minute=grant.rate_per_minute,
        items_per_day=grant.items_per_day,
        expires_at=_end_of(grant, clock.now()),
    )


def _end_of(grant: Grant, now: datetime) -> datetime | None:
    return None if grant.expires_in_days is None else now + timedelta(days=grant.expires_in_days)
