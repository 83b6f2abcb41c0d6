"""What the person does with clients: register, change, revoke and forget them, replace their tokens (G4.6, G8.1)."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.clients import ClientInfo, ClientState, Grant, NewClient
from app.domain.errors import BadInput, Expected
from app.domain.text import msg
from app.famulus.client_tokens import TokenKeeper, new_token, token_hash
from app.famulus.granting import granted, new_info
from app.famulus.sealing import new_key
from app.policy.clients import checked_name, shown_program
from app.runtime import clock
from app.store import client_rows
from app.store.client_rows import StoredClient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from concurrent.futures import Future

    from app.famulus.client_registry import ClientRegistry
    from app.famulus.parts import Parts
    from app.store.connection import Writer

MOST_CLIENTS = 500


class ClientDesk:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, registry: ClientRegistry) -> None:
        self._parts = parts
        self._registry = registry
        self._keeper = TokenKeeper(parts.paths, parts.keychain)
        self._forgetting: Future[None] | None = None

    async def list(self) -> Sequence[ClientInfo]:
        """All clients; those that wait first."""
        return sorted(
            self._registry.infos, key=lambda info: (info.state is not ClientState.WAITING, info.name.casefold())
        )

    async def add(self, name: str, grant: Grant, *, program: str = "") -> NewClient:
        """Register a client, which is the consent; raises `BadInput`, and `Refused` under a clock that is behind."""
        wanted, checked = checked_name(name), self._registry.checked(grant)
        self._refuse_taken(wanted)
        token = new_token()
        info = new_info(wanted, checked, ClientState.ACTIVE, program=shown_program(program))
        await self._registry.enter(StoredClient(info, token_hash(token), new_key()), "allow")
        return await self._with_token(info, token)

    async def change(self, name: str, grant: Grant) -> ClientInfo:
        """Grant something else; raises `BadInput`, also for one that waits or whose access was taken, as `add`."""
        async with self._registry.turn:
            client = self._registry.called(name)
            if client.info.state is not ClientState.ACTIVE:
                raise BadInput(
                    msg("The client {name} has no access that could be changed.", name=client.info.name),
                    next_step=msg(
                        "Answer it with `famulus clients allow`, or give it a new token: famulus clients token NAME"
                    ),
                )
            changed = replace(client, info=granted(client.info, self._registry.checked(grant)))
            return await self._registry.settle(changed, "change")

    async def revoke(self, name: str) -> ClientInfo:
        """Its token holds no longer, from now on and for calls under way; raises `BadInput` for an unknown one."""
        registry = self._registry
        registry.bar(registry.called(name))
        async with registry.turn:
            # once more: another change may just have been written
            client = registry.bar(registry.called(name))
            async with self._ending():
                info = await registry.settle(client, "revoke")
        self._forget_token(info.name)
        return info

    async def remove(self, name: str) -> None:
        """Forget a client; its log stays under its name. Raises `BadInput` for an unknown one."""
        registry = self._registry
        registry.bar(registry.called(name))
        async with registry.turn:
            info = registry.bar(registry.called(name)).info

            def write(tx: Writer) -> None:
                client_rows.remove_client(tx, info.name)
                client_rows.note_grant(tx, info, "remove", now=clock.present())

            async with self._ending():
                await registry.write(write)
            registry.drop(info.name)
            registry.tell()
        self._forget_token(info.name)

    @contextlib.asynccontextmanager
    async def _ending(self) -> AsyncIterator[None]:
        """Access that was taken in memory is told of, also where that cannot be written."""
        try:
            yield
        except Expected as problem:
            self._registry.tell()
            problem.lost = msg("It has no access now, but that could not be written: it has again after a restart.")
            raise

    async def new_token(self, name: str) -> NewClient:
        """Replace a token, which gives access back that was taken; raises `BadInput` for what has no token."""
        token = new_token()
        async with self._registry.turn:
            client = self._registry.called(name)
            if client.info.is_session or self._registry.is_over(client.info):
                raise BadInput(
                    msg(
                        "The access of {name} ended, or was for one run: a token would open nothing.",
                        name=client.info.name,
                    ),
                    next_step=msg("Grant it access anew: famulus clients change NAME --expires DAYS, or clients add"),
                )
            info = replace(client.info, state=ClientState.ACTIVE)
            await self._registry.settle(replace(client, info=info, token_hash=token_hash(token)), "token")
        return await self._with_token(info, token)

    async def _with_token(self, info: ClientInfo, token: str) -> NewClient:
        """Hand a token out, and to the keychain where there is one."""
        if self._forgetting is not None:
            # who comes back under the same name must not lose the new token with the old one
            await asyncio.wait([asyncio.wrap_future(self._forgetting)])
        is_kept = await self._parts.lanes.blocking.run(self._keeper.keep, info.name, token)
        return NewClient(info, token, is_kept)

    def _forget_token(self, name: str) -> None:
        """Take a token out of the keychain, which nobody waits for: it holds no longer anyway."""
        self._forgetting = self._parts.lanes.blocking.submit(self._keeper.forget, name)

    def _refuse_taken(self, name: str) -> None:
        if self._registry.find(name) is not None:
            raise BadInput(
                msg("There is a client {name} already.", name=name),
                next_step=msg("Choose another name, change that one, or remove it: famulus clients remove NAME"),
            )
        count = len(self._registry.names)
        if count >= MOST_CLIENTS:
            raise BadInput(
                msg("There are {count} clients, which is the most there can be.", count=count),
                next_step=msg("Remove those that you do not use: famulus clients list"),
            )
