"""A sheet over its window that asks for something and stays open until that has worked. Never `exec()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.ui.parts.banner import Banner
from app.ui.parts.labels import said
from app.ui.parts.layouts import beside, column
from app.ui.tokens import GAP, GAP_LARGE, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtGui import QShowEvent
    from PySide6.QtWidgets import QPushButton

    from app.domain.errors import Expected
    from app.domain.text import Text
    from app.ui.desk import Desk

_WIDTH = 480


class Sheet(QDialog):
    """Title, what it is about, fields, a banner, and buttons at the right."""

    def __init__(self, parent: QWidget, desk: Desk, title: Text, about: Text | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        desk.wording.bind(self, "setWindowTitle", title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(_WIDTH)
        self.banner = Banner(desk.wording, desk.theme)
        self.inside = column(gap=GAP_SMALL, margins=(GAP_LARGE, GAP_LARGE, GAP_LARGE, GAP_LARGE))
        self.inside.addWidget(said(desk.wording, title, "title", is_wrapping=True))
        if about is not None:
            self.inside.addWidget(said(desk.wording, about, "soft", is_wrapping=True))
        self.inside.addSpacing(GAP_TINY)
        self.setLayout(self.inside)

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its words need at this width; Qt would leave room for a narrower one."""
        self.resize(_WIDTH, self.inside.heightForWidth(_WIDTH))
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
        self.inside.addWidget(self.banner)
        self.inside.addSpacing(GAP)
        self.inside.addStretch(1)
        self.inside.addLayout(beside(*buttons, is_left=False))

    def send(self, work: Callable[[], Coroutine[Any, Any, None]], name: str, *busy: QWidget) -> None:
        """Do what was asked for; the sheet closes when it has worked."""
        self.banner.clear()
        self._desk.doing(self._work(work), name, self, busy=busy)

    async def _work(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await work()
        self.accept()
