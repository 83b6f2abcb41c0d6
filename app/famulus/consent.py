"""Programs that ask for access by themselves, and the person's answer (G4.6).

Nothing is handed out before the answer, and what was allowed ends with the process that asked.
"""

from __future__ import annotations

import contextlib
from collections import Counter, deque
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.clients import ClientState, Grant
from app.domain.errors import BadInput, Expected, Refused
from app.domain.labels import Sensitivity
from app.domain.text import msg
from app.famulus.client_tokens import new_token, token_hash
from app.famulus.granting import granted, new_info
from app.famulus.sealing import new_key
from app.policy.clients import name_for, shown_program
from app.runtime import clock
from app.store.client_rows import StoredClient, remove_client

if TYPE_CHECKING:
    from app.domain.clients import ClientInfo
    from app.famulus.client_registry import ClientRegistry

MOST_WAITING = 8
MOST_ASKED_AN_HOUR = 60
MOST_DECLINED = 3
"""How often the person has to say no to a program before it may not ask again until Famulus starts anew."""
_HOUR_S = 3600.0
_NOTHING = Grant(frozenset(), Sensitivity.PUBLIC, frozenset(), 1, 1, None)


class Consent:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, registry: ClientRegistry) -> None:
        self._registry = registry
        self._declined: Counter[str] = Counter()
        self._asked_s: deque[float] = deque()

    async def ask_access(self, program: str, *, instead_of: str = "") -> str:
        """Ask the person for access; returns the token that waits for the answer, or `instead_of` while it is known.

        Raises:
            Refused: too many wait, too many were asked for, or the person said no to this program before.
        """
        if self._registry.holder(instead_of) is not None:
            return instead_of
        self._refuse_beggars(name_for(program, ()))
        token = new_token()
        name = name_for(program, self._registry.names)
        info = new_info(name, _NOTHING, ClientState.WAITING, program=shown_program(program))
        info = replace(info, is_session=True, consented_at=None)
        await self._registry.enter(StoredClient(info, token_hash(token), new_key()), "ask_access")
        return token

    async def end_access(self, token: str) -> None:
        """A program that asked for access has ended; its token holds no longer. Nothing for other tokens."""
        registry = self._registry
        client = registry.holder(token)
        if client is None or not client.info.is_session:
            return
        name = client.info.name
        registry.drop(name)
        async with registry.turn:
            registry.drop(name)  # once more: an answer may just have been written
            registry.tell()
            # who is not in memory has no access, and the next start removes the row
            with contextlib.suppress(Expected):
                await registry.write(lambda tx: remove_client(tx, name))

    async def answer(self, name: str, grant: Grant | None) -> ClientInfo:
        """What a program that waits may see, or (None) nothing; raises `BadInput`, `Refused` as `ClientDesk.add`."""
        async with self._registry.turn:
            client = self._registry.called(name)
            if client.info.state is not ClientState.WAITING:
                raise BadInput(
                    msg("The client {name} does not wait for an answer.", name=client.info.name),
                    next_step=msg("`famulus clients list` shows who does."),
                )
            if grant is None:
                self._declined[name_for(client.info.program, ())] += 1
                info = replace(client.info, state=ClientState.REVOKED)
                return await self._registry.settle(replace(client, info=info), "deny")
            info = granted(client.info, self._registry.checked(grant))
            info = replace(info, state=ClientState.ACTIVE, consented_at=clock.now())
            return await self._registry.settle(replace(client, info=info), "allow")

    def _refuse_beggars(self, base: str) -> None:
        now_s = clock.monotonic_s()
        while self._asked_s and self._asked_s[0] < now_s - _HOUR_S:
            self._asked_s.popleft()
        if self._declined[base] >= MOST_DECLINED:
            raise Refused(
                msg("The person said no to this program several times."),
                next_step=msg("The person can register it all the same: famulus clients add NAME --scope S"),
            )
        if self._registry.waiting >= MOST_WAITING or len(self._asked_s) >= MOST_ASKED_AN_HOUR:
            raise Refused(
                msg("Too many programs ask for access."),
                next_step=msg("Try again when the person has answered those that wait: famulus clients list"),
            )
        self._asked_s.append(now_s)
