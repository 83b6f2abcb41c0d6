"""Streamable HTTP on this computer's own addresses, for programs that bring their token with every request (G4.6)."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput, Denied
from app.domain.text import msg
from app.mcp_server.loading import quick_imports

with quick_imports():
    import uvicorn
    from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
    from mcp.server.auth.provider import AccessToken, TokenVerifier
    from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.middleware.authentication import AuthenticationMiddleware

    from app.mcp_server.server import Counter

from app.domain.clients import ClientState
from app.famulus.client_tokens import token_hash
from app.mcp_server.door import LARGEST_BODY, PATH, Door
from app.mcp_server.owner import DistantOwner
from app.mcp_server.passports import Carried
from app.mcp_server.patience import impatient, most_connections
from app.mcp_server.request_ids import OwnIds
from app.mcp_server.sessions import FairSessions
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp.server.context import ServerRequestContext
    from starlette.types import ASGIApp

    from app.mcp_server.asker import Passport
    from app.mcp_server.owner import Owner
    from app.runtime.paths import Paths

LOOPBACK = "127.0.0.1"
_LOOPBACK_6 = "::1"
MOST_SESSIONS = 200
SESSION_IDLE_S = 1_800.0
_MOST_AT_ONCE = 2_000
_GOODBYE_S = 2
_TAKEN = {errno.EADDRINUSE} | ({errno.EACCES} if sys.platform == "win32" else set())
_BACKLOG = 2_048
_TAKEN_AT_ONCE = 32
"""Connections that are taken in before those that are too many can be closed."""


def serve(paths: Paths, port: int) -> int:
    """Serve until a signal; returns the exit code. Port 0 takes a free one. The address is told on stderr.

    Raises:
        BadInput: the port is taken, or may not be used.
    """
    sockets = _listen(port)
    actual = sockets[0].getsockname()[1]
    asyncio.run(_serve(paths, sockets, actual))
    return 0


async def _serve(paths: Paths, sockets: list[socket.socket], port: int) -> None:
    # two ways to the same owner: whose a token is can be asked however many questions are under way
    owner, at_the_door = DistantOwner(paths), DistantOwner(paths)
    counter = Counter(owner, _passport)
    manager = _sessions(counter)
    server = _Server(_config(Door(_behind_the_door(manager, at_the_door), port)))
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, server.leave)
    sys.stderr.write(translate(msg("Famulus serves MCP at {url}", url=f"http://{LOOPBACK}:{port}{PATH}")) + "\n")
    sys.stderr.flush()
    try:
        async with manager.run():
            await server.serve(sockets)
    finally:
        await counter.close()
        await owner.close()
        await at_the_door.close()


def _sessions(counter: Counter) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(
        counter.server,
        # the door has looked already
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        session_idle_timeout=SESSION_IDLE_S,
        max_request_body_size=LARGEST_BODY,
        max_sessions=MOST_SESSIONS,
    )


def _config(door: Door) -> uvicorn.Config:
    return uvicorn.Config(
        door,
        log_config=None,
        access_log=False,
        loop="asyncio",
        http=impatient(most_connections(_MOST_AT_ONCE)),
        ws="none",
        lifespan="off",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_MOST_AT_ONCE,
        backlog=_TAKEN_AT_ONCE,
        timeout_graceful_shutdown=_GOODBYE_S,
    )


def _behind_the_door(manager: StreamableHTTPSessionManager, owner: Owner) -> ASGIApp:
    """First whose token it is, then the protocol."""
    inside = RequireAuthMiddleware(FairSessions(OwnIds(StreamableHTTPASGIApp(manager))), [])
    return AuthenticationMiddleware(inside, backend=BearerAuthBackend(Tokens(owner)))


class Tokens(TokenVerifier):
    """Asks the owner of the data whose a token is; an answer is not kept, so that a revoked one ends at once."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    async def verify_token(self, token: str) -> AccessToken | None:
        """The client; None for a token that does not hold. Raises `Expected` where nobody can say."""
        try:
            known = await self._owner.ask(lambda api: api.client_hello(token))
        except (Denied, BadInput):
            return None
        if known.state != ClientState.ACTIVE:
            return None
        # a session belongs to the very token that opened it, and not only to its client
        return AccessToken(token=token, client_id=known.name, scopes=[], subject=token_hash(token))


class _Server(uvicorn.Server):
    """Ends when it is told to, without ending the process by the signal that told it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals come through the loop."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; what is not taken in at once waits at the system."""
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(_BACKLOG)

    def leave(self) -> None:
        """Take nothing more in, and end; at once when told again."""
        self.force_exit = self.should_exit
        self.should_exit = True


def _passport(context: ServerRequestContext[Any, Any]) -> Passport:
    user = context.request.user if context.request is not None else None
    token = getattr(user, "access_token", None)
    if not isinstance(token, AccessToken):  # nothing gets here without
        raise Denied(msg("There is no token."), next_step=msg("Send the token of a client."))
    return Carried(token.token)


def _listen(port: int) -> list[socket.socket]:
    """Sockets on the loopback addresses of both families; of the newer one where the system has it.

    A name such as localhost may mean either. Were one of them another program's, that would be sent the tokens.
    """
    while True:
        first = _bound(socket.AF_INET, LOOPBACK, port)
        try:
            return [first, _bound(socket.AF_INET6, _LOOPBACK_6, first.getsockname()[1])]
        except OSError:
            return [first]  # the system has no such family
        except BadInput as error:
            if not _is_taken(error.__cause__):
                return [first]
            first.close()
            if port:
                raise


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((address, port))
        made.listen(_BACKLOG)
        made.setblocking(False)  # noqa: FBT003 - socket's own way
    except OSError as error:
        made.close()
        raise _explained(error, port) from error
    return made


def _explained(error: OSError, port: int) -> BadInput:
    if _is_taken(error):
        what = msg("Port {port} is taken by another program.", port=port)
    else:
        what = msg("Port {port} cannot be used.", port=port)
    return BadInput(what, next_step=msg("Choose another one, or 0 for any free one: famulus mcp --http 0"))


def _is_taken(error: BaseException | None) -> bool:
    return isinstance(error, OSError) and error.errno in _TAKEN
