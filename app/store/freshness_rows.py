"""Executable rules of records: at a moment, unless what they watch is done, something happens to a record (G2.6, G2.7).

Rows only; when they fire, and what that means, is in `app.govern.freshness`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.labels import Status
from app.domain.records import RuleKind, RuleState
from app.store.limits import rights_limits
from app.store.rows import instant, stamp, text_column, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader, Row, Writer

_SELECT = """SELECT rule_id, entry_id, record_id, watched_id, kind, due_at, effect, state, fired_at, rule_version
    FROM freshness_rule"""
_CURRENT = "entry_id IN (SELECT entry_id FROM entry WHERE is_current = 1)"


@dataclass(frozen=True, slots=True)
class Effect:
    """What happens to the record when the rule fires."""

    status: Status
    reason: Text
    consequence: str | None = None


@dataclass(frozen=True, slots=True)
class NewRule:
    """A rule to be written. `watched_id`: what must be done before `due_at` (exclusive)."""

    entry_id: int
    record_id: int
    watched_id: int
    kind: RuleKind
    due_at: datetime
    effect: Effect
    rule_version: str


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A rule as it stands. `first`: its moment and its reason before another statement moved what it watches."""

    rule_id: int
    entry_id: int
    record_id: int
    watched_id: int | None
    kind: RuleKind
    due_at: datetime
    effect: Effect
    state: RuleState
    fired_at: datetime | None
    rule_version: str
    first: tuple[datetime, Text] | None = None


def put_rule(tx: Writer, new: NewRule) -> int:
    """Arm a rule; returns its id."""
    return tx.insert(
        "INSERT INTO freshness_rule (entry_id, record_id, watched_id, kind, due_at, effect, state, rule_version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        new.entry_id,
        new.record_id,
        new.watched_id,
        new.kind.value,
        stamp(new.due_at),
        _effect(new.effect),
        RuleState.ARMED.value,
        new.rule_version,
    )


def rules_due(reader: Reader, until: datetime) -> list[StoredRule]:
    """The armed rules of current entries whose moment has come at `until`, the earliest first."""
    rows = reader.rows(
        f"{_SELECT} WHERE state = ? AND due_at <= ? AND {_CURRENT} ORDER BY due_at, rule_id",
        RuleState.ARMED.value,
        stamp(until),
    )
    return [_rule(row) for row in rows]


def next_due(reader: Reader) -> datetime | None:
    """When the next armed rule is due, or None."""
    due = reader.value(
        f"SELECT min(due_at) FROM freshness_rule WHERE state = ? AND {_CURRENT}",  # noqa: S608 - our own condition
        RuleState.ARMED.value,
    )
    return instant(due)


def rules_of(reader: Reader, record_ids: Sequence[int]) -> list[StoredRule]:
    """The rules that may change, or watch, any of some records."""
    places = ", ".join("?" * len(record_ids))
    rows = reader.rows(
        f"{_SELECT} WHERE record_id IN ({places}) OR watched_id IN ({places}) ORDER BY due_at, rule_id",
        *record_ids,
        *record_ids,
    )
    return [_rule(row) for row in rows]


def rules_seen(reader: Reader, record_ids: Sequence[int], visible: VisibilityFilter) -> list[StoredRule]:
    """The rules that may change some records, of entries that a viewer may see."""
    places = ", ".join("?" * len(record_ids))
    condition, values = rights_limits(visible)
    rows = reader.rows(
        f"{_SELECT} WHERE record_id IN ({places}) AND entry_id IN (SELECT entry_id FROM entry WHERE {condition})"  # noqa: S608
        " ORDER BY due_at, rule_id",
        *record_ids,
        *values,
    )
    return [_rule(row) for row in rows]


def move_rule(tx: Writer, rule: StoredRule) -> None:
    """A rule waits for another moment than before."""
    tx.run(
        "UPDATE freshness_rule SET due_at = ?, effect = ? WHERE rule_id = ?",
        stamp(rule.due_at),
        _effect(rule.effect, rule.first),
        rule.rule_id,
    )


def set_rule_state(tx: Writer, rule_id: int, state: RuleState, fired_at: datetime | None) -> None:
    """A rule fired, was disarmed, or is armed again."""
    tx.run("UPDATE freshness_rule SET state = ?, fired_at = ? WHERE rule_id = ?", state.value, stamp(fired_at), rule_id)


def _effect(effect: Effect, first: tuple[datetime, Text] | None = None) -> str:
    values: dict[str, object] = {
        "status": effect.status.value,
        "reason": text_column(effect.reason),
        "consequence": effect.consequence,
    }
    if first is not None:
        values["first"] = [stamp(first[0]), text_column(first[1])]
    return json.dumps(values, ensure_ascii=False)


def _rule(row: Row) -> StoredRule:
    effect = json.loads(row[6])
    reason, due_at = text_of(effect["reason"]), instant(row[5])
    assert reason is not None and due_at is not None  # noqa: S101, PT018 - NOT NULL
    first_at, first_reason = (
        (instant(effect["first"][0]), text_of(effect["first"][1])) if "first" in effect else (None, None)
    )
    return StoredRule(
        rule_id=row[0],
        entry_id=row[1],
        record_id=row[2],
        watched_id=row[3],
        kind=RuleKind(row[4]),
        due_at=due_at,
        effect=Effect(Status(effect["status"]), reason, effect["consequence"]),
        state=RuleState(row[7]),
        fired_at=instant(row[8]),
        rule_version=row[9],
        first=None if first_at is None or first_reason is None else (first_at, first_reason),
    )
