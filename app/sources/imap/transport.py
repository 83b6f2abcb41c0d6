"""The bytes between us and a mail server, within limits that the server cannot stretch.

The IMAP library believes what a server announces: a literal of a terabyte, an answer without end, a byte a minute. Here
every answer has a budget of bytes and of time, and the person's Stop is heard while one is waited for. What leaves is
noted in the ledger before it does.
"""

from __future__ import annotations

import imaplib
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

from imapclient import IMAPClient, SocketTimeout

from app.domain.outgoing import Egress
from app.runtime import clock

if TYPE_CHECKING:
    import ssl
    from collections.abc import Sequence

    from app.domain.outgoing import EgressLedger
    from app.domain.progress import StopSignal

_PIECE = 64 * 1024
_NOTED_AT_ONCE = 4096
_LOOK_S = 1.0


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """What one answer may take.

    Attributes:
        connect_s, read_s: how long a connection, and the next bytes, are waited for.
        answer_s: how long a whole answer may take.
        answer_bytes: how big it may be.
        answer_lines: of how many lines it may be; the library keeps each one, and a short one takes far more memory
            than its bytes. The flags of a million messages are a million lines.
        line_bytes: how long one line of it may be; the numbers of a million messages are one line.
    """

    connect_s: float = 20.0
    read_s: float = 60.0
    answer_s: float = 600.0
    answer_bytes: int = 192 * 1024 * 1024
    answer_lines: int = 2_000_000
    line_bytes: int = 16 * 1024 * 1024


class TooMuch(imaplib.IMAP4.abort):
    """An answer that is too long, or takes too long."""


class Budget:
    """What is left of one answer, and whom to ask for leave to go on."""

    def __init__(self, limits: AnswerLimits, ledger: EgressLedger, recipient: str, purpose: str) -> None:
        self.limits = limits
        self.stop: StopSignal | None = None
        self._ledger = ledger
        self._recipient = recipient
        self._purpose = purpose
        self._noted = 0
        self._note(_NOTED_AT_ONCE)  # names are looked up and keys agreed upon before the first command
        self._restart()

    def begin(self, sending: int) -> None:
        """So many bytes are about to be sent, and a new answer begins.

        The ledger is told of some kilobytes at once, so what stands there is never less than what left.
        """
        if sending > self._noted:
            self._note(max(sending, _NOTED_AT_ONCE))
        self._noted -= sending
        self._restart()

    def take(self, size: int) -> None:
        """So many bytes came; raises `TooMuch` at the end of the budget, `Cancelled` when the person said stop."""
        self._left_bytes -= size
        if self._left_bytes < 0:
            raise TooMuch("an answer that is too big")
        if clock.monotonic_s() > self._until_s:
            raise TooMuch("an answer that takes too long")
        if self.stop is not None:
            self.stop.checkpoint()

    def take_line(self) -> None:
        """A line came; raises `TooMuch` where there are too many of them."""
        self._left_lines -= 1
        if self._left_lines < 0:
            raise TooMuch("an answer that has no end")

    def _note(self, size: int) -> None:
        self._ledger.note(Egress(self._recipient, self._purpose, 2, size))
        self._noted += size

    def _restart(self) -> None:
        self._left_bytes = self.limits.answer_bytes
        self._left_lines = self.limits.answer_lines
        self._until_s = clock.monotonic_s() + self.limits.answer_s


class _Limited(imaplib.IMAP4):
    """Reading and writing as the standard library's client does them, within a budget."""

    sock: socket.socket

    def __init__(self, budget: Budget, address: tuple[str, int], tls: ssl.SSLContext | None) -> None:
        self.budget = budget
        self._tls = tls
        super().__init__(*address, timeout=budget.limits.connect_s)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        connected = socket.create_connection((self.host, self.port), timeout)
        return connected if self._tls is None else self._tls.wrap_socket(connected, server_hostname=self.host)

    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        """Connect."""
        self._held = bytearray()
        self._held_from: socket.socket | None = None
        self.is_at_end = False
        super().open(host, port, timeout)

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, fewer only at the end."""
        if size > self.budget.limits.answer_bytes:
            raise TooMuch("a literal that is too big")
        while len(self._held) < size and self._fill():
            pass
        return self._cut(size)

    def readline(self) -> bytes:
        """A line with its end, or what there is at the end."""
        self.budget.take_line()
        searched = 0
        while (end := self._held.find(b"\n", searched)) < 0:
            searched = len(self._held)
            if searched > self.budget.limits.line_bytes:
                raise TooMuch("a line that is too long")
            if not self._fill():
                return self._cut(len(self._held))
        return self._cut(end + 1)

    def send(self, data: bytes) -> None:  # type: ignore[override]  # a buffer of any kind, there
        """Send, after it was noted."""
        self.budget.begin(len(data))
        super().send(data)

    def _fill(self) -> bool:
        """More bytes from the server; False at the end. Bytes from before STARTTLS are no part of what follows."""
        if self._held_from is not self.sock:
            self._held.clear()
            self._held_from = self.sock
        piece = self._received()
        self.budget.take(len(piece))
        self._held += piece
        self.is_at_end = not piece
        return bool(piece)

    def _received(self) -> bytes:
        """The next bytes. They may be waited for longer than a person who says stop, or quits, should wait."""
        patience_s = self.sock.gettimeout()
        if not patience_s:
            return self.sock.recv(_PIECE)
        until_s = clock.monotonic_s() + patience_s
        try:
            while True:
                self.sock.settimeout(min(_LOOK_S, patience_s))
                try:
                    return self.sock.recv(_PIECE)
                except TimeoutError:
                    if clock.monotonic_s() >= until_s:
                        raise
                    self.budget.take(0)
        finally:
            self.sock.settimeout(patience_s)

    def _cut(self, size: int) -> bytes:
        data = bytes(self._held[:size])
        del self._held[:size]
        return data


class LimitedClient(IMAPClient):  # type: ignore[misc]  # the library tells no types
    """The library's client, over a limited connection, with the two commands that it lacks.

    Args:
        tls: how to encrypt from the first byte on; None: not.
    """

    def __init__(self, budget: Budget, address: tuple[str, int], tls: ssl.SSLContext | None) -> None:
        self._budget = budget
        self._tls = tls
        limits = budget.limits
        super().__init__(
            *address, ssl=tls is not None, ssl_context=tls, timeout=SocketTimeout(limits.connect_s, limits.read_s)
        )
        self._imap.debug = 0  # the library writes down every line otherwise
        self.normalise_times = False

    def _create_IMAP4(self) -> imaplib.IMAP4:  # noqa: N802 - the library's name
        return _Limited(self._budget, (self.host, self.port), self._tls)

    @property
    def is_at_end(self) -> bool:
        """Whether the server has hung up."""
        return bool(self._imap.is_at_end)

    @property
    def is_signed_in(self) -> bool:
        """Whether the server says that nobody needs to sign in."""
        return bool(self._imap.state == "AUTH")

    def flags_since(self, modseq: int, *, with_vanished: bool) -> tuple[Sequence[object], Sequence[object]]:
        """Flags that changed since, and what vanished, as they came (RFC 7162, sections 3.1.4 and 3.2.6)."""
        modifier = f"(CHANGEDSINCE {modseq}{' VANISHED' if with_vanished else ''})"
        self._imap.response("VANISHED")  # forgets what came before
        kind, data = self._imap.uid("FETCH", "1:*", "(UID FLAGS)", modifier)
        self._checkok("fetch", kind, data)
        return data, self._imap.response("VANISHED")[1] or ()
