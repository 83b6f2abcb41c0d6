"""What an entry states, as a record: a task, a decision, a condition, a plan; and rules that change it in time (G2.6).

Values only. Rows are in `app.store.records`, what is read out of a text in `app.govern.understanding`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.labels import Status
    from app.domain.text import Text


class RecordKind(StrEnum):
    """What is stated."""

    TASK = "task"
    DECISION = "decision"
    CONDITION = "condition"
    PLAN = "plan"
    """Something that is to happen on a day."""


class RuleKind(StrEnum):
    """What an executable rule waits for."""

    NOT_DONE_BY = "not_done_by"


class RuleState(StrEnum):
    """A rule waits, has changed its record, has seen what it watches done in time, or was taken back by a person."""

    ARMED = "armed"
    FIRED = "fired"
    DISARMED = "disarmed"
    UNDONE = "undone"


class Subject(StrEnum):
    """What a change is of: the table whose row it alters."""

    ENTRY = "entry"
    RECORD = "record"
    CHUNK = "chunk"
    TASK = "task"
    """The structured to-do of an entry; its id is the entry's."""
    RELATION = "relation"
    RULE = "rule"
    STATEMENT = "statement"
    """A sentence of an entry (`app.govern.supersession`)."""


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record as it is shown (`famulus import --json`).

    Attributes:
        record_id: "r" and its number, as `famulus tasks done` takes it.
        due: the last day, or the moment, of a task; the day or moment of a plan: ISO 8601.
        condition, consequence: what it stands under.
        rule: what happens to it by itself, and when.
    """

    record_id: str
    kind: RecordKind
    title: str
    text: str
    owner: str | None
    due: str | None
    status: Status
    condition: str | None
    consequence: str | None
    rule: Text | None
    reason: Text | None = None
    confidence: float = 0.0
