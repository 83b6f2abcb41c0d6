"""Where the owner of the data listens, and the key that proves a right to talk to it: a file for its owner alone."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.settings.file import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from app.runtime.paths import Paths

_NAME = "owner.json"
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`address` is a socket's path or a pipe's name; `key` is hexadecimal and lives as long as the owner."""

    address: str
    key: str
    process_id: int

    @property
    def secret(self) -> bytes:
        """The key as bytes."""
        return bytes.fromhex(self.key)


def announce(paths: Paths) -> Endpoint:
    """Choose a free address and a new key, and write them down. Only for the holder of the owner lock."""
    endpoint = Endpoint(_free_address(paths), secrets.token_hex(KEY_BYTES), os.getpid())
    write_whole(_file(paths), json.dumps(asdict(endpoint)).encode())
    return endpoint


def find(paths: Paths) -> Endpoint | None:
    """What the last owner wrote down; it may be gone. None when there was none, or the file makes no sense."""
    try:
        parsed = json.loads(_file(paths).read_bytes())
        endpoint = Endpoint(str(parsed["address"]), str(parsed["key"]), int(parsed["process_id"]))
        is_whole = len(endpoint.secret) == KEY_BYTES
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return endpoint if is_whole else None


def withdraw(paths: Paths) -> None:
    """Take the announcement back."""
    _file(paths).unlink(missing_ok=True)


def family(address: str) -> str:
    """The kind of an address, as `multiprocessing.connection` names it."""
    return "AF_PIPE" if address.startswith("\\\\") else "AF_UNIX"


def _free_address(paths: Paths) -> str:
    if sys.platform == "win32":
        # A name that nobody can guess cannot be taken before we take it.
        return rf"\\.\pipe\famulus-{hashlib.sha256(secrets.token_bytes(32)).hexdigest()[:32]}"
    socket = paths.socket()
    socket.unlink(missing_ok=True)  # left by a killed owner: the lock says that there is no other
    return str(socket)


def _file(paths: Paths) -> Path:
    return paths.data / _NAME
