"""A mail server that fails on purpose, in a thread. Real ones are in tests/integration/sources."""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
from collections.abc import Iterable, Mapping

Answer = bytes | Iterable[bytes | None] | None
"""What follows a command: bytes (`TAG` stands for its tag), or pieces of them; at None the server hangs up."""

CAPABILITIES = b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n"


def mail(number: int) -> bytes:
    return b"From: Bo <bo@example.org>\r\nSubject: mail %d\r\nMessage-ID: <m%d@example.org>\r\n\r\ntext %d\r\n" % (
        number,
        number,
        number,
    )


def fetched(numbers: Iterable[int]) -> bytes:
    """The answer to a FETCH of identities."""
    lines = []
    for number in numbers:
        header = mail(number).partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        lines.append(
            b'* %d FETCH (UID %d FLAGS () RFC822.SIZE %d INTERNALDATE "14-May-2025 10:00:00 +0800" '
            b"BODY[HEADER.FIELDS (MESSAGE-ID DATE FROM SUBJECT)] {%d}\r\n%s)\r\n"
            % (number, number, len(mail(number)), len(header), header)
        )
    return b"".join(lines) + b"TAG OK done\r\n"


def bodies(numbers: Iterable[int]) -> bytes:
    lines = [b"* %d FETCH (UID %d BODY[] {%d}\r\n%s)\r\n" % (n, n, len(mail(n)), mail(n)) for n in numbers]
    return b"".join(lines) + b"TAG OK done\r\n"


GOOD: Mapping[str, Answer] = {
    "CAPABILITY": CAPABILITIES + b"TAG OK done\r\n",
    "AUTHENTICATE": b"+ \r\n",
    "AUTHENTICATED": b"TAG OK welcome\r\n",
    "LIST": b'* LIST (\\HasNoChildren) "/" INBOX\r\nTAG OK done\r\n',
    "EXAMINE": b"* 5 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 6] x\r\nTAG OK [READ-ONLY] done\r\n",
    "UID SEARCH": b"* SEARCH 1 2 3 4 5\r\nTAG OK done\r\n",
    "UID FETCH FLAGS": b"".join(b"* %d FETCH (UID %d FLAGS ())\r\n" % (n, n) for n in range(1, 6)) + b"TAG OK done\r\n",
    "UID FETCH IDENTITY": fetched(range(1, 6)),
    "UID FETCH BODY": bodies(range(1, 6)),
    "LOGOUT": b"* BYE\r\nTAG OK done\r\n",
}


class FakeServer:
    """Answers as `answers` says, and as a good server with five messages otherwise."""

    def __init__(self, answers: Mapping[str, Answer] | None = None, *, tls: ssl.SSLContext | None = None) -> None:
        self.answers: dict[str, Answer] = {**GOOD, **(answers or {})}
        self.greeting: Answer = self.answers.pop("GREETING", b"* OK ready\r\n")
        self.commands: list[str] = []
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_closed.set()
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        self._thread.join(10)
        self._listener.close()

    def _serve(self) -> None:
        while not self._is_closed.is_set():
            connection, _ = self._listener.accept()
            with connection, contextlib.suppress(OSError):
                if not self._is_closed.is_set():
                    self._converse(connection)

    def _converse(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        if self._tls is not None:
            connection = self._tls.wrap_socket(connection, server_side=True)
        with connection, connection.makefile("rb") as lines:
            if not self._say(connection, self.greeting, b"*"):
                return
            while line := lines.readline():
                tag, _, rest = line.strip().partition(b" ")
                name = command(rest.decode("latin-1"))
                self.commands.append(name)
                if not self._say(connection, self.answers.get(name, b"TAG BAD what\r\n"), tag):
                    return
                if name == "AUTHENTICATE" and self.answers[name] == GOOD[name]:
                    lines.readline()
                    if not self._say(connection, self.answers["AUTHENTICATED"], tag):
                        return
                if name == "STARTTLS" and isinstance(self._later_tls, ssl.SSLContext):
                    connection = self._later_tls.wrap_socket(connection, server_side=True)
                if name == "LOGOUT":
                    return

    _later_tls: ssl.SSLContext | None = None

    def encrypt_later(self, tls: ssl.SSLContext) -> None:
        self._later_tls = tls

    def _say(self, connection: socket.socket, answer: Answer, tag: bytes) -> bool:
        if answer is None:
            return False
        for piece in (answer,) if isinstance(answer, bytes) else answer:
            if piece is None or self._is_closed.is_set():
                return False
            connection.sendall(piece.replace(b"TAG", tag))
        return True


def command(text: str) -> str:
    """The name by which an answer is looked up."""
    words = text.upper().split()
    if words[:2] != ["UID", "FETCH"]:
        return " ".join(words[:2]) if words[:1] == ["UID"] else words[0] if words else ""
    if "HEADER.FIELDS" in text:
        return "UID FETCH IDENTITY"
    return "UID FETCH BODY" if re.search(r"BODY\.PEEK\[\]", text) else "UID FETCH FLAGS"
