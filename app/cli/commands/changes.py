"""Commands about what Famulus changed by itself: list, show, undo (G2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, option, subgroup
from app.cli.plain import plain
from app.cli.screen import one_line
from app.domain.instants import from_ixdtf, to_iso
from app.domain.text import msg
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.changes import ChangeInfo
    from app.famulus.api import FamulusApi

_MOST = 10_000


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    root.add_command(changes)


changes = subgroup(click.Group(), "changes", msg("What Famulus changed by itself, why, and how to take it back."))


@command(changes, "list", msg("List the changes, newest first."))
@option("--limit", "-n", "limit", type=click.IntRange(1, _MOST), default=50, meaning=msg("So many lines at most."))
@option("--all", "include_undone", is_flag=True, meaning=msg("Also those that were taken back."))
def list_(session: Session, limit: int, *, include_undone: bool) -> None:
    """List them."""

    async def work(api: FamulusApi) -> Sequence[ChangeInfo]:
        return await api.changes(limit=limit, include_undone=include_undone)

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    if not found:
        session.screen.say(msg("Nothing was changed."))
    for one in found:
        _say(session, one)


@command(changes, "show", msg("Show one change: what was there before, and why."))
@argument("change_id", type=click.IntRange(1), meaning=msg("The number of the change."))
def show(session: Session, change_id: int) -> None:
    """Show one."""

    async def work(api: FamulusApi) -> ChangeInfo:
        return await api.change(change_id)

    one = session.run(work)
    if session.is_json:
        session.screen.json(plain(one))
        return
    _say(session, one)
    session.screen.say(f"    {one.source_uri}")
    if one.cause_uri is not None:
        session.screen.say(msg("    said by {title}: {uri}", title=one_line(one.cause_title or ""), uri=one.cause_uri))
    session.screen.say(
        msg("    rules {version}, holds from {time}", version=one.rule_version, time=to_iso(one.effective_at))
    )
    for column, value in one.after.items():
        if column != "stale_reason":
            session.screen.say(f"    {column}: {_shown(one.before.get(column))} → {_shown(value)}")


@command(changes, "undo", msg("Take a change back; it is not made again."))
@argument("change_id", type=click.IntRange(1), meaning=msg("The number of the change."))
def undo(session: Session, change_id: int) -> None:
    """Undo one."""

    async def work(api: FamulusApi) -> ChangeInfo:
        return await api.undo_change(change_id)

    one = session.run(work)
    if session.is_json:
        session.screen.json(plain(one))
        return
    session.screen.say(msg("Taken back: {title}", title=one_line(one.title)))


def _shown(value: object) -> str:
    """A column as people read it: a time as ISO 8601, nothing as a dash."""
    if value is None:
        return "–"
    try:
        return to_iso(from_ixdtf(str(value)))
    except ValueError:
        return one_line(str(value), 80)


def _say(session: Session, one: ChangeInfo) -> None:
    """Its number, the day, the thing, the reason, and where it stands."""
    reason = translate(one.reason)
    line = f"{one.change_id:>5}  {one.at.date().isoformat()}  {one_line(one.title, 60)}: {reason}"
    if one.is_suggestion:
        line += f"  ({translate(msg('only suggested'))})"
    if one.undone_by is not None:
        line += f"  ({translate(msg('taken back'))})"
    session.screen.say(line)
