"""What a rule has come to at a moment: pure, so that the engine and every view of the past agree (G2.6, G2.7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.labels import Status
from app.domain.records import RuleState
from app.domain.text import Text

if TYPE_CHECKING:
    from datetime import datetime

    from app.store.freshness_rows import StoredRule
    from app.store.records import StoredRecord

_SETTLED = frozenset({Status.CANCELED, Status.SUPERSEDED})


def verdict(rule: StoredRule, target: StoredRecord, watched: StoredRecord | None, moment: datetime) -> RuleState:
    """Whether a rule is armed, has fired, or is disarmed at a moment.

    What is watched and done in time disarms it, whenever that was learnt; so does a target that is done, called off or
    replaced. A rule that a person took back stays so.
    """
    if rule.state is RuleState.UNDONE:
        return RuleState.UNDONE
    if watched is not None and is_done_by(watched, rule.due_at):
        return RuleState.DISARMED
    if watched is None or watched.status in _SETTLED or target.status in _SETTLED or target.superseded_by is not None:
        return RuleState.DISARMED
    if target.status is Status.DONE and is_done_by(target, rule.due_at):
        return RuleState.DISARMED
    return RuleState.FIRED if rule.due_at <= moment else RuleState.ARMED


def moved_to(rule: StoredRule, due_at: datetime) -> StoredRule:
    """A rule that waits for another moment, since what it watches was moved; it keeps its first one."""
    day = (due_at - timedelta(microseconds=1)).date().isoformat()
    reason = Text(rule.effect.reason.template, {**rule.effect.reason.values, "day": day})
    first = rule.first or (rule.due_at, rule.effect.reason)
    return replace(rule, due_at=due_at, effect=replace(rule.effect, reason=reason), first=first)


def is_done_by(record: StoredRecord, moment: datetime) -> bool:
    """Whether a record was done before a moment; one without a time of completion was done in time."""
    return record.status is Status.DONE and (record.completed_at is None or record.completed_at < moment)
