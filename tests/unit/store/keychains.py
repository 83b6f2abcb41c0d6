"""A keychain in memory that can be locked, missing or forgetful."""

from __future__ import annotations

from app.domain.errors import Expected, KeyMissing
from app.domain.text import msg

LATER = msg("Later.")


class MemoryKeychain:
    def __init__(self, *, refuses: type[Expected] | None = None) -> None:
        self.secrets: dict[str, str] = {}
        self.refuses = refuses

    def get(self, name: str) -> str:
        self._answer()
        if name not in self.secrets:
            raise KeyMissing(msg("Not there."), next_step=LATER)
        return self.secrets[name]

    def set(self, name: str, secret: str) -> None:
        self._answer()
        self.secrets[name] = secret

    def delete(self, name: str) -> None:
        self._answer()
        self.secrets.pop(name, None)

    def _answer(self) -> None:
        if self.refuses is not None:
            raise self.refuses(msg("No."), next_step=LATER)
