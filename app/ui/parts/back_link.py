"""The way back from what was opened in the place of a list: a link, Esc, or the keys that go back everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from app.ui.parts.buttons import Button, set_icon
from app.ui.parts.layouts import beside, column
from app.ui.tokens import GAP_MEDIUM

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording


class BackLink(Button):
    """Its keys count only while it is seen."""

    def __init__(self, wording: Wording, theme: Theme, text: Text, on_back: Callable[[], object]) -> None:
        super().__init__("link")
        wording.bind(self, "setText", text)
        wording.bind(self, "setAccessibleName", text)
        set_icon(self, theme, "back", "accent")
        self.clicked.connect(lambda _: on_back())
        for keys in (QKeySequence(QKeySequence.StandardKey.Back), QKeySequence(Qt.Key.Key_Escape)):
            shortcut = QShortcut(keys, self)
            shortcut.activated.connect(on_back)

    def above(self, opened: QWidget) -> QWidget:
        """What was opened, below this way back."""
        whole = column(gap=GAP_MEDIUM)
        whole.addLayout(beside(self))
        whole.addWidget(opened)
        made = QWidget()
        made.setLayout(whole)
        return made
