"""A secret of ours that is shown once: in letters that cannot be mistaken, with a button that copies it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.domain.text import Text, msg
from app.ui.parts.buttons import button
from app.ui.parts.clipboard import copy_secret
from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import beside, column
from app.ui.tokens import GAP_SMALL

if TYPE_CHECKING:
    from app.ui.desk import Desk


class SecretLine(QWidget):
    """Breaks anywhere, since a token has no spaces."""

    _GROUP = 8

    def __init__(self, desk: Desk, secret: str, copy: Text) -> None:
        super().__init__()
        self._secret = secret
        zero_width = "\N{ZERO WIDTH SPACE}"
        pieces = [secret[at : at + self._GROUP] for at in range(0, len(secret), self._GROUP)]
        shown = plain(zero_width.join(pieces), "key", is_wrapping=True)
        shown.setAccessibleName(secret)
        shown.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.copy_button = button(desk.wording, copy, self._copy, theme=desk.theme, icon="copy")
        self._told = said(desk.wording, msg("Copied. The clipboard is emptied in a minute."), "hint")
        self._told.hide()
        inside = column(gap=GAP_SMALL)
        inside.addWidget(shown)
        inside.addLayout(beside(self.copy_button, self._told))
        self.setLayout(inside)

    def _copy(self) -> None:
        copy_secret(self._secret)
        self._told.show()
