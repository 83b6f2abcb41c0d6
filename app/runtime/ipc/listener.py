"""The owner's side of the socket: accepts, lets in who knows the key, and hands out channels."""

from __future__ import annotations

import logging
import multiprocessing.connection as mp
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.runtime.ipc import endpoint as endpoints
from app.runtime.ipc import handshake
from app.runtime.ipc.channel import Channel
from app.runtime.ipc.doors import open_door
from app.runtime.ipc.frames import MAX_REPLY_BYTES, MAX_REQUEST_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import _ConnectionBase as AnyConnection

    from app.runtime.ipc.doors import Door
    from app.runtime.ipc.endpoint import Endpoint
    from app.runtime.paths import Paths

_MAX_CONNECTIONS = 64
_PAUSE_S = 0.1
_log = logging.getLogger(__name__)


class Listener:
    """Listens from `start` to `close`. Only for the holder of the owner lock.

    Args:
        on_channel: called on a thread of its own with every channel that was let in, not yet started.
    """

    def __init__(self, paths: Paths, on_channel: Callable[[Channel], None]) -> None:
        self._paths = paths
        self._on_channel = on_channel
        self._pause = threading.Event()
        self._room = threading.BoundedSemaphore(_MAX_CONNECTIONS)
        self._door: Door | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to listen, then announce where. Raises `Unavailable`, `ReadOnly`, `DiskFull` or `Refused`."""
        self._paths.create()
        endpoint = endpoints.announce(self._paths)
        try:
            self._door = open_door(endpoint.address)
        except OSError as error:
            endpoints.withdraw(self._paths)
            raise Unavailable(
                msg("Famulus cannot listen for its own commands: {reason}.", reason=error.strerror or "?"),
                next_step=msg("Look at the folder {folder}.", folder=str(Path(endpoint.address).parent)),
            ) from error
        self._thread = threading.Thread(
            target=self._accept, args=(self._door, endpoint), name="famulus-ipc-accept", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Accept no more; channels that are open stay. Waits for the accepting thread."""
        if self._door is None or self._thread is None:
            return
        endpoints.withdraw(self._paths)
        self._door.ring()
        self._thread.join()
        self._door.close()
        self._door = self._thread = None

    def _accept(self, door: Door, endpoint: Endpoint) -> None:
        while True:
            try:
                connection = door.accept()
            except OSError:
                self._pause.wait(_PAUSE_S)  # out of descriptors, for one: it passes
                continue
            if connection is None:
                return
            if not self._room.acquire(blocking=False):
                connection.close()
                continue
            threading.Thread(
                target=self._let_in, args=(connection, endpoint.secret), name="famulus-ipc-greet", daemon=True
            ).start()

    def _let_in(self, connection: AnyConnection, key: bytes) -> None:
        try:
            handshake.as_server(connection, key)
            channel = Channel(connection, max_bytes=MAX_REQUEST_BYTES, on_closed=self._room.release)
        except OSError:
            _log.info("a connection was turned away")
            connection.close()
            self._room.release()
            return
        self._on_channel(channel)


def connect(paths: Paths) -> Channel | None:
    """Reach the owner of the data; None when there is none (or only the remains of one)."""
    endpoint = endpoints.find(paths)
    if endpoint is None:
        return None
    try:
        connection: AnyConnection = mp.Client(endpoint.address, endpoints.family(endpoint.address))
    except OSError:
        return None
    try:
        handshake.as_client(connection, endpoint.secret)
        return Channel(connection, max_bytes=MAX_REPLY_BYTES)
    except OSError:
        connection.close()
        return None
