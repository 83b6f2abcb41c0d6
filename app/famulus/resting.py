"""Gives memory back when the background work has come to rest: what many entries needed, none of them needs later.

Not what waits for a person's next question: the embedding model stays as long as the settings say.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from app.domain.errors import Expected
from app.runtime import memory

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from app.govern.work_queue import WorkQueue
    from app.runtime.lanes import Lanes

_LOOK_S = 30.0
_log = logging.getLogger(__name__)


class Resting:
    """Looks now and then whether the queues are done, and does its part once for each stretch of work.

    Args:
        queues: what has to have nothing to do, from one look to the next.
        parts: each gives back what it can; called on the loop.
    """

    def __init__(
        self, lanes: Lanes, queues: Sequence[WorkQueue], parts: Sequence[Callable[[], Awaitable[None]]]
    ) -> None:
        self._lanes = lanes
        self._queues = queues
        self._parts = parts
        self._seen = 0
        self._rested = 0

    async def watch(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_S)
            await self.look()

    async def look(self) -> None:
        """Give memory back if the queues have rested since the last look, and have worked since it was given back."""
        runs = sum(queue.runs for queue in self._queues)
        has_rested = all(queue.is_done for queue in self._queues) and runs == self._seen
        self._seen = runs
        if not has_rested or runs == self._rested:
            return
        self._rested = runs
        for part in self._parts:
            try:
                await part()
            except Expected as problem:
                _log.info("memory is given back later: %s", problem.code)
        await self._lanes.blocking.run(memory.give_back)
