"""The command that shares a text with Famulus: clip."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.command import argument, command, option
from app.cli.plain import plain
from app.domain.errors import BadInput
from app.domain.text import msg

if TYPE_CHECKING:
    from app.cli.session import Session
    from app.domain.collecting import ImportReport
    from app.famulus.api import FamulusApi

_MOST_BYTES = 16 * 1024 * 1024
_STANDARD_INPUT = "-"


def add_to(root: click.Group) -> None:
    """Add the command of this module."""
    for part in _here.commands.values():
        root.add_command(part)


_here = click.Group()


@command(_here, "clip", msg("Keep a text: a passage of a web page with its address, or a note of your own."))
@argument("about", meaning=msg("The page's address, or a title for a note of your own."), required=False, default="")
@argument("file", meaning=msg("The file that holds the text; standard input without it."), default=_STANDARD_INPUT)
@option("--title", meaning=msg("A title, beside an address."), default="")
def clip(session: Session, about: str, file: str, title: str) -> None:
    """Keep a text."""
    is_address = "://" in about
    text = _read(session, file)

    async def work(api: FamulusApi) -> ImportReport:
        return await api.clip(text, title=title if is_address else (title or about), url=about if is_address else "")

    report = session.run(work)
    if session.is_json:
        values = plain(report)
        del values["understood"]
        session.screen.json(values)
        return
    for warning in report.warnings:
        session.screen.note(warning)
    said = msg("Kept: {name}", name=report.path) if report.added else msg("Known already: {name}", name=report.path)
    session.screen.say(said)


def _read(session: Session, file: str) -> str:
    """The text; raises `BadInput` when there is none, too much, or it is no text."""
    if file == _STANDARD_INPUT and sys.stdin is not None and sys.stdin.isatty():
        session.screen.note(msg("Type or paste the text, and end it with Ctrl+D (on Windows Ctrl+Z and Enter)."))
    try:
        data = _bytes_of(file)
    except OSError:
        raise BadInput(
            msg("{path} cannot be read.", path=file), next_step=msg("Look whether the path is right.")
        ) from None
    if len(data) > _MOST_BYTES:
        raise BadInput(
            msg("It has more than {size} MiB.", size=_MOST_BYTES >> 20),
            next_step=msg("Take the file in as a whole: famulus import FILE"),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(
            msg("The text is not UTF-8."), next_step=msg("Take the file in as a whole: famulus import FILE")
        ) from None


def _bytes_of(file: str) -> bytes:
    """As many bytes as are looked at, and one more; raises OSError."""
    if file == _STANDARD_INPUT:
        return b"" if sys.stdin is None else sys.stdin.buffer.read(_MOST_BYTES + 1)
    with Path(file).expanduser().open("rb") as stream:
        return stream.read(_MOST_BYTES + 1)
