"""How many sessions one client may hold over HTTP: who opens more loses the one that it has not used for longest.

Many programs open a session for each thing they ask and end none. All sessions together are limited, so without this
one such program would keep all others out until its sessions have been idle for long enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_OF_ONE = 40
_NAME = b"mcp-session-id"


class FairSessions:
    """See the module docstring. Stands behind the check of tokens.

    Args:
        app: who serves the sessions, and ends one when it is asked to by the protocol's own DELETE.
    """

    def __init__(self, app: ASGIApp, most: int = MOST_OF_ONE) -> None:
        self._app = app
        self._most = most
        self._known: dict[str, dict[bytes, None]] = {}
        """By client, its sessions; the one not used for longest first."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        token = getattr(scope.get("user"), "access_token", None)
        mine = self._known.setdefault(str(getattr(token, "subject", "")), {})
        used = _session(scope["headers"])
        if used in mine:
            mine.pop(used, None)
            if scope["method"] != "DELETE":
                mine[used] = None
        opened: list[bytes] = []

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and not used and (new := _session(message["headers"])):
                mine[new] = None
                opened.append(new)
            await send(message)

        await self._app(scope, receive, watch)
        while opened and len(mine) > self._most:
            await self._end(scope, mine)

    async def _end(self, scope: Scope, mine: dict[bytes, None]) -> None:
        oldest = next(iter(mine))
        del mine[oldest]
        kept = [(name, value) for name, value in scope["headers"] if not name.startswith((b"content-", _NAME))]
        await self._app({**scope, "method": "DELETE", "headers": [*kept, (_NAME, oldest)]}, _nothing, _unheard)


def _session(headers: list[tuple[bytes, bytes]]) -> bytes:
    return next((value for name, value in headers if name.lower() == _NAME), b"")


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    del message
