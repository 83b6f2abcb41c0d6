"""An icon on a small ground, at the head of a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from app.ui.parts.labels import pictured
from app.ui.parts.layouts import row
from app.ui.tokens import GAP_SMALL

if TYPE_CHECKING:
    from app.ui.theme import Theme

_SIZE = 40


def tile(theme: Theme, icon: str) -> QFrame:
    """The icon of what a card is about."""
    made = QFrame()
    made.setProperty("role", "tile")
    made.setFixedSize(_SIZE, _SIZE)
    inside = row(margins=(GAP_SMALL, GAP_SMALL, GAP_SMALL, GAP_SMALL))
    inside.addWidget(pictured(theme, icon, "accent"), 0, Qt.AlignmentFlag.AlignCenter)
    made.setLayout(inside)
    return made
