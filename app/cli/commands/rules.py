"""Rules that are data: which are in force, what others would change, and putting them in force (G2.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import command, subgroup
from app.cli.plain import plain
from app.domain.text import msg
from app.domain.words import word
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.rules import LabelChange, RuleFile, RulePreview
    from app.famulus.api import FamulusApi


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()
rules = subgroup(_here, "rules", msg("The rules that decide what entries belong to and how sensitive they are."))


@command(rules, "list", msg("Show which rules are in force, and where your own stand."))
def list_rules(session: Session) -> None:
    """List rules."""

    async def work(api: FamulusApi) -> Sequence[RuleFile]:
        return await api.rules()

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    for one in found:
        session.screen.say(f"{one.name}  {one.applied}  {one.own_path}")
        if one.problem is not None:
            session.screen.note(f"    {translate(one.problem)}")
        elif one.is_waiting:
            session.screen.note(
                "    " + translate(msg("Changed, and not in force yet: famulus rules preview, famulus rules apply"))
            )


@command(rules, "preview", msg("Show what the changed rules would do, without doing it."))
def preview(session: Session) -> None:
    """Preview rules."""

    async def work(api: FamulusApi) -> RulePreview:
        return await api.preview_rules(progress=session.progress, stop=session.stop)

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    session.screen.say(
        msg("{count} of {all} entries would be labelled otherwise.", count=found.entries, all=found.looked_at)
    )
    for change in found.changes:
        session.screen.say(f"  {change.title}: {_what(change)}")
    if found.entries > len(found.changes):
        session.screen.note(msg("... and {count} more.", count=found.entries - len(found.changes)))


@command(rules, "apply", msg("Put the changed rules in force, for what is there and for what comes."))
def apply(session: Session) -> None:
    """Apply rules."""

    async def work(api: FamulusApi) -> int:
        return await api.apply_rules(progress=session.progress)

    count = session.run(work)
    if session.is_json:
        session.screen.json({"relabelled": count})
    else:
        session.screen.say(msg("In force. {count} entries were labelled otherwise.", count=count))


def _what(change: LabelChange) -> str:
    sensitivity = None if change.sensitivity is None else translate(word(change.sensitivity))
    parts = [part for part in (change.scope, change.acl, sensitivity) if part is not None]
    return ", ".join(parts) + (f" ({', '.join(change.reasons)})" if change.reasons else "")
