"""A window without a frame: rounded, with a shadow, a third down the screen that has the pointer.

Where nothing mixes windows (X11 without a compositor) there is no shadow, and the corners are cut out of the window.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QBitmap, QColor, QCursor, QGuiApplication, QPainter
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from app.ui.parts.layouts import column
from app.ui.tokens import PANEL_SHADOW, PANEL_WIDTH, RADIUS_CARD

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QVBoxLayout

_log = logging.getLogger(__name__)
_SETTLED_MS: Final = 150
_SHADOW_STEPS: Final = 16
_SHADOW_DROP: Final = 8
_SHADOW_STRENGTH: Final = 3.4


class FloatingPanel(QWidget):
    """Kept built and hidden, so that it is there at once. `left` tells that another window became active."""

    left = Signal()

    def __init__(self, anchor_height: int) -> None:
        super().__init__()
        self._anchor_height = anchor_height
        self._has_shadow = is_compositing()
        self._is_fresh = False
        self._area = QRect()
        self._look_around = QTimer(self)
        self._look_around.setSingleShot(True)
        self._look_around.setInterval(_SETTLED_MS)
        self._look_around.timeout.connect(self._on_looked_around)
        self.setWindowFlags(Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._has_shadow)
        # a tool window would vanish on macOS whenever another program is in front, which is the normal case here
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.frame = QFrame()
        self.frame.setProperty("role", "panel")
        self.frame.setFixedWidth(PANEL_WIDTH)
        self.inside: QVBoxLayout = column(gap=0)
        self.frame.setLayout(self.inside)
        around = column(gap=0, margins=(self.margin,) * 4)
        around.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        around.addWidget(self.frame)
        self.setLayout(around)

    @property
    def margin(self) -> int:
        """Pixels around the frame that belong to the shadow."""
        return PANEL_SHADOW if self._has_shadow else 0

    def place(self) -> None:
        """Go to the screen with the pointer; the middle of the first row is at a third of its height."""
        screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
        area = screen.availableGeometry()
        self.adjustSize()
        self._area = area
        self._stand()

    def _stand(self) -> None:
        """Stand at a third of the screen's height, or as far above it as what is shown needs room below."""
        area = self._area
        left = area.center().x() - self.width() // 2
        top = area.top() + area.height() // 3 - self._anchor_height // 2 - self.margin
        lowest = area.bottom() + 1 + self.margin - self.height()
        self.move(QPoint(left, max(min(top, lowest), area.top() - self.margin)))

    def showEvent(self, event: QShowEvent) -> None:
        """Remember to ask for the keyboard once the window is really there, and forget who was in front before."""
        self._is_fresh = True
        self._look_around.stop()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stay on the screen, and cut the corners where the window cannot be translucent."""
        super().resizeEvent(event)
        if self._area.isValid():
            self._stand()
        if not self._has_shadow:
            self.setMask(self._rounded())

    def changeEvent(self, event: QEvent) -> None:
        """Tell when another window became the active one, and stayed it: news of the last time may come late."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._look_around.start()

    def _on_looked_around(self) -> None:
        if self.isVisible() and not self.isActiveWindow():
            self.left.emit()

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw the shadow: many faint rounded rectangles, which costs nothing while the frame inside repaints."""
        if self._is_fresh:
            # the first wish to be active may have come before the window was on the screen, where X11 drops it
            self._is_fresh = False
            self.activateWindow()
        if not self._has_shadow:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        frame = QRectF(self.frame.geometry()).translated(0, _SHADOW_DROP)
        for step in range(_SHADOW_STEPS):
            spread = (PANEL_SHADOW - _SHADOW_DROP) * (1 - step / _SHADOW_STEPS)
            painter.setBrush(QColor(0, 0, 0, round(_SHADOW_STRENGTH * (0.3 + step / _SHADOW_STEPS))))
            radius = RADIUS_CARD + spread
            painter.drawRoundedRect(frame.adjusted(-spread, -spread, spread, spread), radius, radius)
        painter.end()

    def _rounded(self) -> QBitmap:
        mask = QBitmap(self.size())
        mask.fill(Qt.GlobalColor.color0)
        painter = QPainter(mask)
        painter.setBrush(Qt.GlobalColor.color1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(self.rect(), RADIUS_CARD, RADIUS_CARD)
        painter.end()
        return mask


def is_compositing() -> bool:
    """Whether translucent windows are mixed with what is behind them; True wherever only X11 would not."""
    if QGuiApplication.platformName() != "xcb":
        return True
    try:
        from Xlib import display as x_display  # noqa: PLC0415 - only X11 has it
        from Xlib.error import DisplayError  # noqa: PLC0415
    except ImportError:
        return False
    try:
        display = x_display.Display()
    except (DisplayError, OSError):
        return False
    try:
        manager = display.intern_atom(f"_NET_WM_CM_S{display.get_default_screen()}")
        return bool(display.get_selection_owner(manager))
    finally:
        display.close()
