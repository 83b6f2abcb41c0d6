"""A field for a passphrase or a recovery key: hidden while typed, and not kept after it was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from app.domain.text import Text, msg

if TYPE_CHECKING:
    from app.ui.theme import Theme
    from app.ui.wording import Wording


class SecretField(QLineEdit):
    """Shows dots, with an action that shows the letters."""

    def __init__(self, wording: Wording, theme: Theme, name: Text) -> None:
        super().__init__()
        self.setEchoMode(QLineEdit.EchoMode.Password)
        # an input method would learn the words that it sees
        self.setInputMethodHints(
            Qt.InputMethodHint.ImhSensitiveData
            | Qt.InputMethodHint.ImhNoPredictiveText
            | Qt.InputMethodHint.ImhHiddenText
        )
        wording.bind(self, "setPlaceholderText", name)
        wording.bind(self, "setAccessibleName", name)
        self._reveal = QAction(self)
        self._reveal.setCheckable(True)
        theme.bind_icon(self._reveal, "eye", size=16)
        wording.bind(self._reveal, "setText", msg("Show what is typed"))
        wording.bind(self._reveal, "setToolTip", msg("Show what is typed"))
        self._reveal.toggled.connect(self._on_reveal)
        self.addAction(self._reveal, QLineEdit.ActionPosition.TrailingPosition)

    def take(self) -> str:
        """Hand out what was typed, and forget it."""
        typed = self.text()
        self.clear()
        self._reveal.setChecked(False)
        return typed

    def _on_reveal(self, is_shown: bool) -> None:
        self.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
