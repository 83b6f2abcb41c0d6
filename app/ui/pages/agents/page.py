"""Agents: which programs may read from Famulus, what they read, and what they suggest to remember (G4.6, X9.1)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from app.domain.text import msg
from app.ui.pages.agents.audit import AuditSection
from app.ui.pages.agents.clients import ClientsSection
from app.ui.pages.agents.inbox import InboxSection
from app.ui.pages.sections import SectionedPage

if TYPE_CHECKING:
    from app.ui.desk import Desk


class AgentsPage(SectionedPage):
    """Three sections: who, what they read, what they suggest."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            desk,
            msg("Agents"),
            msg("Programs that may ask Famulus for what you know. Each sees what you allow it, and nothing else."),
            {
                "clients": (msg("Access"), self._make_clients),
                "audit": (msg("Activity"), partial(AuditSection, desk)),
                "inbox": (msg("Suggestions"), partial(InboxSection, desk)),
            },
        )
        desk.attention.changed.connect(self._show_waiting)
        self._show_waiting()

    @property
    def clients(self) -> ClientsSection:
        """See `clients`."""
        return cast("ClientsSection", self.section("clients"))

    @property
    def audit(self) -> AuditSection:
        """See `audit`."""
        return cast("AuditSection", self.section("audit"))

    @property
    def inbox(self) -> InboxSection:
        """See `inbox`."""
        return cast("InboxSection", self.section("inbox"))

    def show_waiting(self) -> None:
        """Lead the person to the client that waits for an answer."""
        self.tabs.choose("clients")
        self.clients.show_waiting()

    def _make_clients(self) -> ClientsSection:
        made = ClientsSection(self._desk)
        made.wants_audit.connect(self._show_audit)
        return made

    def _show_audit(self, name: str) -> None:
        self.tabs.choose("audit")
        self.audit.show_client(name)

    def _show_waiting(self) -> None:
        self.tabs.show_count("clients", self._desk.attention.clients)
        self.tabs.show_count("inbox", self._desk.attention.suggestions)
