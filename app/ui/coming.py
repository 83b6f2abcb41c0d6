"""What comes next in the calendar, for the first line of the tray's menu."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.events import EntriesChanged, LockStateChanged
from app.domain.labels import Status
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from app.domain.context_item import AgendaItem
    from app.ui.desk import Desk

_LOOK_EVERY_MS: Final = 60_000
_OVER: Final = frozenset({Status.DONE, Status.CANCELED, Status.SUPERSEDED})


def next_of(items: Iterable[AgendaItem], now: datetime) -> AgendaItem | None:
    """The first item that has not begun yet; what lasts all day is none that one waits for."""
    waiting = [
        item
        for item in items
        if item.start is not None and not item.is_all_day and item.start > now and item.status not in _OVER
    ]
    return min(waiting, key=lambda item: item.start or now, default=None)


class Coming(QObject):
    """`changed` tells the next item, or None."""

    changed = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look)
        desk.bus.subscribe(EntriesChanged, self._on_event)
        desk.bus.subscribe(LockStateChanged, self._on_event)

    def start(self) -> None:
        """Look now, and every minute."""
        self._timer.start()
        self.look()

    def stop(self) -> None:
        """Look no longer."""
        self._timer.stop()

    def look(self) -> None:
        """Look now."""
        if self._desk.status.is_open:
            self._desk.doing(self._load(), "next event", None)
        else:
            self.changed.emit(None)

    async def _load(self) -> None:
        now = clock.now()
        days = (now.date(), now.date() + timedelta(days=1))
        found = [item for day in days for item in await self._desk.api.agenda(day.isoformat(), is_asked=False)]
        self.changed.emit(next_of(found, now))

    def _on_event(self, _: object) -> None:
        self.look()
