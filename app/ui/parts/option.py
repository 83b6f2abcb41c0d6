"""Large options of which one is chosen: an icon, what it is, and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from app.ui import icons
from app.ui.fonts import sized
from app.ui.parts.layouts import column
from app.ui.tokens import GAP, GAP_MEDIUM, RADIUS_CARD, SIZE_BODY, SIZE_SECONDARY, WEIGHT_STRONG

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_HEIGHT = 72
_RADIO = 18


class Option(QAbstractButton):
    """One of them. The ring at its right says that it is chosen, without colour."""

    def __init__(self, wording: Wording, theme: Theme, icon: str, head: Text, detail: Text) -> None:
        super().__init__()
        self._wording = wording
        self._theme = theme
        self._icon = icon
        self._head = head
        self._detail = detail
        self.setCheckable(True)
        self.setAutoExclusive(True)  # what a screen reader calls one of several, not a box to tick
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)
        wording.changed.connect(self._say)
        self._say()

    def sizeHint(self) -> QSize:
        """As wide as it gets."""
        return QSize(320, _HEIGHT)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the card, the icon, the words and the ring."""
        colour = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_strong = self.isChecked() or self.hasFocus()
        painter.setPen(QPen(QColor(colour.accent) if is_strong else _faint(colour.ink), 2 if is_strong else 1))
        ground = colour.selected if self.isChecked() else colour.hover if self.underMouse() else colour.surface
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS_CARD, RADIUS_CARD)
        glyph = icons.picture(self._icon, colour.accent, 22, self.devicePixelRatioF())
        painter.drawPixmap(GAP_MEDIUM, (self.height() - 22) // 2, glyph)
        self._paint_words(painter)
        self._paint_radio(painter)
        painter.end()

    def _paint_words(self, painter: QPainter) -> None:
        colour = self._theme.palette
        left = GAP_MEDIUM + 22 + GAP_MEDIUM
        width = self.width() - left - _RADIO - 2 * GAP_MEDIUM
        for text, top, size, ink in (
            (self._head, 13, SIZE_BODY, colour.ink),
            (self._detail, 36, SIZE_SECONDARY, colour.ink_soft),
        ):
            painter.setFont(sized(self.font(), size, weight=WEIGHT_STRONG if size == SIZE_BODY else 400))
            painter.setPen(QColor(ink))
            line = painter.fontMetrics().elidedText(self._wording.say(text), Qt.TextElideMode.ElideRight, width)
            painter.drawText(left, top, width, 22, Qt.AlignmentFlag.AlignVCenter, line)

    def _paint_radio(self, painter: QPainter) -> None:
        colour = self._theme.palette
        ring = QRectF(self.width() - GAP_MEDIUM - _RADIO, (self.height() - _RADIO) / 2, _RADIO, _RADIO)
        painter.setPen(QPen(QColor(colour.accent if self.isChecked() else colour.ink_faint), 1.5))
        painter.setBrush(QColor(colour.surface))
        painter.drawEllipse(ring)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour.accent))
            painter.drawEllipse(ring.adjusted(4.5, 4.5, -4.5, -4.5))

    def _say(self) -> None:
        head, detail = self._wording.say(self._head), self._wording.say(self._detail)
        self.setAccessibleName(head)
        self.setAccessibleDescription(detail)
        self.setToolTip(detail)
        self.update()


class OptionGroup(QWidget):
    """`chosen` tells the key of the option that the person, or a reason, chose."""

    chosen = Signal(str)

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__()
        self._wording = wording
        self._theme = theme
        self._group = QButtonGroup(self)
        self.options: dict[str, Option] = {}
        self._inside = column(gap=GAP)
        self.setLayout(self._inside)
        self._group.buttonClicked.connect(lambda _: self.chosen.emit(self.key))

    @property
    def key(self) -> str:
        """What is chosen."""
        return next((key for key, option in self.options.items() if option.isChecked()), "")

    def add(self, key: str, icon: str, head: Text, detail: Text) -> None:
        """Add an option; the first one is chosen to begin with."""
        option = Option(self._wording, self._theme, icon, head, detail)
        option.setChecked(not self.options)
        self.options[key] = option
        self._group.addButton(option)
        self._inside.addWidget(option)

    def choose(self, key: str) -> None:
        """Choose one, and tell."""
        self.options[key].setChecked(True)
        self.chosen.emit(key)


def _faint(ink: str) -> QColor:
    colour = QColor(ink)
    colour.setAlphaF(0.18)
    return colour
