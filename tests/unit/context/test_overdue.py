"""When a to-do is late (G2.6)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from app.context.stated import overdue_from

SHANGHAI = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("due", "late"),
    [
        (datetime(2025, 5, 14, tzinfo=SHANGHAI), datetime(2025, 5, 15, tzinfo=SHANGHAI)),
        (datetime(2025, 5, 14, 17, 30, tzinfo=SHANGHAI), datetime(2025, 5, 14, 17, 30, tzinfo=SHANGHAI)),
    ],
)
def test_a_day_is_not_over_while_it_lasts(due: datetime, late: datetime) -> None:
    assert overdue_from(due) == late
