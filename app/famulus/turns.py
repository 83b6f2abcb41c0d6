"""Whose turn it is: how many calls of clients run at once, and how many may wait (G8.1).

However many requests clients send, a few of them run, so that the lanes of the database stay free for the person's own
window. Not here: how often a client may ask, which is `policy.clients.Pace`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.text import msg
from app.policy.clients import Pace
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from app.domain.clients import ClientInfo

AT_ONCE = 2
"""Of one client; there are more readers than that."""
AT_ONCE_IN_ALL = 4
MOST_UNDER_WAY = 16
"""Of one client, running and waiting: half of what one connection may have, so that others get through beside it."""


class Turns:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(AT_ONCE_IN_ALL)
        self._own: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(AT_ONCE))
        self._under_way: Counter[str] = Counter()
        self._paces: defaultdict[str, Pace] = defaultdict(Pace)

    def count(self, client: ClientInfo) -> None:
        """Count a request; raises `Refused` for one too many within a minute."""
        wait_s = self._paces[client.name].take(client.rate_per_minute, clock.monotonic_s())
        if wait_s is not None:
            raise Refused(
                msg("That is more than the {count} requests a minute that were granted.", count=client.rate_per_minute),
                next_step=msg("Ask again in {seconds} seconds.", seconds=max(1, round(wait_s))),
            )

    @contextlib.asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for a client's turn; raises `Refused` where too many wait."""
        if self._under_way[client] >= MOST_UNDER_WAY:
            raise Refused(
                msg("Too many requests of this client are under way."),
                next_step=msg("Wait for their answers, then ask again."),
            )
        self._under_way[client] += 1
        try:
            async with self._own[client], self._all:
                yield
        finally:
            self._under_way[client] -= 1

    def is_within(self, client: str, most: int) -> bool:
        """Count something that is done at most so often within a minute; False where it was."""
        return self._paces[client].take(most, clock.monotonic_s()) is None
