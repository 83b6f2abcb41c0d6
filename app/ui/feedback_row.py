"""Below an answer: whether it helped. Quiet, and never in the way: the cursor stays in the field (G7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.domain.text import Text, msg
from app.ui.parts.buttons import Button, set_icon
from app.ui.parts.labels import plain
from app.ui.parts.layouts import row
from app.ui.tokens import GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ui.theme import Theme
    from app.ui.wording import Wording


class FeedbackRow(QWidget):
    """`said` tells whether the answer helped; it is asked once for each answer."""

    said = Signal(bool)

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._wording = wording
        self._theme = theme
        self._told = plain(role="hint")
        self.helpful = self._button("check", msg("Helpful"), msg("Helpful (Ctrl+Up)"), lambda: self.said.emit(True))
        self.wrong = self._button(
            "close", msg("Not right"), msg("Not right (Ctrl+Down)"), lambda: self.said.emit(False)
        )
        inside = row(gap=GAP_TINY, margins=(GAP_MEDIUM, 0, GAP_SMALL, GAP_TINY))
        inside.addWidget(self._told)
        inside.addStretch(1)
        inside.addWidget(self.helpful)
        inside.addWidget(self.wrong)
        self.setLayout(inside)
        self.hide()

    @property
    def is_open(self) -> bool:
        """Whether it still can be said."""
        return not self.isHidden() and self.helpful.isEnabled()

    def ask(self) -> None:
        """A new answer is there."""
        self._told.setText("")
        self._set_enabled(is_enabled=True)
        self.show()

    def thank(self, text: Text) -> None:
        """It was said."""
        self._told.setText(self._wording.say(text))
        self._set_enabled(is_enabled=False)

    def _set_enabled(self, *, is_enabled: bool) -> None:
        for made in (self.helpful, self.wrong):
            made.setEnabled(is_enabled)
            made.setVisible(is_enabled)

    def _button(self, icon: str, text: Text, name: Text, on_click: Callable[[], object]) -> Button:
        made = Button("faint")
        self._wording.bind(made, "setText", text)
        self._wording.bind(made, "setAccessibleName", text)
        self._wording.bind(made, "setToolTip", name)
        set_icon(made, self._theme, icon, "ink_faint", size=14)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # the panel must not move when it was said
        policy = made.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        made.setSizePolicy(policy)
        made.clicked.connect(lambda _: on_click())
        return made
