"""The way to the process that owns the data: taken at the first question, and not before.

A program starts its servers when it starts itself; whether it ever asks them anything is another matter.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol, TypeVar

from app.domain.errors import Locked, PassphraseNeeded, Unavailable
from app.domain.text import msg
from app.runtime import environment

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.famulus.api import FamulusApi
    from app.famulus.api_serving import ClientApi
    from app.famulus.client import RemoteFamulus
    from app.runtime.paths import Paths

T = TypeVar("T")
AT_ONCE = 24
"""Fewer than the owner takes over one connection: the others wait here, and are not refused for those of somebody."""


class Owner(Protocol):
    """Whoever can answer a client."""

    async def ask(self, question: Callable[[ClientApi], Awaitable[T]]) -> T:
        """Ask one thing; raises `Expected` as the facade does."""

    async def close(self) -> None:
        """Hang up."""


class DistantOwner:
    """See the module docstring."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._remote: RemoteFamulus | None = None
        self._reaching = asyncio.Lock()
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def ask(self, question: Callable[[ClientApi], Awaitable[T]]) -> T:
        """Ask one thing; an owner that was just started opens its database first.

        Raises:
            Expected: as the facade does, and where no owner can be started or its database not be opened.
        """
        async with self._turns:
            api = await self._api()
            try:
                return await question(api)
            except Locked:
                await _open(api)
            return await question(api)

    async def close(self) -> None:
        """Hang up; what still runs for us is stopped there."""
        async with self._reaching:
            if self._remote is not None:
                await self._remote.close()
                self._remote = None

    async def _api(self) -> FamulusApi:
        async with self._reaching:
            if self._remote is None:
                from app.famulus.ownership import reach  # noqa: PLC0415 - not before the first question

                self._remote = await reach(self._paths)
        return self._remote.api


async def _open(api: FamulusApi) -> None:
    """Open the database with the keychain or FAMULUS_PASSPHRASE; makes none, and asks nobody."""
    from app.famulus.api import LockState  # noqa: PLC0415 - with the owner

    lock = (await api.status()).lock
    if lock is LockState.OPEN:
        return
    if lock is LockState.NEW:
        raise Unavailable(
            msg("There is nothing in Famulus yet."),
            next_step=msg("Ask the person to open Famulus once and to add a source."),
        )
    passphrase = environment.passphrase()
    if lock is LockState.PASSPHRASE_NEEDED and passphrase is None:
        raise PassphraseNeeded(
            msg("The data of Famulus is locked by a passphrase."),
            next_step=msg("Ask the person to open Famulus and to unlock it; then try again."),
        )
    await api.unlock(passphrase=passphrase)
