"""Where things can be dropped: a quiet frame that answers when something is held over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from app.domain.text import msg
from app.ui.parts.labels import said
from app.ui.parts.layouts import row
from app.ui.tokens import GAP_MEDIUM

if TYPE_CHECKING:
    from app.ui.wording import Wording


class DropHint(QFrame):
    """One line; the page takes the drop."""

    def __init__(self, wording: Wording) -> None:
        super().__init__()
        self.setProperty("role", "empty")
        words = said(wording, msg("Drop folders, calendars or files anywhere on this page."), "hint")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inside = row(margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        inside.addWidget(words)
        self.setLayout(inside)
