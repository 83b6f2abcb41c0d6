"""Rules that are data: which are in force, what others would change, and putting them in force (G2.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, subgroup
from app.cli.plain import plain
from app.domain.text import counted, msg
from app.domain.words import word
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.rules import LabelChange, RuleFile, RulePreview
    from app.domain.text import Text
    from app.famulus.api import FamulusApi


_NAME = msg("Which rules: labels, chunking, understanding or freshness.")


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()
rules = subgroup(
    _here, "rules", msg("The rules by which entries are labelled, cut and understood; you can add to them.")
)


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
            hint = msg(
                "Changed, and not in force yet: famulus rules preview {name}, famulus rules apply {name}", name=one.name
            )
            session.screen.note(f"    {translate(hint)}")


@command(rules, "preview", msg("Show what the changed rules would do, without doing it."))
@argument("name", meaning=_NAME, default="labels")
def preview(session: Session, name: str) -> None:
    """Preview rules."""

    async def work(api: FamulusApi) -> RulePreview:
        return await api.preview_rules(name, progress=session.progress, stop=session.stop)

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    for value in found.values:
        session.screen.say(f"  {value.name}: {value.before:g} -> {value.after:g}")
    session.screen.say(_would(found))
    for change in found.changes:
        what = _what(change)
        session.screen.say(f"  {change.title}: {what}" if what else f"  {change.title}")
    if found.entries > len(found.changes):
        session.screen.note(msg("... and {count} more.", count=found.entries - len(found.changes)))


@command(rules, "apply", msg("Put the changed rules in force, for what is there and for what comes."))
@argument("name", meaning=_NAME, default="labels")
def apply(session: Session, name: str) -> None:
    """Apply rules."""

    async def work(api: FamulusApi) -> int:
        return await api.apply_rules(name, progress=session.progress)

    count = session.run(work)
    if session.is_json:
        session.screen.json({"touched": count})
    elif name == "chunking":
        session.screen.say(msg("In force, for what is collected from now on."))
    elif name == "labels":
        session.screen.say(
            counted(
                "In force. {count} entry was labelled otherwise.",
                "In force. {count} entries were labelled otherwise.",
                count=count,
            )
        )
    else:
        session.screen.say(
            counted(
                "In force. {count} entry is understood anew, in the background.",
                "In force. {count} entries are understood anew, in the background.",
                count=count,
            )
        )


def _would(found: RulePreview) -> Text:
    if found.name == "chunking":
        return msg("New lengths hold for what is collected from then on; no entry would be cut anew.")
    if found.name == "labels":
        return counted(
            "{count} of {all} entry would be labelled otherwise.",
            "{count} of {all} entries would be labelled otherwise.",
            all=found.looked_at,
            count=found.entries,
        )
    return counted(
        "{count} of {all} entry would be understood anew.",
        "{count} of {all} entries would be understood anew.",
        all=found.looked_at,
        count=found.entries,
    )


def _what(change: LabelChange) -> str:
    sensitivity = None if change.sensitivity is None else translate(word(change.sensitivity))
    parts = [part for part in (change.scope, change.acl, sensitivity) if part is not None]
    reasons = f"({', '.join(change.reasons)})" if change.reasons else ""
    return " ".join(part for part in (", ".join(parts), reasons) if part)
