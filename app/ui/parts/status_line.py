"""One fact about the house: a glyph and a word, what it means, and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.ui.parts.buttons import Button
from app.ui.parts.labels import pictured, plain
from app.ui.parts.layouts import column, row
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording


class StatusLine(QWidget):
    """Its button is hidden unless there is something to do."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._wording = wording
        self._theme = theme
        self._glyph = pictured(theme, "info")
        self._head = plain(role="body", is_wrapping=True)
        self._detail = plain(role="small", is_wrapping=True)
        self.button = Button("plain")
        self._on_click: Callable[[], object] = bool
        self.button.clicked.connect(lambda _: self._on_click())
        self.button.hide()
        words = column(gap=0)
        words.addWidget(self._head)
        words.addWidget(self._detail)
        whole = row(gap=GAP)
        whole.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        whole.addLayout(words, 1)
        whole.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.setLayout(whole)

    def show_fact(self, icon: str, head: Text, detail: Text | None = None, *, ink: str = "accent") -> None:
        """Say something; amber (`asks`) is for what waits for the person."""
        self._theme.bind_picture(self._glyph, icon, ink)
        self._wording.bind(self._head, "setText", head)
        self._detail.setVisible(detail is not None)
        if detail is not None:
            self._wording.bind(self._detail, "setText", detail)
        self.button.hide()

    def offer(self, text: Text, on_click: Callable[[], object]) -> None:
        """Show the button."""
        self._on_click = on_click
        self._wording.bind(self.button, "setText", text)
        self._wording.bind(self.button, "setAccessibleName", text)
        self.button.show()
