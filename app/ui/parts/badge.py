"""The badge that says where the work is done: "local" on this device (A5.4). A glyph and a word, never colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QSizePolicy

from app.domain.text import msg
from app.ui.parts.labels import pictured, said
from app.ui.parts.layouts import row
from app.ui.tokens import GAP_TINY

if TYPE_CHECKING:
    from app.ui.theme import Theme
    from app.ui.wording import Wording


class LocalBadge(QFrame):
    """Local: nothing of a question or an answer leaves the device."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self.setProperty("role", "badge")
        self.setFixedHeight(22)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        inside = row(gap=GAP_TINY, margins=(7, 0, 9, 0))
        inside.addWidget(pictured(theme, "local", "accent", size=14))
        inside.addWidget(said(wording, msg("local"), "badge-word"))
        self.setLayout(inside)
        wording.bind(self, "setToolTip", msg("Everything happens on this device; nothing leaves it."))
        wording.bind(self, "setAccessibleName", msg("Local: nothing leaves this device"))
