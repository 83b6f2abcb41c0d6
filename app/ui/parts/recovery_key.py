"""Shows a recovery key, once: copy, print, and a tick that says it is kept. It is never stored here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QDialog, QWidget

from app.domain.text import msg
from app.ui.parts.buttons import button
from app.ui.parts.clipboard import copy_secret
from app.ui.parts.labels import plain, said
from app.ui.parts.layouts import beside, column
from app.ui.parts.toggles import TickBox
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from app.ui.desk import Desk


class RecoveryKeyView(QWidget):
    """`kept` tells whether the tick is set."""

    kept = Signal(bool)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._wording = desk.wording
        self._key = plain(role="key", is_wrapping=True)
        self._key.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.copy_button = button(desk.wording, msg("Copy"), self._copy, theme=desk.theme, icon="copy")
        self.print_button = button(
            desk.wording, msg("Print\N{HORIZONTAL ELLIPSIS}"), self._print, theme=desk.theme, icon="print"
        )
        self._told = said(desk.wording, msg("Copied. The clipboard is emptied in a minute."), "hint")
        self._told.hide()
        self.tick = TickBox(desk.theme)
        desk.wording.bind(self.tick, "setText", msg("I keep it where I will find it again"))
        self.tick.toggled.connect(self.kept)
        inside = column(gap=GAP)
        inside.addWidget(self._key)
        inside.addLayout(beside(self.copy_button, self.print_button, self._told))
        inside.addWidget(self.tick)
        self.setLayout(inside)

    def show_key(self, key: str) -> None:
        """Show a key; the tick is taken back."""
        self._key.setText(key)
        self._key.setAccessibleName(key)
        self.tick.setChecked(False)
        self._told.hide()

    def forget(self) -> None:
        """The key is shown this once."""
        self.show_key("")

    def _copy(self) -> None:
        copy_secret(self._key.text())
        self._told.show()

    def _print(self) -> None:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # noqa: PLC0415 - a library that few ever need

        printer = QPrinter()
        dialog = QPrintDialog(printer, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        document = QTextDocument(self)
        heading = self._wording.say(msg("Recovery key of Famulus"))
        advice = self._wording.say(msg("Whoever has this key can open the database. Keep it in a safe place."))
        document.setPlainText(f"{heading}\n\n{self._key.text()}\n\n{advice}")
        dialog.accepted.connect(lambda: document.print_(printer))
        dialog.finished.connect(document.deleteLater)
        QDialog.open(dialog)
