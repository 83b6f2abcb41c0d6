"""Two fields for a new passphrase, which must agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.text import msg
from app.ui.parts.labels import said
from app.ui.parts.layouts import column
from app.ui.parts.secret_field import SecretField
from app.ui.tokens import GAP_SMALL

if TYPE_CHECKING:
    from app.ui.desk import Desk

SHORTEST: Final = 8


class NewPassphrase(QWidget):
    """`readied` tells whether what is typed can be taken."""

    readied = Signal(bool)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._wording = desk.wording
        self.first = SecretField(desk.wording, desk.theme, msg("Passphrase"))
        self.second = SecretField(desk.wording, desk.theme, msg("The same again"))
        self._advice = said(desk.wording, _ADVICE, "hint", is_wrapping=True)
        inside = column(gap=GAP_SMALL)
        for widget in (self.first, self.second, self._advice):
            inside.addWidget(widget)
        self.setLayout(inside)
        for field in (self.first, self.second):
            field.textChanged.connect(self._on_changed)

    @property
    def is_ready(self) -> bool:
        """Whether both agree and are long enough."""
        return len(self.first.text()) >= SHORTEST and self.first.text() == self.second.text()

    def take(self) -> str:
        """Hand out the passphrase, and forget it."""
        self.second.take()
        return self.first.take()

    def _on_changed(self) -> None:
        first, second = self.first.text(), self.second.text()
        if first and len(first) < SHORTEST:
            advice = msg("At least {count} characters.", count=SHORTEST)
        elif second and first != second:
            advice = msg("The two are not the same yet.")
        else:
            advice = _ADVICE
        self._wording.bind(self._advice, "setText", advice)
        self.readied.emit(self.is_ready)


_ADVICE: Final = msg("Four words that do not belong together are strong, and easy to remember.")
