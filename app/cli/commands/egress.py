"""The command about what left the device (X7.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import command, option
from app.cli.plain import plain
from app.domain.instants import to_iso
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.outgoing import EgressLine
    from app.famulus.api import FamulusApi

_MOST = 100_000


def add_to(root: click.Group) -> None:
    """Add the command of this module."""
    root.add_command(egress)


_group = click.Group()


@command(_group, "egress", msg("Show what left this device: when, to whom, what for and how much. Never what it said."))
@option("--limit", "-n", "limit", type=click.IntRange(1, _MOST), default=50, meaning=msg("So many lines at most."))
def egress(session: Session, limit: int) -> None:
    """List the ledger, newest first."""

    async def work(api: FamulusApi) -> Sequence[EgressLine]:
        return await api.egress(limit=limit)

    lines = session.run(work)
    if session.is_json:
        session.screen.json([{"at": to_iso(line.at)} | plain(line.egress) for line in lines])
        return
    if not lines:
        session.screen.say(msg("Nothing has left this device."))
    for line in lines:
        one = line.egress
        session.screen.say(
            msg(
                "{at}  {recipient}  {purpose}  {size} bytes, data level {level}",
                at=to_iso(line.at),
                recipient=one.recipient,
                purpose=one.purpose,
                size=one.size_bytes,
                level=one.data_level,
            )
        )
