"""The standard streams of this process, for a protocol that lives on them: lines in, lines out, and nothing else.

Reading and writing have a thread each, since neither can be waited for on every platform's loop. Both are daemons: a
peer that neither writes nor reads must not keep the process from ending. What waits in either direction is bounded: who
does not read what it asked for is not listened to until it does, as on any pipe.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_CHUNK = 1 << 16
_DRAIN_S = 2.0
_MOST_UNREAD = 1 << 20
_MOST_WAITING = 16


class TooLong(Exception):
    """A line that is longer than any that can be meant; the next one can be read."""


class StandardStreams:
    """See the module docstring. Takes the streams for itself: what else in this process prints, prints to `stderr`.

    Args:
        longest: bytes of a line.

    Raises:
        OSError: one of them was closed before the program began.
    """

    def __init__(self, longest: int) -> None:
        incoming, outgoing = _claim()
        self._lines: queue.SimpleQueue[bytes | TooLong | None] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._turns = threading.BoundedSemaphore(_MOST_WAITING)
        self._unread = 0
        self._is_broken = False
        self._listener: _Listener | None = None
        self._lock = threading.Lock()
        threading.Thread(target=self._read, args=(incoming, longest), name="famulus-stdin", daemon=True).start()
        self._writer = threading.Thread(target=self._write, args=(outgoing,), name="famulus-stdout", daemon=True)
        self._writer.start()

    def first(self) -> bytes | TooLong | None:
        """Wait for the first line, before there is a loop; None at the end of the stream."""
        line = self._lines.get()
        self._turns.release()
        return line

    async def lines(self) -> AsyncIterator[bytes | TooLong]:
        """The other lines, until the peer closes its end."""
        import asyncio  # noqa: PLC0415 - 30 ms that the first line does not wait for

        listener = _Listener(asyncio.get_running_loop(), asyncio.Queue(), asyncio.Event())
        with self._lock:
            self._listener = listener
            while not self._lines.empty():
                listener.waiting.put_nowait(self._lines.get())
        while (line := await listener.waiting.get()) is not None:
            self._turns.release()
            yield line

    def write(self, line: bytes) -> None:
        """Write a line; it goes out in the order of the calls. Who writes much waits by `drain` now and then."""
        with self._lock:
            self._unread += len(line) + 1
        self._outgoing.put(line + b"\n")

    async def drain(self) -> None:
        """Wait until the peer has read most of what was written, or is gone."""
        if self._listener is None:
            return
        while self._unread > _MOST_UNREAD and not self._is_broken:
            self._listener.has_room.clear()
            if self._unread > _MOST_UNREAD and not self._is_broken:
                await self._listener.has_room.wait()

    def close(self) -> None:
        """Wait until all is written, but not for a peer that does not read."""
        self._outgoing.put(None)
        self._writer.join(_DRAIN_S)

    def _read(self, incoming: BinaryIO, longest: int) -> None:
        try:
            while line := incoming.readline(longest):
                self._hand_on(_checked(incoming, line, longest))
        except (OSError, ValueError):
            pass  # as good as its end
        self._hand_on(None)

    def _hand_on(self, line: bytes | TooLong | None) -> None:
        self._turns.acquire()
        with self._lock:
            if self._listener is None:
                self._lines.put(line)
            else:
                self._listener.tell(line)

    def _write(self, outgoing: BinaryIO) -> None:
        try:
            while (line := self._outgoing.get()) is not None:
                _write_all(outgoing, line)
                self._tell_of_room(len(line))
        except (OSError, ValueError):
            self._is_broken = True  # nobody reads any more; the end of its other stream will tell
            self._tell_of_room(0)

    def _tell_of_room(self, count: int) -> None:
        with self._lock:
            self._unread -= count
            listener = self._listener if self._is_broken or self._unread <= _MOST_UNREAD else None
        if listener is not None:
            listener.tell_of_room()


class _Listener:
    """Who waits for lines on a loop."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        waiting: asyncio.Queue[bytes | TooLong | None],
        has_room: asyncio.Event,
    ) -> None:
        self._loop = loop
        self.waiting = waiting
        self.has_room = has_room

    def tell(self, line: bytes | TooLong | None) -> None:
        """Called from the reading thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody waits
            self._loop.call_soon_threadsafe(self.waiting.put_nowait, line)

    def tell_of_room(self) -> None:
        """Called from the writing thread."""
        with contextlib.suppress(RuntimeError):  # as above
            self._loop.call_soon_threadsafe(self.has_room.set)


def _checked(incoming: BinaryIO, line: bytes, longest: int) -> bytes | TooLong:
    """The line without its end; of one that is too long the rest is read and dropped."""
    if line.endswith(b"\n") or len(line) < longest:
        return line.rstrip(b"\r\n")
    while (rest := incoming.readline(_CHUNK)) and not rest.endswith(b"\n"):
        pass
    return TooLong()


def _write_all(outgoing: BinaryIO, line: bytes) -> None:
    """A pipe may take less than it is given: a part of a message would spoil it and all that follow."""
    left = memoryview(line)
    while left:
        left = left[outgoing.write(left) :]


def _claim() -> tuple[BinaryIO, BinaryIO]:
    """Private ends of stdin and stdout; in their place are nothing, and stderr where there is one."""
    incoming, outgoing = os.dup(_STDIN), os.dup(_STDOUT)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, _STDIN)
    try:
        os.dup2(_STDERR, _STDOUT)
    except OSError:
        os.dup2(nothing, _STDOUT)
    os.close(nothing)
    if sys.platform != "win32":
        for stream in (incoming, outgoing):  # some programs hand over ends that do not wait
            os.set_blocking(stream, True)
    return os.fdopen(incoming, "rb", buffering=_CHUNK), os.fdopen(outgoing, "wb", buffering=0)
