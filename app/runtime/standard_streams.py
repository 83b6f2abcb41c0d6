"""The standard streams of this process, for a protocol that lives on them: lines in, lines out, and nothing else.

Reading and writing have a thread each, since neither can be waited for on every platform's loop. Both are daemons: a
peer that neither writes nor reads must not keep the process from ending.
"""

from __future__ import annotations

import os
import queue
import threading
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_CHUNK = 1 << 16
_DRAIN_S = 2.0


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
        self._listener: _Listener | None = None
        self._lock = threading.Lock()
        threading.Thread(target=self._read, args=(incoming, longest), name="famulus-stdin", daemon=True).start()
        self._writer = threading.Thread(target=self._write, args=(outgoing,), name="famulus-stdout", daemon=True)
        self._writer.start()

    def first(self) -> bytes | TooLong | None:
        """Wait for the first line, before there is a loop; None at the end of the stream."""
        return self._lines.get()

    async def lines(self) -> AsyncIterator[bytes | TooLong]:
        """The other lines, until the peer closes its end."""
        import asyncio  # noqa: PLC0415 - 30 ms that the first line does not wait for

        listener = _Listener(asyncio.get_running_loop(), asyncio.Queue())
        with self._lock:
            self._listener = listener
            while not self._lines.empty():
                listener.waiting.put_nowait(self._lines.get())
        while (line := await listener.waiting.get()) is not None:
            yield line

    def write(self, line: bytes) -> None:
        """Write a line; it goes out in the order of the calls."""
        self._outgoing.put(line + b"\n")

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
        with self._lock:
            if self._listener is None:
                self._lines.put(line)
            else:
                self._listener.tell(line)

    def _write(self, outgoing: BinaryIO) -> None:
        try:
            while (line := self._outgoing.get()) is not None:
                outgoing.write(line)
                outgoing.flush()
        except (OSError, ValueError):
            pass  # nobody reads any more; the end of its other stream will tell


class _Listener:
    """Who waits for lines on a loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, waiting: asyncio.Queue[bytes | TooLong | None]) -> None:
        self._loop = loop
        self.waiting = waiting

    def tell(self, line: bytes | TooLong | None) -> None:
        """Called from the reading thread."""
        try:
            self._loop.call_soon_threadsafe(self.waiting.put_nowait, line)
        except RuntimeError:
            return  # the loop has ended, and nobody waits


def _checked(incoming: BinaryIO, line: bytes, longest: int) -> bytes | TooLong:
    """The line without its end; of one that is too long the rest is read and dropped."""
    if line.endswith(b"\n") or len(line) < longest:
        return line.rstrip(b"\r\n")
    while (rest := incoming.readline(_CHUNK)) and not rest.endswith(b"\n"):
        pass
    return TooLong()


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
    return os.fdopen(incoming, "rb", buffering=_CHUNK), os.fdopen(outgoing, "wb", buffering=0)
