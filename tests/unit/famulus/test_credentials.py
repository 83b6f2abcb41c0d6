"""Passwords of sources are in the keychain, and nowhere else."""

from __future__ import annotations

import pytest

from app.domain.errors import KeychainLocked, KeychainMissing, KeyMissing, Locked, Unavailable
from app.domain.text import msg
from app.famulus.credentials import Credentials

LOCKED = KeychainLocked(msg("It is locked."), next_step=msg("Unlock it."))
MISSING = KeychainMissing(msg("There is none."), next_step=msg("Give a passphrase."))


class Keychain:
    def __init__(self, fault: Locked | None = None) -> None:
        self.held: dict[str, str] = {}
        self.fault = fault

    def _enter(self) -> None:
        if self.fault is not None:
            raise self.fault

    def get(self, name: str) -> str:
        self._enter()
        if name not in self.held:
            raise KeyMissing(msg("No."), next_step=msg("No."))
        return self.held[name]

    def set(self, name: str, secret: str) -> None:
        self._enter()
        self.held[name] = secret

    def delete(self, name: str) -> None:
        self._enter()
        self.held.pop(name, None)


def test_a_secret_is_kept_read_and_forgotten() -> None:
    keychain = Keychain()
    credentials = Credentials(keychain)  # type: ignore[arg-type]
    credentials.keep("imap-1", "pw")
    assert keychain.held == {"source:imap-1": "pw"}
    assert credentials.reader("imap-1")() == "pw"
    credentials.forget("imap-1")
    assert keychain.held == {}
    with pytest.raises(Unavailable, match="does not hold"):
        credentials.reader("imap-1")()


@pytest.mark.parametrize("fault", [LOCKED, MISSING])
def test_a_keychain_that_fails_is_no_locked_database(fault: Locked) -> None:
    credentials = Credentials(Keychain(fault))  # type: ignore[arg-type]
    for work in (lambda: credentials.keep("s", "pw"), credentials.reader("s")):
        with pytest.raises(Unavailable):
            work()
    credentials.forget("s")
