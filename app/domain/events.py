"""What is told on the bus (`app.runtime.bus`). Events carry ids and counts, never content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.collecting import SyncReport, SyncState
    from app.domain.progress import Progress


@dataclass(frozen=True, slots=True)
class SourceChanged:
    """A source was added, removed, or changed its state."""

    source_id: str
    state: SyncState | None


@dataclass(frozen=True, slots=True)
class SyncFinished:
    """A sync came to its end."""

    report: SyncReport


@dataclass(frozen=True, slots=True)
class EntriesChanged:
    """Entries were written; caches of results are void."""

    source_id: str
    count: int


@dataclass(frozen=True, slots=True)
class Progressed:
    """Long work moved on."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class ModelStateChanged:
    """The embedding model: absent, preparing, loading, ready, failed."""

    state: str


@dataclass(frozen=True, slots=True)
class LockStateChanged:
    """The database was opened or locked."""

    is_open: bool


@dataclass(frozen=True, slots=True)
class ClientsChanged:
    """A client came, was answered, changed or went. `waiting`: how many wait for an answer."""

    waiting: int


@dataclass(frozen=True, slots=True)
class InboxChanged:
    """Suggestions of clients came or were decided. `waiting`: how many are undecided."""

    waiting: int


@dataclass(frozen=True, slots=True)
class ReviewWritten:
    """A review of the metrics was written."""

    kind: str


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting has another value now: chosen in the window, or on the command line."""

    name: str
    value: str


Event = (
    SourceChanged
    | SyncFinished
    | EntriesChanged
    | Progressed
    | ModelStateChanged
    | LockStateChanged
    | (ClientsChanged | InboxChanged | ReviewWritten | SettingChanged)
)
