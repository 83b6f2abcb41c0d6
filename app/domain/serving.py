"""What is served to a client, and what a client gives back (G4.5, G4.6). Nothing here tells of what it may not see."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from app.domain.labels import Trust

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.context_item import AgendaItem, ContextItem
    from app.domain.labels import EntryKind, Sensitivity
    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class ContextQuery:
    """What a client asks for.

    Attributes:
        limit: of items. scope: narrows further.
        kinds: only these; all where empty. since, until: only what happened (or was written) then.
        least_trust: only what comes from somebody trusted so far (X9.1).
        budget_tokens: of all contents together; None: the service's own.
    """

    text: str
    limit: int = 10
    scope: str | None = None
    kinds: tuple[EntryKind, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    include_stale: bool = False
    budget_tokens: int | None = None
    least_trust: Trust = Trust.WEB


@dataclass(frozen=True, slots=True)
class Fact:
    """A key-value fact, looked up and not searched for (L6.3): who, what of them, and its value.

    Attributes:
        item_id: of the passage that says so. stale_reason: why it no longer holds.
    """

    subject: str
    predicate: str
    value: str
    said_at: datetime | None
    source_uri: str
    item_id: str
    confidence: float
    trust: int
    stale_reason: Text | None = None


@dataclass(frozen=True, slots=True)
class Served:
    """The answer to a client's request.

    Attributes:
        request_id: by which an outcome is reported.
        notes: what the client should know of the answer: that it was shortened, that words alone were searched ...
    """

    request_id: str
    items: tuple[ContextItem, ...] = ()
    agenda: tuple[AgendaItem, ...] = ()
    facts: tuple[Fact, ...] = ()
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who a client is to us; nothing but its own grant."""

    name: str
    state: str
    scopes: tuple[str, ...]
    ceiling: Sensitivity
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class TemplateField:
    """A blank of a template that its user fills in."""

    name: str
    meaning: Text
    is_required: bool
    """Whether nothing can be prepared without it."""


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    """A task template (G4.5).

    Attributes:
        name: by which it is called: `weekly-report`.
        window: the span it looks at, as a phrase such as "this week".
        candidates: how many passages at most (8 to 12). is_own: the person's, or shipped.
        problem: why a person's own template cannot be used.
    """

    name: str
    title: Text
    meaning: Text
    fields: tuple[TemplateField, ...]
    scope: str | None
    kinds: tuple[EntryKind, ...]
    window: str
    candidates: int
    is_own: bool = False
    problem: Text | None = None


@dataclass(frozen=True, slots=True)
class BriefingPart:
    """A section of a briefing: a heading, and what stands under it. `must_cite`: a claim from it needs its source."""

    heading: Text
    items: tuple[ContextItem, ...] = ()
    agenda: tuple[AgendaItem, ...] = ()
    facts: tuple[Fact, ...] = ()
    must_cite: bool = True


@dataclass(frozen=True, slots=True)
class Briefing:
    """What a task needs, put together by its template, for a person to read or a model to write from.

    Attributes:
        instructions: what to make of it, and what has to be cited.
        text: all of it as Markdown with numbered sources, in the language asked for.
    """

    request_id: str
    template: str
    title: Text
    instructions: Text
    parts: tuple[BriefingPart, ...]
    text: str
    notes: tuple[Text, ...] = ()


class CandidateState(StrEnum):
    """What became of a suggestion."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a client suggests to remember; data, and never an instruction (X9.1)."""

    text: str
    title: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A suggestion in the inbox."""

    candidate_id: int
    client: str
    at: datetime
    title: str
    text: str
    reason: str
    state: CandidateState
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an answer; None: nothing is known of it.

    Attributes:
        cited: ids of the items that were used.
        fields_total, fields_edited: of the output, how many fields there were, and how many a person corrected.
    """

    request_id: str
    is_success: bool | None = None
    is_adopted: bool | None = None
    cited: tuple[str, ...] = field(default_factory=tuple)
    fields_total: int | None = None
    fields_edited: int | None = None
