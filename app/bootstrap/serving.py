"""`famulus mcp`: finds the client's token, and runs the server on stdio or on HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.runtime import environment, log

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.runtime.paths import Paths


def run(paths: Paths, *, client: str | None, http_port: int | None) -> int:
    """Serve until the other end is done, or a signal; returns the exit code.

    Raises:
        BadInput: the port cannot be used.
    """
    log.start_on_stderr("warning")
    if http_port is not None:
        from app.mcp_server.http import serve as serve_http  # noqa: PLC0415 - a web server, for this alone

        return serve_http(paths, http_port)
    from app.mcp_server.stdio import serve as serve_stdio  # noqa: PLC0415 - the other way

    return serve_stdio(paths, _finder(paths, client))


def _finder(paths: Paths, client: str | None) -> Callable[[], str] | None:
    """What finds the token, when it is needed; None where the person is to be asked for access."""
    given = environment.client_token()
    if given is not None:
        return lambda: given
    if client is None:
        return None
    name = client

    def from_keychain() -> str:
        from app.famulus.client_tokens import TokenKeeper  # noqa: PLC0415 - not before the first question
        from app.runtime.secrets import Keychain  # noqa: PLC0415 - as above

        return TokenKeeper(paths, Keychain()).token(name)

    return from_keychain
