"""Calendars as .ics: a file, a folder of files, or an address that is subscribed to.

Files go the way of the files source; only .ics files belong to it. An event that vanishes from a file is told as
deleted, since the cursor row of a file knows the UIDs that it held. An address is read by `web`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.domain.labels import Trust
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry

_SUFFIXES = (".ics", ".ical", ".icalendar", ".ifb")
_ON_THE_WEB = ("webcal:", "webcals:", "http:", "https:")


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.registry import SourceKind, SourceOption  # noqa: PLC0415

    registry.register(
        SourceKind(
            name="ics",
            meaning=msg("A calendar file (.ics), a folder of them, or the address of a calendar on the web."),
            location=msg("The .ics file, the folder, or an address such as webcal://example.org/holidays.ics."),
            canonical=canonical,
            open=open_source,
            options=(SourceOption("user", msg("Your name, where the address wants one and a password.")),),
            capabilities=frozenset({Capability.WATCH}),
            trust_of=trust_of,
        )
    )


def is_on_the_web(location: str) -> bool:
    """Whether a location is an address and no path."""
    return location.strip().lower().startswith(_ON_THE_WEB)


def trust_of(location: str) -> Trust:
    """Own files are the person's; what stands on the web anybody may have written (X9.1)."""
    from app.domain.labels import Trust  # noqa: PLC0415 - see `register`

    return Trust.WEB if is_on_the_web(location) else Trust.OWN_FILES


def canonical(location: str) -> str:
    """An absolute path, or an address in one spelling; raises `BadInput` when nothing can be there."""
    from app.sources.location import existing_path, web_address  # noqa: PLC0415 - see `register`

    return web_address(location, may_name_user=True) if is_on_the_web(location) else existing_path(location)


def open_source(context: SourceContext) -> Source:
    """A calendar file, a folder of them, or a subscription; a single file is taken whatever its name is."""
    from pathlib import Path  # noqa: PLC0415 - see `register`

    if is_on_the_web(context.source.location):
        from app.sources.ics.web import WebCalendar  # noqa: PLC0415 - see `register`

        return WebCalendar(context)
    from app.sources.files.source import FilesSource  # noqa: PLC0415 - see `register`

    is_folder = Path(context.source.location).is_dir()
    return FilesSource(context, takes=is_calendar if is_folder else None)


def is_calendar(name: str) -> bool:
    """Whether a file is a calendar by its name."""
    return name.lower().endswith(_SUFFIXES)
