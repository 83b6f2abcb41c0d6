"""Tokens of clients: random, shown once, kept by the keychain alone; the database has their hash (G4.6, G8.1)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from typing import TYPE_CHECKING

from app.domain.errors import Denied, KeychainLocked, KeychainMissing, KeyMissing
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.runtime.paths import Paths
    from app.runtime.secrets import Keychain

PREFIX = "fam_"
_RANDOM_BYTES = 32
_SHAPE = re.compile(r"fam_[A-Za-z0-9_-]{43}")
_ANY_HASH = hashlib.sha256(b"").hexdigest()


def new_token() -> str:
    """A token that nobody can guess."""
    return PREFIX + base64.urlsafe_b64encode(secrets.token_bytes(_RANDOM_BYTES)).decode("ascii").rstrip("=")


def token_hash(token: str) -> str:
    """What is kept of a token; of what is none, the hash of nothing, which nobody has."""
    is_token = len(token) == len(PREFIX) + 43 and _SHAPE.fullmatch(token) is not None
    return hashlib.sha256(token.encode("ascii")).hexdigest() if is_token else _ANY_HASH


def matching(token: str, hashes: Iterable[str | None]) -> int | None:
    """Where in `hashes` that of a token is; every one is looked at, so that the time tells nothing."""
    wanted = token_hash(token)
    found: int | None = None
    for place, known in enumerate(hashes):
        if hmac.compare_digest(wanted, known or "-") and wanted != _ANY_HASH:
            found = place
    return found


class TokenKeeper:
    """The tokens in the system keychain, by the names of their clients. Blocks on its prompt: off the loop, please."""

    def __init__(self, paths: Paths, keychain: Keychain) -> None:
        self._paths = paths
        self._keychain = keychain

    def keep(self, name: str, token: str) -> bool:
        """Keep a token; False where there is no keychain that works."""
        try:
            self._keychain.set(self._key(name), token)
        except (KeychainMissing, KeychainLocked):
            return False
        return True

    def forget(self, name: str) -> None:
        """Forget a token, if it is there; without a keychain there is nothing to forget."""
        try:
            self._keychain.delete(self._key(name))
        except (KeychainMissing, KeychainLocked):
            return

    def token(self, name: str) -> str:
        """The token of a client; raises `Denied` where the keychain does not have it, or does not answer."""
        try:
            return self._keychain.get(self._key(name))
        except (KeyMissing, KeychainMissing, KeychainLocked):
            raise Denied(
                msg("The keychain has no token for the client {name}.", name=name),
                next_step=msg(
                    "Register it with `famulus clients add`, or give its token in the environment as"
                    " FAMULUS_CLIENT_TOKEN."
                ),
            ) from None

    def _key(self, name: str) -> str:
        """Installations do not share clients: the name has the public id of the database in it."""
        from app.store.database import FILE_NAME, key_id_of  # noqa: PLC0415 - not before a token is asked for

        key_id = key_id_of(self._paths.data / FILE_NAME)
        return f"client:{key_id.hex() if key_id is not None else ''}:{name}"
