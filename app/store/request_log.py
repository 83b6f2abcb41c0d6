"""The log of requests: who asked what, what was handed out, and what became of it (G7, G8.1).

References and numbers, never a copy of what was found. How it is read is `audit_rows`' and `metric_rows`'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.labels import Sensitivity
from app.store.rows import instant, stamp, storable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from app.domain.serving import Outcome
    from app.store.connection import Reader, Writer


@dataclass(frozen=True, slots=True)
class HandedOut:
    """Something that a request got. `item_id`: of the store ("c12", "e12", "r5")."""

    item_id: str
    score: float
    is_stale: bool
    sensitivity: Sensitivity | None = None


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request as it is taken down.

    Attributes:
        ranking: the version of the weights it was ranked by.
        include_stale: whether what is no longer so was asked for too.
    """

    request_id: str
    at: datetime
    client: str
    action: str
    query: str | None = None
    template: str | None = None
    refusal: str | None = None
    items: tuple[HandedOut, ...] = ()
    ranking: str = ""
    include_stale: bool = False


def put_request(tx: Writer, request: LoggedRequest, *, keeps_words: bool = True) -> None:
    """Take a request down with what it gets; without the words it asked in, where those are not to be kept."""
    tx.run(
        "INSERT INTO request_log (request_id, at, client_name, action, template, query, refusal, item_count,"
        " include_stale, ranking) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        request.request_id,
        stamp(request.at),
        request.client,
        request.action,
        None if request.template is None else storable(request.template),
        storable(request.query) if keeps_words and request.query is not None else None,
        request.refusal,
        len(request.items),
        int(request.include_stale),
        request.ranking,
    )
    tx.run_many(
        "INSERT INTO retrieval_log (request_id, rank, entry_id, chunk_id, score, is_stale, sensitivity)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(request.request_id, rank, *_handed_out(tx, item)) for rank, item in enumerate(request.items, 1)],
    )


def handed_out_since(reader: Reader, client: str, since: datetime) -> list[tuple[datetime, int]]:
    """When a client got items from a moment on, and how many; also what a wrong clock dated into the future."""
    rows = reader.rows(
        "SELECT at, item_count FROM request_log WHERE client_name = ? AND at > ? AND item_count > 0 ORDER BY at",
        client,
        stamp(since),
    )
    found = [(instant(at), count) for at, count in rows]
    return [(at, count) for at, count in found if at is not None]


def asker_of(reader: Reader, request_id: str) -> str | None:
    """Whose request it was."""
    found = reader.value("SELECT client_name FROM request_log WHERE request_id = ?", request_id)
    return None if found is None else str(found)


def put_outcome(tx: Writer, outcome: Outcome, *, actor: str, cited: Collection[str], now: datetime) -> None:
    """Take down what became of a request.

    Args:
        cited: ids of the store; of what the request got, exactly these count as used. Where none is named nothing is
            known of any: who reports a success need not tell what it used.
    """
    tx.insert(
        "INSERT INTO outcome_log (request_id, at, actor, is_success, is_adopted, fields_total, fields_edited)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        outcome.request_id,
        stamp(now),
        actor,
        _flag(outcome.is_success),
        _flag(outcome.is_adopted),
        outcome.fields_total,
        outcome.fields_edited,
    )
    if not cited:
        return
    entries = {_entry_and_chunk(tx, item_id) for item_id in cited}
    chunks = {chunk_id for _, chunk_id in entries if chunk_id is not None}
    whole = {entry_id for entry_id, chunk_id in entries if chunk_id is None}
    for rank, entry_id, chunk_id in tx.rows(
        "SELECT rank, entry_id, chunk_id FROM retrieval_log WHERE request_id = ?", outcome.request_id
    ):
        is_cited = chunk_id in chunks or entry_id in whole
        tx.run(
            "UPDATE retrieval_log SET is_cited = max(coalesce(is_cited, 0), ?) WHERE request_id = ? AND rank = ?",
            int(is_cited),
            outcome.request_id,
            rank,
        )


def last_request(reader: Reader) -> datetime | None:
    """When somebody asked last."""
    return instant(reader.value("SELECT max(at) FROM request_log"))


def delete_requests_before(tx: Writer, moment: datetime) -> int:
    """Forget old requests, with all that is logged of them; returns how many there were."""
    return tx.run("DELETE FROM request_log WHERE at < ?", stamp(moment))


def forget_queries(tx: Writer) -> int:
    """Take the words of questions out of the log."""
    return tx.run("UPDATE request_log SET query = NULL WHERE query IS NOT NULL")


def _handed_out(tx: Writer, item: HandedOut) -> Iterable[object]:
    entry_id, chunk_id = _entry_and_chunk(tx, item.item_id)
    level = item.sensitivity if item.sensitivity is not None else _level(tx, item.item_id, entry_id)
    return entry_id, chunk_id, item.score, int(item.is_stale), int(level)


def _level(reader: Reader, item_id: str, entry_id: int) -> Sensitivity:
    """Of an entry, or of a record within it; the highest of what is gone meanwhile."""
    levels = [reader.value("SELECT sensitivity FROM entry WHERE entry_id = ?", entry_id)]
    if item_id.startswith("r"):
        levels.append(reader.value("SELECT sensitivity FROM record WHERE record_id = ?", int(item_id[1:])))
    known = [level for level in levels if level is not None]
    return Sensitivity(max(known)) if known else Sensitivity.HIGHLY_SENSITIVE


def _entry_and_chunk(reader: Reader, item_id: str) -> tuple[int, int | None]:
    """What an id of the store names; entry 0 where it is gone meanwhile, or names none."""
    kind, digits = item_id[:1], item_id[1:]
    if not digits.isdecimal():
        return 0, None
    number = int(digits)
    if kind == "c":
        return int(reader.value("SELECT entry_id FROM chunk WHERE chunk_id = ?", number) or 0), number
    if kind == "r":
        return int(reader.value("SELECT entry_id FROM record WHERE record_id = ?", number) or 0), None
    return number, None


def _flag(value: bool | None) -> int | None:  # noqa: FBT001 - a column
    return None if value is None else int(value)
