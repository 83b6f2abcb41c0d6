"""A switch and a tick box, drawn from the tokens: the system's own would be the only grey things on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QSizePolicy

from app.ui.tokens import GAP_SMALL

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording

_SWITCH = QSize(44, 28)
_BOX = 18
_KNOB_GAP = 3


class Switch(QCheckBox):
    """On or off. Where the knob is says it without colour."""

    def __init__(self, wording: Wording, theme: Theme, name: Text) -> None:
        super().__init__()
        self._theme = theme
        wording.bind(self, "setAccessibleName", name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Its one size."""
        return _SWITCH

    def hitButton(self, _: object) -> bool:
        """All of it can be clicked."""
        return True

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the track, the knob and the focus ring."""
        colour = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(3, 4, _SWITCH.width() - 6, _SWITCH.height() - 8)
        radius = track.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour.accent if self.isChecked() else colour.ink_faint))
        painter.drawRoundedRect(track, radius, radius)
        size = track.height() - 2 * _KNOB_GAP
        left = track.right() - _KNOB_GAP - size if self.isChecked() else track.left() + _KNOB_GAP
        painter.setBrush(QColor(colour.on_accent if self.isChecked() else colour.surface))
        painter.drawEllipse(QRectF(left, track.top() + _KNOB_GAP, size, size))
        _draw_ring(self, painter, QRectF(self.rect()), colour.accent, radius + 4)
        painter.end()


class TickBox(QCheckBox):
    """A sentence to agree to, or an item to choose."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The box, the gap and the words."""
        self.ensurePolished()
        words = self.fontMetrics().size(0, self.text())
        return QSize(_BOX + GAP_SMALL + words.width() + 8, max(_BOX, words.height()) + 10)

    def minimumSizeHint(self) -> QSize:
        """The same: the words are not cut."""
        return self.sizeHint()

    def hitButton(self, _: object) -> bool:
        """The words can be clicked as well."""
        return True

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the box with its tick, the words and the focus ring."""
        colour = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(3.5, (self.height() - _BOX) / 2 + 0.5, _BOX - 1, _BOX - 1)
        painter.setPen(QPen(QColor(colour.accent if self.isChecked() else colour.ink_faint), 1.5))
        painter.setBrush(QColor(colour.accent if self.isChecked() else colour.surface))
        painter.drawRoundedRect(box, 4, 4)
        if self.isChecked():
            painter.setPen(QPen(QColor(colour.on_accent), 2, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
            tick = ((0.24, 0.52), (0.43, 0.71), (0.77, 0.31))
            painter.drawPolyline(QPolygonF([QPointF(box.x() + x * _BOX, box.y() + y * _BOX) for x, y in tick]))
        painter.setPen(QColor(colour.ink if self.isEnabled() else colour.ink_faint))
        words = self.rect().adjusted(3 + _BOX + GAP_SMALL, 0, 0, 0)
        fitting = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, fitting)
        _draw_ring(self, painter, box.adjusted(-3, -3, 3, 3), colour.accent, 6)
        painter.end()


def _draw_ring(control: QAbstractButton, painter: QPainter, around: QRectF, colour: str, radius: float) -> None:
    if control.hasFocus():
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colour), 2))
        painter.drawRoundedRect(around.adjusted(1, 1, -1, -1), radius, radius)
