"""What layer one hands on: an entry with its blocks, its four times and its provenance (G1.2, G2.2).

The way of an entry through the house is a chain of types: a source yields an `Entry`, `policy.admission` turns it into
an `AdmittedEntry` (the store accepts nothing else), `govern` cuts it into `Chunk`s.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.labels import BlockKind, EntryKind, Sensitivity, Status, Trust


QUOTED = "“…”"
SIGNATURE = "--"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in its original a text stands (G2.3). Lines and pages count from 1; spans include both ends.

    In a mail the path ends with `QUOTED` where earlier words of somebody are repeated, and with `SIGNATURE` where the
    sender only says who they are: neither is a statement that the sender makes.

    Attributes:
        second: of a recording, or of what was written down from one: seconds from its start, where the text begins.
    """

    heading_path: tuple[str, ...] = ()
    page: int | None = None
    first_line: int | None = None
    last_line: int | None = None
    message_id: str | None = None
    second: int | None = None

    @property
    def time(self) -> str:
        """The second as a player shows it (12:34, 1:02:03); empty for a text that was not spoken."""
        if self.second is None:
            return ""
        minutes, seconds = divmod(self.second, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"

    @property
    def is_quoted(self) -> bool:
        """Whether a mail only repeats it."""
        return self.heading_path[-1:] == (QUOTED,)

    @property
    def is_signature(self) -> bool:
        """Whether it only says who the sender of a mail is."""
        return self.heading_path[-1:] == (SIGNATURE,)

    @property
    def is_own_words(self) -> bool:
        """Whether the entry's author says it, here and now."""
        return not self.is_quoted and not self.is_signature


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, list, table ... A table's first line is its header; rows are lines, cells ' | '."""

    kind: BlockKind
    text: str
    place: Place = field(default_factory=Place)


@dataclass(frozen=True, slots=True)
class PersonRef:
    """A person as an entry names them. `role`: author, recipient, attendee, organizer, owner."""

    name: str
    address: str
    role: str


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One happening of an event. For an all-day event both ends are midnights in the calendar's own zone."""

    start: datetime
    end: datetime
    is_all_day: bool
    is_canceled: bool = False
    title: str | None = None
    location: str | None = None


@dataclass(frozen=True, slots=True)
class EventFacts:
    """The structure of a calendar event: every occurrence inside the expansion window."""

    location: str
    occurrences: tuple[Occurrence, ...]
    is_recurring: bool
    expanded_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """The structure of a to-do."""

    status: Status
    due_at: datetime | None = None
    completed_at: datetime | None = None
    owner: str | None = None
    parent_native_id: str | None = None


@dataclass(frozen=True, slots=True)
class ContactFacts:
    """The structure of a contact card (RFC 6350): evidence for who is who.

    Attributes:
        names: the full name first, then nicknames, phonetic names and former names.
        addresses: mail addresses. phones: as written. accounts: of messengers ("telegram:zhangsan").
        birthday: as the card says it: a day, or `--MM-DD` without a year.
    """

    names: tuple[str, ...]
    addresses: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    organisation: str = ""
    role: str = ""
    birthday: str = ""


@dataclass(frozen=True, slots=True)
class Original:
    """The bytes that an entry was read from, to be kept with it where they cannot be had from its text (L6.5)."""

    name: str
    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing from a source.

    Attributes:
        native_id: stable within the source: a relative path, an event's UID, a message id.
        content_hash: sha256 (hex) of the original bytes, or of its canonical form where one file holds many entries.
        event_time: when it happened or was written (a mail's date, an event's first start).
        valid_from, valid_to: when its content holds, where it says so.
        thread: what a conversation's messages share (the first message's id); None where there is none.
        metadata: `tags` (separated by spaces), `folder`, `calendar`, `in_reply_to`, `links`, `url` ... by what it is.
        original: of a picture or a recording: its bytes, which are kept encrypted.
    """

    source_id: str
    native_id: str
    kind: EntryKind
    title: str
    source_uri: str
    content_hash: str
    blocks: tuple[Block, ...]
    created_at: datetime
    updated_at: datetime
    event_time: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    status: Status | None = None
    language: str | None = None
    people: tuple[PersonRef, ...] = ()
    event: EventFacts | None = None
    task: TaskFacts | None = None
    contact: ContactFacts | None = None
    thread: str | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    original: Original | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class AdmittedEntry:
    """An entry that passed `policy.admission`; made there and nowhere else."""

    entry: Entry
    scope: str
    acl: str
    sensitivity: Sensitivity
    trust: Trust
    confidence: float
    rule_version: str
    label_reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of 200-500 tokens of the embedding model (G2.3).

    Attributes:
        ordinal: its position within the entry, from 0.
        embed_text: what the model reads; the text with its title and headings in front.
        token_count: tokens of `text` by the model's own tokenizer, or an estimate while the model is absent.
    """

    ordinal: int
    text: str
    embed_text: str
    place: Place
    token_count: int
    language: str
