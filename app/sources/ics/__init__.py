"""Calendars as .ics files: one, or a folder of them, as calendar programs export or keep them.

The way is that of the files source; only .ics files belong to it. An event that vanishes from a file is told as
deleted, since the cursor row of a file knows the UIDs that it held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry

_SUFFIXES = (".ics", ".ical", ".icalendar", ".ifb")


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.registry import SourceKind  # noqa: PLC0415 - a list of kinds does not load them

    registry.register(
        SourceKind(
            name="ics",
            meaning=msg("A calendar file (.ics), or a folder of them."),
            location=msg("The .ics file or the folder."),
            canonical=canonical,
            open=open_source,
        )
    )


def canonical(location: str) -> str:
    """An absolute path; raises `BadInput` for an address on the web, and when nothing is there."""
    from app.sources.location import existing_path  # noqa: PLC0415 - see `register`

    if location.lower().startswith(("webcal:", "webcals:", "http:", "https:")):
        raise BadInput(
            msg("Calendars on the web are not collected yet."),
            next_step=msg("Download the .ics file, and add the file."),
        )
    return existing_path(location)


def open_source(context: SourceContext) -> Source:
    """A calendar file or a folder of them; a single file is taken whatever its name is."""
    from pathlib import Path  # noqa: PLC0415 - see `register`

    from app.sources.files.source import FilesSource  # noqa: PLC0415 - see `register`

    is_folder = Path(context.source.location).is_dir()
    return FilesSource(context, takes=is_calendar if is_folder else None)


def is_calendar(name: str) -> bool:
    """Whether a file is a calendar by its name."""
    return name.lower().endswith(_SUFFIXES)
