"""What governance changed by itself, for a shell: listed, shown, taken back (G2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.events import EntriesChanged
from app.govern.changes import list_changes, show, undo
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.changes import ChangeInfo
    from app.famulus.parts import Parts
    from app.store.database import Database


class ChangeDesk:
    """Its methods are called on the loop; they raise `BadInput` as `app.govern.changes` does.

    Args:
        wake: called when rules that wait may have to be looked at again.
    """

    def __init__(self, parts: Parts, database: Database, wake: Callable[[], None]) -> None:
        self._parts = parts
        self._database = database
        self._wake = wake

    async def list(self, *, limit: int, include_undone: bool) -> Sequence[ChangeInfo]:
        """The latest changes, newest first."""

        def read() -> Sequence[ChangeInfo]:
            with self._database.reader() as reader:
                return list_changes(reader, limit=limit, include_undone=include_undone)

        return await self._parts.lanes.readers.run(read)

    async def show(self, change_id: int) -> ChangeInfo:
        """One change."""

        def read() -> ChangeInfo:
            with self._database.reader() as reader:
                return show(reader, change_id)

        return await self._parts.lanes.readers.run(read)

    async def undo(self, change_id: int) -> ChangeInfo:
        """Take one back for good."""

        def write() -> ChangeInfo:
            with self._database.write() as tx:
                return undo(tx, change_id, now=clock.now())

        change = await self._parts.lanes.writer.run(write)
        self._wake()
        self._parts.bus.publish(EntriesChanged("", 1))
        return change
