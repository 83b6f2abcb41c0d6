"""What time it is for whoever may not gain by a wrong clock: ends of grants, and what was read in a day (G4.6, G8.1).

    known time = the later of the computer's clock, and the latest time seen, gone on by a clock that nobody can set

It never goes back, also across restarts: the database has the latest time, written with every request of a client. So
an end that has passed stays passed. After a clock that was wrong into the future, it stands before the computer's
clock; the person sees that (`ahead`), and says which one is right (`trust`). Not here: what anybody else reckons with.
"""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.errors import Expected, Refused
from app.domain.instants import to_iso
from app.domain.text import msg
from app.runtime import clock
from app.store.latest_time import latest_time, raise_latest_time, set_latest_time

if TYPE_CHECKING:
    from datetime import datetime

    from app.famulus.parts import Parts
    from app.store.connection import Writer
    from app.store.database import Database

CLEARLY_AHEAD = timedelta(hours=1)
"""Less is a clock that was corrected, and nothing to speak of."""


class KnownTime:
    """See the module docstring. Its methods are called on the loop, but `write`."""

    def __init__(self, parts: Parts, database: Database) -> None:
        self._parts = parts
        self._database = database
        self._latest = clock.present()
        self._latest_s = clock.lasting_s()

    async def start(self) -> None:
        """Know what the database has seen. Raises as the store does."""

        def read() -> datetime | None:
            with self._database.reader() as reader:
                return latest_time(reader)

        found = await self._parts.lanes.readers.run(read)
        if found is not None and found > self.latest():
            self._latest, self._latest_s = found, clock.lasting_s()
        await self.keep()

    async def keep(self) -> None:
        """Write the known time down; a full disk is no reason to stop."""

        def keep() -> None:
            with self._database.write() as tx:
                self.write(tx)

        with contextlib.suppress(Expected):
            await self._parts.lanes.writer.run(keep)

    def write(self, tx: Writer) -> None:
        """Write the known time down within a transaction. On the writer's lane."""
        raise_latest_time(tx, self._latest)

    def latest(self) -> datetime:
        """The known time, whatever time a request brought."""
        now_s = clock.lasting_s()
        gone_on = self._latest + timedelta(seconds=max(0.0, now_s - self._latest_s))
        self._latest, self._latest_s = max(clock.present(), gone_on), now_s
        return self._latest

    def now(self) -> datetime:
        """The known time; a later one where the person asks as of then, which is not remembered."""
        return max(clock.now(), self.latest())

    def ahead(self) -> datetime | None:
        """The known time where the computer's clock stands clearly before it."""
        known = self.latest()
        return known if known - clock.present() > CLEARLY_AHEAD else None

    def refuse_behind(self) -> None:
        """Raise `Refused` where an end reckoned from the computer's clock would have passed already."""
        known = self.ahead()
        if known is not None:
            raise Refused(
                msg(
                    "This computer's clock says {now}, but Famulus has seen {later} before.",
                    now=to_iso(clock.present()),
                    later=to_iso(known),
                ),
                lost=msg("Nothing was granted: it would have ended at once."),
                next_step=msg("Set the clock right. If it is right now: famulus clients clock --is-right"),
            )

    async def trust(self) -> None:
        """The person says that the computer's clock is right, and all later times were not. Raises as the store."""
        before, now = self.latest(), clock.present()

        def keep() -> None:
            with self._database.write() as tx:
                set_latest_time(tx, now)

        # first in memory: what is written down meanwhile must not bring the other time back
        self._latest = now
        try:
            await self._parts.lanes.writer.run(keep)
        except BaseException:
            self._latest = before
            raise
