"""What the metrics are counted from: rows of the logs, and numbers of the tables (G7, G7.2). Reading alone.

A span is [since, until). No text leaves here but the questions, which are compared with those that are marked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf
from app.store.rows import instant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.store.connection import Reader, Row

SEARCHES = ("ask", "search", "prepare")
"""Actions that look for something: they may find it or not."""
_IDS_AT_ONCE = 500
_MOST_DELAYS = 10_000


@dataclass(frozen=True, slots=True)
class Span:
    """[since, until)."""

    since: datetime
    until: datetime

    @property
    def stamps(self) -> tuple[str, str]:
        """As they compare with stored times."""
        return to_ixdtf(self.since), to_ixdtf(self.until)


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request that was answered or refused."""

    request_id: str
    at: datetime
    client: str
    action: str
    query: str
    is_refused: bool
    items: int
    ranking: str


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """What was said of a request at one time; None: nothing of this."""

    request_id: str
    at: datetime
    ranking: str
    is_success: bool | None
    is_adopted: bool | None
    fields_total: int | None
    fields_edited: int | None


@dataclass(frozen=True, slots=True)
class InjectionRow:
    """The items that one request handed out without being asked for stale ones, and how many of them were expired."""

    request_id: str
    at: datetime
    ranking: str
    items: int
    expired: int


@dataclass(frozen=True, slots=True)
class HandedOut:
    """An entry that a request handed out; the id of its current version. is_cited: None while nobody told."""

    request_id: str
    entry_id: int
    is_cited: bool | None


@dataclass(frozen=True, slots=True)
class GrantRow:
    """What a client may see now."""

    scopes: frozenset[str]
    acls: frozenset[str]
    ceiling: int


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


def requests(reader: Reader, span: Span) -> list[RequestRow]:
    """The requests of a span, oldest first."""
    rows = reader.rows(
        "SELECT request_id, at, client_name, action, coalesce(query, ''), refusal IS NOT NULL, item_count, ranking"
        " FROM request_log WHERE at >= ? AND at < ? ORDER BY at",
        *span.stamps,
    )
    return [RequestRow(row[0], from_ixdtf(row[1]), *row[2:5], bool(row[5]), row[6], row[7]) for row in rows]


def has_requests(reader: Reader, span: Span) -> bool:
    """Whether anything was asked in a span."""
    return reader.row("SELECT 1 FROM request_log WHERE at >= ? AND at < ? LIMIT 1", *span.stamps) is not None


def asked_lately(reader: Reader, *, limit: int) -> list[tuple[str, datetime, str]]:
    """Questions that were asked or searched for, newest first, each spelling once: (query, at, client)."""
    rows = reader.rows(
        """
        SELECT query, max(at), client_name FROM request_log
        WHERE query IS NOT NULL AND refusal IS NULL AND action IN ('ask', 'search')
        GROUP BY query ORDER BY max(at) DESC LIMIT ?
        """,
        limit,
    )
    return [(row[0], from_ixdtf(row[1]), row[2]) for row in rows]


def outcomes(reader: Reader, span: Span) -> list[OutcomeRow]:
    """All that was ever said, oldest first, of the requests of which something was said in a span."""
    rows = reader.rows(
        """
        SELECT request_id, said.at, ranking, is_success, is_adopted, fields_total, fields_edited
        FROM outcome_log AS said JOIN request_log USING (request_id)
        WHERE request_id IN (SELECT request_id FROM outcome_log WHERE at >= ? AND at < ?) ORDER BY outcome_id
        """,
        *span.stamps,
    )
    return [
        OutcomeRow(row[0], from_ixdtf(row[1]), row[2], _flag(row[3]), _flag(row[4]), row[5], row[6]) for row in rows
    ]


def injections(reader: Reader, span: Span) -> list[InjectionRow]:
    """What was handed out, by request; see `docs/metrics.md` for what counts as expired.

    An item asked for by its id is no injection: nobody chose it for the asker.
    """
    rows = reader.rows(
        """
        SELECT request_id, at, ranking, count(*), sum(
            is_stale
            OR EXISTS (
                SELECT 1 FROM change WHERE change.entry_id = line.entry_id AND change.at > request.at
                AND effective_at <= request.at AND is_suggestion = 0 AND undone_at IS NULL
                AND (subject_kind = 'entry' OR subject_kind = 'chunk' AND subject_id = line.chunk_id)
                AND json_extract(after, '$.stale_reason') IS NOT NULL
            )
            OR EXISTS (
                SELECT 1 FROM entry AS old JOIN entry AS newer ON newer.entry_id = old.superseded_by
                WHERE old.entry_id = line.entry_id AND newer.source_id = old.source_id
                AND newer.native_id = old.native_id
                AND newer.updated_at <= request.at AND newer.ingested_at > request.at
            )
        )
        FROM request_log AS request JOIN retrieval_log AS line USING (request_id)
        WHERE at >= ? AND at < ? AND include_stale = 0 AND action <> 'item'
        GROUP BY request_id ORDER BY at
        """,
        *span.stamps,
    )
    return [InjectionRow(row[0], from_ixdtf(row[1]), row[2], row[3], row[4]) for row in rows]


def handed_out(reader: Reader, request_ids: Sequence[str]) -> list[HandedOut]:
    """The entries that some requests handed out, each once, of those that are still there."""
    found: list[HandedOut] = []
    for start in range(0, len(request_ids), _IDS_AT_ONCE):
        some = request_ids[start : start + _IDS_AT_ONCE]
        places = ", ".join("?" * len(some))
        rows = reader.rows(
            "SELECT request_id, coalesce(latest.entry_id, entry.entry_id) AS shown, max(is_cited)"  # noqa: S608 - places
            " FROM retrieval_log JOIN entry USING (entry_id)"
            " LEFT JOIN entry AS latest ON latest.source_id = entry.source_id AND latest.native_id = entry.native_id"
            f" AND latest.is_current = 1 WHERE request_id IN ({places}) GROUP BY request_id, shown",
            *some,
        )
        found += [HandedOut(row[0], row[1], _flag(row[2])) for row in rows]
    return found


def grants(reader: Reader) -> dict[str, GrantRow]:
    """What each client may see, by its name."""
    rows = reader.rows("SELECT name, scopes, acls, ceiling FROM client")
    return {row[0]: GrantRow(frozenset(json.loads(row[1])), frozenset(json.loads(row[2])), row[3]) for row in rows}


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


def _flag(column: int | None) -> bool | None:
    return None if column is None else bool(column)
