"""A sheet over its window that asks for something and stays open until that has worked. Never `exec()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QScrollArea, QWidget
from shiboken6 import isValid

from app.ui.parts.banner import Banner
from app.ui.parts.labels import said
from app.ui.parts.layouts import Scrolled, beside, column
from app.ui.tokens import GAP, GAP_HUGE, GAP_LARGE, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QLayout, QPushButton

    from app.domain.errors import Expected
    from app.domain.text import Text
    from app.ui.desk import Desk

_WIDTH = 480


class Sheet(QDialog):
    """Title, what it is about, fields, a banner, and buttons at the right.

    Of more than the screen holds, what is above the banner scrolls: the buttons are always there.
    """

    def __init__(self, parent: QWidget, desk: Desk, title: Text, about: Text | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        desk.wording.bind(self, "setWindowTitle", title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(_WIDTH)
        self.banner = Banner(desk.wording, desk.theme)
        self.inside = column(gap=GAP_SMALL, margins=(GAP_LARGE, GAP_LARGE, GAP_LARGE, GAP_SMALL))
        self._foot = column(gap=GAP_SMALL, margins=(GAP_LARGE, 0, GAP_LARGE, GAP_LARGE))
        self.inside.addWidget(said(desk.wording, title, "title", is_wrapping=True))
        if about is not None:
            self.inside.addWidget(said(desk.wording, about, "soft", is_wrapping=True))
        self.inside.addSpacing(GAP_TINY)
        self._scroll = self._make_scroll()
        whole = column(gap=0)
        whole.addWidget(self._scroll, 1)
        whole.addLayout(self._foot)
        self.setLayout(whole)

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its words need at this width; Qt would leave room for a narrower one."""
        self.resize(_WIDTH, self._height())
        super().showEvent(event)

    def show_problem(self, error: Expected) -> None:
        """Say on the sheet what went wrong; what was typed stays."""
        self.banner.show_problem(error)

    def show_bug(self) -> None:
        """See `Banner`."""
        self.banner.show_bug()

    def end_problem(self) -> None:
        """See `Banner`."""
        self.banner.end_problem()

    def field(self, meaning: Text) -> QLineEdit:
        """A field with its meaning above it."""
        made = QLineEdit()
        self._desk.wording.bind(made, "setAccessibleName", meaning)
        self.ask(meaning, made)
        return made

    def ask(self, meaning: Text, widget: QWidget) -> None:
        """Add something with its meaning above it."""
        pair = column(gap=GAP_TINY)
        pair.addWidget(said(self._desk.wording, meaning, "small", is_wrapping=True))
        pair.addWidget(widget)
        self.inside.addLayout(pair)

    def end_with(self, *buttons: QPushButton) -> None:
        """Add the banner and the buttons, the main one last."""
        self.inside.addStretch(1)
        self._foot.addWidget(self.banner)
        self._foot.addSpacing(GAP)
        self._foot.addLayout(beside(*buttons, is_left=False))

    def send(self, work: Callable[[], Coroutine[Any, Any, None]], name: str, *busy: QWidget) -> None:
        """Do what was asked for; the sheet closes when it has worked."""
        self.banner.clear()
        self._desk.doing(self._work(work), name, self, busy=busy)

    async def _work(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await work()
        # it may have been closed meanwhile
        if isValid(self):
            self.accept()

    def _height(self) -> int:
        """What all of it needs, or what the screen has."""
        needed = sum(_height_of(part) for part in (self.inside, self._foot))
        return min(needed, self.screen().availableGeometry().height() - GAP_HUGE)

    def _grow(self) -> None:
        """More is said than when it was opened."""
        if self.isVisible() and self._height() > self.height():
            self.resize(_WIDTH, self._height())

    def _make_scroll(self) -> QScrollArea:
        content, made = Scrolled(), QScrollArea()
        content.setLayout(self.inside)
        made.setWidget(content)
        made.setWidgetResizable(True)
        made.setFrameShape(QFrame.Shape.NoFrame)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.verticalScrollBar().rangeChanged.connect(lambda *_: self._grow())
        return made


def _height_of(layout: QLayout) -> int:
    return layout.heightForWidth(_WIDTH) if layout.hasHeightForWidth() else layout.sizeHint().height()
