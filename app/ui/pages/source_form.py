"""The sheet on which a source of any kind is set up: where it is, its password, what it belongs to (D8.4).

What the sheet asks for comes from the kind itself (`KindInfo`), so a new kind needs nothing here. The password goes to
the keychain and is forgotten by the sheet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from app.domain.collecting import SourceChange, SourceDraft
from app.domain.labels import Sensitivity
from app.domain.text import Text, msg
from app.domain.words import word
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.choice import Choice
from app.ui.parts.labels import said
from app.ui.parts.layouts import beside, column
from app.ui.parts.secret_field import SecretField
from app.ui.picking import pick_file, pick_folder
from app.ui.tokens import GAP, GAP_LARGE, GAP_SMALL, GAP_TINY

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtWidgets import QBoxLayout

    from app.domain.collecting import KindInfo, SourceInfo
    from app.domain.errors import Expected
    from app.ui.desk import Desk

_WIDTH = 480


class SourceForm(QDialog):
    """A sheet over its window; it stays open until what was asked for has worked.

    Args:
        known: the source that is set up anew; None: a new one.
        send: adds or changes it; its problems are shown on the sheet.
    """

    sent = Signal()

    def __init__(
        self,
        parent: QWidget,
        desk: Desk,
        kind: KindInfo,
        send: Callable[[SourceForm], Coroutine[Any, Any, None]],
        known: SourceInfo | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._kind = kind
        self._known = known
        self._send = send
        wording = desk.wording
        title = msg("Add a source") if known is None else msg("Set up this source")
        wording.bind(self, "setWindowTitle", title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(_WIDTH)
        self.location = self._field(kind.location)
        self.name = self._field(msg("A name of yours, if you like"))
        self.scope = self._field(msg("What it belongs to, such as personal or work"))
        self.secret = SecretField(wording, desk.theme, msg("Password"))
        self.options = {option.name: self._field(option.meaning) for option in kind.options}
        levels = {level.word: word(level.word) for level in Sensitivity}
        self.sensitivity = Choice(wording, desk.theme, msg("How much harm a leak would do"), levels)
        self.banner = Banner(wording, desk.theme)
        self._fill()
        self._build(title)

    def draft(self) -> SourceDraft:
        """What is to be added; the password is handed out once."""
        return SourceDraft(
            kind=self._kind.name,
            location=self.location.text().strip(),
            scope=self.scope.text().strip(),
            sensitivity=Sensitivity.from_word(self.sensitivity.key),
            name=self.name.text().strip() or None,
            options=self._chosen(),
            secret=self.secret.take() or None,
        )

    def change(self) -> SourceChange:
        """What is to be changed; an empty password leaves the old one."""
        return SourceChange(
            name=self.name.text().strip() or None,
            scope=self.scope.text().strip(),
            sensitivity=Sensitivity.from_word(self.sensitivity.key),
            options={name: field.text().strip() for name, field in self.options.items()},
            secret=self.secret.take() or None,
        )

    def show_problem(self, error: Expected) -> None:
        """Say on the sheet what went wrong; what was typed stays, but for the password."""
        self.banner.show_problem(error)

    def show_bug(self) -> None:
        """See `Banner`."""
        self.banner.show_bug()

    def end_problem(self) -> None:
        """See `Banner`."""
        self.banner.end_problem()

    def _chosen(self) -> dict[str, str]:
        typed = {name: field.text().strip() for name, field in self.options.items()}
        return {name: value for name, value in typed.items() if value}

    def _submit(self) -> None:
        self.banner.clear()
        self._desk.doing(self._work(), "set up a source", self, busy=(self.do_button,))

    async def _work(self) -> None:
        await self._send(self)
        self.sent.emit()
        self.accept()

    def _field(self, meaning: Text) -> QLineEdit:
        field = QLineEdit()
        self._desk.wording.bind(field, "setAccessibleName", meaning)
        return field

    def _fill(self) -> None:
        known = self._known
        if known is None:
            self.scope.setText("personal")
            self.sensitivity.choose(Sensitivity.INTERNAL.word)
            for option in self._kind.options:
                self.options[option.name].setPlaceholderText(option.default)
            return
        self.location.setText(known.location)
        self.location.setReadOnly(True)
        self.name.setText(known.name)
        self.scope.setText(known.scope)
        self.sensitivity.choose(known.sensitivity.word)
        for option in self._kind.options:
            self.options[option.name].setText(known.options.get(option.name, option.default))

    def _build(self, title: Text) -> None:
        wording = self._desk.wording
        inside = column(gap=GAP_SMALL, margins=(GAP_LARGE, GAP_LARGE, GAP_LARGE, GAP_LARGE))
        inside.addWidget(said(wording, title, "title", is_wrapping=True))
        inside.addWidget(said(wording, self._kind.meaning, "soft", is_wrapping=True))
        inside.addSpacing(GAP)
        self._ask(self._kind.location, self.location, inside)
        if self._known is None and not self._kind.needs_secret:
            folder = button(wording, msg("Choose a folder\N{HORIZONTAL ELLIPSIS}"), self._pick_folder, role="quiet")
            file = button(wording, msg("Choose a file\N{HORIZONTAL ELLIPSIS}"), self._pick_file, role="quiet")
            inside.addLayout(beside(folder, file))
        if self._kind.needs_secret:
            hint = msg("Password") if self._known is None else msg("Password; leave it empty to keep the present one")
            self._ask(hint, self.secret, inside)
            inside.addWidget(said(wording, msg("It is kept in the system's keychain alone."), "hint", is_wrapping=True))
        for option in self._kind.options:
            self._ask(option.meaning, self.options[option.name], inside)
        self._ask(msg("A name of yours, if you like"), self.name, inside)
        self._ask(msg("What it belongs to, such as personal or work"), self.scope, inside)
        self._ask(msg("How much harm a leak would do"), self.sensitivity, inside)
        inside.addWidget(self.banner)
        inside.addSpacing(GAP)
        do = msg("Add and collect") if self._known is None else msg("Save")
        self.do_button = button(wording, do, self._submit, role="primary")
        self.dont_button = button(wording, msg("Cancel"), self.reject)
        self.do_button.setDefault(True)
        inside.addLayout(beside(self.dont_button, self.do_button, is_left=False))
        self.setLayout(inside)
        (self.location if self._known is None else self.name).setFocus()

    def _ask(self, meaning: Text, field: QWidget, inside: QBoxLayout) -> None:
        pair = column(gap=GAP_TINY)
        pair.addWidget(said(self._desk.wording, meaning, "small", is_wrapping=True))
        pair.addWidget(field)
        inside.addLayout(pair)

    def _pick_folder(self) -> None:
        pick_folder(self, self._desk.wording, self.location.setText)

    def _pick_file(self) -> None:
        pick_file(self, self._desk.wording, self.location.setText)
