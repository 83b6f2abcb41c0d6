"""Passages as `ContextItem`s, with the parts of their scores (G4.1, G4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.context_item import ContextItem
from app.domain.instants import to_iso
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from app.domain.text import Text
    from app.store.reading import Passage


@dataclass(frozen=True, slots=True)
class Standing:
    """A passage's scores, all in 0..1, and the version of the weights that made them; empty for none."""

    semantic: float = 0.0
    lexical: float = 0.0
    freshness: float = 0.0
    time_decay: float = 0.0
    final: float = 1.0
    ranking: str = ""


def context_item(passage: Passage, standing: Standing, now: datetime, explanation: Mapping[str, float]) -> ContextItem:
    """Put together what is known of a passage."""
    return ContextItem(
        item_id=f"c{passage.chunk_id}",
        title=passage.title,
        content=passage.text,
        source_type=passage.kind,
        source_uri=passage.source_uri,
        event_time=passage.event_time,
        ingested_at=passage.ingested_at,
        valid_from=passage.valid_from,
        valid_to=passage.valid_to,
        task_status=passage.status,
        scope=passage.scope,
        acl=passage.acl,
        sensitivity=passage.sensitivity,
        confidence=passage.confidence,
        semantic_score=standing.semantic,
        lexical_score=standing.lexical,
        freshness_score=standing.freshness,
        time_decay=standing.time_decay,
        final_score=standing.final,
        stale_reason=_stale_reason(passage, now),
        place=passage.place,
        explanation=MappingProxyType(dict(explanation)),
        ranking=standing.ranking,
        trust=passage.trust,
    )


def _stale_reason(passage: Passage, now: datetime) -> Text | None:
    if passage.stale_reason is not None:
        return passage.stale_reason
    if passage.valid_to is not None and passage.valid_to <= now:
        return msg("No longer valid since {time}", time=to_iso(passage.valid_to))
    if passage.stale_parts:
        return msg("In part no longer valid: {reason}", reason=passage.stale_parts[0][1])
    return None
