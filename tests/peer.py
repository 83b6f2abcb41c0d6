"""A server on this device that answers exactly what a test wants, down to the byte: also too little, and too late."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Asked:
    """A request as it arrived. Header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answering = Callable[[Asked], "bytes | Iterable[bytes]"]


def http_answer(status: str, body: bytes = b"", *headers: str) -> bytes:
    """A whole answer, after which the connection ends."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@dataclass
class Peer:
    """See the module docstring; `asked` has every request. `ending` is set when the test is over."""

    answer: Answering
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list)
    ending: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{'https' if self.tls is not None else 'http'}://127.0.0.1:{self.port}/"

    def close(self) -> None:
        self.ending.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while not self.ending.is_set():
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            with plain, contextlib.suppress(OSError):
                plain.settimeout(10)
                self._talk(self.tls.wrap_socket(plain, server_side=True) if self.tls is not None else plain)

    def _talk(self, connection: socket.socket) -> None:
        with connection.makefile("rb") as reading:
            method, path, _ = reading.readline().decode("latin-1").split(" ", 2)
            headers: dict[str, str] = {}
            while (line := reading.readline().decode("latin-1").strip()) != "":
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            asked = Asked(method, path, headers, reading.read(int(headers.get("content-length", 0))))
        self.asked.append(asked)
        given = self.answer(asked)
        for part in [given] if isinstance(given, bytes) else given:
            connection.sendall(part)


@contextlib.contextmanager
def peer(answer: Answering, tls: ssl.SSLContext | None = None) -> Iterator[Peer]:
    """A peer for the time of a block."""
    made = Peer(answer, tls)
    try:
        yield made
    finally:
        made.close()
