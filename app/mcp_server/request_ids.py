"""Two requests of one session under one id at the same time: the second is refused.

Answers find their way by that id, so the first one would wait for ever. The protocol asks every client for an id of its
own for each request; a script that always sends 1 is told so, and does not hang.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse

from app.mcp_server.door import LARGEST_BODY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    Key = tuple[str, bytes, str]

_INVALID_REQUEST = -32600
_SESSION = b"mcp-session-id"


class OwnIds:
    """See the module docstring. Stands behind the check of tokens."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way: set[Key] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        session = next((value for name, value in scope["headers"] if name.lower() == _SESSION), b"")
        if scope["method"] != "POST" or not session:
            await self._app(scope, receive, send)
            return
        heard = await _heard(receive)
        request_id = _id_of(b"".join(message.get("body", b"") for message in heard))
        if request_id is None:
            await self._app(scope, _again(heard, receive), send)
            return
        token = getattr(scope.get("user"), "access_token", None)
        key = (str(getattr(token, "subject", "")), session, request_id)
        if key in self._under_way:
            await _refusal()(scope, receive, send)
            return
        self._under_way.add(key)
        try:
            await self._app(scope, _again(heard, receive), send)
        finally:
            self._under_way.discard(key)


async def _heard(receive: Receive) -> list[Message]:
    """What was sent, to its end; no more than is too much, which is left to whoever counts."""
    heard: list[Message] = []
    size = 0
    while size <= LARGEST_BODY:
        message = await receive()
        heard.append(message)
        size += len(message.get("body", b""))
        if not message.get("more_body", False):
            break
    return heard


def _again(heard: Sequence[Message], receive: Receive) -> Receive:
    """The same once more, and then what comes after it."""
    left = iter(heard)

    async def hear() -> Message:
        return next(left, None) or await receive()

    return hear


def _id_of(body: bytes) -> str | None:
    """By what id the answer will be asked for; None for what is no request, or no message at all."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or "method" not in message or not isinstance(message.get("id"), int | str):
        return None
    return str(message["id"])


def _refusal() -> JSONResponse:
    error = {
        "code": _INVALID_REQUEST,
        "message": "A request with this id is under way; give each one an id of its own.",
    }
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)
