"""One of a few words: a button that opens a menu of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QColor
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionButton, QStylePainter

from app.ui import icons
from app.ui.parts.buttons import Button
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction, QPaintEvent

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording


_CHEVRON = 16


class Choice(Button):
    """Shows the chosen word; `chosen` tells the key of another one."""

    chosen = Signal(str)

    def __init__(self, wording: Wording, theme: Theme, name: Text, options: Mapping[str, Text]) -> None:
        super().__init__("choice")
        self._wording = wording
        self._name = name
        self._options = dict(options)
        self._key = next(iter(self._options))
        self.setMinimumWidth(180)
        self._theme = theme
        theme.changed.connect(self.update)
        self._menu = QMenu(self)
        self._group = QActionGroup(self._menu)
        self._actions = {key: self._add(key) for key in self._options}
        self.setMenu(self._menu)
        wording.changed.connect(self._show)
        self._show()

    @property
    def key(self) -> str:
        """What is chosen."""
        return self._key

    def choose(self, key: str) -> None:
        """Show another choice, without telling."""
        if key in self._options:
            self._key = key
            self._show()

    def offer(self, options: Mapping[str, Text]) -> None:
        """Offer other words; what was chosen stays chosen if it is still among them."""
        if dict(options) == self._options:
            return
        self._options = dict(options)
        self._menu.clear()
        self._actions = {key: self._add(key) for key in self._options}
        if self._key not in self._options:
            self._key = next(iter(self._options))
        self._show()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Wide enough for every choice, so that the page does not move."""
        self.ensurePolished()
        widest = max(self.fontMetrics().horizontalAdvance(self._wording.say(text)) for text in self._options.values())
        return QSize(widest + _CHEVRON + 3 * GAP, super().sizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        """The button's frame, the word at its left and the chevron at its right, which Qt cannot place there."""
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        word, option.text = option.text, ""
        option.features = QStyleOptionButton.ButtonFeature.None_
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        area = self.rect().adjusted(GAP + 2, 0, -GAP - _CHEVRON, 0)
        painter.setPen(QColor(self._theme.palette.ink if self.isEnabled() else self._theme.palette.ink_faint))
        fitting = painter.fontMetrics().elidedText(word, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, fitting)
        chevron = icons.picture("chevron-down", self._theme.palette.ink_soft, _CHEVRON, self.devicePixelRatioF())
        painter.drawPixmap(area.right() + 4, (self.height() - _CHEVRON) // 2, chevron)
        painter.end()

    def _add(self, key: str) -> QAction:
        action = self._menu.addAction("")
        action.setCheckable(True)
        self._group.addAction(action)
        self._wording.bind(action, "setText", self._options[key])
        action.triggered.connect(lambda _: self._on_chosen(key))
        return action

    def _on_chosen(self, key: str) -> None:
        if key != self._key:
            self.choose(key)
            self.chosen.emit(key)

    def _show(self) -> None:
        word = self._wording.say(self._options[self._key])
        self.setText(word)
        self.setAccessibleName(f"{self._wording.say(self._name)}: {word}")
        for key, action in self._actions.items():
            action.setChecked(key == self._key)
