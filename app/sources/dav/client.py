"""Talking WebDAV to one server: each method is one or a few requests, and gives values or raises what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit, urlunsplit

from app.domain.errors import Refused, TooBig, Unavailable
from app.domain.text import msg
from app.runtime.network import OWN_SERVER, Http, Login, Request
from app.sources.dav import requests
from app.sources.dav.answers import NothingThere, NotSupported, canonical_path, multi_status, nonsense, refuse
from app.sources.location import without_user

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.progress import StopSignal
    from app.runtime.network import NetworkLimits
    from app.sources.contract import SourceContext
    from app.sources.dav.answers import MultiStatus, Resource
    from app.sources.dav.requests import Flavour

_XML = {"Content-Type": "application/xml; charset=utf-8"}
_CREATED = (200, 201, 204)
_PRECONDITION_FAILED = 412
_MOST_PAGES = 1_000


@dataclass(frozen=True, slots=True)
class Text:
    """What a resource holds. `etag` may be empty where the server says none."""

    path: str
    etag: str
    data: bytes
    modified: str = ""


class DavClient:
    """One server, for one purpose (see `Http`).

    Args:
        location: where the person said that their things are.
    """

    def __init__(self, location: str, http: Http, flavour: Flavour) -> None:
        self.location = location
        self.flavour = flavour
        self._http = http

    def url(self, path: str) -> str:
        """The address of a path at this server."""
        parts = urlsplit(self.location)
        return urlunsplit((parts.scheme, parts.netloc, path, "", ""))

    def propfind(self, url: str, body: bytes, *, depth: int) -> MultiStatus:
        """Properties of a resource, and (depth 1) of what is in it."""
        return multi_status(self._http.send(Request("PROPFIND", url, {**_XML, "Depth": str(depth)}, body)))

    def changes_since(self, path: str, token: str) -> MultiStatus:
        """All changes in a collection since a token, also where the server tells them in several parts.

        Raises:
            NotSupported: the token is too old, or the server does not do this.
        """
        found: list[Resource] = []
        for _ in range(_MOST_PAGES):
            part = self._report(path, requests.changes_since(token), depth="0")
            found += part.resources
            if not part.sync_token or (part.is_cut and part.sync_token == token):
                raise NotSupported
            token = part.sync_token
            if not part.is_cut:
                return type(part)(tuple(found), token)
        raise nonsense(self.location)

    def texts(self, collection: str, paths: Sequence[str]) -> list[Text]:
        """The texts of resources at once; those that are missing by now, or too big for an answer, are left out."""
        try:
            answer = self._report(collection, requests.multiget(self.flavour, paths), depth="0")
        except TooBig:
            if len(paths) == 1:
                return []
            middle = len(paths) // 2
            return [*self.texts(collection, paths[:middle]), *self.texts(collection, paths[middle:])]
        except (NotSupported, NothingThere):
            found = (self.text(path) for path in paths)
            return [one for one in found if one is not None]
        return _with_data(answer, self.flavour)

    def text(self, path: str) -> Text | None:
        """The text of one resource; None when it is not there; raises `TooBig`."""
        answer = self._http.send(Request("GET", self.url(path)))
        if answer.is_good:
            own = canonical_path(self.location, path)
            return Text(own, answer.headers.get("etag", ""), answer.body, answer.headers.get("last-modified", ""))
        try:
            refuse(answer)
        except (NothingThere, NotSupported):
            return None

    def search(self, collection: str, body: bytes) -> list[Text]:
        """What a query finds at the server; nothing where it does not do such queries."""
        try:
            answer = self._report(collection, body, depth="1", data_level=OWN_SERVER)
        except (NotSupported, NothingThere):
            return []
        return _with_data(answer, self.flavour)

    def put(self, path: str, data: bytes, *, etag: str | None) -> None:
        """Write a resource: a new one, or (etag) the one that was read.

        Raises:
            Refused: it is there already, or was changed since it was read.
        """
        condition = {"If-None-Match": "*"} if etag is None else {"If-Match": etag}
        headers = {"Content-Type": f"{self.flavour.media_type}; charset=utf-8", **condition}
        answer = self._http.send(Request("PUT", self.url(path), headers, data, data_level=OWN_SERVER))
        if answer.status in _CREATED:
            return
        if answer.status == _PRECONDITION_FAILED:
            raise Refused(
                msg("It was changed at the server meanwhile."),
                lost=msg("Nothing was written."),
                next_step=msg("Sync this source, look at it again, and repeat the change."),
            )
        try:
            refuse(answer)
        except (NothingThere, NotSupported):
            raise Refused(
                msg("The server did not accept the change."),
                lost=msg("Nothing was written."),
                next_step=msg("Look whether this calendar may be written."),
            ) from None

    def _report(self, path: str, body: bytes, *, depth: str, data_level: int | None = None) -> MultiStatus:
        request = Request("REPORT", self.url(path), {**_XML, "Depth": depth}, body)
        if data_level is not None:
            request = Request("REPORT", self.url(path), {**_XML, "Depth": depth}, body, data_level=data_level)
        return multi_status(self._http.send(request))

    def path_of(self, href: str) -> str:
        """The path of an address that this server names.

        Raises:
            Unavailable: it is at another server, to which no login is given.
        """
        try:
            url = urljoin(self.location, href.strip())
            host = urlsplit(url).netloc.lower()
        except ValueError:
            raise nonsense(self.location) from None
        if host != urlsplit(self.location).netloc.lower():
            raise Unavailable(
                msg("This server keeps your collections at {host}.", host=host[:200]),
                next_step=msg("Add the source with the address {url} if you trust it.", url=url[:500]),
            )
        return canonical_path(self.location, url)


def open_client(
    context: SourceContext,
    flavour: Flavour,
    purpose: str,
    limits: NetworkLimits | None = None,
    stop: StopSignal | None = None,
) -> tuple[Http, DavClient]:
    """A client for a source, and the connection to close afterwards."""
    location, user = address_of(context)
    secret = context.secret
    login = (lambda: Login(user, secret())) if secret is not None and user else None
    http = Http(location, f"{purpose}:{flavour.kind}", context.ledger, login=login, limits=limits, stop=stop)
    return http, DavClient(location, http, flavour)


def address_of(context: SourceContext) -> tuple[str, str]:
    """Where a source's server is, and the user's name there; empty where nobody said it."""
    location, user = without_user(context.source.location)
    return location, context.source.options.get("user", "") or user


def _with_data(answer: MultiStatus, flavour: Flavour) -> list[Text]:
    name = f"{flavour.namespace} {flavour.data}"
    return [
        Text(
            one.path,
            one.said("DAV: getetag"),
            one.properties[name].text.encode("utf-8", "surrogatepass"),
            one.said("DAV: getlastmodified"),
        )
        for one in answer.resources
        if name in one.properties and not one.is_missing
    ]
