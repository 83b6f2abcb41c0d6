"""How long a connection over HTTP may say nothing that can be answered, and how many may be open.

Whoever can reach the port needs no token to open connections, and to leave them open or to send one letter a minute.
Each costs a descriptor, and who has none left takes nobody in. So a connection on which no request is being served is
closed after a while; and where there are too many, the one that has been silent longest goes first.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from app.mcp_server.loading import quick_imports

with quick_imports():
    from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

PATIENCE_S = 10.0
"""From the end of one request to the end of the next one's headers."""
_KEPT = 128
"""Descriptors for all else: the way to the owner, files, modules."""


def most_connections(most: int) -> int:
    """How many connections can be open: `most`, or fewer where the system gives this process fewer descriptors."""
    if sys.platform == "win32":
        return most
    import resource  # noqa: PLC0415 - not on Windows

    given, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if given == resource.RLIM_INFINITY else max(_KEPT // 2, min(most, given - _KEPT))


def impatient(most: int, patience_s: float = PATIENCE_S) -> type[asyncio.Protocol]:
    """The protocol of connections of which at most `most` are open."""
    silent: dict[_Impatient, None] = {}

    class Impatient(_Impatient):
        """With the limits of this server."""

        def __init__(self, *args: Any, **named: Any) -> None:  # noqa: ANN401 - uvicorn's own
            super().__init__(*args, **named)
            self.limits(silent, most, patience_s)

    return Impatient


class _Impatient(H11Protocol):
    """See the module docstring."""

    def limits(self, silent: dict[_Impatient, None], most: int, patience_s: float) -> None:
        """Take its limits. `silent`: the connections on which no request is served, the oldest first."""
        self._silent = silent
        self._most = most
        self._patience_s = patience_s
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """One more."""
        super().connection_made(transport)
        self._mind()
        if len(self.connections) > self._most:
            next(iter(self._silent)).hang_up()  # there is one: this one

    def data_received(self, data: bytes) -> None:
        """Something was said: a request, or a part of one."""
        super().data_received(data)
        self._mind()

    def on_response_complete(self) -> None:
        """A request was answered."""
        super().on_response_complete()
        self._mind()

    def connection_lost(self, exc: Exception | None) -> None:
        """One less."""
        self._forget()
        super().connection_lost(exc)

    def hang_up(self) -> None:
        """Close it at once; a part of a request is no request."""
        self._forget()
        self.transport.abort()

    def _mind(self) -> None:
        cycle: RequestResponseCycle | None = self.cycle  # uvicorn calls it one before there is any
        if self.transport.is_closing() or (cycle is not None and not cycle.response_complete):
            self._forget()
        elif self._patience is None:
            self._silent[self] = None
            self._patience = self.loop.call_later(self._patience_s, self.hang_up)

    def _forget(self) -> None:
        self._silent.pop(self, None)
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
