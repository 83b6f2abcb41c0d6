"""Records as of a moment, for a viewer: what had come to hold then, whatever has been written since or not yet (G2.6).

A request may bring its own present. Changes that hold only from a later moment are taken out of the view; rules whose
moment has come count as fired, though nobody has written it.

What an entry that the viewer may not see did to a record did not happen for them (G4.3), nor what followed from it: for
them the rules of the entries that they see are read anew, from how things stand without the others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.labels import Status
from app.domain.records import RuleKind, RuleState, Subject
from app.govern.freshness.verdicts import moved_to, verdict
from app.store import freshness_rows, records
from app.store.histories import state, steps_of
from app.store.rows import stamp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.freshness_rows import StoredRule
    from app.store.histories import Step
    from app.store.records import StoredRecord

_AT_ONCE = 400


def as_of(
    reader: Reader, found: Sequence[StoredRecord], moment: datetime, visible: VisibilityFilter
) -> list[StoredRecord]:
    """Records as they stood at a moment for a viewer, in their order."""
    seen: list[StoredRecord] = []
    for start in range(0, len(found), _AT_ONCE):
        seen += _as_of(reader, found[start : start + _AT_ONCE], moment, visible)
    return seen


def _as_of(
    reader: Reader, found: Sequence[StoredRecord], moment: datetime, visible: VisibilityFilter
) -> list[StoredRecord]:
    rules = freshness_rows.rules_seen(reader, [one.record_id for one in found], visible)
    known = {one.record_id: one for one in found}
    missing = {rule.watched_id for rule in rules if rule.watched_id is not None} - known.keys()
    known |= {one.record_id: one for one in records.records_with(reader, sorted(missing))}
    steps = steps_of(reader, Subject.RECORD, known, visible)
    back = {record_id: _stood(one, steps.get(record_id, []), moment, visible) for record_id, one in known.items()}
    for rule in rules:
        target = back.get(rule.record_id)
        if target is None or rule.state is RuleState.UNDONE:
            continue
        watched = None if rule.watched_id is None else back.get(rule.watched_id)
        if watched is not None and not visible.is_unrestricted:
            rule = _waiting(rule, watched, steps.get(watched.record_id, []))  # noqa: PLW2901 - the same rule
        if verdict(rule, target, watched, moment) is RuleState.FIRED and target.status is Status.ACTIVE:
            back[rule.record_id] = replace(target, status=rule.effect.status, stale_reason=rule.effect.reason)
    return [back[one.record_id] for one in found]


def _stood(record: StoredRecord, steps: Sequence[Step], moment: datetime, visible: VisibilityFilter) -> StoredRecord:
    """A record without the changes that hold from a later moment on, and without those that the viewer may not see."""
    if not visible.is_unrestricted:
        # when a rule fired may have been moved by something hidden
        steps = [
            replace(step, is_visible=step.is_visible and step.kind != RuleKind.NOT_DONE_BY.value) for step in steps
        ]
    until = stamp(moment)
    assert until is not None  # noqa: S101 - of a moment
    if all(step.is_visible and step.effective_at[:26] <= until[:26] for step in steps):
        return record
    return records.with_columns(record, state(steps, until=until))


def _waiting(rule: StoredRule, watched: StoredRecord, steps: Sequence[Step]) -> StoredRule:
    """A rule with the moment that it has by what the viewer may see."""
    if rule.first is None:
        return rule
    due_at, reason = rule.first
    first = replace(rule, due_at=due_at, effect=replace(rule.effect, reason=reason), first=None)
    is_moved = any(step.is_visible and "due_at" in step.after for step in steps)
    if not is_moved or watched.due_at is None or watched.due_at == due_at:
        return first
    return moved_to(first, watched.due_at)
