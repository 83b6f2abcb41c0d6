"""Shows the keys of the hotkey, and takes new ones as they are pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal

from app.domain.text import msg
from app.ui.hints import keys_in_words
from app.ui.parts.buttons import Button

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent

    from app.ui.wording import Wording

_MODIFIERS: Final = (
    (Qt.KeyboardModifier.ControlModifier, "<ctrl>"),
    (Qt.KeyboardModifier.AltModifier, "<alt>"),
    (Qt.KeyboardModifier.ShiftModifier, "<shift>"),
    (Qt.KeyboardModifier.MetaModifier, "<cmd>"),
)
_NAMED: Final = {
    Qt.Key.Key_Space: "<space>",
    Qt.Key.Key_Home: "<home>",
    Qt.Key.Key_End: "<end>",
    Qt.Key.Key_Insert: "<insert>",
    Qt.Key.Key_Pause: "<pause>",
} | {Qt.Key(Qt.Key.Key_F1 + number): f"<f{number + 1}>" for number in range(12)}
_FIRST_PRINTABLE: Final = 0x21
_LAST_PRINTABLE: Final = 0x7E


class HotkeyField(Button):
    """Click it and press the keys; Esc keeps the old ones. `captured` tells them as the setting writes them."""

    captured = Signal(str)
    _is_listening = False  # Qt asks while the base class is still being made

    def __init__(self, wording: Wording) -> None:
        super().__init__("choice")
        self._wording = wording
        self._keys = ""
        self.setMinimumWidth(180)
        self.clicked.connect(self._listen)
        wording.changed.connect(self._show)

    def show_keys(self, keys: str) -> None:
        """Show these, written like `<ctrl>+<alt>+<space>`."""
        self._keys = keys
        self._is_listening = False
        self._show()

    def event(self, event: QEvent) -> bool:
        """While it listens, no key goes anywhere else: neither Tab nor a shortcut."""
        if self._is_listening and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if self._is_listening and event.type() == QEvent.Type.KeyPress:
            self._take(event)  # type: ignore[arg-type]
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Listen no longer."""
        self.show_keys(self._keys)
        super().focusOutEvent(event)

    def _listen(self) -> None:
        self._is_listening = True
        self._show()

    def _take(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.show_keys(self._keys)
        elif (keys := keys_of(event.keyCombination())) is not None:
            self.show_keys(keys)
            self.captured.emit(keys)

    def _show(self) -> None:
        name = self._wording.say(msg("Hotkey"))
        text = (
            self._wording.say(msg("Press the keys\N{HORIZONTAL ELLIPSIS}"))
            if self._is_listening
            else keys_in_words(self._keys)
        )
        self.setText(text)
        self.setAccessibleName(f"{name}: {text}")


def keys_of(combination: QKeyCombination) -> str | None:
    """Keys as the setting writes them; None for a key without a modifier, or one that cannot be a hotkey."""
    held = [word for modifier, word in _MODIFIERS if combination.keyboardModifiers() & modifier]
    if not held or held == ["<shift>"]:
        return None
    key = combination.key()
    if key in _NAMED:
        return "+".join([*held, _NAMED[key]])
    if _FIRST_PRINTABLE <= key <= _LAST_PRINTABLE and chr(key) not in "<>+":
        return "+".join([*held, chr(key).lower()])
    return None
