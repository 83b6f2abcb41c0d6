"""The two ways in which a request comes with a token: the process has one (stdio), or every request does (HTTP)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.mcp_server.owner import Owner


@dataclass(frozen=True, slots=True)
class Carried:
    """The token that came with one request over HTTP."""

    value: str

    async def token(self, program: str) -> str:
        """See `Passport`."""
        del program
        return self.value

    async def renewed(self, token: str, program: str) -> str:
        """See `Passport`."""
        del program
        return token

    @property
    def is_known(self) -> bool:
        """See `Passport`."""
        return True

    def take_news(self) -> bool:
        """See `Passport`."""
        return False


class OfProcess:
    """The token of a process that serves one program on stdio.

    Args:
        find: finds what the program was set up with, and may block on a keychain's prompt. Without it the person is
            asked for access at the first question, and once only: who said no is not asked again. Only where the owner
            has forgotten the access, since the database was closed, does the next question ask for it anew.
    """

    def __init__(self, owner: Owner, find: Callable[[], str] | None) -> None:
        self._owner = owner
        self._find = find
        self._token: str | None = None
        self._is_news = find is None
        self._asking = asyncio.Lock()

    @property
    def is_known(self) -> bool:
        """See `Passport`."""
        return self._find is not None or self._token is not None

    async def token(self, program: str) -> str:
        """See `Passport`."""
        async with self._asking:
            if self._token is None:
                self._token = await self._found(program)
            return self._token

    async def renewed(self, token: str, program: str) -> str:
        """See `Passport`."""
        async with self._asking:
            if self._find is None and self._token == token:
                self._token = await self._owner.ask(lambda api: api.ask_access(program, instead_of=token))
                self._is_news = self._is_news or self._token != token
            return self._token or token

    def take_news(self) -> bool:
        """See `Passport`. Asked after a question was answered, which one of a token that waits never is."""
        is_new, self._is_news = self._is_news, False
        return is_new

    async def leave(self) -> None:
        """Give up what the person was asked for."""
        token = self._token
        if token is not None and self._find is None:
            await self._owner.ask(lambda api: api.end_access(token))

    async def _found(self, program: str) -> str:
        if self._find is None:
            return await self._owner.ask(lambda api: api.ask_access(program))
        token = await asyncio.get_running_loop().run_in_executor(None, self._find)
        await self._owner.ask(lambda api: api.client_hello(token, program=program))
        return token
