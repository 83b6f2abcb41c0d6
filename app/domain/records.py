"""What an entry states, as a record: a task, a decision, a condition, a plan; and rules that change it in time (G2.6).

Values only. Rows are in `app.store.records`, what is read out of a text in `app.govern.understanding`.
"""

from __future__ import annotations

from enum import StrEnum


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
