"""Who can open the database: whoever is logged in, or whoever knows a passphrase; then the recovery key, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import KeychainLocked, KeychainMissing
from app.domain.text import msg
from app.ui.parts.option import OptionGroup
from app.ui.parts.passphrase import NewPassphrase
from app.ui.parts.recovery_key import RecoveryKeyView
from app.ui.setup.step import Step

if TYPE_CHECKING:
    from app.ui.desk import Desk

_KEYCHAIN, _PASSPHRASE = "keychain", "passphrase"


class KeyStep(Step):
    """Makes the database. Where there is no keychain, the passphrase is what remains."""

    next_text = msg("Create the database")
    can_go_back = True

    def __init__(self, desk: Desk, recovery: RecoveryStep) -> None:
        super().__init__(
            desk, msg("Who can open it?"), msg("A random key encrypts everything. Decide where that key is kept.")
        )
        self._recovery = recovery
        self._is_made = False
        self._is_working = False
        self.options = OptionGroup(desk.wording, desk.theme)
        self.options.add(
            _KEYCHAIN, "key", msg("The system's keychain"), msg("Famulus opens when you log in. Nothing to remember.")
        )
        self.options.add(
            _PASSPHRASE,
            "lock",
            msg("A passphrase of mine"),
            msg("Famulus asks for it whenever it starts. For shared devices."),
        )
        self.passphrase = NewPassphrase(desk)
        self.passphrase.hide()
        self.body.addWidget(self.options)
        self.body.addWidget(self.passphrase)
        self.options.chosen.connect(self._on_chosen)
        self.passphrase.readied.connect(self._tell_ready)

    @property
    def is_ready(self) -> bool:
        """With a passphrase, once it is typed twice."""
        return not self._is_working and (self.options.key == _KEYCHAIN or self.passphrase.is_ready)

    def go_on(self) -> None:
        """Make the database, unless it is made."""
        if self._is_made:
            self.finished.emit()
        elif self.is_ready:
            passphrase = self.passphrase.take() if self.options.key == _PASSPHRASE else None
            self._is_working = True
            self._tell_ready()
            self.desk.doing(self._create(passphrase), "create the database", self.banner)

    async def _create(self, passphrase: str | None) -> None:
        self.banner.clear()
        try:
            self._recovery.show_key(await self.desk.api.create(passphrase=passphrase))
        except (KeychainLocked, KeychainMissing) as problem:
            if passphrase is not None:
                raise
            self.options.choose(_PASSPHRASE)
            self.banner.show_note(problem.what, problem.lost, msg("Choose a passphrase instead, or try again."))
            return
        finally:
            self._is_working = False
            self._tell_ready()
        self._is_made = True
        self.finished.emit()

    def _on_chosen(self, key: str) -> None:
        self.passphrase.setVisible(key == _PASSPHRASE)
        if key == _PASSPHRASE:
            self.passphrase.first.setFocus()
        self._tell_ready()

    def _tell_ready(self) -> None:
        self.readied.emit(self.is_ready)


class RecoveryStep(Step):
    """Shows the recovery key, and goes on once it is kept."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            desk,
            msg("Your recovery key"),
            msg("If all else is lost, this key alone opens your data. It is shown this once."),
        )
        self.view = RecoveryKeyView(desk)
        self.body.addWidget(self.view)
        self.view.kept.connect(self.readied)

    @property
    def is_ready(self) -> bool:
        """Once the person says that it is kept."""
        return self.view.tick.isChecked()

    def show_key(self, key: str) -> None:
        """Take the key from the step that made it."""
        self.view.show_key(key)

    def go_on(self) -> None:
        """Forget it here."""
        self.view.forget()
        self.finished.emit()
