"""What the earlier versions of an entry said of the same tasks: since when one is said to be done (G2.6, G4.5).

Only versions that a viewer may see, with the rights that each of them has (G4.3). Not here: how a task stood for the
viewer, and what follows.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.store.limits import id_list, rights_limits
from app.store.rows import instant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from app.domain.visibility import VisibilityFilter
    from app.store.connection import Reader

_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Version:
    """One version of an entry. `written_at`: its last change, as its source says."""

    entry_id: int
    written_at: datetime


def versions_of(reader: Reader, entry_ids: Sequence[int], visible: VisibilityFilter) -> dict[int, list[Version]]:
    """Of each entry, its earlier versions and itself, the newest first."""
    rights, values = rights_limits(visible, "old")
    found: defaultdict[int, list[Version]] = defaultdict(list)
    for some in _parts(entry_ids):
        rows = reader.rows(
            f"""
            SELECT entry.entry_id, old.entry_id, old.updated_at FROM entry
            JOIN entry AS old ON old.source_id = entry.source_id AND old.native_id = entry.native_id
                AND old.version <= entry.version
            WHERE entry.entry_id IN ({id_list(some)}) AND {rights} ORDER BY entry.entry_id, old.version DESC
            """,  # noqa: S608 - our own names and numbers
            *values,
        )
        for entry_id, version_id, updated_at in rows:
            written_at = instant(updated_at)
            assert written_at is not None  # noqa: S101 - the column is NOT NULL
            found[entry_id].append(Version(version_id, written_at))
    return found


def same_records(reader: Reader, record_ids: Sequence[int], visible: VisibilityFilter) -> list[tuple[int, int]]:
    """Pairs of a record, and of one that an earlier version of its entry has in the same words."""
    rights, values = rights_limits(visible, "old")
    found: list[tuple[int, int]] = []
    for some in _parts(record_ids):
        rows = reader.rows(
            f"""
            SELECT record.record_id, earlier.record_id FROM record JOIN entry USING (entry_id)
            JOIN entry AS old ON old.source_id = entry.source_id AND old.native_id = entry.native_id
                AND old.version < entry.version
            JOIN record AS earlier ON earlier.entry_id = old.entry_id AND earlier.kind = record.kind
                AND earlier.title = record.title
            WHERE record.record_id IN ({id_list(some)}) AND {rights} AND earlier.sensitivity <= ?
            ORDER BY record.record_id, earlier.record_id
            """,  # noqa: S608 - our own names and numbers
            *values,
            int(visible.ceiling),
        )
        found += [(row[0], row[1]) for row in rows]
    return found


def _parts(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))
