"""The head of a page: its title, what it is about, and its main buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import column, row
from app.ui.tokens import GAP_MEDIUM, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from app.domain.text import Text
    from app.ui.wording import Wording


class Heading(QWidget):
    """Title at the left, buttons at the right."""

    def __init__(self, wording: Wording, title: Text | None, about: Text | None, *buttons: QWidget) -> None:
        super().__init__()
        self.title = plain(role="title") if title is None else said(wording, title, "title")
        words = column(gap=GAP_TINY)
        words.addWidget(self.title)
        if about is not None:
            words.addWidget(said(wording, about, "soft", is_wrapping=True))
        whole = row(gap=GAP_SMALL)
        whole.addLayout(words, 1)
        whole.addSpacing(GAP_MEDIUM)
        for button in buttons:
            whole.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.setLayout(whole)
