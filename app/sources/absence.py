"""A folder or file that is not there, or may not be opened: told the same way by every source that reads files.

Nothing is concluded from it; a disk that is not mounted deletes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from app.domain.errors import Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.text import Text


def must_be_there(root: Path) -> None:
    """Raises `Unavailable` when a folder or file cannot be looked at."""
    try:
        if root.is_dir():
            next(root.iterdir(), None)
        else:
            root.stat()
    except OSError as error:
        unavailable(error)


def unavailable(error: OSError) -> NoReturn:
    """Say why a folder cannot be looked at."""
    if isinstance(error, PermissionError):
        raise Unavailable(
            msg("The folder may not be opened."),
            lost=msg("Nothing was deleted."),
            next_step=msg("Allow reading it, and sync again."),
        ) from None
    raise gone(msg("The folder is not there.")) from None


def gone(what: Text) -> Unavailable:
    """Where things were, there are none."""
    return Unavailable(
        what,
        lost=msg("Nothing was deleted."),
        next_step=msg(
            "Connect or mount it and sync again. If it is meant to be empty, sync with --confirm-deletions; "
            "if it moved, add it at its new place."
        ),
    )
