"""The field that narrows a list to what contains the typed words. Down goes on into the list, Esc shows all again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from app.domain.text import Text, msg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QKeyEvent

    from app.ui.theme import Theme
    from app.ui.wording import Wording


NOTHING_FITS: Final = msg("Nothing of it has these words.")
"""What a list says that the words leave nothing of."""


class FilterField(QLineEdit):
    """`narrowed` tells that the words changed, `left` that the person goes on into the list."""

    narrowed = Signal()
    left = Signal()

    def __init__(self, wording: Wording, theme: Theme, name: Text) -> None:
        super().__init__()
        self.setMaxLength(200)
        wording.bind(self, "setPlaceholderText", name)
        wording.bind(self, "setAccessibleName", name)
        lens = QAction(self)
        theme.bind_icon(lens, "search", "ink_faint", size=16)
        lens.setEnabled(False)
        wording.bind(lens, "setText", name)
        self.addAction(lens, QLineEdit.ActionPosition.LeadingPosition)
        self.textChanged.connect(lambda _: self.narrowed.emit())

    def fits(self, texts: Iterable[str | None]) -> bool:
        """Whether every typed word is in one of the texts, in whatever case."""
        whole = "\n".join(text for text in texts if text).casefold()
        return all(word in whole for word in self.text().casefold().split())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the module."""
        if event.key() == Qt.Key.Key_Down:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
