"""A client that asks for access: who it says it is, what yes would give, and an answer (G4.6). No is the default.

Enter never allows. Closing the window, or leaving the card alone, grants nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from app.domain.clients import ClientState
from app.domain.text import msg
from app.runtime import clock
from app.ui import moments, naming
from app.ui.pages.agents.grant_fields import GrantFields
from app.ui.parts.buttons import Button, button, set_icon
from app.ui.parts.labels import pictured, plain, said
from app.ui.parts.layouts import beside, column, row
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QVBoxLayout

    from app.domain.clients import ClientInfo
    from app.ui.desk import Desk

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PROGRAM_CHARACTERS = 120


class AllowButton(Button):
    """Pressed by the mouse or the space bar; Enter does nothing on any desktop."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the class."""
        if event.key() in _ENTER:
            event.ignore()
        else:
            super().keyPressEvent(event)


class WaitingCard(QFrame):
    """`answered` tells the name, and a Grant or None."""

    answered = Signal(str, object)

    def __init__(self, desk: Desk, client: ClientInfo, scopes: Iterable[str]) -> None:
        super().__init__()
        self._desk = desk
        self.client = client
        self.setProperty("role", "asks")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.fields = GrantFields(desk, scopes, has_limits=False, is_session=client.is_session)
        self._effect = plain(role="body", is_wrapping=True)
        self._age = plain(role="small")
        wording = desk.wording
        self.allow_button = AllowButton("plain")
        wording.bind(self.allow_button, "setText", msg("Allow"))
        wording.bind(self.allow_button, "setAccessibleName", msg("Allow {name}", name=client.name))
        set_icon(self.allow_button, desk.theme, "check", "ink_soft")
        self.allow_button.clicked.connect(lambda _: self._allow())
        self.dont_button = button(wording, msg("Don't allow"), self._refuse)
        wording.bind(self.dont_button, "setAccessibleName", msg("Do not allow {name}", name=client.name))
        self._build()
        self.fields.changed.connect(self._show)
        wording.changed.connect(self._show)
        self._show()

    def _allow(self) -> None:
        self.answered.emit(self.client.name, self.fields.grant())

    def _refuse(self) -> None:
        self.answered.emit(self.client.name, None)

    def show_age(self) -> None:
        """Tell how long it has been asking."""
        self._age.setText(self._desk.wording.say(moments.age(self.client.created_at, clock.now())))

    def _show(self) -> None:
        self._effect.setText(self.fields.effect())
        self.allow_button.setEnabled(bool(self.fields.scopes()))
        self.show_age()

    def _build(self) -> None:
        wording, theme = self._desk.wording, self._desk.theme
        icon, ink, words = naming.client_state(ClientState.WAITING)
        state = beside(pictured(theme, icon, ink, size=16), said(wording, words, "asks-word"), gap=GAP_TINY)
        state.addWidget(self._age)
        whole = column(gap=GAP, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        whole.addLayout(state)
        whole.addLayout(self._words())
        whole.addWidget(self.fields)
        whole.addWidget(self._effect)
        foot = row(gap=GAP_SMALL)
        foot.addWidget(said(wording, msg("Until you answer, it gets nothing."), "small", is_wrapping=True), 1)
        foot.addWidget(self.allow_button)
        foot.addWidget(self.dont_button)
        whole.addLayout(foot)
        self.setLayout(whole)
        title = msg("{name} asks to read from Famulus", name=self.client.name)
        wording.bind(self, "setAccessibleName", title)

    def _words(self) -> QVBoxLayout:
        wording = self._desk.wording
        words = column(gap=GAP_TINY)
        title = msg("{name} asks to read from Famulus", name=self.client.name)
        words.addWidget(said(wording, title, "heading", is_wrapping=True))
        if said_name := naming.in_one_line(self.client.program, _PROGRAM_CHARACTERS):
            program = msg("It says that it is: {program}", program=said_name)
            words.addWidget(said(wording, program, is_wrapping=True))
        doubt = msg(
            "That is its own word: Famulus cannot check it. Allow it only if you have just started such a program."
        )
        words.addWidget(said(wording, doubt, "small", is_wrapping=True))
        if self.client.is_session:
            ends = msg("Its access would end with the program that asks now, or before, as you choose.")
            words.addWidget(said(wording, ends, "small", is_wrapping=True))
        return words
