"""The left rail: the pages by icon and word in three groups, and the badge at its foot."""

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

GROUPS: Final = (
    (
        ("home", "home", msg("Home")),
        ("tasks", "task", msg("Tasks")),
        ("changes", "history", msg("Changes")),
        ("prepare", "prepare", msg("Prepare")),
    ),
    (
        ("sources", "sources", msg("Sources")),
        ("agents", "agents", msg("Agents")),
        ("metrics", "metrics", msg("Metrics")),
    ),
    (
        ("settings", "settings", msg("Settings")),
        ("about", "shield", msg("Privacy")),
    ),
)
"""What one works with, what Famulus reads and who reads it, and what it is."""
PAGES: Final = tuple(page for group in GROUPS for page in group)


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
        for group in GROUPS:
            inside.addSpacing(GAP)
            for name, icon, text in group:
                inside.addWidget(self._make_button(name, icon, text))
        inside.addStretch(1)
        inside.addWidget(LocalBadge(desk.wording, desk.theme), 0, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(inside)
        desk.attention.changed.connect(self._show_waiting)
        desk.wording.changed.connect(self._show_waiting)
        self._show_waiting()
        self.choose("home")

    def choose(self, name: str) -> None:
        """Show that a page is open."""
        self.buttons[name].setChecked(True)

    def _make_button(self, name: str, icon: str, text: Text) -> Button:
        made = Button("rail")
        made.setCheckable(True)
        made.setAutoExclusive(True)  # what a screen reader calls one of several, not a box to tick
        self._desk.wording.bind(made, "setText", text)
        self._desk.wording.bind(made, "setAccessibleName", text)
        set_icon(made, self._desk.theme, icon, "ink_soft", size=_ICON)
        # checked also when the arrows walk through the group, unlike clicked
        made.toggled.connect(lambda is_on: self._on_toggled(name, icon, is_on))
        self._group.addButton(made)
        self.buttons[name] = made
        return made

    def _on_toggled(self, name: str, icon: str, is_on: bool) -> None:
        if name != "agents" or not self._desk.attention.clients:
            set_icon(self.buttons[name], self._desk.theme, icon, "accent" if is_on else "ink_soft", size=_ICON)
        if is_on:
            self.chosen.emit(name)

    def _show_waiting(self) -> None:
        """How many clients and suggestions wait, beside the word; amber while somebody asks for access."""
        say, attention = self._desk.wording.say, self._desk.attention
        made, word = self.buttons["agents"], say(msg("Agents"))
        count = attention.clients + attention.suggestions
        made.setText(f"{word}  {count}" if count else word)
        name = say(msg("{section}, {count} waiting", section=word, count=count)) if count else word
        made.setAccessibleName(name)
        ink = "asks" if attention.clients else "accent" if made.isChecked() else "ink_soft"
        set_icon(made, self._desk.theme, "asks" if attention.clients else "agents", ink, size=_ICON)
