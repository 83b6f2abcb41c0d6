"""Commands for task templates: which there are, and preparing a task by one (G4.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, option
from app.cli.plain import plain
from app.domain.errors import BadInput
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.serving import Briefing, TemplateInfo
    from app.famulus.api import FamulusApi


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "templates", msg("List the task templates, shipped ones and your own."))
def templates(session: Session) -> None:
    """List the templates."""

    async def work(api: FamulusApi) -> Sequence[TemplateInfo]:
        return await api.templates()

    found = session.run(work)
    if session.is_json:
        session.screen.json(plain(found))
        return
    for one in found:
        _say(session, one)


@command(_here, "prepare", msg("Put together what a task needs, by its template."))
@argument("template", meaning=msg("Its name, as `famulus templates` shows it."))
@argument("fields", meaning=msg("What fills its blanks, such as: meeting=Budget"), nargs=-1)
@option("--as", "as_client", meaning=msg("What this client would get."))
def prepare(session: Session, template: str, fields: tuple[str, ...], as_client: str | None) -> None:
    """Prepare a task."""
    values = _values(fields)

    async def work(api: FamulusApi) -> Briefing:
        return await api.prepare(template, values, as_client=as_client, progress=session.progress, stop=session.stop)

    briefing = session.run(work)
    if session.is_json:
        session.screen.json(plain(briefing))
        return
    session.screen.say(briefing.text)


def _values(fields: Sequence[str]) -> dict[str, str]:
    """`name=value` words by their names; raises `BadInput` for a word that is none."""
    values: dict[str, str] = {}
    for field in fields:
        name, is_pair, value = field.partition("=")
        if not is_pair or not name:
            raise BadInput(
                msg("{word} fills no blank.", word=field),
                next_step=msg("Say the blank and what fills it, such as: meeting=Budget"),
            )
        values[name] = value
    return values


def _say(session: Session, one: TemplateInfo) -> None:
    session.screen.say(f"{one.name}: {one.title}")
    if one.problem is not None:
        session.screen.note(one.problem)
        return
    session.screen.say(f"    {one.meaning}")
    for field in one.fields:
        mark = "" if field.is_required else "?"
        session.screen.say(f"    {field.name}{mark}  {field.meaning}")
