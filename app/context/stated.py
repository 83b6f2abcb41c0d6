"""What texts state, as items of an agenda or of a list of tasks, as it stood at a moment (G2.7, G3.2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from app.context.completed import days_of_records, days_of_to_dos
from app.domain.context_item import AgendaItem
from app.domain.labels import EntryKind, Status
from app.domain.records import RecordKind
from app.domain.text import msg
from app.govern.freshness.view import as_of
from app.govern.understanding.plans import is_tentative
from app.runtime import clock
from app.store.record_agenda import dated_records, record_with_origin, task_records, to_dos

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.context.spans import Span
    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader
    from app.store.record_agenda import Origin, ToDo
    from app.store.records import StoredRecord

_OPEN = frozenset({Status.ACTIVE, Status.PENDING, Status.DRAFT})
_GONE = frozenset({Status.SUPERSEDED})
_OWNED = frozenset({RecordKind.TASK, RecordKind.PLAN})
"""Whose it is stands before it."""


def stated_in(reader: Reader, span: Span, now: datetime, visible: VisibilityFilter) -> list[AgendaItem]:
    """Tasks that are due in a span, and plans that touch it, as they stood at `now`."""
    found = dated_records(reader, span.start, span.end, visible)
    items = _items(reader, found, now, visible)
    return [item for item in items if _touches(item, span)]


def tasks_of(
    reader: Reader, now: datetime, visible: VisibilityFilter, *, owner: str | None = None, include_done: bool = False
) -> list[AgendaItem]:
    """All tasks, structured and stated, by their day; those without a day last.

    Args:
        owner: only those of whom is named so, or in whose name it stands.
    """
    items = [
        *_items(reader, task_records(reader, visible), now, visible),
        *_to_dos(reader, to_dos(reader, visible), now, visible),
    ]
    wanted = [item for item in items if include_done or item.status in _OPEN]
    if owner is not None:
        name = owner.strip().casefold()
        wanted = [item for item in wanted if name in (item.owner or "").casefold()]
    return sorted(wanted, key=_order)


def task_item(reader: Reader, item_id: str, now: datetime, visible: VisibilityFilter) -> AgendaItem | None:
    """One task by its id, "e12" or "r5"; None where there is none."""
    number = item_id[1:]
    if not (number.isascii() and number.isdigit() and len(number) < 16):  # noqa: PLR2004 - what SQLite can hold
        return None
    if item_id.startswith("r"):
        found = record_with_origin(reader, int(number), visible)
        return None if found is None else next(iter(_items(reader, [found], now, visible)), None)
    if item_id.startswith("e"):
        return next(iter(_to_dos(reader, to_dos(reader, visible, int(number)), now, visible)), None)
    return None


def _items(
    reader: Reader, found: Sequence[tuple[StoredRecord, Origin]], now: datetime, visible: VisibilityFilter
) -> list[AgendaItem]:
    standing = as_of(reader, [record for record, _ in found], now, visible)
    days = days_of_records(reader, standing, now, visible)
    return [
        replace(stated_item(record, origin, now), done_at=days.get(record.record_id))
        for record, (_, origin) in zip(standing, found, strict=True)
        if record.status not in _GONE and record.superseded_by is None
    ]


def stated_item(record: StoredRecord, origin: Origin, now: datetime) -> AgendaItem:
    """One record as an item, whether or not it holds."""
    start, end = _times(record)
    is_overdue = record.kind is not RecordKind.PLAN and _is_overdue(record.status, record.due_at, now)
    title = f"{record.owner}: {record.title}" if record.owner and record.kind in _OWNED else record.title
    if record.kind is RecordKind.CONDITION and record.consequence:
        title = f"{record.title} → {record.consequence}"
    return AgendaItem(
        item_id=f"r{record.record_id}",
        kind=EntryKind.EVENT if record.kind is RecordKind.PLAN else EntryKind.TASK,
        title=title,
        start=start,
        end=end,
        is_all_day=record.is_whole_day and start is not None,
        location="",
        status=record.status,
        source_uri=origin.source_uri,
        scope=origin.scope,
        owner=record.owner,
        condition=record.condition,
        reason=_reason(record, is_overdue=is_overdue),
        is_overdue=is_overdue,
        confidence=record.confidence,
        entry_id=origin.entry_id,
    )


def _to_dos(reader: Reader, found: Sequence[ToDo], now: datetime, visible: VisibilityFilter) -> list[AgendaItem]:
    days = days_of_to_dos(reader, found, visible)
    return [replace(_to_do(one, now), done_at=days.get(one.origin.entry_id)) for one in found]


def _to_do(one: ToDo, now: datetime) -> AgendaItem:
    late_from = None if one.due_at is None else overdue_from(one.due_at)
    is_overdue = _is_overdue(one.status, late_from, now)
    is_all_day = one.due_at is not None and one.due_at.time() == time.min  # a list that names a day alone
    due = one.due_at if one.due_at is None or is_all_day else one.due_at.astimezone(clock.zone())
    return AgendaItem(
        item_id=f"e{one.origin.entry_id}",
        kind=EntryKind.TASK,
        title=one.title,
        start=due,
        end=due,
        is_all_day=is_all_day,
        location="",
        status=one.status,
        source_uri=one.origin.source_uri,
        scope=one.origin.scope,
        owner=one.owner,
        reason=_late(late_from) if is_overdue and late_from is not None else None,
        is_overdue=is_overdue,
        confidence=one.confidence,
        entry_id=one.origin.entry_id,
    )


def overdue_from(due_at: datetime) -> datetime:
    """When a to-do of a list is late: due at the very beginning of a day means on that day (a DATE of RFC 5545)."""
    return due_at + timedelta(days=1) if due_at.time() == time.min else due_at


def _late(since: datetime) -> Text:
    return msg("Overdue since {day}", day=since.astimezone(clock.zone()).date().isoformat())


def _times(record: StoredRecord) -> tuple[datetime | None, datetime | None]:
    """First and last moment; a task that is due on a day is on that whole day, in the zone in which it was said."""
    if record.event_at is not None:
        end = record.event_end or record.event_at
        return (record.event_at, end) if record.is_whole_day else (_here(record.event_at), _here(end))
    if record.due_at is None:
        return None, None
    if not record.is_whole_day:
        return _here(record.due_at), _here(record.due_at)
    last = record.due_at - timedelta(microseconds=1)
    start = datetime.combine(last.date(), time.min, last.tzinfo)
    return start, start + timedelta(days=1)


def _here(instant: datetime) -> datetime:
    return instant.astimezone(clock.zone())


def _touches(item: AgendaItem, span: Span) -> bool:
    if item.start is None or item.end is None:
        return False
    if item.is_all_day:
        last = (item.end - timedelta(microseconds=1)).date()
        return item.start.date() <= span.last_day and last >= span.start.date()
    return item.start < span.end and (item.end > span.start or item.start >= span.start)


def _is_overdue(status: Status, due_at: datetime | None, now: datetime) -> bool:
    return due_at is not None and status in _OPEN and due_at <= now


def _reason(record: StoredRecord, *, is_overdue: bool) -> Text | None:
    if record.stale_reason is not None:
        return record.stale_reason
    if is_overdue and record.due_at is not None:
        return _late(record.due_at)
    if record.kind is RecordKind.PLAN and record.status is Status.ACTIVE and is_tentative(record.text):
        return msg("Only tentative, as it is said")
    return None


def _order(item: AgendaItem) -> tuple[bool, str, str]:
    start = item.start
    return start is None, "" if start is None else start.astimezone(clock.zone()).isoformat(), item.title
