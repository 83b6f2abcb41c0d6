"""A text that can be edited as plain text: as high as it needs up to a limit, and no trap for Tab or the wheel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QPlainTextEdit

from app.ui.tokens import CONTROL_HEIGHT

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QWheelEvent

_MOST_HEIGHT: Final = 220


class NoteEditor(QPlainTextEdit):
    """Whatever the text says, it is shown as characters."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._fit)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks the lines elsewhere."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll only while somebody writes here; otherwise the page does."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _fit(self) -> None:
        """As high as its lines: those of other scripts are higher, and none is a whole number of pixels."""
        chrome = self.height() - self.viewport().height()
        height, block = chrome + 2 * self.document().documentMargin(), self.document().firstBlock()
        while block.isValid() and height < _MOST_HEIGHT:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        self.setFixedHeight(min(max(math.ceil(height), CONTROL_HEIGHT), _MOST_HEIGHT))
