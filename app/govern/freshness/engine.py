"""The engine that runs rules on time: it sleeps until the next moment, and catches up after a week switched off (G2.6).

The database is its memory: an armed rule whose moment has come fires, whenever that is noticed. It goes by the real
present; what a request takes for the present is the matter of `view`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from app.domain.errors import Expected
from app.domain.events import EntriesChanged
from app.govern.freshness.firing import fire_due
from app.runtime import clock
from app.store.freshness_rows import next_due

if TYPE_CHECKING:
    from datetime import datetime

    from app.runtime.bus import Bus
    from app.runtime.lanes import Lanes
    from app.store.database import Database

_LONGEST_SLEEP_S = 600.0
"""A clock that is set, and a computer that sleeps, are noticed after this time at the latest."""
_log = logging.getLogger(__name__)


class Freshness:
    """One background task; `wake` is called on the loop when there may be a new rule."""

    def __init__(self, database: Database, lanes: Lanes, bus: Bus | None = None) -> None:
        self._database = database
        self._lanes = lanes
        self._bus = bus
        self._is_due = asyncio.Event()
        self._is_due.set()

    def wake(self) -> None:
        """Look for rules that are due, and for the next moment."""
        self._is_due.set()

    async def run(self) -> None:
        """Work for ever, until cancelled."""
        while True:
            self._is_due.clear()
            sleep_s = _LONGEST_SLEEP_S
            try:
                sleep_s = await self.catch_up()
            except Expected as problem:
                _log.warning("rules could not be run: %s", problem.code)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_due.wait(), sleep_s)

    async def catch_up(self) -> float:
        """Let every rule take effect whose moment has come; returns the seconds until the next one.

        Raises:
            DiskFull, ReadOnly, Damaged, Unavailable: nothing was written.
        """
        now = clock.present()
        due = await self._lanes.readers.run(self._next_due)
        if due is not None and due <= now:
            count = await self._lanes.writer.run(self._fire, now)
            if count and self._bus is not None:
                self._bus.publish(EntriesChanged("", count))
            due = await self._lanes.readers.run(self._next_due)
        if due is None:
            return _LONGEST_SLEEP_S
        return min(_LONGEST_SLEEP_S, max(1.0, (due - clock.present()).total_seconds()))

    def _next_due(self) -> datetime | None:
        with self._database.reader() as reader:
            return next_due(reader)

    def _fire(self, now: datetime) -> int:
        with self._database.write() as tx:
            return fire_due(tx, now)
