"""What the five rates are counted from: rows of the logs (G7). Reading alone.

A span is [since, until). No text leaves here but the questions, which are compared with those that are marked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.store.connection import Reader

SEARCHES = ("ask", "search", "prepare")
"""Actions that look for something: they may find it or not."""
_IDS_AT_ONCE = 500


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


def requests(reader: Reader, span: Span) -> list[RequestRow]:
    """The requests of a span, oldest first."""
    rows = reader.rows(
        "SELECT request_id, at, client_name, action, coalesce(query, ''), refusal IS NOT NULL, item_count, ranking"
        " FROM request_log WHERE at >= ? AND at < ? ORDER BY at",
        *span.stamps,
    )
    return [
        RequestRow(request_id, from_ixdtf(at), client, action, query, bool(is_refused), items, ranking)
        for request_id, at, client, action, query, is_refused, items, ranking in rows
    ]


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
    """All that was ever said of the requests of which something was said in a span: by clients first, oldest first.

    What the person says of an answer comes last, and so stands, whatever the client that got it says afterwards.
    """
    rows = reader.rows(
        """
        SELECT request_id, said.at, ranking, is_success, is_adopted, fields_total, fields_edited
        FROM outcome_log AS said JOIN request_log USING (request_id)
        WHERE request_id IN (SELECT request_id FROM outcome_log WHERE at >= ? AND at < ?)
        ORDER BY actor = 'owner', outcome_id
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


def _flag(column: int | None) -> bool | None:
    return None if column is None else bool(column)
