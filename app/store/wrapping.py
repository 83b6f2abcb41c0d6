"""The database key, wrapped by a passphrase or by the recovery key.

AES-256-GCM under a key that is derived from the secret; the database's id and the purpose are bound in as associated
data, so a wrap of one database or purpose cannot be passed off as another's.

* A passphrase goes through Argon2id with RFC 9106's second recommended choice (t=3, m=64 MiB, p=4), about 0.1 s. The
  first choice (m=2 GiB) would be refused on small machines, and stop a tray application from starting beside a browser.
  The parameters stand in the file, so that later versions can raise them.
* A recovery key has 170 random bits, which nobody guesses; HKDF-SHA256 is enough, and costs nothing.
"""

from __future__ import annotations

import base64
import os
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

if TYPE_CHECKING:
    from collections.abc import Mapping

_TIME_COST = 3
_MEMORY_KIB = 64 * 1024
_PARALLELISM = 4
# A file that asks for more was not written by Famulus, and would keep it busy for days
_MOST_MEMORY_KIB = 4 * 1024 * 1024
_MOST_TIME_COST = 64
_MOST_PARALLELISM = 64
_LEAST_KIB_A_LANE = 8
_LEAST_SALT_BYTES = 8
_SALT_BYTES = 16
_NONCE_BYTES = 12
_KEY_BYTES = 32


class Purpose(StrEnum):
    """What a wrap is opened with."""

    PASSPHRASE = "passphrase"  # noqa: S105 - the name of a purpose
    RECOVERY = "recovery"


@dataclass(frozen=True, slots=True)
class Wrap:
    """A wrapped key with all that is needed to open it, but for the secret."""

    purpose: Purpose
    salt: bytes
    nonce: bytes
    sealed: bytes
    time_cost: int = 0
    memory_kib: int = 0
    parallelism: int = 0

    def to_json(self) -> dict[str, object]:
        """As it stands in key.json."""
        fields: dict[str, object] = {name: _text(getattr(self, name)) for name in ("salt", "nonce", "sealed")}
        if self.purpose is Purpose.PASSPHRASE:
            return {
                "kdf": "argon2id",
                "t": self.time_cost,
                "m_kib": self.memory_kib,
                "p": self.parallelism,
            } | fields
        return {"kdf": "hkdf-sha256"} | fields

    @classmethod
    def from_json(cls, purpose: Purpose, fields: Mapping[str, object]) -> Wrap:
        """Read what `to_json` wrote; raises KeyError, TypeError or ValueError for anything else."""
        salt, nonce, sealed = (
            base64.b64decode(str(fields[name]), validate=True) for name in ("salt", "nonce", "sealed")
        )
        if purpose is Purpose.RECOVERY:
            _expect(fields["kdf"] == "hkdf-sha256")
            return cls(purpose, salt, nonce, sealed)
        time_cost, memory_kib, parallelism = (int(str(fields[name])) for name in ("t", "m_kib", "p"))
        _expect(fields["kdf"] == "argon2id" and len(salt) >= _LEAST_SALT_BYTES)
        _expect(0 < time_cost <= _MOST_TIME_COST and 0 < parallelism <= _MOST_PARALLELISM)
        _expect(_LEAST_KIB_A_LANE * parallelism <= memory_kib <= _MOST_MEMORY_KIB)
        return cls(purpose, salt, nonce, sealed, time_cost, memory_kib, parallelism)


def wrap(key: bytes, purpose: Purpose, secret: bytes, key_id: bytes) -> Wrap:
    """Wrap a key. A new salt and nonce each time."""
    salt, nonce = os.urandom(_SALT_BYTES), os.urandom(_NONCE_BYTES)
    costs = (_TIME_COST, _MEMORY_KIB, _PARALLELISM) if purpose is Purpose.PASSPHRASE else (0, 0, 0)
    draft = Wrap(purpose, salt, nonce, b"", *costs)
    sealed = AESGCM(_derived(draft, secret)).encrypt(nonce, key, _bound(purpose, key_id))
    return Wrap(purpose, salt, nonce, sealed, *costs)


def unwrap(wrapped: Wrap, secret: bytes, key_id: bytes) -> bytes | None:
    """The key; None where the secret is not the right one, or the wrap was changed."""
    try:
        return AESGCM(_derived(wrapped, secret)).decrypt(wrapped.nonce, wrapped.sealed, _bound(wrapped.purpose, key_id))
    except (InvalidTag, ValueError):
        return None


def passphrase_secret(passphrase: str) -> bytes:
    """The bytes of a passphrase, the same from every keyboard and input method (NFKC)."""
    return unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")


def _derived(wrapped: Wrap, secret: bytes) -> bytes:
    if wrapped.purpose is Purpose.RECOVERY:
        return HKDF(SHA256(), _KEY_BYTES, wrapped.salt, b"famulus recovery key v1").derive(secret)
    return hash_secret_raw(
        secret,
        wrapped.salt,
        time_cost=wrapped.time_cost,
        memory_cost=wrapped.memory_kib,
        parallelism=wrapped.parallelism,
        hash_len=_KEY_BYTES,
        type=Type.ID,
    )


def _bound(purpose: Purpose, key_id: bytes) -> bytes:
    return b"famulus key v1|" + purpose.value.encode() + b"|" + key_id


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _expect(condition: object) -> None:
    if not condition:
        raise ValueError("not a wrap of ours")
