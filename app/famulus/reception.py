"""All that clients, and the person about clients, answers and figures, are answered by while the database is open.

Made, started and closed by `offices`. The context itself comes from `context.desk`; nothing here chooses what is found.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from app.famulus.client_desk import ClientDesk
from app.famulus.client_registry import ClientRegistry
from app.famulus.connecting import Connecting
from app.famulus.consent import Consent
from app.famulus.inbox_desk import InboxDesk
from app.famulus.mark_desk import MarkDesk
from app.famulus.metrics_desk import MetricsDesk
from app.famulus.outcome_desk import OutcomeDesk
from app.famulus.review_desk import ReviewDesk
from app.famulus.serving_desk import ServingDesk
from app.famulus.serving_line import ServingLine
from app.famulus.tuning_desk import TuningDesk

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from app.context.desk import ContextDesk
    from app.famulus.clips import Clips
    from app.famulus.house import House
    from app.famulus.parts import Parts


class Reception:
    """See the module docstring. Its methods are called on the loop.

    Args:
        waiting: tells how many entries wait to be understood.
    """

    def __init__(
        self,
        parts: Parts,
        house: House,
        *,
        desk: ContextDesk,
        clips: Clips,
        waiting: Callable[[], Awaitable[int]],
    ) -> None:
        database, context, book = house.store.database, house.context, house.book
        self._parts = parts
        self.registry = ClientRegistry(parts, database, book.time)
        self.clients = ClientDesk(parts, self.registry)
        self.consent = Consent(self.registry)
        self.connecting = Connecting(parts, self.registry, self.clients)
        line = ServingLine(parts, database, self.registry, book)
        self._book = book
        self.serving = ServingDesk(parts, database, desk, self.registry, line)
        self.inbox = InboxDesk(parts, database, line, clips)
        self.outcomes = OutcomeDesk(parts, database, line)
        self.metrics = MetricsDesk(database, parts.lanes, waiting, self._book.settle)
        self.marks = MarkDesk(database, parts.lanes, desk, context)
        self.tuning = TuningDesk(parts, database, context)
        self.reviews = ReviewDesk(parts, database, waiting, self.tuning.look)
        self._tasks: list[asyncio.Task[Any]] = []

    async def start(self) -> None:
        """Know the clients, and begin what is done by the clock."""
        await self.registry.start()
        self._tasks.append(self._parts.tasks.start(self._book.forget_old(), "forget old requests"))
        self._tasks.append(self._parts.tasks.start(self.reviews.run(), "write reviews"))

    async def close(self) -> None:
        """End what is done by the clock, and write down the requests that were answered."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # it is the house's, and goes on where these could not be opened
        await self._book.settle()
        await self.registry.time.keep()
