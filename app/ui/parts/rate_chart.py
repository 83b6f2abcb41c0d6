"""A rate by weeks as a line with a dot for each week, drawn in the colours and the type of the tokens (G7).

Where nothing was counted the line has a gap. Nothing can be dragged or zoomed, so nothing can be lost, and the wheel
goes to the page; the week under the pointer is told in words.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.fonts import sized
from app.ui.tokens import BORDER_SHARE, GAP, GAP_SMALL, GAP_TINY, HAIRLINE_SHARE, SIZE_CHART

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent, QPaintEvent

    from app.ui.theme import Theme

_SIZE: Final = QSize(280, 116)
_AXIS_WIDTH: Final = 44
_AXIS_HEIGHT: Final = 20
_HEADROOM: Final = 14
_MOST_LABELS: Final = 5
_TOPS: Final = (0.02, 0.1, 0.2, 0.5, 1.0)
_SHARES: Final = (0.0, 0.5, 1.0)
_DOT: Final = 3.0


class RateChart(QWidget):
    """Shares of 0..1."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._labels: tuple[str, ...] = ()
        self._values: tuple[float | None, ...] = ()
        self._told: tuple[str, ...] = ()
        self._near: int | None = None
        self.top = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As wide as the card allows."""
        return _SIZE

    def minimumSizeHint(self) -> QSize:
        """Narrow enough for the smallest window."""
        return QSize(_SIZE.width() // 2, _SIZE.height())

    def show_weeks(self, labels: Sequence[str], values: Sequence[float | None], told: Sequence[str]) -> None:
        """Show one value a week, with a word for each week, and a sentence for the one under the pointer.

        The scale ends at a round share above the highest value: a rate of 1 in 500 is to be seen, too.
        """
        self._labels, self._values, self._told = tuple(labels), tuple(values), tuple(told)
        self._near = None
        highest = max((value for value in values if value is not None), default=1.0)
        self.top = next((top for top in _TOPS if highest <= top), 1.0)
        self.update()

    def runs(self) -> list[list[QPointF]]:
        """The points on the widget, those of weeks without a gap between them together."""
        found: list[list[QPointF]] = [[]]
        for place, value in enumerate(self._values):
            if value is None:
                found.append([])
            else:
                found[-1].append(self._point(place, value))
        return [run for run in found if run]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell of the week that is nearest to the pointer."""
        counted = [place for place, value in enumerate(self._values) if value is not None]
        across = event.position().x()
        self._near = min(counted, key=lambda place: abs(self._point(place, 0.0).x() - across), default=None)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """No week is meant any more."""
        super().leaveEvent(event)
        self._near = None
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the scale, the weeks, and the line."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(sized(self.font(), SIZE_CHART))
        self._paint_scale(painter)
        self._paint_weeks(painter)
        self._paint_line(painter)
        self._paint_near(painter)
        painter.end()

    @property
    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_AXIS_WIDTH, _HEADROOM, -GAP_SMALL, -_AXIS_HEIGHT)

    def _point(self, place: int, value: float) -> QPointF:
        area = self._area
        across = (place + 0.5) / max(len(self._values), 1)
        return QPointF(area.left() + across * area.width(), area.bottom() - value / self.top * area.height())

    def _paint_scale(self, painter: QPainter) -> None:
        area, ink = self._area, self._theme.palette.ink
        for share in _SHARES:
            height = round(area.bottom() - share * area.height()) + 0.5
            painter.setPen(QPen(_faint(ink, HAIRLINE_SHARE if share else BORDER_SHARE), 1))
            painter.drawLine(QPointF(area.left(), height), QPointF(area.right(), height))
            painter.setPen(QColor(self._theme.palette.ink_faint))
            words = QRectF(0, height - _AXIS_HEIGHT / 2, _AXIS_WIDTH - GAP_SMALL, _AXIS_HEIGHT)
            aligned = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(words, aligned, f"{share * self.top * 100:g}%")

    def _paint_weeks(self, painter: QPainter) -> None:
        """The last week always has its label, and before it every so many."""
        widest = max(map(painter.fontMetrics().horizontalAdvance, self._labels), default=1) + GAP
        fitting = min(max(int(self._area.width() / widest), 1), _MOST_LABELS)
        step = max(1, math.ceil(len(self._labels) / fitting))
        painter.setPen(QColor(self._theme.palette.ink_faint))
        for place in range(len(self._labels) - 1, -1, -step):
            middle = self._point(place, 0.0)
            width = painter.fontMetrics().horizontalAdvance(self._labels[place]) + 2
            left = min(middle.x() - width / 2, self.width() - width)
            words = QRectF(left, middle.y() + GAP_TINY, width, _AXIS_HEIGHT - GAP_TINY)
            painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self._labels[place])

    def _paint_line(self, painter: QPainter) -> None:
        accent = QColor(self._theme.palette.accent)
        for run in self.runs():
            painter.setPen(QPen(accent, 2, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(run))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            for point in run:
                painter.drawEllipse(point, _DOT, _DOT)

    def _paint_near(self, painter: QPainter) -> None:
        value = self._values[self._near] if self._near is not None else None
        if self._near is None or value is None:
            return
        palette = self._theme.palette
        painter.setPen(QPen(QColor(palette.accent), 2))
        painter.setBrush(QColor(palette.surface))
        painter.drawEllipse(self._point(self._near, value), _DOT + 1.5, _DOT + 1.5)
        painter.setPen(QColor(palette.ink))
        words = QRectF(self._area.left(), 0, self._area.width(), _HEADROOM)
        painter.fillRect(words, QColor(palette.surface))
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._told[self._near])


def _faint(ink: str, share: float) -> QColor:
    colour = QColor(ink)
    colour.setAlphaF(share)
    return colour
