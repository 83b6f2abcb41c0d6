"""Sources, syncs and imports, as a person sees them (G1.1, G1.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.labels import Sensitivity, Trust
    from app.domain.records import RecordLine
    from app.domain.text import Text


class SyncState(StrEnum):
    """What a source is doing."""

    IDLE = "idle"
    SYNCING = "syncing"
    PAUSED = "paused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """A configured source.

    Attributes:
        location: a folder, a file or a URL.
        options: what its kind lets a person choose (which folders, a user name); never a secret.
        failures: syncs that failed one after another; they stretch the time until the next one.
        next_sync_at: not before then without being asked; None: whenever the schedule says.
        is_paused: the person paused it.
        last_counts: what the last sync did (added, changed, deleted, unchanged, skipped).
    """

    source_id: str
    kind: str
    location: str
    name: str
    scope: str
    acl: str
    sensitivity: Sensitivity
    trust: Trust
    state: SyncState
    created_at: datetime
    last_sync_at: datetime | None = None
    entry_count: int = 0
    problem: Text | None = None
    next_step: Text | None = None
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    failures: int = 0
    next_sync_at: datetime | None = None
    is_paused: bool = False
    last_counts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class SourceDraft:
    """A source that a person adds.

    Attributes:
        name: how it is called; None: by its location.
        options: of its kind, by name.
        secret: its password or token; goes into the keychain.
    """

    kind: str
    location: str
    scope: str = "personal"
    sensitivity: Sensitivity | None = None
    name: str | None = None
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SourceChange:
    """What a person changes of a source; None leaves it as it is. A sensitivity can only be raised here (G8.2).

    Attributes:
        secret: a new password or token.
    """

    name: str | None = None
    scope: str | None = None
    sensitivity: Sensitivity | None = None
    options: Mapping[str, str] | None = None
    secret: str | None = field(default=None, repr=False)
    is_paused: bool | None = None


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """Something that a person may choose for a source of a kind."""

    name: str
    meaning: Text
    default: str


@dataclass(frozen=True, slots=True)
class KindInfo:
    """A kind of source that can be added.

    Attributes:
        location: what its location is, for a person who adds one.
        capabilities: what it can do beyond telling its changes: watch, push, search, write.
    """

    name: str
    meaning: Text
    location: Text
    needs_secret: bool
    options: tuple[OptionInfo, ...]
    capabilities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkippedItem:
    """An item that could not be taken in, and why."""

    native_id: str
    reason: Text


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one sync did. Counts are entries.

    Attributes:
        problem, lost, next_step: why it failed, where several sources were synced; what was read before it is kept.
    """

    source_id: str
    added: int = 0
    changed: int = 0
    deleted: int = 0
    unchanged: int = 0
    skipped: tuple[SkippedItem, ...] = ()
    warnings: tuple[Text, ...] = ()
    problem: Text | None = None
    lost: Text | None = None
    next_step: Text | None = None


@dataclass(frozen=True, slots=True)
class EntityLine:
    """Somebody or something that a text names: a person, an organisation, a project, a place."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What one imported file was understood as.

    Attributes:
        understood: facts found, for `famulus import --json` (subject, events, encoding, text ...); personal.
        refusal: why nothing was taken in, or None.
        records: what its text states; without those that are still being read. entities: whom and what it names.
        is_understood: whether all of it was read; else more records and entities follow, in the background.
    """

    path: str
    added: int = 0
    unchanged: int = 0
    changed: int = 0
    warnings: tuple[Text, ...] = ()
    refusal: Text | None = None
    understood: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    records: tuple[RecordLine, ...] = ()
    entities: tuple[EntityLine, ...] = ()
    is_understood: bool = True
