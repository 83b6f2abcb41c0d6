"""The bodies of WebDAV, CalDAV and CardDAV requests (RFC 4918, 4791, 6352, 6578). Nothing is sent here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Iterable

DAV = "DAV:"
CALDAV = "urn:ietf:params:xml:ns:caldav"
CARDDAV = "urn:ietf:params:xml:ns:carddav"
SERVER = "http://calendarserver.org/ns/"
_NAMESPACES = (
    f'xmlns:d="{DAV}" xmlns:cal="{CALDAV}" xmlns:card="{CARDDAV}" xmlns:s="{SERVER}" '
    'xmlns:a="http://apple.com/ns/ical/"'
)
_START = '<?xml version="1.0" encoding="utf-8"?>'


@dataclass(frozen=True, slots=True)
class Flavour:
    """In what calendars and address books differ.

    Attributes:
        collection: the type of a collection. home: the property that names where a person's collections are.
        data: the property that holds a resource's text.
    """

    kind: str
    namespace: str
    prefix: str
    well_known: str
    collection: str
    home: str
    data: str
    media_type: str
    suffix: str


CALENDARS = Flavour(
    kind="caldav",
    namespace=CALDAV,
    prefix="cal",
    well_known="/.well-known/caldav",
    collection="calendar",
    home="calendar-home-set",
    data="calendar-data",
    media_type="text/calendar",
    suffix=".ics",
)
ADDRESS_BOOKS = Flavour(
    kind="carddav",
    namespace=CARDDAV,
    prefix="card",
    well_known="/.well-known/carddav",
    collection="addressbook",
    home="addressbook-home-set",
    data="address-data",
    media_type="text/vcard",
    suffix=".vcf",
)


def who_and_where(flavour: Flavour) -> bytes:
    """What a place is, who is logged in, and where their collections are."""
    return _propfind(
        f"<d:resourcetype/><d:current-user-principal/><{flavour.prefix}:{flavour.home}/>", _of_collections()
    )


def collections() -> bytes:
    """What a client needs of collections: names, and by what a change is seen."""
    return _propfind("<d:resourcetype/>", _of_collections())


def etags() -> bytes:
    """What is in a collection, and by what a change of it is seen."""
    return _propfind("<d:resourcetype/><d:getetag/><d:getlastmodified/>")


def changes_since(token: str) -> bytes:
    """What changed in a collection since a token (RFC 6578)."""
    return (
        f"{_START}<d:sync-collection {_NAMESPACES}><d:sync-token>{escape(token)}</d:sync-token>"
        "<d:sync-level>1</d:sync-level><d:prop><d:getetag/><d:getlastmodified/></d:prop></d:sync-collection>"
    ).encode()


def multiget(flavour: Flavour, paths: Iterable[str]) -> bytes:
    """The texts of many resources at once."""
    hrefs = "".join(f"<d:href>{escape(path)}</d:href>" for path in paths)
    name = f"{flavour.prefix}:{flavour.collection}-multiget"
    return f"{_START}<{name} {_NAMESPACES}>{_with_data(flavour)}{hrefs}</{name}>".encode()


def calendar_query(component: str, text: str) -> bytes:
    """Resources with a text in the title of a component."""
    match = f'<cal:text-match collation="i;unicode-casemap">{escape(_printable(text))}</cal:text-match>'
    return (
        f"{_START}<cal:calendar-query {_NAMESPACES}>{_with_data(CALENDARS)}<cal:filter>"
        f'<cal:comp-filter name="VCALENDAR"><cal:comp-filter name={quoteattr(component)}>'
        f'<cal:prop-filter name="SUMMARY">{match}</cal:prop-filter>'
        "</cal:comp-filter></cal:comp-filter></cal:filter></cal:calendar-query>"
    ).encode()


def address_book_query(text: str, limit: int) -> bytes:
    """Cards with a text in a name, a nickname, an address or an organisation."""
    match = (
        '<card:text-match collation="i;unicode-casemap" match-type="contains">'
        f"{escape(_printable(text))}</card:text-match>"
    )
    filters = "".join(
        f'<card:prop-filter name="{name}">{match}</card:prop-filter>' for name in ("FN", "NICKNAME", "EMAIL", "ORG")
    )
    return (
        f"{_START}<card:addressbook-query {_NAMESPACES}>{_with_data(ADDRESS_BOOKS)}"
        f'<card:filter test="anyof">{filters}</card:filter>'
        f"<card:limit><card:nresults>{limit}</card:nresults></card:limit></card:addressbook-query>"
    ).encode()


def _with_data(flavour: Flavour) -> str:
    return f"<d:prop><d:getetag/><d:getlastmodified/><{flavour.prefix}:{flavour.data}/></d:prop>"


def _of_collections() -> str:
    return (
        "<d:displayname/><d:sync-token/><s:getctag/><a:calendar-color/><cal:supported-calendar-component-set/>"
        "<d:supported-report-set/>"
    )


def _propfind(*properties: str) -> bytes:
    return f"{_START}<d:propfind {_NAMESPACES}><d:prop>{''.join(properties)}</d:prop></d:propfind>".encode()


def _printable(text: str) -> str:
    """A text that XML can carry."""
    return "".join(character if character.isprintable() else " " for character in text)[:500]
