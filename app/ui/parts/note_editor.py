"""A text that can be edited as plain text: as high as it needs up to a limit, and no trap for Tab or the wheel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QPlainTextEdit

from app.ui.tokens import CONTROL_HEIGHT, GAP, GAP_TINY

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
        lines = int(self.document().size().height())
        height = lines * self.fontMetrics().lineSpacing() + GAP + GAP_TINY
        self.setFixedHeight(min(max(height, CONTROL_HEIGHT), _MOST_HEIGHT))
