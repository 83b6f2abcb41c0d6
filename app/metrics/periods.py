"""The article's review cycles: which days a review is of (G7). Weeks begin on Monday."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from app.domain.metrics import ReviewKind
from app.metrics.rates import monday_of
from app.metrics.report import Days

if TYPE_CHECKING:
    from datetime import tzinfo

_MONTHS = {ReviewKind.MONTHLY: 1, ReviewKind.QUARTERLY: 3}


def period_of(kind: ReviewKind, day: date, zone: tzinfo) -> Days:
    """The week, month or quarter that holds a day."""
    if kind is ReviewKind.WEEKLY:
        first = monday_of(day)
        return Days(first, first + timedelta(days=6), zone)
    months = _MONTHS[kind]
    first = date(day.year, (day.month - 1) // months * months + 1, 1)
    count = first.year * 12 + first.month - 1 + months
    return Days(first, date(count // 12, count % 12 + 1, 1) - timedelta(days=1), zone)


def last_ended(kind: ReviewKind, today: date, zone: tzinfo) -> Days:
    """The latest period that is over."""
    return period_of(kind, period_of(kind, today, zone).first - timedelta(days=1), zone)
