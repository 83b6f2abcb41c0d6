"""The clients: those that wait for an answer first, then what each may read; add, connect, change, revoke (G4.6)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal

from app.domain.clients import ClientState
from app.domain.events import ClientsChanged
from app.domain.text import msg
from app.runtime import clock
from app.ui import moments
from app.ui.pages.agents.client_acts import ClientActs
from app.ui.pages.agents.client_card import ClientCard
from app.ui.pages.agents.waiting_card import WaitingCard
from app.ui.pages.sections import Section
from app.ui.parts.banner import Banner, EmptyState
from app.ui.parts.buttons import button
from app.ui.parts.card_list import CardList
from app.ui.parts.filter_field import FilterField
from app.ui.parts.layouts import beside, column, page_of
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.domain.clients import ClientInfo, Grant
    from app.ui.desk import Desk

_USUAL_SCOPES = frozenset({"personal", "work"})


class ClientsSection(Section):
    """`wants_audit` tells a client whose reading somebody wants to see."""

    wants_audit = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.clients: Sequence[ClientInfo] = ()
        self.scopes: frozenset[str] = _USUAL_SCOPES
        self.waiting: dict[str, WaitingCard] = {}
        self._allowed: str | None = None
        self.banner = Banner(desk.wording, desk.theme)
        self.clock_line = Banner(desk.wording, desk.theme)
        self.filter = FilterField(desk.wording, desk.theme, msg("Find an agent"))
        self._asking = column(gap=GAP)
        self.list: CardList[str, ClientInfo, ClientCard] = CardList(desk.wording, self._card, _keep, self._fits)
        self._empty = EmptyState(
            desk.wording,
            desk.theme,
            "agents",
            msg("No agent may read from Famulus."),
            msg("Connect a program that speaks MCP, and say what it may read. Nothing is read without your yes."),
        )
        self.acts = ClientActs(self, desk)
        self._build()
        self.filter.narrowed.connect(self.list.narrow)
        desk.bus.subscribe(ClientsChanged, lambda _: self.refresh())

    @property
    def cards(self) -> Mapping[str, ClientCard]:
        """The cards that are made, by their clients' names."""
        return self.list.cards

    def refresh(self) -> None:
        """Ask for the clients anew."""
        if self._desk.status.is_open:
            self._desk.doing(self.load(), "clients", self.banner)

    def show_waiting(self) -> None:
        """Lead the person to the one that waits; the keyboard stands on *Don't*."""
        if self._desk.status.is_open:
            self._desk.doing(self._load_and_lead(), "clients", self.banner)

    async def load(self) -> None:
        """Fetch and show the clients, and the scopes that there are to grant."""
        sources = await self._desk.api.sources()
        self.clients = await self._desk.api.clients()
        self._show_clock(await self._desk.api.time_ahead())
        granted = {scope for client in self.clients for scope in client.scopes}
        found = {source.scope for source in sources if source.scope}
        # notes of one's own belong to a scope that no source has
        self.scopes = _USUAL_SCOPES | found | granted
        self._show()

    def _show(self) -> None:
        waiting = {client.name: client for client in self.clients if client.state is ClientState.WAITING}
        settled = {client.name: client for client in self.clients if client.state is not ClientState.WAITING}
        for name in [name for name, card in self.waiting.items() if not _is_same(card.client, waiting.get(name))]:
            card = self.waiting.pop(name)
            card.hide()
            card.deleteLater()
        for name, client in waiting.items():
            if name in self.waiting:
                self.waiting[name].show_age()
            else:
                self._add_waiting(client)
        self.list.show_items(settled)
        if self._allowed is not None and all(client.name != self._allowed for client in self.clients):
            # it ended, and with it what was said of it
            self._allowed = None
            self.banner.clear()
        self._empty.setVisible(not self.clients)
        self.filter.setVisible(len(settled) > 1)

    def _show_clock(self, ahead: datetime | None) -> None:
        """Why access may have ended before its day; only the person knows which clock was right."""
        if ahead is None:
            self.clock_line.clear()
            return
        day = moments.written_date(ahead.astimezone(clock.zone()).date(), self._desk.wording)
        self.clock_line.show_note(
            msg("The clock of this computer was at {day} before. Access ends by that time.", day=day),
            msg("If the clock is right now, say so: then access that ended only by that time holds again."),
        )
        self.clock_line.offer(msg("The clock is right"), self._trust_clock)

    def _trust_clock(self) -> None:
        self._desk.doing(self._trust_and_load(), "trust the clock", self.banner)

    async def _trust_and_load(self) -> None:
        await self._desk.api.trust_clock()
        await self.load()

    async def _load_and_lead(self) -> None:
        await self.load()
        # only once it is laid out it has a place to scroll to
        QTimer.singleShot(0, self._lead)

    def _lead(self) -> None:
        for card in list(self.waiting.values())[:1]:
            card.dont_button.setFocus()
            if (page := page_of(self)) is not None:
                page.ensureWidgetVisible(card)

    def _add_waiting(self, client: ClientInfo) -> None:
        card = WaitingCard(self._desk, client, self.scopes)
        card.answered.connect(self._answer)
        self.waiting[client.name] = card
        self._asking.addWidget(card)

    def _card(self, client: ClientInfo) -> ClientCard:
        card = ClientCard(self._desk, client)
        card.wants.connect(self._on_wanted)
        return card

    def _fits(self, client: ClientInfo) -> bool:
        return self.filter.fits((client.name, client.program, *client.scopes))

    def _on_wanted(self, act: str, client: ClientInfo) -> None:
        if act == "audit":
            self.wants_audit.emit(client.name)
        else:
            self.acts.do(act, client)

    def _answer(self, name: str, grant: Grant | None) -> None:
        card = self.waiting[name]
        work = self._answer_and_load(name, grant)
        self._desk.doing(work, "answer a client", self.banner, busy=(card.dont_button, card.allow_button))

    async def _answer_and_load(self, name: str, grant: Grant | None) -> None:
        await self._desk.api.answer_client(name, grant)
        if grant is None:
            self.banner.show_note(msg("{name} gets nothing.", name=name))
        else:
            self.banner.show_note(msg("{name} may read now.", name=name), msg("You can revoke it here at any time."))
            self._allowed = name
        await self.load()

    def _build(self) -> None:
        wording, theme = self._desk.wording, self._desk.theme
        self.connect_button = button(
            wording,
            msg("Connect a program\N{HORIZONTAL ELLIPSIS}"),
            partial(self.acts.connect_program, None),
            role="primary",
            theme=theme,
            icon="plus",
        )
        self.add_button = button(
            wording, msg("Add by hand\N{HORIZONTAL ELLIPSIS}"), self.acts.add, theme=theme, icon="plus"
        )
        self.content.addLayout(beside(self.connect_button, self.add_button))
        self.content.addWidget(self.banner)
        self.content.addWidget(self.clock_line)
        self.content.addLayout(self._asking)
        self.content.addWidget(self.filter)
        self.content.addWidget(self._empty)
        self.content.addWidget(self.list)
        for widget in (self._empty, self.filter):
            widget.hide()


def _keep(card: ClientCard, client: ClientInfo) -> bool:
    """Bring a card up to date, if it still is of this client."""
    if not _is_same(card.client, client):
        return False
    card.show_client(client)
    return True


def _is_same(shown: ClientInfo, now: ClientInfo | None) -> bool:
    """Whether it still is the client that a card shows; a name that became free may be another's by now."""
    return now is not None and shown.created_at == now.created_at
