"""What every step of the first run is: a title, a body, and when one can go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal

from app.domain.text import Text, msg
from app.ui.parts.banner import Banner
from app.ui.parts.labels import said
from app.ui.parts.layouts import Scrolled, column
from app.ui.tokens import GAP, GAP_HUGE, GAP_MEDIUM, GAP_SMALL

if TYPE_CHECKING:
    from PySide6.QtWidgets import QVBoxLayout

    from app.ui.desk import Desk


class Step(Scrolled):
    """`readied` tells whether one can go on; `finished` that the next step is due.

    Attributes:
        next_text: the words of the button that goes on.
        skip_text: the words of the button that leaves the step out, where it can be.
        can_go_back: whether the step before can be seen again.
    """

    readied = Signal(bool)
    finished = Signal()
    next_text: ClassVar[Text] = msg("Continue")
    skip_text: ClassVar[Text | None] = None
    can_go_back: ClassVar[bool] = False

    def __init__(self, desk: Desk, title: Text, about: Text | None = None) -> None:
        super().__init__()
        self.desk = desk
        self.banner = Banner(desk.wording, desk.theme)
        self.body: QVBoxLayout = column(gap=GAP)
        whole = column(gap=GAP_SMALL, margins=(0, GAP_HUGE, GAP_MEDIUM, 0))
        whole.addWidget(said(desk.wording, title, "title", is_wrapping=True))
        if about is not None:
            whole.addWidget(said(desk.wording, about, "lead", is_wrapping=True))
        whole.addSpacing(GAP_MEDIUM)
        whole.addLayout(self.body)
        whole.addWidget(self.banner)
        whole.addStretch(1)
        self.setLayout(whole)

    @property
    def is_ready(self) -> bool:
        """Whether one can go on as the step is now."""
        return True

    def enter(self) -> None:
        """The step is shown."""

    def go_on(self) -> None:
        """The person wants to go on; the step says when it is done."""
        self.finished.emit()

    def skip(self) -> None:
        """The person leaves the step out."""
        self.finished.emit()
