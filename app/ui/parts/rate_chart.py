"""A rate by weeks as a line, drawn by pyqtgraph in the colours and the type of the tokens (G7).

Nothing on it can be dragged or zoomed, and the wheel goes to the page. Importing this module takes half a second, so
it is imported when the first chart is wanted, and never by the window's start.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import pyqtgraph
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen
from PySide6.QtWidgets import QFrame

from app.ui.fonts import sized
from app.ui.tokens import BORDER_SHARE, SIZE_CHART

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QWheelEvent

    from app.ui.theme import Theme

_HEIGHT: Final = 112
_MOST_LABELS: Final = 5
_AXIS_WIDTH: Final = 44
_AXIS_HEIGHT: Final = 20
_TICKS: Final = ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %"))
_HEADROOM: Final = 0.08
_DOT: Final = 6
# its clean-up at the end of the process reaches for widgets that Qt let go before
pyqtgraph.setConfigOption("exitCleanup", False)


class RateChart(pyqtgraph.PlotWidget):  # type: ignore[misc]
    """Shares of 0..1; where nothing was counted the line has a gap."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(background=None)
        self._theme = theme
        self.setFixedHeight(_HEIGHT)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseEnabled(x=False, y=False)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setAntialiasing(True)
        self._line = self.plot([], [], connect="finite", antialias=True)
        self.setYRange(-_HEADROOM, 1 + _HEADROOM, padding=0)
        self.getAxis("left").setTicks([list(_TICKS)])
        self.getAxis("left").setWidth(_AXIS_WIDTH)
        self.getAxis("bottom").setHeight(_AXIS_HEIGHT)
        theme.changed.connect(self._dress)
        self._dress()

    def show_weeks(self, labels: Sequence[str], values: Sequence[float | None]) -> None:
        """Show one value a week, with a word for each week."""
        places = list(range(len(values)))
        is_any = any(value is not None for value in values)
        drawn = [math.nan if value is None else value for value in values] if is_any else []
        self._line.setData(places if is_any else [], drawn)
        step = max(1, math.ceil(len(places) / _MOST_LABELS))
        self.getAxis("bottom").setTicks([[(place, labels[place]) for place in places[::-1][::step]]])
        self.setXRange(-0.5, max(len(places) - 0.5, 0.5), padding=0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The page scrolls."""
        event.ignore()

    def _dress(self) -> None:
        colour = self._theme.palette
        font: QFont = sized(self.font(), SIZE_CHART)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(QPen(QColor(0, 0, 0, 0)))
            axis.setTextPen(QColor(colour.ink_faint))
            axis.setTickFont(font)
            axis.setStyle(tickLength=0)
        edge = QColor(colour.ink)
        edge.setAlphaF(BORDER_SHARE)
        self.getAxis("bottom").setPen(QPen(edge, 1))
        self._line.setPen(pyqtgraph.mkPen(colour.accent, width=2))
        self._line.setSymbol("o")
        self._line.setSymbolSize(_DOT)
        self._line.setSymbolPen(pyqtgraph.mkPen(colour.accent))
        self._line.setSymbolBrush(pyqtgraph.mkBrush(colour.accent))
