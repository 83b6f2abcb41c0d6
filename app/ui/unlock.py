"""The page that opens a locked database: by the keychain again, by the passphrase, or by the recovery key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from app.domain.text import msg
from app.famulus.api import LockState
from app.ui.parts.banner import Banner
from app.ui.parts.buttons import button
from app.ui.parts.labels import pictured, plain, said
from app.ui.parts.layouts import beside, card, column, row
from app.ui.parts.secret_field import SecretField
from app.ui.tokens import GAP, GAP_HUGE, GAP_MEDIUM, GAP_SMALL

if TYPE_CHECKING:
    from app.ui.desk import Desk

_WIDTH: Final = 440
_BY_KEYCHAIN: Final = frozenset({LockState.KEYCHAIN_LOCKED, LockState.KEY_MISSING, LockState.FAILED})


class UnlockPage(QWidget):
    """Shows why it is locked, and the ways that can open it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._is_by_recovery = False
        wording, theme = desk.wording, desk.theme
        self.setProperty("role", "page")
        self.banner = Banner(wording, theme)
        self._why = plain(role="soft", is_wrapping=True)
        self.passphrase = SecretField(wording, theme, msg("Passphrase"))
        self.recovery = SecretField(wording, theme, msg("Recovery key"))
        self.unlock_button = button(wording, msg("Unlock"), self._unlock, role="primary", theme=theme, icon="unlock")
        self.retry_button = button(wording, msg("Try the keychain again"), self._retry)
        self.other_button = button(wording, msg("Use the recovery key"), self._switch, role="link")
        self._build()
        for field in (self.passphrase, self.recovery):
            field.returnPressed.connect(self._unlock)
            field.textChanged.connect(self._on_typed)
        desk.status.changed.connect(self.refresh)
        wording.changed.connect(self.refresh)
        self._show_way()

    def refresh(self) -> None:
        """Show why it is locked."""
        report = self._desk.status.report
        if report is None:
            return
        parts = [part for part in (report.lock_problem, report.lock_next_step) if part is not None]
        self._why.setText("\n".join(self._desk.wording.say(part) for part in parts))
        self._why.setVisible(bool(parts))
        self.retry_button.setVisible(report.lock in _BY_KEYCHAIN)

    def showEvent(self, event: object) -> None:
        """The cursor is where one types."""
        super().showEvent(event)  # type: ignore[arg-type]
        self.take_keyboard()

    def take_keyboard(self) -> None:
        """What is typed is the passphrase."""
        self._field.setFocus()

    @property
    def _field(self) -> SecretField:
        return self.recovery if self._is_by_recovery else self.passphrase

    def _switch(self) -> None:
        self._is_by_recovery = not self._is_by_recovery
        self._show_way()
        self._field.setFocus()

    def _show_way(self) -> None:
        self.passphrase.setVisible(not self._is_by_recovery)
        self.recovery.setVisible(self._is_by_recovery)
        text = msg("Use the passphrase") if self._is_by_recovery else msg("Use the recovery key")
        self._desk.wording.bind(self.other_button, "setText", text)
        self._desk.wording.bind(self.other_button, "setAccessibleName", text)
        self._on_typed()

    def _on_typed(self) -> None:
        self.unlock_button.setEnabled(bool(self._field.text()))

    def _unlock(self) -> None:
        if not self._field.text():
            return
        typed = self._field.take()
        work = self._open(recovery_key=typed) if self._is_by_recovery else self._open(passphrase=typed)
        self._desk.doing(work, "unlock", self.banner)

    def _retry(self) -> None:
        self._desk.doing(self._open(), "unlock by the keychain", self.banner, busy=(self.retry_button,))

    async def _open(self, *, passphrase: str | None = None, recovery_key: str | None = None) -> None:
        self.banner.clear()
        self.unlock_button.setEnabled(False)
        await self._desk.api.unlock(passphrase=passphrase, recovery_key=recovery_key)
        await self._desk.status.refresh()

    def _build(self) -> None:
        wording, theme = self._desk.wording, self._desk.theme
        frame, inside = card(gap=GAP)
        frame.setFixedWidth(_WIDTH)
        inside.setContentsMargins(GAP_HUGE, GAP_HUGE, GAP_HUGE, GAP_HUGE)
        inside.addWidget(pictured(theme, "lock", "accent", size=32))
        inside.addWidget(said(wording, msg("Famulus is locked"), "title"))
        inside.addWidget(self._why)
        inside.addSpacing(GAP_SMALL)
        for widget in (self.passphrase, self.recovery, self.banner):
            inside.addWidget(widget)
        inside.addLayout(beside(self.unlock_button, self.retry_button, self.other_button))
        whole = column(gap=GAP_MEDIUM)
        whole.addStretch(2)
        middle = row(gap=0)
        middle.addStretch(1)
        middle.addWidget(frame)  # aligned in the column it would not grow with the lines of a banner
        middle.addStretch(1)
        whole.addLayout(middle)
        whole.addStretch(3)
        self.setLayout(whole)
