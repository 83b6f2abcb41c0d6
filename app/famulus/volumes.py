"""How many items clients got within the last 24 hours, by a clock that nobody can set (G8.1).

The log is asked once for a client, when it first asks; from then on setting the computer's clock frees nothing. Who
counts in, before an answer leaves, is `serving_line`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from app.policy.clients import A_DAY_S, Volume
from app.runtime import clock
from app.store.request_log import handed_out_since

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.clients import ClientInfo
    from app.famulus.known_time import KnownTime
    from app.famulus.parts import Parts
    from app.store.database import Database


class Volumes:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, database: Database, time: KnownTime) -> None:
        self._parts = parts
        self._database = database
        self._time = time
        self._volumes: dict[str, Volume] = {}

    async def left(self, client: ClientInfo) -> int:
        """How many items a client may still get. Raises as the store does."""
        name = client.name
        if name not in self._volumes:
            logged = await self._logged(name)
            # somebody else may have asked the log meanwhile, and counted in since
            self._volumes.setdefault(name, logged)
        return max(0, client.items_per_day - self._volumes[name].held(clock.lasting_s()))

    def add(self, name: str, count: int) -> None:
        """Count items in that a client gets, or (negative) that it did not get after all."""
        self._volumes[name].add(count, clock.lasting_s())

    async def _logged(self, name: str) -> Volume:
        """What the log says; what it dates later than now is as old as the known time says."""
        present, known, now_s = clock.present(), self._time.latest(), clock.lasting_s()

        def read() -> Sequence[tuple[datetime, int]]:
            with self._database.reader() as reader:
                return handed_out_since(reader, name, present - timedelta(seconds=A_DAY_S))

        volume = Volume()
        rows = await self._parts.lanes.readers.run(read)
        ages = [((present if at <= present else known) - at, count) for at, count in rows]
        for age, count in sorted(ages, reverse=True):
            volume.add(count, now_s - max(0.0, age.total_seconds()))
        return volume
