"""The content of `key.json`: where the key is, and its wraps; no secret in the clear.

{"format": 1, "key_id": hex, "mode": "keychain" | "passphrase", "check": hex,
"recovery": {wrap}, "passphrase": {wrap, in passphrase mode}}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from app.domain.errors import Damaged, FromTheFuture
from app.domain.text import msg
from app.store.wrapping import Purpose, Wrap

KEY_FILE_NAME = "key.json"
_FORMAT = 1
_MOST_BYTES = 1 << 16


class KeyMode(StrEnum):
    """Where the key is."""

    NEW = "new"
    KEYCHAIN = "keychain"
    PASSPHRASE = "passphrase"  # noqa: S105 - the name of a mode


@dataclass(frozen=True, slots=True)
class KeyFile:
    """The content of key.json."""

    key_id: bytes
    mode: KeyMode
    check: bytes
    recovery: Wrap | None = None
    passphrase: Wrap | None = None

    def to_bytes(self) -> bytes:
        """As it stands on disk."""
        fields: dict[str, object] = {
            "format": _FORMAT,
            "key_id": self.key_id.hex(),
            "mode": self.mode.value,
            "check": self.check.hex(),
        }
        for wrapped in (self.recovery, self.passphrase):
            if wrapped is not None:
                fields[wrapped.purpose.value] = wrapped.to_json()
        return json.dumps(fields, indent=1).encode("ascii") + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what `to_bytes` wrote; raises `Damaged` or `FromTheFuture`."""
        try:
            fields = json.loads(data[:_MOST_BYTES])
            if int(fields["format"]) > _FORMAT:
                raise FromTheFuture(
                    msg("The key file (key.json) was written by a newer version of Famulus."),
                    next_step=msg("Install the newest Famulus."),
                )
            wraps = {
                purpose: Wrap.from_json(purpose, fields[purpose.value])
                for purpose in Purpose
                if purpose.value in fields
            }
            file = cls(
                bytes.fromhex(fields["key_id"]),
                KeyMode(fields["mode"]),
                bytes.fromhex(fields["check"]),
                wraps.get(Purpose.RECOVERY),
                wraps.get(Purpose.PASSPHRASE),
            )
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise _damaged() from error
        if len(file.key_id) != 16 or (file.mode is KeyMode.PASSPHRASE) != (file.passphrase is not None):  # noqa: PLR2004
            raise _damaged()
        return file


def _damaged() -> Damaged:
    return Damaged(
        msg("The key file (key.json) is damaged."),
        lost=msg("The database is as it was."),
        next_step=msg("Put an undamaged copy of key.json back beside the database; a backup has one."),
    )
