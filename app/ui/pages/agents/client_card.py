"""A client that was answered: what it may read, how much, until when, and what can be done about it (G4.6)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy

from app.domain.clients import ClientState
from app.domain.text import Text, msg
from app.runtime import clock
from app.ui import naming
from app.ui.pages.agents import granting
from app.ui.parts.buttons import button, glyph
from app.ui.parts.labels import ElidedLabel, pictured, plain, set_role
from app.ui.parts.layouts import column, row
from app.ui.parts.tile import tile
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_TINY

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from app.domain.clients import ClientInfo
    from app.ui.desk import Desk

_PROGRAM_CHARACTERS: Final = 120
_ACTS: Final = (
    ("change", "settings", msg("Change what it may read\N{HORIZONTAL ELLIPSIS}")),
    ("connect", "agents", msg("Connect a program\N{HORIZONTAL ELLIPSIS}")),
    ("token", "key", msg("Make a new token\N{HORIZONTAL ELLIPSIS}")),
    ("revoke", "stop", msg("Revoke\N{HORIZONTAL ELLIPSIS}")),
    ("remove", "trash", msg("Remove\N{HORIZONTAL ELLIPSIS}")),
)
_FITTING: Final = {
    ClientState.ACTIVE: frozenset({"change", "connect", "token", "revoke", "remove"}),
    ClientState.EXPIRED: frozenset({"change", "remove"}),
    ClientState.REVOKED: frozenset({"token", "remove"}),
    ClientState.WAITING: frozenset({"remove"}),
}
_FOR_LASTING: Final = frozenset({"connect", "token"})
"""Not for what ends with the program that asked."""


class ClientCard(QFrame):
    """`wants` tells what is to be done (audit, change, connect, token, revoke, remove) and the client.

    Attributes:
        is_unwritten: its access was taken, which could not be written down: revoking can be tried again.
    """

    wants = Signal(str, object)

    def __init__(self, desk: Desk, client: ClientInfo) -> None:
        super().__init__()
        self._desk = desk
        self.client = client
        self.is_unwritten = False
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        wording, theme = desk.wording, desk.theme
        self._name, self._program = ElidedLabel("heading"), ElidedLabel("small")
        self._glyph = pictured(theme, "done", "accent", size=16)
        self._state = plain(role="small", is_wrapping=True)
        self._reach = plain(is_wrapping=True)
        self._limits = plain(role="small", is_wrapping=True)
        self.audit_button = button(wording, msg("What it read"), partial(self._want, "audit"), role="quiet")
        name = client.name
        wording.bind(self.audit_button, "setAccessibleName", msg("What {name} read", name=name))
        self.more_button = glyph(wording, theme, "more", msg("More about {name}", name=name), self._open_menu)
        self._menu = QMenu(self)
        self.acts = {act: self._add(act, icon, text) for act, icon, text in _ACTS}
        self._build()
        wording.changed.connect(self._show)
        self._show()

    def show_client(self, client: ClientInfo) -> None:
        """Show the client as it is now."""
        self.client = client
        self._show()

    def _want(self, act: str) -> None:
        self.wants.emit(act, self.client)

    def _show(self) -> None:
        wording, client, now = self._desk.wording, self.client, clock.now()
        self._name.show_text(client.name)
        program = naming.in_one_line(client.program, _PROGRAM_CHARACTERS)
        self._program.show_text(program)
        # one that asked by itself is named after what it said it is
        self._program.setVisible(not client.name.startswith(program) and not program.startswith(client.name))
        icon, ink, state = naming.client_state(client.state)
        self._desk.theme.bind_picture(self._glyph, icon, ink, size=16)
        set_role(self._state, "warning" if ink == "asks" else "small")
        parts: list[Text] = [state, granting.expiry(client, wording, now), granting.last_seen(client, wording, now)]
        self._state.setText(naming.DOT.join(wording.say(part) for part in parts))
        self._reach.setText(wording.say(granting.reach(client, wording)))
        self._limits.setVisible(bool(client.scopes))
        self._limits.setText(wording.say(granting.limits(client, wording)))
        self.setAccessibleName(f"{client.name}, {wording.say(state)}")

    def _open_menu(self) -> None:
        fitting = _FITTING[self.client.state] - (_FOR_LASTING if self.client.is_session else frozenset())
        fitting |= {"revoke"} if self.is_unwritten else frozenset()
        for act, action in self.acts.items():
            action.setVisible(act in fitting)
        self._menu.popup(self.more_button.mapToGlobal(self.more_button.rect().bottomLeft()))

    def _add(self, act: str, icon: str, text: Text) -> QAction:
        action = self._menu.addAction("")
        self._desk.theme.bind_icon(action, icon, size=16)
        self._desk.wording.bind(action, "setText", text)
        action.triggered.connect(lambda _: self._want(act))
        return action

    def _build(self) -> None:
        names = column(gap=2)
        names.addWidget(self._name)
        names.addWidget(self._program)
        head = row(gap=GAP)
        head.addWidget(tile(self._desk.theme, "agents"), 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(names, 1)
        head.addWidget(self.audit_button)
        head.addWidget(self.more_button)
        state = row(gap=GAP_TINY + 2)
        state.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self._state, 1)
        words = column(gap=GAP_TINY)
        words.addWidget(self._reach)
        words.addWidget(self._limits)
        whole = column(gap=GAP, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        whole.addLayout(head)
        whole.addLayout(words)
        whole.addLayout(state)
        self.setLayout(whole)
