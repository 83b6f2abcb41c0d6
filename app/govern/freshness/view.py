"""Records as of a moment: what had come to hold then, whatever has been written since or not yet (G2.6).

A request may bring its own present. Changes that hold only from a later moment are taken out of the view; rules whose
moment has come count as fired, though nobody has written it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.domain.labels import Status
from app.domain.records import RuleState, Subject
from app.govern.freshness.verdicts import verdict
from app.store import change_rows, freshness_rows, records
from app.store.change_rows import Which
from app.store.rows import instant, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.store.connection import Reader
    from app.store.records import StoredRecord

_AT_ONCE = 400


def as_of(reader: Reader, found: Sequence[StoredRecord], moment: datetime) -> list[StoredRecord]:
    """Records as they stood at a moment, in their order."""
    seen: list[StoredRecord] = []
    for start in range(0, len(found), _AT_ONCE):
        seen += _as_of(reader, found[start : start + _AT_ONCE], moment)
    return seen


def _as_of(reader: Reader, found: Sequence[StoredRecord], moment: datetime) -> list[StoredRecord]:
    rules = freshness_rows.rules_of(reader, [one.record_id for one in found])
    known = {one.record_id: one for one in found}
    missing = {rule.watched_id for rule in rules if rule.watched_id is not None} - known.keys()
    known |= {one.record_id: one for one in records.records_with(reader, sorted(missing))}
    back = _without_later(reader, known, moment)
    for rule in rules:
        target = back.get(rule.record_id)
        if target is None or rule.state is RuleState.UNDONE:
            continue
        watched = None if rule.watched_id is None else back.get(rule.watched_id)
        if verdict(rule, target, watched, moment) is RuleState.FIRED and target.status is Status.ACTIVE:
            back[rule.record_id] = replace(target, status=rule.effect.status, stale_reason=rule.effect.reason)
    return [back[one.record_id] for one in found]


def _without_later(reader: Reader, known: Mapping[int, StoredRecord], moment: datetime) -> dict[int, StoredRecord]:
    """Each record without the changes that hold from a later moment on, the latest taken out first."""
    back = dict(known)
    which = Which(
        subject=Subject.RECORD, subject_ids=tuple(known), is_standing=True, is_suggestion=False, limit=100_000
    )
    later = [one for one in change_rows.changes(reader, which) if one.effective_at > moment]
    for one in sorted(later, key=lambda one: (one.effective_at, one.change_id), reverse=True):
        back[one.subject_id] = replace(back[one.subject_id], **_fields(one.before))
    return back


def _fields(columns: Mapping[str, object]) -> dict[str, Any]:
    """Stored columns as fields of a record."""
    fields: dict[str, Any] = {}
    for name, value in columns.items():
        if name in {"valid_from", "valid_to", "completed_at", "due_at", "event_at", "event_end"}:
            fields[name] = instant(None if value is None else str(value))
        elif name == "status":
            fields[name] = Status(str(value))
        elif name == "stale_reason":
            fields[name] = text_of(None if value is None else str(value))
        elif name == "is_whole_day":
            fields[name] = bool(value)
        else:
            fields[name] = value
    return fields
