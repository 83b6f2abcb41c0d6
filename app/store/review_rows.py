"""Reviews that were written: Markdown in the language of the person, one for each kind and period (G7)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.metrics import Review, ReviewKind

if TYPE_CHECKING:
    from datetime import datetime

    from app.store.connection import Reader, Row, Writer

_COLUMNS = "report_id, kind, first_day, last_day, made_at"


def put_review(tx: Writer, review: Review, language: str) -> int:
    """Keep a review; one of the same period is replaced. Returns its id."""
    known = tx.value(
        "SELECT report_id FROM report WHERE kind = ? AND first_day = ?",
        review.kind.value,
        review.first_day.isoformat(),
    )
    values = (review.last_day.isoformat(), to_ixdtf(review.made_at), language, review.text)
    if known is not None:
        tx.run(
            "UPDATE report SET last_day = ?, made_at = ?, language = ?, text = ? WHERE report_id = ?", *values, known
        )
        return int(known)
    return tx.insert(
        "INSERT INTO report (kind, first_day, last_day, made_at, language, text) VALUES (?, ?, ?, ?, ?, ?)",
        review.kind.value,
        review.first_day.isoformat(),
        *values,
    )


def has_review(reader: Reader, kind: ReviewKind, first_day: date, ended_at: datetime) -> bool:
    """Whether the review of a period was written after the period had ended: one of half a week is not the week's."""
    made_at = reader.value(
        "SELECT made_at FROM report WHERE kind = ? AND first_day = ?", kind.value, first_day.isoformat()
    )
    return made_at is not None and from_ixdtf(made_at) >= ended_at


def reviews(reader: Reader) -> list[Review]:
    """All reviews, newest period first, without their texts."""
    rows = reader.rows(f"SELECT {_COLUMNS} FROM report ORDER BY last_day DESC, made_at DESC")  # noqa: S608 - our names
    return [_review(row, "") for row in rows]


def review(reader: Reader, review_id: int) -> Review | None:
    """One review with its text, or None."""
    row = reader.row(f"SELECT {_COLUMNS}, text FROM report WHERE report_id = ?", review_id)  # noqa: S608 - our names
    return None if row is None else _review(row, row[5])


def _review(row: Row, text: str) -> Review:
    return Review(
        review_id=row[0],
        kind=ReviewKind(row[1]),
        first_day=date.fromisoformat(row[2]),
        last_day=date.fromisoformat(row[3]),
        made_at=from_ixdtf(row[4]),
        text=text,
    )
