"""Rows and columns on the 4 px grid."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.ui.tokens import CONTENT_WIDTH, GAP, GAP_HUGE, GAP_MEDIUM, GAP_SMALL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QLayout

L = TypeVar("L", bound=QBoxLayout)
_MOST = 1000  # the content takes the width first; what is beyond its maximum goes to both sides


def column(*, gap: int = GAP_SMALL, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QVBoxLayout:
    """Things below each other."""
    return _set(QVBoxLayout(), gap, margins)


def row(*, gap: int = GAP_SMALL, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QHBoxLayout:
    """Things beside each other."""
    return _set(QHBoxLayout(), gap, margins)


def beside(*widgets: QWidget, gap: int = GAP_SMALL, is_left: bool = True) -> QHBoxLayout:
    """Widgets beside each other at the left, or at the right."""
    made = row(gap=gap)
    if not is_left:
        made.addStretch(1)
    for widget in widgets:
        made.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    if is_left:
        made.addStretch(1)
    return made


def card(role: str = "card", *, gap: int = GAP) -> tuple[QFrame, QVBoxLayout]:
    """A frame on the page, and the column inside it."""
    frame = QFrame()
    frame.setProperty("role", role)
    frame.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    inside = column(gap=gap, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
    frame.setLayout(inside)
    return frame, inside


def line() -> QFrame:
    """A hairline between two things."""
    made = QFrame()
    made.setProperty("role", "line")
    return made


@contextmanager
def at_once(layout: QLayout) -> Iterator[None]:
    """Many things come into what a widget is laid out by: it is laid out once after them, and not for each of them.

    Qt would do that whenever a widget shows itself, which takes seconds for some hundred of them.
    """
    layout.setEnabled(False)
    try:
        yield
        _show_children(layout.parentWidget())
    finally:
        layout.setEnabled(True)
        layout.invalidate()


def _show_children(parent: QWidget | None) -> None:
    """Show what came, which would show itself later, each on its own; what was hidden stays so."""
    if parent is None:
        return
    children: list[QWidget] = parent.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    for widget in children:
        if not widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide):
            widget.show()
    parent.updateGeometry()


def empty(layout: QLayout) -> None:
    """Take everything out of a layout, and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            empty(inner)


class Page(QScrollArea):
    """A page: one column of content, at most 760 px wide, which scrolls."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = column(gap=GAP_MEDIUM)
        inside = QWidget()
        inside.setLayout(self.content)
        inside.setMaximumWidth(CONTENT_WIDTH)
        inside.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._frame = row(gap=0, margins=(GAP_HUGE, GAP_HUGE, GAP_HUGE, GAP_HUGE))
        self._frame.addStretch(1)
        self._frame.addWidget(inside, _MOST)
        self._frame.addStretch(1)
        around = Scrolled()
        around.setLayout(self._frame)
        self.setWidget(around)
        self.verticalScrollBar().rangeChanged.connect(lambda *_: self._leave_room())

    def showEvent(self, event: QShowEvent) -> None:
        """How wide a scroll bar is, its style tells only now."""
        super().showEvent(event)
        self._leave_room()

    def _leave_room(self) -> None:
        """Keep the content where it is, whether there is a scroll bar beside it or only room for one."""
        bar = self.verticalScrollBar()
        room = 0 if bar.maximum() else bar.sizeHint().width()
        self._frame.setContentsMargins(GAP_HUGE, GAP_HUGE, GAP_HUGE + room, GAP_HUGE)

    def refresh(self) -> None:
        """Fetch anew what is shown; a page that shows nothing of the house has nothing to fetch."""


class Scrolled(QWidget):
    """What is scrolled: as high as its content is at its width, and not as it would be at its narrowest.

    Tab goes through it as it is laid out, whatever came into it first.
    """

    def event(self, event: QEvent) -> bool:
        """See the class."""
        layout = self.layout()
        if event.type() is QEvent.Type.LayoutRequest and layout is not None:
            for before, after in pairwise(_reached(layout)):
                self.setTabOrder(before, after)
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """See the class."""
        least = super().minimumSizeHint()
        if self.hasHeightForWidth():
            least.setHeight(0)
        return least


def _reached(layout: QLayout) -> Iterator[QWidget]:
    """What takes the keyboard, in the order of a layout and of those within it."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                yield widget
            inner = widget.layout()
        if inner is not None:
            yield from _reached(inner)


def page_of(widget: QWidget) -> QScrollArea | None:
    """What scrolls when the page does on which a widget stands."""
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return parent


def _set(layout: L, gap: int, margins: tuple[int, int, int, int]) -> L:
    layout.setSpacing(gap)
    layout.setContentsMargins(*margins)
    return layout
