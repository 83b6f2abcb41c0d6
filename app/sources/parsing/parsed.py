"""What a parser makes of one file: entries that do not yet know their source, and facts about the file.

Source id, native id, address and file times are added by the source (`app.sources.intake`), which alone knows them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from app.domain.entries import Block, ContactFacts, EventFacts, PersonRef, TaskFacts
    from app.domain.labels import EntryKind, Status
    from app.domain.text import Text
    from app.sources.parsing.limits import ParseLimits


class Sense(StrEnum):
    """What can be read beyond text: pictures, recordings (that they are there), and what is said in these."""

    PICTURES = "pictures"
    RECORDINGS = "recordings"
    SPEECH = "speech"


@dataclass(frozen=True, slots=True)
class Pixels:
    """A decoded picture: RGB, 8 bits each, row by row."""

    width: int
    height: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Samples:
    """A decoded recording: 16-bit mono samples, little endian; `rate` is in Hz."""

    rate: int
    data: bytes = field(repr=False)


WORDS = "words"
"""The kind of a source that hands over what somebody else wrote as a person's own note: words, never a file."""


@dataclass(frozen=True, slots=True)
class About:
    """What a parser is told of a file beside its bytes.

    Attributes:
        name: the file's name without folders; gives a title where the content has none.
        zone: for times without a zone.
        window: recurring events are expanded inside it (start, end).
        depth: how many containers (mails) this content is nested in.
        kind: of the source that asks, where it matters (a browser's database holds more than one kind takes).
        options: what the person chose for that source, by name.
        senses: what beyond text is to be decoded.
    """

    name: str
    zone: tzinfo
    window: tuple[datetime, datetime]
    limits: ParseLimits
    depth: int = 0
    kind: str = ""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    senses: frozenset[Sense] = frozenset()

    @property
    def stem(self) -> str:
        """The name without its last suffix."""
        head, dot, tail = self.name.rpartition(".")
        return head if dot and head and tail else self.name


@dataclass(frozen=True, slots=True)
class ParsedEntry:
    """One entry of a file.

    Attributes:
        fragment: names the entry within its file (an event's UID); empty when the file is the entry.
        content_hash: sha256 (hex) of the entry's canonical form; empty when the file is the entry.
        created_at, updated_at: what the content says of itself, where it does.
        pixels, samples: of a picture or a recording, for the senses to read; they go no further.
    """

    kind: EntryKind
    title: str
    blocks: tuple[Block, ...]
    fragment: str = ""
    content_hash: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
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
    pixels: Pixels | None = None
    samples: Samples | None = None


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one file was understood as.

    Attributes:
        format: what it was read as, such as markdown, pdf, mail or chat.
        expanded_until: where recurring events were cut off by the window, its end: time to read the file again.
        facts: for `famulus import --json`; personal.
    """

    format: str
    entries: tuple[ParsedEntry, ...]
    warnings: tuple[Text, ...] = ()
    expanded_until: datetime | None = None
    facts: Mapping[str, str | int] = field(default_factory=lambda: MappingProxyType({}))
