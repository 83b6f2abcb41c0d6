"""One connection with its two threads: frames in by a callback, frames out by a queue, an end that both sides see."""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import sys
import threading
from typing import TYPE_CHECKING

from app.runtime.ipc.frames import BadFrame, Frame, unpack

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import _ConnectionBase as AnyConnection

_MAX_WAITING = 1000
_MAX_OFFERED = 50


class Channel:
    """See the module docstring. `on_frame` and `on_end` are called on the reading thread; `on_end` once, as the last.

    A frame that is none, or is longer than `max_bytes`, ends the channel: there is nothing to say to who sends that.
    `on_closed` is called when the connection has been given back to the system.
    """

    def __init__(
        self, connection: AnyConnection, *, max_bytes: int, on_closed: Callable[[], None] = lambda: None
    ) -> None:
        self._connection = connection
        self._max_bytes = max_bytes
        self._on_closed = on_closed
        self._outgoing: queue.Queue[bytes | None] = queue.Queue(_MAX_WAITING)
        self._has_ended = threading.Event()
        self._writer = threading.Thread(target=self._write, name="famulus-ipc-write", daemon=True)
        self._interrupter = None
        if sys.platform != "win32":
            # A second descriptor of the same socket: shutting it down wakes both threads.
            self._interrupter = socket.socket(fileno=os.dup(connection.fileno()))

    @property
    def has_ended(self) -> bool:
        """Whether nothing goes in or out any more."""
        return self._has_ended.is_set()

    def start(self, on_frame: Callable[[Frame], object], on_end: Callable[[], object]) -> None:
        """Begin to read and write."""
        self._writer.start()
        threading.Thread(target=self._read, args=(on_frame, on_end), name="famulus-ipc-read", daemon=True).start()

    def send(self, packed: bytes) -> None:
        """Queue a packed frame, from any thread. A side that does not read what it asked for is cut off."""
        try:
            self._outgoing.put_nowait(packed)
        except queue.Full:
            self.cut()

    def offer(self, packed: bytes) -> None:
        """Queue a frame that may get lost when the other side is slow, from any thread."""
        if self._outgoing.qsize() < _MAX_OFFERED:
            self.send(packed)

    def finish(self) -> None:
        """End the channel after what is queued was sent."""
        with contextlib.suppress(queue.Full):
            self._outgoing.put_nowait(None)
            return
        self.cut()

    def cut(self) -> None:
        """End the channel now, from any thread."""
        self._has_ended.set()
        with contextlib.suppress(queue.Full):
            self._outgoing.put_nowait(None)
        with contextlib.suppress(OSError):
            if self._interrupter is not None:
                self._interrupter.shutdown(socket.SHUT_RDWR)
            else:
                self._connection.close()  # on Windows this ends a waiting call

    def _read(self, on_frame: Callable[[Frame], object], on_end: Callable[[], object]) -> None:
        try:
            while not self.has_ended:
                on_frame(unpack(self._connection.recv_bytes(self._max_bytes)))
        except (EOFError, OSError, BadFrame, RuntimeError):
            pass  # the end, from whichever side; RuntimeError is a loop that has closed
        finally:
            self.cut()
            on_end()
            self._writer.join()
            self._close()

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (packed := self._outgoing.get()) is not None and not self.has_ended:
                self._connection.send_bytes(packed)
        self.cut()

    def _close(self) -> None:
        with contextlib.suppress(OSError):
            self._connection.close()
        if self._interrupter is not None:
            self._interrupter.close()
        self._on_closed()
