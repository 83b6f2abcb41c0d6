"""What is shown once after a client was made or connected: its token, the file that was written, the piece to paste."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QMimeData, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from app.domain.text import msg
from app.ui.parts.buttons import button
from app.ui.parts.clipboard import as_secret, copy_secret
from app.ui.parts.labels import said
from app.ui.parts.layouts import beside
from app.ui.parts.secret_line import SecretLine
from app.ui.parts.sheet import Sheet
from app.ui.parts.status_line import StatusLine
from app.ui.tokens import GAP

if TYPE_CHECKING:
    from app.domain.clients import ClientProgram, Connection, NewClient
    from app.domain.text import Text
    from app.ui.desk import Desk

_ONCE: Final = msg("This is the only time that the token is shown. Whoever has it can ask as this agent.")
_LOST: Final = msg("If it is lost, make a new one: the old one then holds no longer.")
_MOST_LINES: Final = 20


class _Piece(QPlainTextEdit):
    """As high as its lines, up to a limit: a style sheet takes away every height that is set.

    Of one `with_token` whatever is copied, by whatever key or menu, is copied as a secret.
    """

    def __init__(self, text: str, *, with_token: bool) -> None:
        super().__init__(text)
        self._with_token = with_token
        self.setProperty("role", "piece")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """See the class."""
        self.ensurePolished()
        lines = min(self.blockCount(), _MOST_LINES) + 1
        return QSize(super().sizeHint().width(), lines * self.fontMetrics().lineSpacing() + 2 * GAP)

    def createMimeDataFromSelection(self) -> QMimeData:
        """See the class."""
        if self._with_token:
            return as_secret(self.textCursor().selection().toPlainText())
        return super().createMimeDataFromSelection()


class TokenSheet(Sheet):
    """The token of a new client, or a new token."""

    def __init__(self, parent: QWidget, desk: Desk, made: NewClient) -> None:
        super().__init__(parent, desk, msg("The token of {name}", name=made.client.name), _ONCE)
        self.secret = SecretLine(desk, made.token, msg("Copy the token"))
        self.inside.addWidget(self.secret)
        kept = StatusLine(desk.wording, desk.theme)
        if made.is_in_keychain:
            command = f"famulus mcp --client {made.client.name}"
            kept.show_fact("key", msg("The keychain holds it too."), msg("{command} finds it there.", command=command))
        else:
            kept.show_fact("warning", msg("There is no keychain here: put it into the program now."), _LOST, ink="asks")
        self.inside.addWidget(kept)
        if made.is_in_keychain:
            self.inside.addWidget(said(desk.wording, _LOST, "small", is_wrapping=True))
        self.done_button = button(desk.wording, msg("Done"), self.accept, role="primary")
        self.end_with(self.done_button)
        self.done_button.setFocus()


class ConnectionSheet(Sheet):
    """What was written for a program, or what the person writes by hand."""

    def __init__(self, parent: QWidget, desk: Desk, program: ClientProgram, made: Connection) -> None:
        title = msg("{program} is connected", program=program.name)
        super().__init__(parent, desk, title if made.path else msg("Connect {program} by hand", program=program.name))
        self._made = made
        self._has_token_inside = made.token is not None and made.token in made.text
        if made.path is not None:
            self._tell_written(program.name, made.path)
        else:
            self._tell_by_hand(program)
        self._add_piece(msg("What was written") if made.path else msg("What to write"))
        if made.token is not None:
            self.inside.addWidget(said(desk.wording, _ONCE, "small", is_wrapping=True))
        if made.token is not None and not self._has_token_inside:
            self.inside.addWidget(SecretLine(desk, made.token, msg("Copy the token")))
        self.done_button = button(desk.wording, msg("Done"), self.accept, role="primary")
        self.end_with(self.done_button)
        self.done_button.setFocus()

    def _tell_by_hand(self, program: ClientProgram) -> None:
        fact = StatusLine(self._desk.wording, self._desk.theme)
        where = msg("Put this among its servers, in {path}, and start it anew.", path=program.path)
        if self._made.token is None:
            fact.show_fact("info", msg("Nothing was written."), where)
        else:
            why = msg("There is no keychain here, and Famulus writes no token into a file by itself.")
            fact.show_fact("warning", why, where, ink="asks")
        self.inside.addWidget(fact)

    def _tell_written(self, program: str, path: str) -> None:
        wording, theme = self._desk.wording, self._desk.theme
        written, then = StatusLine(wording, theme), StatusLine(wording, theme)
        backup = self._made.backup
        before = msg("As it was before: {path}", path=backup) if backup else msg("The file was not there before.")
        written.show_fact("done", msg("Written: {path}", path=path), before)
        then.show_fact("sync", msg("Start {program} anew, so that it sees Famulus.", program=program))
        self.inside.addWidget(written)
        self.inside.addWidget(then)

    def _add_piece(self, meaning: Text) -> None:
        self.piece = _Piece(self._made.text, with_token=self._has_token_inside)
        self._desk.wording.bind(self.piece, "setAccessibleName", meaning)
        self.ask(meaning, self.piece)
        copy = msg("Copy this piece")
        self.copy_button = button(self._desk.wording, copy, self._copy, theme=self._desk.theme, icon="copy")
        self._told = said(self._desk.wording, msg("Copied. The clipboard is emptied in a minute."), "hint")
        self._told.hide()
        self.inside.addLayout(beside(self.copy_button, self._told))

    def _copy(self) -> None:
        if self._has_token_inside:
            copy_secret(self._made.text)
            self._told.show()
        else:
            QGuiApplication.clipboard().setText(self._made.text)
