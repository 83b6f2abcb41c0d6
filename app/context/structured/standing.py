"""Records as they stand for a viewer: as of now, and by what the viewer may see (G2.6, G4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.labels import Status
from app.govern.freshness.view import as_of
from app.store.reading import passages
from app.store.records import records_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.context.structured.scene import Scene
    from app.store.records import StoredRecord

_GONE = frozenset({Status.CANCELED, Status.SUPERSEDED})


def standing_records(scene: Scene, record_ids: Sequence[int]) -> list[StoredRecord]:
    """Records in the order of their ids, as they stand now."""
    return as_of(scene.reader, records_with(scene.reader, record_ids), scene.now, scene.visible)


def holds(scene: Scene, record: StoredRecord) -> bool:
    """Whether a record still holds: neither it nor the passage that states it was taken back."""
    if record.status in _GONE or record.superseded_by is not None:
        return False
    if record.stale_reason is not None and record.status is not Status.PENDING:
        return False
    found = passages(scene.reader, [record.chunk_id], scene.visible) if record.chunk_id is not None else []
    return not found or found[0].stale_reason is None
