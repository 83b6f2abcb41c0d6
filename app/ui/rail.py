"""The left rail: the pages by icon and word, and the badge at its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame

from app.domain.text import Text, msg
from app.ui.parts.badge import LocalBadge
from app.ui.parts.buttons import Button, set_icon
from app.ui.parts.labels import pictured, plain
from app.ui.parts.layouts import column, row
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL, GAP_TINY, RAIL_WIDTH

if TYPE_CHECKING:
    from app.ui.desk import Desk

PAGES: Final = (
    ("home", "home", msg("Home")),
    ("tasks", "task", msg("Tasks")),
    ("changes", "history", msg("Changes")),
    ("sources", "sources", msg("Sources")),
    ("settings", "settings", msg("Settings")),
    ("about", "shield", msg("Privacy")),
)


_ICON: Final = 18


class Rail(QFrame):
    """`chosen` tells the name of a page."""

    chosen = Signal(str)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setProperty("role", "rail")
        self.setFixedWidth(RAIL_WIDTH)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, Button] = {}
        head = row(gap=GAP_SMALL, margins=(GAP_SMALL, 0, 0, 0))
        head.addWidget(pictured(desk.theme, "mark", "accent", size=22))
        head.addWidget(plain("Famulus", "heading"))
        head.addStretch(1)
        inside = column(gap=GAP_TINY, margins=(GAP, GAP_MEDIUM + GAP_TINY, GAP, GAP_MEDIUM))
        inside.addLayout(head)
        inside.addSpacing(GAP_MEDIUM)
        for name, icon, text in PAGES:
            inside.addWidget(self._make_button(name, icon, text))
        inside.addStretch(1)
        inside.addWidget(LocalBadge(desk.wording, desk.theme), 0, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(inside)
        self.choose("home")

    def choose(self, name: str) -> None:
        """Show that a page is open."""
        self.buttons[name].setChecked(True)

    def _make_button(self, name: str, icon: str, text: Text) -> Button:
        made = Button("rail")
        made.setCheckable(True)
        self._desk.wording.bind(made, "setText", text)
        self._desk.wording.bind(made, "setAccessibleName", text)
        set_icon(made, self._desk.theme, icon, "ink_soft", size=_ICON)
        # checked also when the arrows walk through the group, unlike clicked
        made.toggled.connect(lambda is_on: self._on_toggled(name, icon, is_on))
        self._group.addButton(made)
        self.buttons[name] = made
        return made

    def _on_toggled(self, name: str, icon: str, is_on: bool) -> None:
        set_icon(self.buttons[name], self._desk.theme, icon, "accent" if is_on else "ink_soft", size=_ICON)
        if is_on:
            self.chosen.emit(name)
