"""Clients: programs that may ask for the person's context, and what each of them may see (G4.6, G8.1)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.labels import Sensitivity

if TYPE_CHECKING:
    from datetime import datetime

OWN_ACL = frozenset({"owner"})
"""What a client holds that was given no other access-control identifiers: the person's own entries."""
RATE_PER_MINUTE = 60
ITEMS_PER_DAY = 2_000
EXPIRES_IN_DAYS = 365
_MOST_COMPARED = 240


class ClientState(StrEnum):
    """Whether a client gets anything; only `ACTIVE` does."""

    WAITING = "waiting"
    """It asked for access by itself, and nobody has answered."""
    ACTIVE = "active"
    REVOKED = "revoked"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Grant:
    """What a client may see, and how much of it.

    Attributes:
        scopes, acls: those it may see; none of a kind means that it sees nothing.
        ceiling: the highest sensitivity that it may see.
        rate_per_minute: requests. items_per_day: passages and other items handed out within 24 hours.
        expires_in_days: None: never.
    """

    scopes: frozenset[str]
    ceiling: Sensitivity = Sensitivity.INTERNAL
    acls: frozenset[str] = OWN_ACL
    rate_per_minute: int = RATE_PER_MINUTE
    items_per_day: int = ITEMS_PER_DAY
    expires_in_days: int | None = EXPIRES_IN_DAYS


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """A client as the person sees it.

    Attributes:
        program: what the program says it is: its word, not to be trusted.
        is_session: access was asked for by a running process, and ends with it.
        consented_at: when the person said yes; None while nobody did.
    """

    name: str
    state: ClientState
    scopes: frozenset[str]
    acls: frozenset[str]
    ceiling: Sensitivity
    rate_per_minute: int
    items_per_day: int
    program: str
    is_session: bool
    created_at: datetime
    consented_at: datetime | None
    expires_at: datetime | None
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewClient:
    """A client with its token, which is shown this once.

    Attributes:
        is_in_keychain: whether the keychain holds the token too, so that `famulus mcp --client NAME` finds it.
    """

    client: ClientInfo
    token: str
    is_in_keychain: bool


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """A program that is known to speak the Model Context Protocol, and where it keeps which servers it uses.

    Attributes:
        program_id: by which it is named: `claude-desktop`, `cursor` ...
        path: of its configuration here; is_present: whether the program seems to be on this machine.
    """

    program_id: str
    name: str
    path: str
    is_present: bool


@dataclass(frozen=True, slots=True)
class Connection:
    """What was written for a program, or is to be written by hand.

    Attributes:
        text: the piece of configuration; it holds no token where the keychain does.
        path: the file that was written; None where nothing was. backup: of that file as it was before.
        token: only where there is no keychain, for the person to put in place.
    """

    client: ClientInfo
    program_id: str
    text: str
    path: str | None = None
    backup: str | None = None
    token: str | None = None


@dataclass(frozen=True, slots=True)
class AuditedItem:
    """Something that a request got; title and source as they are now, None where it is deleted."""

    rank: int
    title: str | None
    source_uri: str | None
    sensitivity: Sensitivity
    is_stale: bool


@dataclass(frozen=True, slots=True)
class AuditLine:
    """A request, and what it got.

    Attributes:
        action: ask, search, item, agenda, tasks, facts, templates, prepare, remember, outcome; of permissions
            ask_access, allow, deny, change, token, revoke, remove.
        query: what was asked, in the asker's words. refusal: why it got nothing; a code of an error.
    """

    request_id: str
    at: datetime
    client: str
    action: str
    template: str | None
    query: str | None
    refusal: str | None
    item_count: int
    items: tuple[AuditedItem, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What somebody read in a span of time.

    Attributes:
        requests, refused, items: of the whole span; `lines` may be fewer, newest first.
        by_sensitivity: items by the word of their level.
        entries: how many different ones.
        clients: whose requests or permissions there are in the span, whoever is looked at.
    """

    since: datetime
    until: datetime
    client: str | None
    requests: int
    refused: int
    items: int
    entries: int
    by_sensitivity: tuple[tuple[str, int], ...]
    lines: tuple[AuditLine, ...]
    clients: tuple[str, ...] = ()


def likeness(name: str) -> str:
    """By what a name is known again, however it is typed: in any case, width and form of its characters."""
    plain = unicodedata.normalize("NFKC", name[:_MOST_COMPARED]).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split())
