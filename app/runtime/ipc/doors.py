"""Where connections come in: a Unix socket or a Windows pipe, with a bell that ends the waiting."""

from __future__ import annotations

import multiprocessing.connection as mp
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.runtime.ipc.endpoint import family

if TYPE_CHECKING:
    from multiprocessing.connection import _ConnectionBase as AnyConnection

_BACKLOG = 32


class Door(Protocol):
    """See the module docstring. Opening raises OSError."""

    def accept(self) -> AnyConnection | None:
        """Wait for a connection; None after `ring`. Raises OSError for one that failed."""

    def ring(self) -> None:
        """Let `accept` return, from any thread."""

    def close(self) -> None:
        """Give everything back; called after the last `accept`."""


def open_door(address: str) -> Door:
    """Open the door at an address that `endpoint.announce` chose."""
    return UnixDoor(address) if family(address) == "AF_UNIX" else PipeDoor(address)


class UnixDoor:
    """A socket for its owner alone. The bell is a pipe, since the socket's folder may be gone when it is to ring."""

    def __init__(self, address: str) -> None:
        self._path = Path(address)
        self._bell, self._rope = mp.Pipe(duplex=False)
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.bind(address)
            self._path.chmod(0o600)
            self._socket.listen(_BACKLOG)
            self._socket.setblocking(False)  # noqa: FBT003 - the library's signature
        except OSError:
            self.close()
            raise

    def accept(self) -> AnyConnection | None:
        """See `Door`."""
        if self._bell in mp.wait([self._socket, self._bell]):
            return None
        accepted, _ = self._socket.accept()
        accepted.setblocking(True)  # noqa: FBT003 - some systems hand the listener's mode on
        return mp.Connection(accepted.detach())

    def ring(self) -> None:
        """See `Door`."""
        self._rope.send_bytes(b"x")

    def close(self) -> None:
        """See `Door`."""
        self._socket.close()
        self._bell.close()
        self._rope.close()
        self._path.unlink(missing_ok=True)


class PipeDoor:
    """A named pipe of Windows, which has no way to wait for two things: its bell is a visitor of our own."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._listener = mp.Listener(address, "AF_PIPE", _BACKLOG)
        self._has_rung = False

    def accept(self) -> AnyConnection | None:
        """See `Door`."""
        connection: AnyConnection = self._listener.accept()
        if self._has_rung:
            connection.close()
            return None
        return connection

    def ring(self) -> None:
        """See `Door`."""
        self._has_rung = True
        mp.Client(self._address, "AF_PIPE").close()

    def close(self) -> None:
        """See `Door`."""
        self._listener.close()
