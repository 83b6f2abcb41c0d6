"""A row of words of which one is chosen: the sections of a page. A number beside a word says that something waits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame

from app.domain.text import Text, msg
from app.ui.fonts import sized
from app.ui.parts.buttons import Button
from app.ui.parts.layouts import row
from app.ui.tokens import GAP, GAP_TINY, SIZE_BODY, WEIGHT_STRONG

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.ui.wording import Wording


class Tab(Button):
    """As wide as its word is when it is chosen and thereby strong, so that nothing moves and nothing is cut."""

    def __init__(self) -> None:
        super().__init__("tab")
        self.setCheckable(True)
        self.setAutoExclusive(True)  # what a screen reader calls one of several, not a box to tick

    def sizeHint(self) -> QSize:
        """See the class."""
        strong = QFontMetrics(sized(self.font(), SIZE_BODY, weight=WEIGHT_STRONG))
        return QSize(strong.horizontalAdvance(self.text()) + 2 * GAP + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """The same."""
        return self.sizeHint()


class Tabs(QFrame):
    """`chosen` tells the name of a section, once for every change."""

    chosen = Signal(str)

    def __init__(self, wording: Wording, sections: Mapping[str, Text]) -> None:
        super().__init__()
        self._wording = wording
        self._sections = dict(sections)
        self._counts: dict[str, int] = {}
        self.setProperty("role", "tabs")
        self._group = QButtonGroup(self)
        self.buttons: dict[str, Tab] = {}
        inside = row(gap=GAP_TINY)
        for name in sections:
            self.buttons[name] = self._make_button(name)
            inside.addWidget(self.buttons[name])
        inside.addStretch(1)
        self.setLayout(inside)
        wording.changed.connect(self._show)
        next(iter(self.buttons.values())).setChecked(True)
        self._show()

    @property
    def current(self) -> str:
        """The name of the chosen section."""
        return next(name for name, made in self.buttons.items() if made.isChecked())

    def choose(self, name: str) -> None:
        """Choose a section."""
        self.buttons[name].setChecked(True)

    def show_count(self, name: str, count: int) -> None:
        """Say how many things wait in a section."""
        self._counts[name] = count
        self._show()

    def _make_button(self, name: str) -> Tab:
        made = Tab()
        made.toggled.connect(partial(self._on_toggled, name))
        self._group.addButton(made)
        return made

    def _on_toggled(self, name: str, is_on: bool) -> None:
        if is_on:
            self.chosen.emit(name)

    def _show(self) -> None:
        for name, made in self.buttons.items():
            word, count = self._wording.say(self._sections[name]), self._counts.get(name, 0)
            made.setText(f"{word}  {count}" if count else word)
            made.setAccessibleName(
                self._wording.say(msg("{section}, {count} waiting", section=word, count=count)) if count else word
            )
