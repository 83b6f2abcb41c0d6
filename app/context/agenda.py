"""Exact questions of time, answered from structure and never from similarity (G3.2)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from app.context.spans import Span, Today
from app.context.stated import overdue_from, stated_in
from app.context.when import read_when
from app.domain.context_item import AgendaItem
from app.domain.labels import EntryKind, Status
from app.domain.text import msg
from app.runtime import clock
from app.store.agenda import AgendaRow, agenda

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date, datetime

    from app.domain.text import Text
    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader

_LOOK_AHEAD = timedelta(days=400)
_LOOK_BACK = timedelta(days=400)


def read_span(when: str | None, now: datetime) -> Span:
    """The span that an agenda is asked for: today without `when`. Raises `BadInput` for an unknown expression."""
    return Today.of(now).offset(0) if when is None or not when.strip() else read_when(when, now)


def agenda_of(reader: Reader, span: Span, visible: VisibilityFilter) -> list[AgendaItem]:
    """Occurrences that touch a span and tasks due in it, and what texts state of it, in order of time."""
    now = clock.now()
    found = [_item(row) for row in agenda(reader, span.start, span.end, visible)]
    found += stated_in(reader, span, now, visible)
    return sorted(found, key=lambda item: _order(item, span))


def _order(item: AgendaItem, span: Span) -> tuple[date, bool, datetime, str]:
    start = item.start or span.start
    day = start.date() if item.is_all_day else start.astimezone(span.start.tzinfo).date()
    return day, not item.is_all_day, start, item.title


def next_of(reader: Reader, entry_ids: Collection[int], now: datetime, visible: VisibilityFilter) -> list[AgendaItem]:
    """When something is: of each entry the next occurrence or due time, or the last one when none is to come.

    The order is that of `entry_ids`; entries without any time are left out. A canceled occurrence is passed over where
    the entry has another one to come.
    """
    ahead = agenda(reader, now, now + _LOOK_AHEAD, visible)
    behind = agenda(reader, now - _LOOK_BACK, now, visible)
    found: dict[int, AgendaRow] = {}
    # the last one written stays: the past, then what is to come backwards, then of that what is not canceled
    for row in (*behind, *reversed(ahead), *(row for row in reversed(ahead) if not row.is_canceled)):
        if row.entry_id in entry_ids:
            found[row.entry_id] = row
    return [_item(found[entry_id]) for entry_id in entry_ids if entry_id in found]


def entry_id_of(item: AgendaItem) -> int:
    """The store's number of the entry behind an agenda item."""
    return item.entry_id


def _item(row: AgendaRow) -> AgendaItem:
    return AgendaItem(
        item_id=f"e{row.entry_id}",
        kind=EntryKind(row.kind),
        title=row.title,
        start=_here(row.start, row),
        end=_here(row.end, row),
        is_all_day=row.is_all_day,
        location=row.location,
        status=Status.CANCELED if row.is_canceled else row.status,
        source_uri=row.source_uri,
        scope=row.scope,
        people=row.people,
        reason=_overdue(row),
        is_overdue=_overdue(row) is not None,
        entry_id=row.entry_id,
    )


def _overdue(row: AgendaRow) -> Text | None:
    if row.kind is not EntryKind.TASK or row.status not in {Status.ACTIVE, Status.DRAFT, Status.PENDING}:
        return None
    late_from = None if row.start is None else overdue_from(row.start)
    if late_from is None or late_from > clock.now():
        return None
    return msg("Overdue since {day}", day=late_from.astimezone(clock.zone()).date().isoformat())


def _here(instant: datetime | None, row: AgendaRow) -> datetime | None:
    """A time as the person's clock shows it; an all-day event keeps its own zone, being on its day everywhere."""
    return instant if instant is None or row.is_all_day else instant.astimezone(clock.zone())
