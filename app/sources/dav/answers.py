"""What a WebDAV server answers: 207 Multi-Status, and what its other answers mean (RFC 4918, section 13; RFC 6578)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.sources.dav.elements import BadXml, read_xml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

    from app.domain.text import Text
    from app.runtime.network_answers import Answer
    from app.sources.dav.elements import Element

_STATUS = re.compile(r"HTTP/\d(?:\.\d)?\s+(\d{3})", re.ASCII)
_MULTI_STATUS, _UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _GONE, _TOO_MUCH = 207, 401, 403, 404, 410, 507
_SAFE = "~!$&'()*+,;=:@"


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource of a Multi-Status.

    Attributes:
        path: absolute and in one spelling, so that two mentions of it are equal.
        spelling: the path as the server writes it, and wants to be asked for it.
        status: its own; None where only its properties have one.
        properties: those that it has, by name.
    """

    path: str
    spelling: str
    status: int | None
    properties: Mapping[str, Element] = field(default_factory=dict)

    @property
    def is_missing(self) -> bool:
        """Whether it is not there (any more)."""
        return self.status in {_NOT_FOUND, _GONE}

    def said(self, name: str, *path: str) -> str:
        """The text of a property."""
        found = self.properties.get(name)
        return found.said(*path) if found is not None else ""


@dataclass(frozen=True, slots=True)
class MultiStatus:
    """All resources of an answer, and where a sync stands after it (RFC 6578). `is_cut`: there is more to ask for."""

    resources: tuple[Resource, ...]
    sync_token: str = ""
    is_cut: bool = False


class NotSupported(Exception):
    """The server does not do this, or no longer knows what it was asked about."""


class NothingThere(Exception):
    """There is nothing at this address."""


def canonical_path(base: str, href: str) -> str:
    """The path that an address means, in one spelling; empty where it makes no sense."""
    path = spelled_path(base, href)
    return "/".join(quote(unquote(part), safe=_SAFE) for part in path.split("/"))


def spelled_path(base: str, href: str) -> str:
    """The path of an address as it is written; empty where it makes no sense."""
    try:
        return urlsplit(urljoin(base, href.strip())).path
    except ValueError:
        return ""


def multi_status(answer: Answer) -> MultiStatus:
    """Read a 207.

    Raises:
        Unavailable: it is something else, and what that means.
        NotSupported, NothingThere: see there.
    """
    if answer.status != _MULTI_STATUS:
        refuse(answer)
    try:
        root = read_xml(answer.body)
    except BadXml:
        raise nonsense(answer.url) from None
    if root.name != "DAV: multistatus":
        raise nonsense(answer.url)
    found = [_resource(answer.url, one) for one in root.all("DAV: response")]
    own = canonical_path(answer.url, "")
    return MultiStatus(
        tuple(one for one in found if one.path and one.status != _TOO_MUCH),
        root.said("DAV: sync-token"),
        is_cut=any(one.status == _TOO_MUCH and one.path == own for one in found),
    )


def refuse(answer: Answer) -> NoReturn:
    """Say what an answer means that is not the one that was hoped for."""
    host = urlsplit(answer.url).hostname or ""
    if answer.status == _UNAUTHORIZED:
        raise Unavailable(
            msg("The server {host} does not accept the user name or the password.", host=host),
            lost=msg("Nothing was deleted."),
            next_step=msg("Look whether both are right. Many services want a password made for apps."),
        )
    if answer.status in {_NOT_FOUND, _GONE}:
        raise NothingThere
    if answer.status == _FORBIDDEN and b"sync-token" not in answer.body:
        raise Unavailable(
            msg("The server {host} does not allow this.", host=host),
            lost=msg("Nothing was deleted."),
            next_step=msg("Look whether this user may read it."),
        )
    if 400 <= answer.status < 500 or answer.status == 501:  # noqa: PLR2004 - RFC 9110
        raise NotSupported
    raise Unavailable(
        msg("The server {host} answers with the error {status}.", host=host, status=answer.status),
        lost=msg("Nothing was deleted."),
        next_step=msg("It is tried again by itself."),
    )


def nonsense(url: str, what: Text | None = None) -> Unavailable:
    """An answer that cannot be what the server means; nothing is concluded from it."""
    host = urlsplit(url).hostname or ""
    return Unavailable(
        what or msg("The answer of {host} makes no sense.", host=host),
        lost=msg("Nothing was deleted."),
        next_step=msg("Look whether the address is the right one. It is tried again by itself."),
    )


def _resource(base: str, response: Element) -> Resource:
    properties: dict[str, Element] = {}
    for part in response.all("DAV: propstat"):
        status = _status(part.said("DAV: status"))
        found = part.find("DAV: prop")
        if found is not None and status is not None and 200 <= status < 300:  # noqa: PLR2004 - RFC 9110
            properties.update((one.name, one) for one in found.children)
    status = _status(response.said("DAV: status"))
    href = response.said("DAV: href")
    return Resource(canonical_path(base, href), spelled_path(base, href), status, properties)


def _status(line: str) -> int | None:
    match = _STATUS.match(line)
    return int(match[1]) if match is not None else None
