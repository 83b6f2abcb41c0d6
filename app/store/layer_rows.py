"""What the layers' figures and the reports are counted from: numbers of the tables (G7, G7.2). Reading alone.

Nothing leaves here but counts, times, and the names of rules and models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf
from app.store.rows import instant

if TYPE_CHECKING:
    from datetime import datetime

    from app.store.connection import Reader, Row
    from app.store.metric_rows import Span

_MOST_DELAYS = 10_000


@dataclass(frozen=True, slots=True)
class SourceRow:
    """How a source stands."""

    is_failed: bool
    is_paused: bool
    last_sync_at: datetime | None


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much there is, of what is current. `repeating`: entries that say what an earlier one says."""

    entries: int
    with_passages: int
    repeating: int


@dataclass(frozen=True, slots=True)
class ChangeCount:
    """What one part of governance changed by one version of its rules, and how much of it a person took back."""

    actor: str
    rule_version: str
    kind: str
    made: int
    undone: int


@dataclass(frozen=True, slots=True)
class MergeCount:
    """How often rules said that two people are one, and how often a person took it back."""

    made: int
    undone: int


@dataclass(frozen=True, slots=True)
class ModelCount:
    """The vectors of one model."""

    model_id: str
    version: str
    vectors: int


def source_rows(reader: Reader) -> list[SourceRow]:
    """How the sources stand."""
    rows = reader.rows("SELECT state = 'failed' OR failures > 0, is_paused, last_sync_at FROM source")
    return [SourceRow(bool(row[0]), bool(row[1]), instant(row[2])) for row in rows]


def holdings(reader: Reader) -> Holdings:
    """How much there is; counted whole, since it belongs to no span."""
    entries = reader.value("SELECT count(*) FROM entry WHERE is_current = 1")
    with_passages = reader.value(
        "SELECT count(*) FROM entry WHERE is_current = 1"
        " AND EXISTS (SELECT 1 FROM chunk WHERE chunk.entry_id = entry.entry_id)"
    )
    repeating = reader.value(
        "SELECT count(DISTINCT likeness.other_id) FROM likeness"
        " JOIN entry AS one ON one.entry_id = likeness.entry_id AND one.is_current = 1"
        " JOIN entry AS other ON other.entry_id = likeness.other_id AND other.is_current = 1"
        " WHERE likeness.kind IN ('copy', 'near')"
    )
    return Holdings(int(entries), int(with_passages), int(repeating))


def delays_s(reader: Reader, span: Span) -> list[float]:
    """Seconds from a change at a source to its being taken in, in a span.

    Only of what was created or changed after its source was added: the first sync brings what is old by nature.
    """
    rows = reader.rows(
        """
        SELECT entry.updated_at, ingested_at FROM entry JOIN source USING (source_id)
        WHERE ingested_at >= ? AND ingested_at < ? AND entry.updated_at > source.created_at
        AND ingested_at >= entry.updated_at ORDER BY entry_id DESC LIMIT ?
        """,
        *span.stamps,
        _MOST_DELAYS,
    )
    return [(from_ixdtf(row[1]) - from_ixdtf(row[0])).total_seconds() for row in rows]


def change_counts(reader: Reader, span: Span) -> list[ChangeCount]:
    """What governance changed by itself in a span; what follows for one thing from one cause is one change."""
    rows = reader.rows(
        """
        SELECT actor, rule_version, kind, count(*), sum(is_undone) FROM (
            SELECT actor, rule_version, kind, max(coalesce(undone_by, '') = 'owner') AS is_undone FROM change
            WHERE at >= ? AND at < ? AND actor <> 'owner' AND is_suggestion = 0
            GROUP BY actor, rule_version, kind, entry_id, cause_id, effective_at
        )
        GROUP BY actor, rule_version, kind ORDER BY actor, rule_version, kind
        """,
        *span.stamps,
    )
    return [ChangeCount(*row) for row in rows]


def merge_count(reader: Reader, span: Span) -> MergeCount:
    """Merges of people by the rules in a span."""
    row = reader.row(
        "SELECT count(*), count(undone_at) FROM entity_merge"
        " WHERE merged_at >= ? AND merged_at < ? AND actor = 'rules'",
        *span.stamps,
    )
    assert row is not None  # noqa: S101 - an aggregate has a row
    return MergeCount(*row)


def model_counts(reader: Reader) -> list[ModelCount]:
    """The models that vectors are of."""
    rows = reader.rows(
        "SELECT model_id, version, (SELECT count(*) FROM vector WHERE vector.model_ref = model.model_ref) FROM model"
        " ORDER BY first_used_at"
    )
    return [ModelCount(*row) for row in rows]


def rule_versions(reader: Reader, span: Span) -> list[tuple[str, datetime]]:
    """Versions of rules that were first used in a span, oldest first."""
    rows: list[Row] = reader.rows(
        "SELECT version, first_used_at FROM rule_version WHERE first_used_at >= ? AND first_used_at < ?"
        " ORDER BY first_used_at, version",
        *span.stamps,
    )
    return [(row[0], from_ixdtf(row[1])) for row in rows]
