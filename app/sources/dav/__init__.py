"""Calendars, to-dos and contacts on a server: CalDAV (RFC 4791) and CardDAV (RFC 6352), both as WebDAV (RFC 4918).

A small layer over `runtime.network` (decision 0018): `requests` writes what is asked, `answers` and `elements` read
what comes back, `client` joins both, `discovery` finds a person's collections, `source` tells their changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.sources.contract import Source, SourceContext
    from app.sources.registry import Registry


def register(registry: Registry) -> None:
    """The door that every plug-in has."""
    from app.sources.contract import Capability  # noqa: PLC0415 - a list of kinds does not load them
    from app.sources.registry import SourceKind, SourceOption  # noqa: PLC0415

    user = SourceOption("user", msg("The user name, where it does not stand in the address."))
    registry.register(
        SourceKind(
            name="caldav",
            meaning=msg("Calendars and to-dos on a server (CalDAV)."),
            location=msg("The server's address, such as https://zhang@cloud.example.org/, or that of one calendar."),
            canonical=canonical,
            open=_open_calendars,
            needs_secret=True,
            options=(
                user,
                SourceOption("calendars", msg("Which calendars, by name, with commas between; all if empty.")),
            ),
            capabilities=frozenset({Capability.SEARCH, Capability.WRITE}),
        )
    )
    registry.register(
        SourceKind(
            name="carddav",
            meaning=msg("Contacts on a server (CardDAV)."),
            location=msg(
                "The server's address, such as https://zhang@cloud.example.org/, or that of one address book."
            ),
            canonical=canonical,
            open=_open_address_books,
            needs_secret=True,
            options=(
                user,
                SourceOption("address_books", msg("Which address books, by name, with commas between; all if empty.")),
            ),
            capabilities=frozenset({Capability.SEARCH}),
        )
    )


def canonical(location: str) -> str:
    """The address in one spelling; raises `BadInput` for one that is none, or holds a password."""
    from app.sources.location import web_address  # noqa: PLC0415 - see `register`

    return web_address(location, may_name_user=True)


def _open_calendars(context: SourceContext) -> Source:
    from app.sources.dav.requests import CALENDARS  # noqa: PLC0415 - see `register`
    from app.sources.dav.source import DavSource  # noqa: PLC0415

    return DavSource(context, CALENDARS)


def _open_address_books(context: SourceContext) -> Source:
    from app.sources.dav.requests import ADDRESS_BOOKS  # noqa: PLC0415 - see `register`
    from app.sources.dav.source import DavSource  # noqa: PLC0415

    return DavSource(context, ADDRESS_BOOKS)
