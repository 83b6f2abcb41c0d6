"""People as they are shown: who they are, by what evidence, and what there is of them (G2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.text import Text


@dataclass(frozen=True, slots=True)
class Person:
    """One line of a list. `person_id`: "p" and a number; `entries`: how many name them."""

    person_id: str
    name: str
    other_names: tuple[str, ...]
    addresses: tuple[str, ...]
    entries: int
    last_contact: datetime | None


@dataclass(frozen=True, slots=True)
class PersonMerge:
    """Why two of somebody's names are one person's. `merge_id`: by which it is undone; actor: rules or owner."""

    merge_id: int
    one: str
    other: str
    evidence: Text
    confidence: float
    actor: str
    merged_at: datetime


@dataclass(frozen=True, slots=True)
class PersonPart:
    """One of the addresses, cards and bare names that a person is made of; "p" and a number."""

    part_id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class PersonJob:
    """Where somebody works, or as what, and since when that is said."""

    organisation: str
    role: str
    said_at: datetime | None
    confidence: float


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """An entry that names somebody, and their part in it."""

    entry_id: int
    title: str
    source_uri: str
    part: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class PersonTask:
    """Something that somebody has to do."""

    title: str
    due_at: datetime | None
    source_uri: str


@dataclass(frozen=True, slots=True)
class PersonCard:
    """All that is known of somebody."""

    person: Person
    phones: tuple[str, ...]
    jobs: tuple[PersonJob, ...]
    tasks: tuple[PersonTask, ...]
    entries: tuple[PersonEntry, ...]
    parts: tuple[PersonPart, ...]
    merges: tuple[PersonMerge, ...]


@dataclass(frozen=True, slots=True)
class PersonSuggestion:
    """Two who may be one: they have a name in common, and something keeps the rules from saying so."""

    one: Person
    other: Person
    name: str
