"""`famulus mcp`: the Model Context Protocol server, for programs that ask for the person's context (G4.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import command, option
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.cli.session import Session

_MOST_PORT = 65_535


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "mcp", msg("Serve other programs over the Model Context Protocol."))
@option("--client", meaning=msg("The registered client that asks; its token is taken from the keychain."))
@option(
    "--http",
    "port",
    meaning=msg("Serve HTTP on this port of this computer instead."),
    type=click.IntRange(0, _MOST_PORT),
)
def mcp(session: Session, *, client: str | None, port: int | None) -> int:
    """Run the MCP server."""
    if client is not None and port is not None:
        raise click.UsageError(translate(msg("With --http each request brings its own token; leave --client out.")))
    return session.wiring.mcp(session.paths, client=client, http_port=port)
