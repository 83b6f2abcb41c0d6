"""What became of answers: rows of the outcome log, and which of the items handed out were cited (G7).

Rows are added and never changed: what is said later of the same request counts, and what was said before stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg
from app.store.rows import stamp

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.serving import Outcome
    from app.store.connection import Reader, Writer


def put_outcome(tx: Writer, outcome: Outcome, *, client: str, now: datetime) -> None:
    """Take an outcome down, said by whoever made the request.

    Args:
        client: the name under which the request was logged. The person may speak of any request.

    Raises:
        BadInput: there is no such request, or it was somebody else's: the two are not told apart.
    """
    asked_by = tx.value("SELECT client_name FROM request_log WHERE request_id = ?", outcome.request_id)
    if asked_by is None or client not in {asked_by, "owner"}:
        raise no_such_request()
    tx.insert(
        "INSERT INTO outcome_log (request_id, at, actor, is_success, is_adopted, fields_total, fields_edited)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        outcome.request_id,
        stamp(now),
        client,
        None if outcome.is_success is None else int(outcome.is_success),
        None if outcome.is_adopted is None else int(outcome.is_adopted),
        outcome.fields_total,
        outcome.fields_edited,
    )
    if outcome.cited:
        _cite(tx, outcome)


def no_such_request() -> BadInput:
    """The one refusal for a request that never was and for somebody else's."""
    return BadInput(
        msg("There is no such request."),
        next_step=msg("Give the number that came with the answer."),
    )


def _cite(tx: Writer, outcome: Outcome) -> None:
    """What was cited is told whole: the other items of the request were not."""
    tx.run("UPDATE retrieval_log SET is_cited = 0 WHERE request_id = ?", outcome.request_id)
    for item_id in outcome.cited:
        column, number = _row_of(tx, item_id)
        if column:
            tx.run(
                f"UPDATE retrieval_log SET is_cited = 1 WHERE request_id = ? AND {column} = ?",  # noqa: S608 - our names
                outcome.request_id,
                number,
            )


def _row_of(reader: Reader, item_id: str) -> tuple[str, int]:
    """The column and the number that an item's id means; ("", 0) for what is no id. Cited ids may be anything."""
    kind, digits = item_id[:1], item_id[1:19]
    if len(item_id) != 1 + len(digits) or not (digits.isascii() and digits.isdecimal()):
        return "", 0
    if kind == "r":
        entry_id = reader.value("SELECT entry_id FROM record WHERE record_id = ?", int(digits))
        return ("entry_id", int(entry_id)) if entry_id is not None else ("", 0)
    return {"c": "chunk_id", "e": "entry_id"}.get(kind, ""), int(digits)
