"""What waits for the person's answer: clients that ask for access, and suggestions in the inbox (G4.6, X9.1).

Nothing is granted by ignoring it: this only counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.clients import ClientState
from app.domain.events import ClientsChanged, InboxChanged, LockStateChanged

if TYPE_CHECKING:
    from app.famulus.api import FamulusApi
    from app.runtime.bus import Bus
    from app.ui.doing import Doing


class Attention(QObject):
    """`changed` tells that a number changed; `asked` that one more client waits than before."""

    changed = Signal()
    asked = Signal()

    def __init__(self, api: FamulusApi, bus: Bus, doing: Doing) -> None:
        super().__init__()
        self._api = api
        self._doing = doing
        self._clients = 0
        self._suggestions = 0
        bus.subscribe(ClientsChanged, self._on_clients)
        bus.subscribe(InboxChanged, self._on_inbox)
        bus.subscribe(LockStateChanged, self._on_lock)

    @property
    def clients(self) -> int:
        """How many clients wait for an answer."""
        return self._clients

    @property
    def suggestions(self) -> int:
        """How many suggestions are undecided."""
        return self._suggestions

    def look(self) -> None:
        """Count anew: suggestions are there before this process is."""
        self._doing(self._count(), "count what waits", None)

    async def _count(self) -> None:
        # each is taken as it comes: what an event tells while the other is awaited is newer than this
        clients = await self._api.clients()
        self._take(
            clients=sum(client.state is ClientState.WAITING for client in clients), suggestions=self._suggestions
        )
        suggestions = await self._api.inbox()
        self._take(clients=self._clients, suggestions=len(suggestions))

    def _on_clients(self, event: ClientsChanged) -> None:
        self._take(clients=event.waiting, suggestions=self._suggestions)

    def _on_inbox(self, event: InboxChanged) -> None:
        self._take(clients=self._clients, suggestions=event.waiting)

    def _on_lock(self, event: LockStateChanged) -> None:
        if event.is_open:
            self.look()
        else:
            self._take(clients=0, suggestions=0)

    def _take(self, *, clients: int, suggestions: int) -> None:
        is_new = clients > self._clients
        is_changed = (clients, suggestions) != (self._clients, self._suggestions)
        self._clients, self._suggestions = clients, suggestions
        if is_changed:
            self.changed.emit()
        if is_new:
            self.asked.emit()
