"""Writes what rules have come to: a rule that fires changes its record, with a reason and an undo (G2.6).

Whatever was learnt since, the state is made anew from what is known: a task that turns out to have been done in time
takes the firing back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.records import RuleState, Subject
from app.govern.freshness.verdicts import moved_to, verdict
from app.store import change_chain, change_rows, freshness_rows, records
from app.store.change_rows import NewChange, Which
from app.store.freshness_rows import set_rule_state
from app.store.rows import text_column
from app.store.writes import note_rules

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from app.store.connection import Writer
    from app.store.freshness_rows import StoredRule
    from app.store.records import StoredRecord

ACTOR = "freshness"
FIRED = "not_done_by"


def fire_due(tx: Writer, now: datetime) -> int:
    """Let the rules take effect whose moment has come; returns how many records changed."""
    return _settle(tx, freshness_rows.rules_due(tx, now), now)


def reconsider(tx: Writer, record_ids: Iterable[int], now: datetime) -> int:
    """Look again at the rules of some records, or that watch them, for something of them was changed."""
    ids = tuple(dict.fromkeys(record_ids))
    return _settle(tx, freshness_rows.rules_of(tx, ids), now) if ids else 0


def changed_since(tx: Writer, change_id: int) -> list[int]:
    """The records that were changed since a change, by others than this engine."""
    found = change_rows.changes(tx, Which(subject=Subject.RECORD, after_id=change_id, is_suggestion=False))
    return [one.subject_id for one in found if one.actor != ACTOR]


def _settle(tx: Writer, rules: Iterable[StoredRule], now: datetime) -> int:
    count = 0
    for rule in rules:
        target = records.record(tx, rule.record_id)
        watched = None if rule.watched_id is None else records.record(tx, rule.watched_id)
        if target is None:
            continue
        if watched is not None:
            rule = _with_moved_day(tx, rule, watched)  # noqa: PLW2901 - the same rule, another day
        # what the rule itself did to its target does not count against it
        own = _own_change(tx, rule)
        state = verdict(rule, target, watched, now)
        if own is not None and state is not RuleState.FIRED and rule.state is RuleState.FIRED:
            change_chain.take_out(tx, [own], now=now, by=ACTOR)
            count += 1
        elif own is None and state is RuleState.FIRED and rule.state is not RuleState.UNDONE:
            _fire(tx, rule, now)
            count += 1
        if state is not rule.state:
            set_rule_state(tx, rule.rule_id, state, rule.due_at if state is RuleState.FIRED else None)
    return count


def _with_moved_day(tx: Writer, rule: StoredRule, watched: StoredRecord) -> StoredRule:
    """A rule follows the day of the task that it watches, where a later statement moved that."""
    if watched.due_at is None or watched.due_at == rule.due_at:
        return rule
    which = Which(subject=Subject.RECORD, subject_ids=(watched.record_id,), is_standing=True, is_suggestion=False)
    if not any("due_at" in one.after for one in change_rows.changes(tx, which)):
        return rule
    moved = moved_to(rule, watched.due_at)
    own = _own_change(tx, rule)
    if own is not None:
        change_chain.take_out(tx, [own], now=watched.due_at, by=ACTOR)
    freshness_rows.move_rule(tx, moved)
    return moved


def _own_change(tx: Writer, rule: StoredRule) -> int | None:
    """The standing change that this rule made."""
    which = Which(subject=Subject.RECORD, subject_ids=(rule.record_id,), actor=ACTOR, is_standing=True)
    found = [one.change_id for one in change_rows.changes(tx, which) if one.cause_key == _key(rule)]
    return found[-1] if found else None


def _fire(tx: Writer, rule: StoredRule, now: datetime) -> None:
    note_rules(tx, rule.rule_version, now=now)
    change_chain.put_change(
        tx,
        NewChange(
            Subject.RECORD,
            rule.record_id,
            rule.entry_id,
            after={"status": rule.effect.status.value, "stale_reason": text_column(rule.effect.reason)},
            reason=rule.effect.reason,
            actor=ACTOR,
            rule_version=rule.rule_version,
            at=now,
            effective_at=rule.due_at,
            cause_id=rule.entry_id,
            kind=FIRED,
            cause_key=_key(rule),
        ),
    )


def note_undone(tx: Writer, change_id: int) -> None:
    """A person took a firing back: its rule does not fire again."""
    known = change_rows.change(tx, change_id)
    if known is None or known.actor != ACTOR:
        return
    for rule in freshness_rows.rules_of(tx, (known.subject_id,)):
        if _key(rule) == known.cause_key:
            set_rule_state(tx, rule.rule_id, RuleState.UNDONE, None)


def _key(rule: StoredRule) -> str:
    """Known again when its entry is understood anew: what happens when, and to whom is in the change itself."""
    return f"rule:{rule.due_at.isoformat()}"
