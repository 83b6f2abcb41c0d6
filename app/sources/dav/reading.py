"""From what a resource holds to entries: through the parse process, like a file (`sources.intake`)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import unquote

from app.domain.text import msg
from app.runtime import clock
from app.sources.intake import FileReader, Origin, Refusal

if TYPE_CHECKING:
    from app.domain.entries import Entry
    from app.sources.contract import SourceContext
    from app.sources.dav.client import DavClient, Text
    from app.sources.intake import ReadFile

_DAY = timedelta(days=1)
_NAME_CHARS = 200
_READ = frozenset(("calendar", "vcard"))
_SOMETHING_ELSE = Refusal(
    msg("The server holds something else there than an event, a to-do or a contact."),
    msg("Look at it in the program of the calendar or the address book."),
)


class ResourceReader:
    """Reads resources of one server."""

    def __init__(self, context: SourceContext, client: DavClient) -> None:
        self._client = client
        self._reader = FileReader(context)
        self._label = "calendar" if client.flavour.kind == "caldav" else "address_book"

    @property
    def window_end(self) -> datetime:
        """Until when recurring events are written out."""
        return self._reader.window[1]

    def read(self, text: Text, collection_name: str) -> ReadFile:
        """The entries of a resource; what cannot be read is a result and not an error."""
        name = unquote(text.path.rpartition("/")[2])[-_NAME_CHARS:].replace("/", "_").replace("\0", "_")
        name = name if name.lower().endswith(self._client.flavour.suffix) else name + self._client.flavour.suffix
        origin = Origin(self._client.url(text.path), _changed_at(text.modified))
        read = self._reader.read_bytes(text.data, name, native_id_of(text.path), origin)
        if read.refusal is None and read.facts.get("format") not in _READ:
            # a page that says sorry, where a calendar should be
            return replace(read, entries=(), refusal=_SOMETHING_ELSE)
        return replace(read, entries=tuple(self._labelled(entry, collection_name) for entry in read.entries))

    def _labelled(self, entry: Entry, collection_name: str) -> Entry:
        return replace(entry, metadata=MappingProxyType({**entry.metadata, self._label: collection_name}))


def native_id_of(path: str) -> str:
    """The native id of a resource: its path, in which `#` is written as %23."""
    return path.lstrip("/")


def _changed_at(modified: str) -> datetime:
    """When the server says that it changed; the present where it says nothing, or something from the future."""
    try:
        found = parsedate_to_datetime(modified)
    except (ValueError, TypeError, IndexError, OverflowError):
        return clock.now()
    aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    return aware if aware <= clock.now().astimezone(UTC) + _DAY else clock.now()
