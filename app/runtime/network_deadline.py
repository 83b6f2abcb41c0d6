"""A time by which an answer has to be whole, kept at the socket: for `network`.

Timeouts of the HTTP library count the silence between two bytes. A server that sends one line of its head every few
seconds, or greetings (1xx) without end, is never silent, and would hold a sync for ever. And a person who says stop, or
quits, is heard while an answer is waited for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import httpcore

from app.runtime import clock

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable

    from app.domain.progress import StopSignal

_LOOK_S = 1.0


class Deadline:
    """When the present answer has to be there; none until `begin`.

    Args:
        stop: asked every second; the time of a pause does not count.
    """

    def __init__(self, stop: StopSignal | None = None) -> None:
        self._ends_s = math.inf
        self._stop = stop

    def begin(self, whole_s: float) -> None:
        """From now on there are so many seconds."""
        self._ends_s = clock.monotonic_s() + whole_s

    def left(self, timeout: float | None) -> float:
        """The seconds that one step may take; raises httpcore's `ReadTimeout` when there are none."""
        left_s = self._ends_s - clock.monotonic_s()
        if left_s <= 0:
            raise httpcore.ReadTimeout
        return left_s if timeout is None else min(left_s, timeout)

    def look(self) -> None:
        """Whether to go on; raises `Cancelled` when the person said stop."""
        if self._stop is not None:
            asked_s = clock.monotonic_s()
            self._stop.checkpoint()
            self._ends_s += clock.monotonic_s() - asked_s


class PunctualBackend(httpcore.SyncBackend):
    """Connections that end at the deadline.

    Args:
        deadline: of whatever is under way; one request at a time.
    """

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """See `httpcore.NetworkBackend`."""
        stream = super().connect_tcp(host, port, self._deadline.left(timeout), local_address, socket_options)
        return _PunctualStream(stream, self._deadline)


class _PunctualStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        left_s = self._deadline.left(timeout)
        while True:
            step_s = min(_LOOK_S, left_s)
            try:
                return self._stream.read(max_bytes, step_s)
            except httpcore.ReadTimeout:
                left_s -= step_s
                if left_s <= 0:
                    raise
                self._deadline.look()

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return _PunctualStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - the library's own signature
        return self._stream.get_extra_info(info)
