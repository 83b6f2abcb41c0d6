"""What layer four returns (G4.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.entries import Place
from app.domain.labels import Trust

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.labels import EntryKind, Sensitivity, Status
    from app.domain.text import Text

OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks. The filter runs on this before anything is scored (G4.3).

    Attributes:
        scopes: the scopes that may be seen; None means every scope (only the owner).
        acls: the access-control identifiers held; None means every one (only the owner).
    """

    name: str = OWNER
    scopes: frozenset[str] | None = None
    acls: frozenset[str] | None = None
    ceiling: int = 3


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One query. `scope`, `kinds` and the span narrow what the viewer may see further, before anything is scored.

    Attributes:
        kinds: only these; all where empty.
        since, until: only what happened then, or (having no such time) was last changed then.
        least_trust: only what comes from somebody trusted so far: from known senders, or from the person alone (X9.1).
        budget_tokens: of all contents together; passages around the best ones are added as far as it goes. None: every
            result is the passage that was found, and no more.
    """

    text: str
    limit: int = 10
    scope: str | None = None
    include_stale: bool = False
    mode: str = "full"
    viewer: Viewer = field(default_factory=Viewer)
    kinds: tuple[EntryKind, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    budget_tokens: int | None = None
    least_trust: Trust = Trust.WEB


@dataclass(frozen=True, slots=True)
class ContextItem:
    """A passage with its source, its times, its rights and its reasons; all scores in 0..1 (G4.1, G4.2).

    Attributes:
        place: of the passage that was found, also where what stands around it was added to `content`.
        explanation: what makes up the final score, and why it was found.
        ranking: the version of the weights that made the scores; empty where nothing was ranked.
    """

    item_id: str
    title: str
    content: str
    source_type: EntryKind
    source_uri: str
    event_time: datetime | None
    ingested_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    task_status: Status | None
    scope: str
    acl: str
    sensitivity: Sensitivity
    confidence: float
    semantic_score: float
    lexical_score: float
    freshness_score: float
    time_decay: float
    final_score: float
    stale_reason: Text | None
    place: Place = field(default_factory=Place)
    explanation: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    ranking: str = ""
    trust: Trust = Trust.WEB


@dataclass(frozen=True, slots=True)
class AgendaItem:
    """An event's occurrence, a task with its due time, or what a text states of such things, from structure.

    Attributes:
        item_id: "e" and the number of an entry, or "r" and that of a record.
        owner: who has to do it. condition: under which condition it stands, as the text says it.
        reason: why it is pending, overdue, canceled, or only tentative.
        entry_id: the store's number of the entry behind it.
        done_at: of what is done, when it was, or when that was said first.
    """

    item_id: str
    kind: EntryKind
    title: str
    start: datetime | None
    end: datetime | None
    is_all_day: bool
    location: str
    status: Status | None
    source_uri: str
    scope: str
    people: tuple[str, ...] = ()
    owner: str | None = None
    condition: str | None = None
    reason: Text | None = None
    is_overdue: bool = False
    confidence: float = 1.0
    entry_id: int = 0
    done_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An honest extract. `[n]` in `text` cites `items[n-1]`; an empty `items` means that nothing was found.

    Attributes:
        text: the answer, a `Text` where it is our own sentence and plain where it quotes the person's entries.
        route: how it was found: facts, agenda, decisions, tasks, people, changes (from structure); extract, nothing.
        left_device: always False without a cloud model.
        request_id: by which an outcome is reported; empty where nothing was logged.
    """

    text: Text
    items: tuple[ContextItem, ...]
    agenda: tuple[AgendaItem, ...] = ()
    route: str = "nothing"
    left_device: bool = False
    warnings: tuple[Text, ...] = ()
    request_id: str = ""
