"""Whose turn it is: how often clients may ask, how many of their calls run at once, and how many may wait (G8.1).

However many requests clients send, a few of them run, so that the lanes of the database stay free for the person's own
window.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.text import counted, msg
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


class Paces:
    """How often each client did something within the last minute. On the loop alone."""

    def __init__(self) -> None:
        self._paces: defaultdict[str, Pace] = defaultdict(Pace)

    def is_within(self, client: str, most: int) -> bool:
        """Count it in; False, and nothing is counted, where that is once too often."""
        return self._paces[client].take(most, clock.monotonic_s()) is None

    def count(self, client: ClientInfo, most: int | None = None) -> None:
        """Count it in; raises `Refused` for more than was granted, or than `most`."""
        granted = client.rate_per_minute
        wait_s = self._paces[client.name].take(granted if most is None else most, clock.monotonic_s())
        if wait_s is not None:
            raise Refused(
                counted(
                    "That is more than the {count} request a minute that was granted.",
                    "That is more than the {count} requests a minute that were granted.",
                    count=granted,
                ),
                next_step=counted(
                    "Ask again in {seconds} second.", "Ask again in {seconds} seconds.", seconds=max(1, round(wait_s))
                ),
            )


class Turns:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(AT_ONCE_IN_ALL)
        self._own: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(AT_ONCE))
        self._under_way: Counter[str] = Counter()

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
