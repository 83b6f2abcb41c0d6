"""Weeks, months and quarters (G7)."""

from __future__ import annotations

from datetime import UTC, date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.metrics import ReviewKind
from app.metrics.periods import last_ended, period_of

DAYS = st.dates(date(1000, 1, 1), date(8999, 12, 31))


@pytest.mark.parametrize(
    ("kind", "first", "last"),
    [
        (ReviewKind.WEEKLY, date(2025, 12, 29), date(2026, 1, 4)),
        (ReviewKind.MONTHLY, date(2025, 12, 1), date(2025, 12, 31)),
        (ReviewKind.QUARTERLY, date(2025, 10, 1), date(2025, 12, 31)),
    ],
)
def test_the_period_that_holds_a_day(kind, first, last):
    days = period_of(kind, date(2025, 12, 31), UTC)
    assert (days.first, days.last) == (first, last)


@given(st.sampled_from(ReviewKind), DAYS)
def test_periods_follow_each_other_without_a_gap(kind, day):
    days = period_of(kind, day, UTC)
    assert days.first <= day <= days.last
    assert period_of(kind, days.last + timedelta(days=1), UTC).first == days.last + timedelta(days=1)
    before = last_ended(kind, day, UTC)
    assert before.last + timedelta(days=1) == days.first
    assert before == period_of(kind, before.first, UTC)


@given(DAYS)
def test_as_many_days_before(day):
    days = period_of(ReviewKind.QUARTERLY, day, UTC)
    assert days.before.last + timedelta(days=1) == days.first
    assert days.before.last - days.before.first == days.last - days.first
    assert days.before.span.until == days.span.since
