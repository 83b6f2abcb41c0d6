"""The door of the HTTP server: what is turned away before anybody asks whose token it is.

A page in a browser can reach this computer's own ports, by a name that it lets point here (the Host header then has
that name) or from its own address (the Origin header has it). Neither gets as far as a token. A token in an address
would stand in histories and logs, so an address with a query is refused unread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from app.domain.errors import Expected
from app.domain.text import Text, msg
from app.mcp_server.wording import refusal
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PATH = "/mcp"
LARGEST_BODY = 1 << 20
"""Bytes of a request."""
_NAMES = ("127.0.0.1", "localhost", "[::1]")


class Door:
    """See the module docstring.

    Args:
        app: who serves what comes in.
        port: the one that is listened on.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = frozenset(f"{name}:{port}" for name in _NAMES)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        found = self._fault(scope)
        if found is not None:
            status, why = found
            await PlainTextResponse(translate(why), status)(scope, receive, send)
            return
        # nothing that was sent is kept, so a stream that broke begins anew
        headers = [(name, value) for name, value in scope["headers"] if name != b"last-event-id"]
        await self._serve({**scope, "headers": headers}, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def watch(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except Expected as error:
            # nobody can say now whose token it is: the owner of the data is not there, or locked
            if has_begun:
                raise
            await PlainTextResponse(refusal(error), 503)(scope, receive, send)

    def _fault(self, scope: Scope) -> tuple[int, Text] | None:
        """Why a request is turned away; None where it may come in."""
        headers: Mapping[bytes, bytes] = dict(scope["headers"])
        if _count(scope, b"host") != 1 or headers[b"host"].decode("latin-1").lower() not in self._hosts:
            return 421, msg("This server answers on this computer only, by its own address.")
        if b"origin" in headers and (
            _count(scope, b"origin") != 1 or headers[b"origin"].decode("latin-1").lower() not in self._origins
        ):
            return 403, msg("Web pages are not served.")
        if scope["path"] != PATH:
            return 404, msg("There is nothing here.")
        if scope["query_string"]:
            return 400, msg("Send the token in the Authorization header, and nothing in the address.")
        return _fault_of_contents(scope, headers)


def _fault_of_contents(scope: Scope, headers: Mapping[bytes, bytes]) -> tuple[int, Text] | None:
    if _count(scope, b"authorization") > 1:
        return 400, msg("A request has one token.")
    if not _is_small(headers.get(b"content-length", b"0")):
        return 413, msg("A request has at most {count} bytes.", count=LARGEST_BODY)
    return None


def _count(scope: Scope, name: bytes) -> int:
    return sum(1 for known, _ in scope["headers"] if known == name)


def _is_small(length: bytes) -> bool:
    """What is no number is left to those who read the body, and count."""
    digits = length.decode("latin-1").strip()
    return not digits.isdecimal() or (len(digits) <= len(str(LARGEST_BODY)) and int(digits) <= LARGEST_BODY)
