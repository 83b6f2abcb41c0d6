"""What was read, from the log of requests: by one client, by all clients, or by all and the person (G8.1).

Sums over a span, and its lines a page at a time. Each is one pass however many clients there are. A line whose entry is
gone is shown as deleted (G8.4).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.domain.clients import AuditedItem, AuditLine, AuditReport
from app.domain.context_item import OWNER
from app.domain.labels import Sensitivity
from app.store.rows import instant, marks, stamp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.store.connection import Reader, Row

_ITEMS_OF_A_LINE = 50
_AT_ONCE = 500
_ROWS = 10_000
_MUCH = 25
"""One row found by an index costs as much as so many that are read in the order in which they lie."""
_NAMES = """
    WITH RECURSIVE known (name) AS (
        SELECT min(client_name) FROM request_log
        UNION ALL
        SELECT (SELECT min(client_name) FROM request_log WHERE client_name > name) FROM known WHERE name IS NOT NULL
    )
    SELECT name FROM known WHERE name IS NOT NULL
        AND EXISTS (SELECT 1 FROM request_log WHERE client_name = name AND at >= ?)
    UNION SELECT client_name FROM permission_grant WHERE at >= ?
"""
"""From name to name by the index: not every row is looked at."""


@dataclass(frozen=True, slots=True)
class AuditScope:
    """Whose reading is looked at, and from which moment on; what a wrong clock dated into the future too.

    Attributes:
        client: that one alone; None: all. is_own_included: of all, also what the person asked.
    """

    since: datetime
    client: str | None = None
    is_own_included: bool = True

    @property
    def where(self) -> str:
        """A condition on a log."""
        if self.client is not None:
            return "client_name = ? AND at >= ?"
        return "at >= ?" if self.is_own_included else "client_name <> ? AND at >= ?"

    @property
    def values(self) -> tuple[object, ...]:
        """What stands in its places."""
        if self.client is not None:
            return self.client, stamp(self.since)
        return (stamp(self.since),) if self.is_own_included else (OWNER, stamp(self.since))


def audit(reader: Reader, scope: AuditScope, until: datetime, *, limit: int, skip: int = 0) -> AuditReport:
    """What was read.

    Args:
        until: the present, as the report names it. skip: so many of the newest lines are left out.
    """
    asked = _asked(reader, scope)
    counts = reader.row(
        f"SELECT count(*), count(refusal), coalesce(sum(item_count), 0) FROM {asked}",  # noqa: S608
        *scope.values,
    )
    requests, refused, items = counts if counts is not None else (0, 0, 0)
    levels, entries = _handed_out(reader, scope, asked) if items else ({}, 0)
    return AuditReport(
        since=scope.since,
        until=until,
        client=scope.client,
        requests=requests,
        refused=refused,
        items=items,
        entries=entries,
        by_sensitivity=tuple((Sensitivity(level).word, levels[level]) for level in sorted(levels)),
        lines=tuple(_lines(reader, scope, limit, skip)),
        clients=tuple(str(name) for (name,) in reader.rows(_NAMES, *[stamp(scope.since)] * 2)),
    )


def names_in_log(reader: Reader) -> list[str]:
    """Whose requests or permissions are logged, also of clients that were removed."""
    return [str(name) for (name,) in reader.rows(_NAMES, "", "")]


def _asked(reader: Reader, scope: AuditScope) -> str:
    """The requests of the span. A good part of the log is read as it lies, since each page is deciphered when read."""
    # the index alone tells how many that are
    span = replace(scope, is_own_included=True)
    inside = int(reader.value(f"SELECT count(*) FROM request_log WHERE {span.where}", *span.values))  # noqa: S608
    is_much = inside * _MUCH > int(reader.value("SELECT count(*) FROM request_log"))
    # a sign before a column keeps its index out of it
    where = scope.where.replace("client_name", "+client_name").replace("at >=", "+at >=") if is_much else scope.where
    return f"request_log WHERE {where}"


def _handed_out(reader: Reader, scope: AuditScope, asked: str) -> tuple[Mapping[int, int], int]:
    """How many items of each level, and how many different entries; requests in the order in which their items lie.

    They are counted here: the database would sort them, which takes five times as long.
    """
    counts: Counter[tuple[int, int]] = Counter()
    for rows in reader.batches(
        f"WITH asked AS MATERIALIZED (SELECT request_id FROM {asked} ORDER BY request_id)"  # noqa: S608 - our own names
        " SELECT sensitivity, entry_id FROM asked CROSS JOIN retrieval_log USING (request_id)",
        *scope.values,
        size=_ROWS,
    ):
        counts.update(rows)
    levels: Counter[int] = Counter()
    for (level, _), count in counts.items():
        levels[level] += count
    return levels, len({entry_id for _, entry_id in counts})


def _lines(reader: Reader, scope: AuditScope, limit: int, skip: int) -> Sequence[AuditLine]:
    """Requests, and changes of permissions among them, newest first."""
    index = "request_client" if scope.client is not None else "request_at"
    most = limit + skip
    keys = reader.rows(
        f"""
        SELECT * FROM (
            SELECT at, request_id, 0 FROM request_log INDEXED BY {index}
            WHERE {scope.where} ORDER BY at DESC, request_id LIMIT {most}
        )
        UNION ALL SELECT * FROM (
            SELECT at, grant_id, 1 FROM permission_grant
            WHERE {scope.where} ORDER BY at DESC, grant_id DESC LIMIT {most}
        )
        ORDER BY 1 DESC, 3 DESC, 2 LIMIT ? OFFSET ?
        """,  # noqa: S608 - our own names and numbers
        *scope.values,
        *scope.values,
        limit,
        skip,
    )
    requests = _requests(reader, [key for _, key, is_grant in keys if not is_grant])
    grants = _grants(reader, [key for _, key, is_grant in keys if is_grant])
    return [grants[key] if is_grant else requests[key] for _, key, is_grant in keys]


def _requests(reader: Reader, ids: Sequence[str]) -> dict[str, AuditLine]:
    found: dict[str, AuditLine] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        items = _items(reader, some)
        rows = reader.rows(
            "SELECT request_id, at, client_name, action, template, query, refusal, item_count FROM request_log"  # noqa: S608
            f" WHERE request_id IN ({marks(some)})",
            *some,
        )
        found |= {row[0]: _line(row, tuple(items.get(row[0], ()))) for row in rows}
    return found


def _grants(reader: Reader, ids: Sequence[int]) -> dict[int, AuditLine]:
    found: dict[int, AuditLine] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        rows = reader.rows(
            f"SELECT grant_id, at, client_name, action FROM permission_grant WHERE grant_id IN ({marks(some)})",  # noqa: S608
            *some,
        )
        found |= {row[0]: _line((f"g{row[0]}", *row[1:], None, None, None, 0)) for row in rows}
    return found


def _line(row: Row, items: tuple[AuditedItem, ...] = ()) -> AuditLine:
    request_id, at, client, action, template, query, refusal, count = row
    asked_at = instant(at)
    assert asked_at is not None  # noqa: S101 - the column is NOT NULL
    return AuditLine(request_id, asked_at, client, action, template, query, refusal, count, items)


def _items(reader: Reader, request_ids: Sequence[str]) -> dict[str, list[AuditedItem]]:
    """What requests got, in its order."""
    rows = reader.rows(
        f"""
        SELECT request_id, rank, title, source_uri, retrieval_log.sensitivity, is_stale
        FROM retrieval_log LEFT JOIN entry ON entry.entry_id = retrieval_log.entry_id
        WHERE request_id IN ({marks(request_ids)}) AND rank <= {_ITEMS_OF_A_LINE} ORDER BY request_id, rank
        """,  # noqa: S608 - our own numbers
        *request_ids,
    )
    found: defaultdict[str, list[AuditedItem]] = defaultdict(list)
    for request_id, rank, title, source_uri, level, is_stale in rows:
        found[request_id].append(AuditedItem(rank, title, source_uri, Sensitivity(level), bool(is_stale)))
    return found
