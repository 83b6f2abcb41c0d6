"""Calendars or address books on a server as a source (L6.2): changes, search, and (calendars) writing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import Refused, Unavailable
from app.domain.text import msg
from app.runtime.network import NetworkLimits
from app.sources.contract import Capability
from app.sources.dav import requests
from app.sources.dav.answers import NothingThere, NotSupported
from app.sources.dav.client import address_of, open_client
from app.sources.dav.discovery import chosen, find_homes, list_collections
from app.sources.dav.reading import ResourceReader
from app.sources.dav.sync import DavSync
from app.sources.dav.writing import write_event

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.domain.entries import Entry
    from app.domain.progress import StopSignal
    from app.sources.contract import Change, CursorReader, SourceContext
    from app.sources.dav.client import DavClient
    from app.sources.dav.discovery import DavCollection
    from app.sources.dav.requests import Flavour

_MOST_FOUND = 200
# Some servers read through a whole calendar before their first byte: a minute for a few thousand events
_PATIENT = NetworkLimits(silence_s=120.0)


class DavSource:
    """See the module docstring.

    Args:
        context: its source's location is an https address (http only on this device).
        limits: of a test.
    """

    def __init__(self, context: SourceContext, flavour: Flavour, limits: NetworkLimits | None = None) -> None:
        self._context = context
        self._flavour = flavour
        self._limits = limits

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Calendars can be written."""
        can_write = self._flavour is requests.CALENDARS
        return frozenset({Capability.SEARCH, *((Capability.WRITE,) if can_write else ())})

    def authenticate(self) -> None:
        """One question to the server; raises `Unavailable` with a next step when there is no good answer."""
        info = self._context.source
        if self._context.secret is not None and not address_of(self._context)[1]:
            raise Unavailable(
                msg("This source has no user name yet."),
                next_step=msg("Give it: famulus sources change {source} --set user=NAME", source=info.source_id),
            )
        http, client = open_client(self._context, self._flavour, "collect", self._limits)
        with http:
            try:
                client.propfind(client.location, requests.who_and_where(self._flavour), depth=0)
            except (NothingThere, NotSupported):
                find_homes(client)

    def changes(self, cursor: CursorReader, stop: StopSignal) -> Iterator[Change]:
        """See `contract.Source.changes`."""
        http, client = open_client(self._context, self._flavour, "collect", self._limits or _PATIENT, stop)
        with http:
            yield from DavSync(self._context, client, cursor).run(stop)

    def search(self, text: str, limit: int) -> Sequence[Entry]:
        """Search by title (calendars) or by names, addresses and organisation (contacts), at the server."""
        http, client = open_client(self._context, self._flavour, "search", self._limits)
        reader = ResourceReader(self._context, client)
        found: list[Entry] = []
        with http:
            for collection in self._collections(client):
                for body in self._queries(collection, text, min(limit, _MOST_FOUND)):
                    for one in client.search(collection.path, body)[:_MOST_FOUND]:
                        found += reader.read(one, collection.name).entries
                        if len(found) >= limit:
                            return found[:limit]
        return found

    def write(self, entry: Entry) -> None:
        """Write an event or a to-do: a new one, or a change of one that came from here; see `writing`."""
        if Capability.WRITE not in self.capabilities:
            raise Refused(
                msg("Famulus reads these contacts and does not write them."),
                next_step=msg("Change the contact in its program."),
            )
        http, client = open_client(self._context, self._flavour, "write", self._limits)
        with http:
            write_event(entry, client, self._collections(client))

    def watched(self) -> Sequence[Path]:
        """Nothing on this device."""
        return ()

    def _collections(self, client: DavClient) -> list[DavCollection]:
        try:
            found = list_collections(client, find_homes(client))
        except (NothingThere, NotSupported):
            return []
        return chosen(found, self._context.source.options)[0]

    def _queries(self, collection: DavCollection, text: str, limit: int) -> list[bytes]:
        if self._flavour is not requests.CALENDARS:
            return [requests.address_book_query(text, limit)]
        kinds = collection.components or {"VEVENT", "VTODO"}
        return [requests.calendar_query(kind, text) for kind in ("VEVENT", "VTODO") if kind in kinds]
