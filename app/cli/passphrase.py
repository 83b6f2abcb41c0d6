"""Where a passphrase comes from: a file descriptor, the environment, or a person at a terminal.

Never an argument: other programs can read those.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from app.domain.errors import BadInput, PassphraseNeeded
from app.domain.text import Text, msg
from app.runtime import environment
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.cli.session import Session

_MAX_BYTES = 1 << 16


def given(session: Session) -> str | None:
    """The passphrase that came with the command, without asking anybody; None when there is none."""
    if session.passphrase_fd is not None:
        return read_line(session.passphrase_fd)
    return environment.passphrase()


def can_ask() -> bool:
    """Whether a person sits at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: Text, *, is_new: bool = False) -> str:
    """Ask for a passphrase without showing it; a new one twice.

    Raises:
        PassphraseNeeded: there is no terminal.
    """
    import click  # noqa: PLC0415 - for who asks

    if not can_ask():
        raise needed()
    repeat = translate(msg("The same again")) if is_new else False
    answer: str = click.prompt(translate(question), hide_input=True, confirmation_prompt=repeat, err=True)
    return answer


def read_line(descriptor: int) -> str:
    """The first line that a file descriptor gives; raises `BadInput` when it gives none."""
    data = b""
    try:
        while b"\n" not in data and len(data) <= _MAX_BYTES and (more := os.read(descriptor, 4096)):
            data += more
        line = data.partition(b"\n")[0].removesuffix(b"\r").decode("utf-8")
    except (OSError, UnicodeDecodeError):
        line = ""
    if not line or len(data) > _MAX_BYTES:
        raise BadInput(
            msg("File descriptor {number} gave no passphrase in UTF-8.", number=descriptor),
            next_step=msg("Open it for reading, for example: famulus --passphrase-fd 3 ... 3<file"),
        )
    return line


def needed() -> PassphraseNeeded:
    """What to say where nobody can be asked."""
    return PassphraseNeeded(
        msg("The database needs its passphrase."),
        next_step=msg("Give it by FAMULUS_PASSPHRASE or --passphrase-fd, or run the command in a terminal."),
    )
