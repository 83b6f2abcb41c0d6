"""The sheet on which a source of any kind is set up: where it is, its password, what it belongs to (D8.4).

What the sheet asks for comes from the kind itself (`KindInfo`), so a new kind needs nothing here. The password goes to
the keychain and is forgotten by the sheet.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.domain.collecting import SourceChange, SourceDraft
from app.domain.labels import Sensitivity
from app.domain.text import msg
from app.domain.words import word
from app.ui.parts.buttons import button
from app.ui.parts.choice import Choice
from app.ui.parts.labels import said
from app.ui.parts.layouts import beside
from app.ui.parts.secret_field import SecretField
from app.ui.parts.sheet import Sheet
from app.ui.picking import pick_file, pick_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from app.domain.collecting import KindInfo, SourceInfo
    from app.ui.desk import Desk


class SourceForm(Sheet):
    """See the module.

    Args:
        known: the source that is set up anew; None: a new one.
        send: adds or changes it; its problems are shown on the sheet.
    """

    def __init__(
        self,
        parent: QWidget,
        desk: Desk,
        kind: KindInfo,
        send: Callable[[SourceForm], Coroutine[Any, Any, None]],
        known: SourceInfo | None = None,
    ) -> None:
        super().__init__(
            parent, desk, msg("Add a source") if known is None else msg("Set up this source"), kind.meaning
        )
        self._kind = kind
        self._known = known
        self._send = send
        self.secret = SecretField(desk.wording, desk.theme, msg("Password"))
        self.location = self.field(kind.location)
        self._ask_where()
        self.options = {option.name: self.field(option.meaning) for option in kind.options}
        self.name = self.field(msg("A name of yours, if you like"))
        self.scope = self.field(msg("What it belongs to, such as personal or work"))
        harm = msg("How much harm a leak would do")
        self.sensitivity = Choice(
            desk.wording, desk.theme, harm, {level.word: word(level.word) for level in Sensitivity}
        )
        self.ask(harm, self.sensitivity)
        self._end()
        self._fill()
        (self.location if known is None else self.name).setFocus()

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

    def _chosen(self) -> dict[str, str]:
        typed = {name: field.text().strip() for name, field in self.options.items()}
        return {name: value for name, value in typed.items() if value}

    def _submit(self) -> None:
        self.send(partial(self._send, self), "set up a source", self.do_button)

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

    def _ask_where(self) -> None:
        """How the place is chosen, or the password that it needs."""
        wording = self._desk.wording
        if self._kind.needs_secret:
            hint = msg("Password") if self._known is None else msg("Password; leave it empty to keep the present one")
            self.ask(hint, self.secret)
            kept = msg("It is kept in the system's keychain alone.")
            self.inside.addWidget(said(wording, kept, "hint", is_wrapping=True))
        elif self._known is None:
            folder = button(wording, msg("Choose a folder\N{HORIZONTAL ELLIPSIS}"), self._pick_folder, role="quiet")
            file = button(wording, msg("Choose a file\N{HORIZONTAL ELLIPSIS}"), self._pick_file, role="quiet")
            self.inside.addLayout(beside(folder, file))

    def _end(self) -> None:
        do = msg("Add and collect") if self._known is None else msg("Save")
        self.do_button = button(self._desk.wording, do, self._submit, role="primary")
        self.dont_button = button(self._desk.wording, msg("Cancel"), self.reject)
        self.do_button.setDefault(True)
        self.end_with(self.dont_button, self.do_button)

    def _pick_folder(self) -> None:
        pick_folder(self, self._desk.wording, self.location.setText)

    def _pick_file(self) -> None:
        pick_file(self, self._desk.wording, self.location.setText)
