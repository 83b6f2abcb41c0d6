"""When what is done was said to be done: by a source's own time, by another entry, or first by a version of the text.

A list of boxes says no days, but its versions do: the first of those in a row that say "done" is the day (G2.6, G4.5).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from app.domain.labels import Status
from app.govern.freshness.view import as_of
from app.store.completions import same_records, versions_of
from app.store.record_agenda import to_dos_of
from app.store.records import records_with

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.completions import Version
    from app.store.connection import Reader
    from app.store.record_agenda import ToDo
    from app.store.records import StoredRecord


def days_of_records(
    reader: Reader, found: Sequence[StoredRecord], moment: datetime, visible: VisibilityFilter
) -> dict[int, datetime | None]:
    """Of each record that is done, when that was said; those that are not are absent."""
    done = [one for one in found if one.status is Status.DONE]
    unsaid = [one for one in done if one.completed_at is None]
    pairs = same_records(reader, [one.record_id for one in unsaid], visible)
    standing = as_of(reader, records_with(reader, sorted({earlier for _, earlier in pairs})), moment, visible)
    by_id = {one.record_id: one for one in standing}
    alike: defaultdict[int, dict[int, StoredRecord]] = defaultdict(dict)
    for record_id, earlier in pairs:
        alike[record_id].setdefault(by_id[earlier].entry_id, by_id[earlier])
    versions = versions_of(reader, sorted({one.entry_id for one in unsaid}), visible)
    days: dict[int, datetime | None] = {one.record_id: one.completed_at for one in done}
    for one in unsaid:
        own = versions.get(one.entry_id, [])
        before = alike[one.record_id]
        place = _first(own, {entry_id: each.status for entry_id, each in before.items()})
        first = before[own[place].entry_id] if place else one
        days[one.record_id] = first.completed_at or _said_at(first.valid_from, own, place)
    return days


def days_of_to_dos(reader: Reader, found: Sequence[ToDo], visible: VisibilityFilter) -> dict[int, datetime | None]:
    """Of each to-do that is done, by the number of its entry, when that was said; those that are not are absent."""
    days = {one.origin.entry_id: one.completed_at for one in found if one.status is Status.DONE}
    unsaid = sorted(entry_id for entry_id, day in days.items() if day is None)
    versions = versions_of(reader, unsaid, visible)
    earlier = {version.entry_id for own in versions.values() for version in own[1:]}
    before = {one.origin.entry_id: one for one in to_dos_of(reader, sorted(earlier), visible)}
    for entry_id in unsaid:
        own = versions.get(entry_id, [])
        place = _first(own, {one: to_do.status for one, to_do in before.items()})
        first = before[own[place].entry_id].completed_at if place else None
        days[entry_id] = first or _said_at(None, own, place)
    return days


def _first(own: Sequence[Version], status: Mapping[int, Status]) -> int:
    """The place of the earliest version of those in a row, from the present one on, that say that it is done."""
    place = 0
    while place + 1 < len(own) and status.get(own[place + 1].entry_id) is Status.DONE:
        place += 1
    return place


def _said_at(valid_from: datetime | None, own: Sequence[Version], place: int) -> datetime | None:
    """When a version says it: where an earlier one did not say it yet, not before it was written."""
    if place >= len(own):
        return valid_from
    written_at = own[place].written_at
    if valid_from is None:
        return written_at
    return max(valid_from, written_at) if place + 1 < len(own) else valid_from
