"""The egress ledger of an open database: each line is durable before what it tells of may leave (X7.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.runtime import clock
from app.store.egress import egress_lines, note_egress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.outgoing import Egress, EgressLine
    from app.runtime.lanes import Lanes
    from app.store.database import Database


class Ledger:
    """An `EgressLedger` over the writer lane."""

    def __init__(self, database: Database, lanes: Lanes) -> None:
        self._database = database
        self._lanes = lanes

    def note(self, egress: Egress) -> None:
        """Take one down and wait until it is kept; never called on the writer lane itself.

        Raises:
            DiskFull, ReadOnly, Damaged, Unavailable: it could not be kept, so nothing may leave.
        """
        self._lanes.writer.submit(self._write, egress).result()

    async def lines(self, *, limit: int, since: datetime | None = None) -> Sequence[EgressLine]:
        """The latest lines, newest first."""

        def read() -> Sequence[EgressLine]:
            with self._database.reader() as reader:
                return egress_lines(reader, limit=limit, since=since)

        return await self._lanes.readers.run(read)

    def _write(self, egress: Egress) -> None:
        with self._database.write() as tx:
            note_egress(tx, egress, now=clock.now())
