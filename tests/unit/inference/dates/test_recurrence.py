"""Rules of recurrence as RFC 5545 writes them."""

from __future__ import annotations

import pytest

from app.inference.dates.recurrence import WEEKEND, Recurrence


@pytest.mark.parametrize(
    ("recurrence", "rule"),
    [
        (Recurrence("DAILY"), "FREQ=DAILY"),
        (Recurrence("WEEKLY", 2, weekdays=(4, 0, 4)), "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"),
        (Recurrence("WEEKLY", weekdays=WEEKEND, times=((9, 30),)), "FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR=9;BYMINUTE=30"),
        (Recurrence("MONTHLY", weekdays=(1,), position=-1), "FREQ=MONTHLY;BYDAY=-1TU"),
        (Recurrence("MONTHLY", month_days=(-1,)), "FREQ=MONTHLY;BYMONTHDAY=-1"),
        (Recurrence("YEARLY", months=(9,), month_days=(3,), count=5), "FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=3;COUNT=5"),
        (Recurrence("DAILY", until="20261231"), "FREQ=DAILY;UNTIL=20261231"),
    ],
)
def test_rules(recurrence: Recurrence, rule: str) -> None:
    assert recurrence.rrule() == rule
