"""The whole command line: its root, its commands, and the border where errors become words and exit codes.

0  done
1  our fault
2  used wrongly
3  politely refused: bad input, locked, denied, stopped
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from app import __version__
from app.cli.command import TranslatedGroup, TranslatedOption
from app.cli.commands import (
    ask,
    audit,
    batch,
    changes,
    clients,
    clip,
    collect,
    egress,
    inbox,
    keys,
    mcp,
    metrics,
    models,
    people,
    routes,
    rules,
    settings,
    tasks,
    templates,
    tune,
    upkeep,
)
from app.cli.plain import plain_error
from app.cli.screen import Screen
from app.cli.session import Session
from app.domain.errors import Bug, Cancelled, Expected
from app.domain.text import msg
from app.runtime import log
from app.runtime.translation import translate, use_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.wiring import Wiring

DONE = 0
OUR_FAULT = 1
USED_WRONGLY = 2
REFUSED = 3
NAME = "famulus"


@click.pass_context
def _without_command(context: click.Context, *, is_toggling: bool) -> int | None:
    """Start the desktop app when no command is named."""
    if context.invoked_subcommand is not None:
        return None  # its own options are not known yet
    session: Session = context.obj
    session.speak()
    return session.wiring.desktop(session.paths, is_toggling=is_toggling)


def build() -> click.Group:
    """The root of the command line."""
    toggle = TranslatedOption(
        ["--toggle", "is_toggling"],
        meaning=msg("Open quick-ask in the running app, or hide it."),
        is_flag=True,
    )
    root = TranslatedGroup(
        NAME,
        meaning=msg(
            "Famulus answers from your own files, on your device. Without a command it starts the desktop app."
        ),
        callback=_without_command,
        params=[toggle],
        invoke_without_command=True,
        subcommand_metavar="[COMMAND]",
    )
    root = click.version_option(
        __version__, prog_name=NAME, message="%(prog)s %(version)s", help=translate(msg("Show the version and exit."))
    )(root)
    parts = (
        collect, clip, ask, tasks, templates, changes, people, keys, models, routes, rules, settings, egress, clients,
        audit, inbox, upkeep, batch, mcp, metrics, tune,
    )  # fmt: skip
    for part in parts:
        part.add_to(root)
    return root


def run(wiring: Wiring, arguments: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    log.start_quietly()
    screen = Screen()
    session = Session(wiring, screen)
    # also when the arguments cannot be understood
    session.is_json = "--json" in arguments
    use_language(_named_language(arguments))
    try:
        # Windows leaves patterns such as *.md to the program; click expands them in what it takes itself.
        is_own = sys.platform == "win32" and list(arguments) == sys.argv[1:]
        result = build().main(None if is_own else list(arguments), prog_name=NAME, standalone_mode=False, obj=session)
        screen.flush()
    except BrokenPipeError:
        screen.give_up()  # as in `famulus search x | head -1`
        return DONE
    except Exception as error:  # noqa: BLE001 - the border of the process
        return _tell(error, session)
    return result if isinstance(result, int) else DONE


def _named_language(arguments: Sequence[str]) -> str:
    """The language of --lang, for help and for what cannot be understood; else the system's."""
    for flag, value in zip(arguments, [*arguments[1:], ""], strict=False):
        if flag == "--lang":
            return value
        if flag.startswith("--lang="):
            return flag.partition("=")[2]
    return "auto"


def _tell(error: Exception, session: Session) -> int:
    """Say what went wrong; returns the exit code."""
    if isinstance(error, click.exceptions.Abort):
        return _refuse(
            Cancelled(msg("Stopped, as you asked."), next_step=msg("Run the command again when you like.")), session
        )
    if isinstance(error, click.ClickException):
        return _used_wrongly(error, session)
    if isinstance(error, Expected):
        return _refuse(error, session)
    return _own_up(error, session)


def _refuse(error: Expected, session: Session) -> int:
    if session.is_json:
        session.screen.json(plain_error(error))
    for sentence in (error.what, error.lost, error.next_step):
        session.screen.note(sentence)
    return REFUSED


def _used_wrongly(error: click.ClickException, session: Session) -> int:
    message = translate(msg("The command was not understood: {reason}", reason=error.format_message()))
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = translate(msg("See: {command} --help", command=context.command_path if context else NAME))
    if session.is_json:
        lost = translate(msg("Nothing was lost."))
        session.screen.json({"error": {"code": "usage", "what": message, "lost": lost, "next_step": hint}})
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        session.screen.note(error.format_message())  # its help says which commands there are; nothing was misunderstood
        return USED_WRONGLY
    if context is not None:
        session.screen.note(context.get_usage())
    session.screen.note(message)
    session.screen.note(hint)
    return USED_WRONGLY


def _own_up(error: Exception, session: Session) -> int:
    """A bug: told by its kind and place, since its message may hold a person's data."""
    if isinstance(error, Bug):
        what = translate(msg("This is a bug in Famulus, in the process that owns the data."))
        hint = translate(msg("Please report it with what its log says: {path}", path=str(session.paths.log)))
    else:
        what = translate(msg("This is a bug in Famulus: {place}", place=log.describe(error)))
        hint = translate(msg("Please report it with this line; it holds nothing personal."))
    lost = translate(msg("Nothing that was stored is lost."))
    if session.is_json:
        session.screen.json({"error": {"code": "bug", "what": what, "lost": lost, "next_step": hint}})
    for sentence in (what, lost, hint):
        session.screen.note(sentence)
    return OUR_FAULT
