"""The quiet line at the foot of quick-ask that tells the keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from app.domain.text import Text, msg
from app.ui.parts.labels import said
from app.ui.parts.layouts import row
from app.ui.tokens import GAP, GAP_MEDIUM, GAP_SMALL

if TYPE_CHECKING:
    from app.ui.wording import Wording


@dataclass(frozen=True, slots=True)
class Hint:
    """A key, and what it does."""

    name: str
    key: Text
    does: Text


_HINTS: Final = (
    Hint("ask", msg("Enter"), msg("ask")),
    Hint("open", msg("Enter"), msg("open")),
    Hint("run", msg("Enter"), msg("do it")),
    Hint("unlock", msg("Enter"), msg("unlock")),
    Hint("setup", msg("Enter"), msg("set up")),
    Hint("next", msg("Tab"), msg("next")),
    Hint("copy", msg("Ctrl+C"), msg("copy")),
    Hint("why", msg("?"), msg("why")),
    Hint("last", msg("Up"), msg("last question")),
    Hint("close", msg("Esc"), msg("close")),
)


class HintLine(QWidget):
    """Shows the keys that mean something now."""

    def __init__(self, wording: Wording) -> None:
        super().__init__()
        inside = row(gap=GAP_MEDIUM, margins=(GAP_MEDIUM, GAP_SMALL, GAP_MEDIUM, GAP_SMALL))
        self._shown = {hint.name: _hint(wording, hint) for hint in _HINTS}
        for name, widget in self._shown.items():
            if name == "close":
                inside.addStretch(1)
            inside.addWidget(widget)
        self.setLayout(inside)
        self.setFixedHeight(40)

    def show_hints(self, *names: str) -> None:
        """Show these and no others."""
        for name, widget in self._shown.items():
            widget.setVisible(name in names)


def _hint(wording: Wording, hint: Hint) -> QWidget:
    made = QWidget()
    inside = row(gap=GAP // 2)
    inside.addWidget(said(wording, hint.key, "keycap"))
    inside.addWidget(said(wording, hint.does, "hint"))
    made.setLayout(inside)
    return made


def keys_in_words(hotkey: str) -> str:
    """`<ctrl>+<alt>+<space>` as people read it: Ctrl+Alt+Space."""
    names = {"cmd": "Cmd", "ctrl": "Ctrl", "alt": "Alt", "shift": "Shift"}
    parts = [part.strip("<>") for part in hotkey.split("+")]
    return "+".join(names.get(part, part.replace("_", " ").title()) for part in parts if part)
