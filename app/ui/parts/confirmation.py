"""Asks before something that cannot be undone: what will happen, to what, and buttons of which the default is *Don't*.

Never `exec()`: the dialog opens, and the answer arrives by a callback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.ui.parts.buttons import button
from app.ui.parts.labels import said, set_role
from app.ui.parts.layouts import beside, column
from app.ui.tokens import GAP, GAP_LARGE, GAP_SMALL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.text import Text
    from app.ui.desk import Desk


class Confirmation(QDialog):
    """A sheet over its window. `do` is red unless it is `soften`ed; Enter alone never presses it."""

    def __init__(
        self,
        parent: QWidget,
        desk: Desk,
        title: Text,
        effects: Sequence[Text],
        *,
        do: Text,
        dont: Text,
    ) -> None:
        super().__init__(parent)
        wording = desk.wording
        wording.bind(self, "setWindowTitle", title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(440)
        inside = column(gap=GAP_SMALL, margins=(GAP_LARGE, GAP_LARGE, GAP_LARGE, GAP_LARGE))
        heading = said(wording, title, "title", is_wrapping=True)
        inside.addWidget(heading)
        for effect in effects:
            inside.addWidget(said(wording, effect, "soft", is_wrapping=True))
        inside.addSpacing(GAP)
        self.dont_button = button(wording, dont, self.reject)
        self.do_button = button(wording, do, self.accept, role="final")
        inside.addLayout(beside(self.do_button, self.dont_button, is_left=False))
        self.setLayout(inside)
        self.dont_button.setDefault(True)
        self.dont_button.setFocus()

    def soften(self) -> Confirmation:
        """What is asked about can be undone, so its button is not red."""
        set_role(self.do_button, "plain")
        return self


def confirm(question: Confirmation, then: Callable[[], object]) -> Confirmation:
    """Open a question, and call `then` if the answer is to do it."""
    question.accepted.connect(then)
    question.open()
    return question
