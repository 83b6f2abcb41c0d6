"""The field of quick-ask: it keeps the cursor, and turns the keys that are not typing into signals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLineEdit

from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from app.ui.wording import Wording

_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_JUDGING: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down)


class AskField(QLineEdit):
    """`stepped` tells 1 or -1 for the list; `recalled` asks for the last question; `judged` tells whether it helped."""

    entered = Signal()
    stepped = Signal(int)
    recalled = Signal()
    why = Signal()
    escaped = Signal()
    copied = Signal()
    judged = Signal(bool)

    def __init__(self, wording: Wording, has_choice: Callable[[], bool]) -> None:
        """Take what tells whether a row is chosen: then some keys are about that row."""
        super().__init__()
        self._has_choice = has_choice
        self.setProperty("role", "ask")
        self.setFrame(False)
        self.setMaxLength(2000)
        wording.bind(self, "setPlaceholderText", msg("Ask, or type / for actions"))
        wording.bind(self, "setAccessibleName", msg("Ask Famulus"))

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Tab walks through the list; the cursor stays here."""
        self.stepped.emit(1 if is_next else -1)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """See the class; what is no key of ours is typed."""
        key = event.key()
        if key in _ENTER:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif key in _JUDGING and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.judged.emit(key == Qt.Key.Key_Up)
        elif key == Qt.Key.Key_Down:
            self.stepped.emit(1)
        elif key == Qt.Key.Key_Up and self._has_choice():
            self.stepped.emit(-1)
        elif key == Qt.Key.Key_Up:
            self.recalled.emit()
        elif event.matches(QKeySequence.StandardKey.Copy) and (self._has_choice() or not self.hasSelectedText()):
            self.copied.emit()
        elif event.text() == "?" and self._has_choice():
            self.why.emit()
        else:
            super().keyPressEvent(event)
