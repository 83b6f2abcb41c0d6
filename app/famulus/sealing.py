"""Ids for clients: the store's numbers under a key of each client (G4.3).

So they tell neither how many entries there are, nor which came first, nor whether two clients see the same one.

A sealed id is one AES block: the kind, seven zero bytes that prove it, and the number. It is the same each time, since
a client may keep it to cite by. An id that was made up, changed or taken from another client opens with a chance of 1
in 2^56, and is then as good as one that is not there.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

KEY_BYTES = 32
_PROOF = bytes(7)
_KINDS = "cer"
_BLOCK = 16
_SEALED_CHARS = 26
_LONGEST_NUMBER = 18


def new_key() -> bytes:
    """A key for a new client."""
    return secrets.token_bytes(KEY_BYTES)


class Seal:
    """The seal of one client."""

    def __init__(self, key: bytes) -> None:
        # one block alone is ever made of one value: no mode has anything to chain
        self._cipher = Cipher(algorithms.AES(key), modes.ECB())  # noqa: S305
        self._key = key

    def close(self, item_id: str) -> str:
        """An id of the store ("c12", "e12", "r5") as this client gets it; an empty one stays empty."""
        if not item_id:
            return ""
        kind, number = item_id[0], int(item_id[1:])
        block = kind.encode("ascii") + _PROOF + number.to_bytes(8, "big")
        encryptor = self._cipher.encryptor()
        sealed = encryptor.update(block) + encryptor.finalize()
        return base64.b32encode(sealed).decode("ascii").rstrip("=").lower()

    def digest(self, text: str) -> str:
        """By what a text is known again, and by nobody without the key."""
        return hmac.new(self._key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def open(self, sealed: str) -> str | None:
        """The id of the store; None for what this client never got."""
        if len(sealed) != _SEALED_CHARS or not sealed.isascii() or sealed != sealed.lower():
            return None
        try:
            block = base64.b32decode(sealed.upper() + "======")
        except (binascii.Error, ValueError):
            return None
        decryptor = self._cipher.decryptor()
        plain = decryptor.update(block) + decryptor.finalize()
        found = f"{chr(plain[0])}{int.from_bytes(plain[8:], 'big')}"
        is_ours = plain[1:8] == _PROOF and found[0] in _KINDS and len(found) <= _LONGEST_NUMBER
        return found if is_ours and self.close(found) == sealed else None
