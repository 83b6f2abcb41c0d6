"""The state of the house as the window last heard of it, asked for again whenever something happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.events import EntriesChanged, LockStateChanged, ModelStateChanged, SourceChanged, SyncFinished
from app.famulus.api import LockState, ModelState

if TYPE_CHECKING:
    from app.famulus.api import FamulusApi, StatusReport
    from app.runtime.bus import Bus
    from app.ui.doing import Doing

_TELLING = (EntriesChanged, LockStateChanged, ModelStateChanged, SourceChanged, SyncFinished)


class StatusWatch(QObject):
    """Holds the last report. One question at a time: events that arrive meanwhile are answered by one more."""

    changed = Signal()

    def __init__(self, api: FamulusApi, bus: Bus, doing: Doing) -> None:
        super().__init__()
        self._api = api
        self._doing = doing
        self._report: StatusReport | None = None
        self._is_asking = False
        self._is_stale = False
        for kind in _TELLING:
            bus.subscribe(kind, self._on_event)

    @property
    def report(self) -> StatusReport | None:
        """The last one; None before the first."""
        return self._report

    @property
    def is_open(self) -> bool:
        """Whether the database can be asked."""
        return self._report is not None and self._report.lock is LockState.OPEN

    @property
    def is_meaning_ready(self) -> bool:
        """Whether things are found by meaning as well as by words."""
        return self._report is not None and self._report.model is ModelState.READY

    async def refresh(self) -> None:
        """Ask now, and tell."""
        self._report = await self._api.status()
        self.changed.emit()

    def ask_again(self) -> None:
        """Ask soon."""
        self._is_stale = True
        if not self._is_asking:
            self._is_asking = True
            self._doing(self._ask(), "status", None)

    def _on_event(self, _: object) -> None:
        self.ask_again()

    async def _ask(self) -> None:
        try:
            while self._is_stale:
                self._is_stale = False
                await self.refresh()
        finally:
            self._is_asking = False
