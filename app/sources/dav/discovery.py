"""Finding a person's calendars or address books (RFC 6764, 5397, 4791 section 6.2, 6352 section 7.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.sources.dav import requests
from app.sources.dav.answers import NothingThere, NotSupported, canonical_path
from app.sources.parsing.blocks import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.sources.dav.answers import Resource
    from app.sources.dav.client import DavClient
    from app.sources.dav.requests import Flavour

_COLOUR = "http://apple.com/ns/ical/ calendar-color"
_CTAG = f"{requests.SERVER} getctag"
_PRINCIPAL = "DAV: current-user-principal"
_COMPONENTS = f"{requests.CALDAV} supported-calendar-component-set"
_REPORTS = "DAV: supported-report-set"
_TYPE = "DAV: resourcetype"
_READ = frozenset(("VEVENT", "VTODO", "VJOURNAL"))


@dataclass(frozen=True, slots=True)
class DavCollection:
    """A calendar or an address book.

    Attributes:
        path: ends with a slash.
        ctag, sync_token: change with whatever is in it; empty where the server has none.
        components: what a calendar may hold; empty: not said.
        can_tell_changes: whether the server says that it does sync-collection.
    """

    path: str
    name: str
    colour: str = ""
    ctag: str = ""
    sync_token: str = ""
    components: frozenset[str] = frozenset()
    can_tell_changes: bool = False


def find_homes(client: DavClient) -> tuple[str, ...]:
    """The paths under which the collections lie, or the one collection that the location names.

    Raises:
        Unavailable: there are none, with what to do.
    """
    for url in (client.location, client.url(client.flavour.well_known)):
        found = _homes_from(client, url)
        if found:
            return found
    host = urlsplit(client.location).hostname or ""
    raise Unavailable(
        msg("Nothing of this kind was found at {host}.", host=host),
        lost=msg("Nothing was deleted."),
        next_step=msg("Look up the address for other programs (CalDAV, CardDAV) in the settings of the service."),
    )


def _homes_from(client: DavClient, url: str) -> tuple[str, ...]:
    flavour = client.flavour
    home = f"{flavour.namespace} {flavour.home}"
    for _ in range(3):
        try:
            answer = client.propfind(url, requests.who_and_where(flavour), depth=0)
        except (NotSupported, NothingThere):
            return ()
        if not answer.resources:
            return ()
        (place, *_) = answer.resources
        if _is_collection(place, flavour):
            return (_as_folder(place.path),)
        if home in place.properties:
            hrefs = [one.text for one in place.properties[home].all("DAV: href") if one.text.strip()]
            return tuple(dict.fromkeys(_as_folder(client.path_of(href)) for href in hrefs))
        principal = place.said(_PRINCIPAL, "DAV: href")
        if not principal or client.url(client.path_of(principal)) == url:
            return ()
        url = client.url(client.path_of(principal))
    return ()


def list_collections(client: DavClient, homes: tuple[str, ...]) -> list[DavCollection]:
    """The collections, each once; raises `NothingThere` when a home is not there any more."""
    found: dict[str, DavCollection] = {}
    for home in homes:
        answer = client.propfind(client.url(home), requests.collections(), depth=1)
        own = canonical_path(client.url(home), "")
        places = [one for one in answer.resources if _is_collection(one, client.flavour)]
        if any(_as_folder(one.path) == own for one in places):
            # the location is a collection itself, and what is in it are no collections
            places = [one for one in places if _as_folder(one.path) == own]
        for place in places:
            one = _collection(place)
            if not one.components or one.components & _READ:
                found[one.path] = one
    return list(found.values())


def chosen(collections: list[DavCollection], options: Mapping[str, str]) -> tuple[list[DavCollection], list[str]]:
    """Those that a person named, by their name or the end of their path; and the names that fit none."""
    wanted = options.get("calendars", "") or options.get("address_books", "")
    names = [name.strip() for name in wanted.replace("，", ",").split(",") if name.strip()]
    if not names:
        return collections, []
    by_name = {name.casefold(): name for name in names}
    fitting = {one.path: {one.name.casefold(), _last(one.path).casefold()} & set(by_name) for one in collections}
    met = {key for keys in fitting.values() for key in keys}
    return [one for one in collections if fitting[one.path]], [by_name[key] for key in by_name if key not in met]


def _is_collection(place: Resource, flavour: Flavour) -> bool:
    kinds = {one.name for one in place.properties[_TYPE].children} if _TYPE in place.properties else set()
    return f"{flavour.namespace} {flavour.collection}" in kinds


def _collection(place: Resource) -> DavCollection:
    components = place.properties.get(_COMPONENTS)
    names = {str(one.attributes.get("name", "")).upper() for one in components.children} if components else set()
    reports = place.properties.get(_REPORTS)
    offered = {
        kind.name
        for one in (reports.children if reports is not None else ())
        for report in one.all("DAV: report")
        for kind in report.children
    }
    path = _as_folder(place.path)
    token = place.said("DAV: sync-token")
    return DavCollection(
        path,
        one_line(place.said("DAV: displayname"), 200) or unquote(_last(path)),
        one_line(place.said(_COLOUR), 20),
        place.said(_CTAG),
        token,
        frozenset(names),
        can_tell_changes=bool(token) and (not offered or "DAV: sync-collection" in offered),
    )


def _as_folder(path: str) -> str:
    return path if path.endswith("/") else f"{path}/"


def _last(path: str) -> str:
    return unquote(path.rstrip("/").rpartition("/")[2])
