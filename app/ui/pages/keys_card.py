"""The keys: a passphrase to ask for, a new recovery key, and locking now (D3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QWidget

from app.domain.text import msg
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.confirmation import Confirmation, confirm
from app.ui.parts.labels import said
from app.ui.parts.layouts import beside, column, line, row
from app.ui.parts.passphrase import NewPassphrase
from app.ui.parts.recovery_key import RecoveryKeyView
from app.ui.tokens import GAP, GAP_MEDIUM

if TYPE_CHECKING:
    from app.ui.desk import Desk


class KeysCard(QFrame):
    """One thing is open at a time: the fields for a passphrase, or a new recovery key."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setProperty("role", "card")
        wording, theme = desk.wording, desk.theme
        self.banner = Banner(wording, theme)
        self.passphrase_button = button(
            wording, msg("Set a passphrase\N{HORIZONTAL ELLIPSIS}"), self._open_passphrase, theme=theme, icon="key"
        )
        self.remove_button = button(wording, msg("Use the keychain\N{HORIZONTAL ELLIPSIS}"), self._ask_removal)
        self.recovery_button = button(wording, msg("New recovery key\N{HORIZONTAL ELLIPSIS}"), self._ask_recovery)
        self.lock_button = button(wording, msg("Lock now"), self._lock, theme=theme, icon="lock")
        self.new_passphrase = NewPassphrase(desk)
        self.store_button = button(wording, msg("Set this passphrase"), self._store, role="primary")
        self.cancel_button = button(wording, msg("Cancel"), self._close_passphrase)
        self.recovery = RecoveryKeyView(desk)
        self.done_button = button(wording, msg("Done"), self._close_recovery, role="primary")
        self._passphrase_part, self._recovery_part = QWidget(), QWidget()
        self._build()

    def _open_passphrase(self) -> None:
        self.banner.clear()
        self._passphrase_part.show()
        self.new_passphrase.first.setFocus()

    def _close_passphrase(self) -> None:
        self.new_passphrase.take()
        self._passphrase_part.hide()

    def _store(self) -> None:
        self._desk.doing(
            self._set(self.new_passphrase.take()), "set a passphrase", self.banner, busy=(self.store_button,)
        )

    async def _set(self, passphrase: str | None) -> None:
        await self._desk.api.set_passphrase(passphrase)
        self._passphrase_part.hide()
        if passphrase is None:
            self.banner.show_note(msg("The key is in the system's keychain; no passphrase is asked for."))
        else:
            self.banner.show_note(msg("From now on Famulus asks for this passphrase when it starts."))

    def _ask_removal(self) -> None:
        effects = (
            msg("The key goes into the system's keychain, and no passphrase is asked for any more."),
            msg("Whoever is logged in as you can then open Famulus."),
        )
        title = msg("Use the keychain alone?")
        question = Confirmation(self, self._desk, title, effects, do=msg("Use the keychain"), dont=msg("Leave it"))
        confirm(question, lambda: self._desk.doing(self._set(None), "remove the passphrase", self.banner))

    def _ask_recovery(self) -> None:
        effects = (msg("The recovery key that you have now will no longer open anything."),)
        title = msg("Make a new recovery key?")
        question = Confirmation(
            self, self._desk, title, effects, do=msg("Make a new one"), dont=msg("Keep the old one")
        )
        confirm(question, lambda: self._desk.doing(self._renew(), "new recovery key", self.banner))

    async def _renew(self) -> None:
        self.banner.clear()
        self.recovery.show_key(await self._desk.api.new_recovery_key())
        self.done_button.setEnabled(False)
        self._recovery_part.show()

    def _close_recovery(self) -> None:
        self.recovery.forget()
        self._recovery_part.hide()

    def _lock(self) -> None:
        self._desk.doing(self._desk.api.lock(), "lock", self.banner)

    def _build(self) -> None:
        wording = self._desk.wording
        passphrase = column(gap=GAP)
        passphrase.addWidget(self.new_passphrase)
        passphrase.addLayout(beside(self.store_button, self.cancel_button))
        self._passphrase_part.setLayout(passphrase)
        recovery = column(gap=GAP)
        recovery.addWidget(said(wording, msg("Your new recovery key. It is shown this once."), "heading"))
        recovery.addWidget(self.recovery)
        recovery.addLayout(beside(self.done_button))
        self._recovery_part.setLayout(recovery)
        inside = column(gap=GAP, margins=(GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM, GAP_MEDIUM))
        about = msg("The key is random. A passphrase wraps it; the recovery key opens it if all else is lost.")
        inside.addWidget(said(wording, msg("Keys"), "heading"))
        inside.addWidget(said(wording, about, "soft", is_wrapping=True))
        for text, made, part in (
            (msg("Ask for a passphrase at the start"), self.passphrase_button, self._passphrase_part),
            (msg("Open with the system's keychain alone"), self.remove_button, None),
            (msg("Replace the recovery key"), self.recovery_button, self._recovery_part),
            (msg("Close the database until it is unlocked again"), self.lock_button, None),
        ):
            inside.addWidget(line())
            whole = row(gap=GAP_MEDIUM)
            whole.addWidget(said(wording, text, is_wrapping=True), 1)
            whole.addWidget(made)
            inside.addLayout(whole)
            if part is not None:
                inside.addWidget(part)
        inside.addWidget(self.banner)
        self.setLayout(inside)
        self._passphrase_part.hide()
        self._recovery_part.hide()
        self.store_button.setEnabled(False)
        self.new_passphrase.readied.connect(self.store_button.setEnabled)
        self.recovery.kept.connect(self.done_button.setEnabled)
