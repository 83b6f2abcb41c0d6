"""Where a source on this device lies, as a person names it."""

from __future__ import annotations

from app.domain.errors import BadInput
from app.domain.text import msg
from app.runtime.environment import expanded


def existing_path(location: str) -> str:
    """An absolute path with all links followed; raises `BadInput` when nothing is there."""
    try:
        path = expanded(location).resolve(strict=True)
        is_usable = bool(location) and (path.is_dir() or path.is_file())  # "" would be the working folder
    except (OSError, RuntimeError, ValueError):
        is_usable = False
    if not is_usable:
        raise BadInput(
            msg("There is no folder or file at {location}.", location=location),
            next_step=msg("Look whether the path is right, and whether its disk is connected."),
        )
    return str(path)
