"""Commands for tasks: those of to-do lists and those that texts state, as one list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, option, subgroup
from app.cli.commands.agenda_line import say_item
from app.cli.plain import plain
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.session import Session
    from app.domain.context_item import AgendaItem
    from app.famulus.api import FamulusApi


def add_to(root: click.Group) -> None:
    """Add the commands of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()
tasks = subgroup(
    _here, "tasks", msg("What is to be done: from to-do lists, and as your notes, mails and minutes say it.")
)


@command(tasks, "list", msg("List the tasks that are open, by their day."))
@option("--owner", meaning=msg("Only what this person has to do."))
@option("--all", "include_done", meaning=msg("Also what is done or canceled."), is_flag=True)
def list_tasks(session: Session, owner: str | None, *, include_done: bool) -> None:
    """List tasks."""

    async def work(api: FamulusApi) -> Sequence[AgendaItem]:
        return await api.tasks(owner=owner, include_done=include_done)

    items = session.run(work)
    if session.is_json:
        session.screen.json(plain(items))
        return
    if not items:
        session.screen.say(msg("There is nothing to be done."))
    for item in items:
        say_item(session, item, has_id=True)


@command(tasks, "done", msg("Mark a task as done."))
@argument("task", meaning=msg("Its id, as `famulus tasks list` shows it."))
def mark_done(session: Session, task: str) -> None:
    """Mark a task."""
    _mark(session, task, is_done=True)


@command(tasks, "reopen", msg("Open a task again that was marked as done."))
@argument("task", meaning=msg("Its id, as `famulus tasks list --all` shows it."))
def reopen(session: Session, task: str) -> None:
    """Open a task again."""
    _mark(session, task, is_done=False)


def _mark(session: Session, task: str, *, is_done: bool) -> None:
    async def work(api: FamulusApi) -> AgendaItem:
        return await api.mark_task(task, is_done=is_done)

    item = session.run(work)
    if session.is_json:
        session.screen.json(plain(item))
    else:
        say_item(session, item, has_id=True)
