"""Sets a program up to ask Famulus as a client, whose token the keychain holds (G4.6).

A token is never written into another program's configuration: without a keychain the piece, with the token in it, is
handed to the person, who may put it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.clients import ClientState, Connection
from app.domain.errors import BadInput, Denied, Unreadable
from app.domain.text import msg
from app.famulus.client_programs import program_called, programs
from app.famulus.client_tokens import TokenKeeper
from app.runtime.processes import command_for_others

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.clients import ClientInfo, ClientProgram, Grant
    from app.famulus.client_desk import ClientDesk
    from app.famulus.client_programs import Program
    from app.famulus.client_registry import ClientRegistry
    from app.famulus.parts import Parts


class Connecting:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, registry: ClientRegistry, clients: ClientDesk) -> None:
        self._parts = parts
        self._registry = registry
        self._clients = clients
        self._keeper = TokenKeeper(parts.paths, parts.keychain)

    async def programs(self) -> Sequence[ClientProgram]:
        """Programs that can be connected; those that are on this device first."""

        def look() -> list[ClientProgram]:
            return sorted((program.info for program in programs()), key=lambda info: not info.is_present)

        return await self._parts.lanes.blocking.run(look)

    async def connect(self, name: str, program_id: str, *, grant: Grant | None, is_writing: bool) -> Connection:
        """Connect a program; see `ServingApi.connect_client`.

        Raises:
            BadInput: an unknown program, or a client that has no grant.
            Unreadable: the program's configuration cannot be changed; no client was registered.
        """
        blocking = self._parts.lanes.blocking
        program = await blocking.run(program_called, program_id)
        if is_writing:
            # before anybody gets a token
            await blocking.run(program.changed, program.server(self._command(name)))
        is_new = self._registry.find(name) is None
        info, token = await self._client(name, program, grant)
        command = self._command(info.name)
        if token is not None:
            text = program.piece(program.server(command, token))
            return Connection(info, program.program_id, text, token=token)
        server = program.server(command)
        if not is_writing:
            return Connection(info, program.program_id, program.piece(server))

        def write() -> str | None:
            backup = program.put(server)
            return None if backup is None else str(backup)

        try:
            backup = await blocking.run(write)
        except Unreadable:
            if is_new:
                await self._clients.remove(info.name)
            raise
        return Connection(info, program.program_id, program.piece(server), str(program.path), backup)

    async def _client(self, name: str, program: Program, grant: Grant | None) -> tuple[ClientInfo, str | None]:
        """The client, and its token where no keychain has it."""
        found = self._registry.find(name)
        if found is None:
            if grant is None:
                raise BadInput(
                    msg("There is no client {name} yet, and nothing was said of what it may see.", name=name[:60]),
                    next_step=msg("Say it: --scope work --ceiling internal"),
                )
            made = await self._clients.add(name, grant, program=program.name)
            return made.client, None if made.is_in_keychain else made.token
        known = found.info
        if self._registry.state_of(known) is not ClientState.ACTIVE or known.is_session:
            raise BadInput(
                msg("The client {name} has no access that lasts.", name=known.name),
                next_step=msg("Choose another name, or give it a new token first: famulus clients token NAME"),
            )
        if grant is not None:
            known = await self._clients.change(known.name, grant)
        if await self._parts.lanes.blocking.run(self._has_token, known.name):
            return known, None
        renewed = await self._clients.new_token(known.name)
        return renewed.client, None if renewed.is_in_keychain else renewed.token

    def _has_token(self, name: str) -> bool:
        """Whether the keychain has the token that holds now."""
        try:
            token = self._keeper.token(name)
        except Denied:
            return False
        holder = self._registry.holder(token)
        return holder is not None and holder.info.name == name

    def _command(self, name: str) -> list[str]:
        """What the program runs."""
        basedir = self._parts.paths.basedir
        place = [] if basedir is None else ["--basedir", str(basedir)]
        return [*command_for_others(), *place, "mcp", "--client", name]
