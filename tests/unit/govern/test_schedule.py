"""When a source is looked at again (L6.2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.domain.collecting import SyncState
from app.govern.schedule import LONGEST_BACK_OFF, is_due, next_attempt
from tests.unit.store.makers import source_info

NOW = datetime(2025, 5, 12, 9, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)
SOURCE = replace(source_info(), state=SyncState.IDLE, last_sync_at=NOW - timedelta(minutes=31))


def test_failures_double_the_wait_up_to_a_day() -> None:
    waits = [next_attempt(NOW, failures, HALF_HOUR) - NOW for failures in (1, 2, 3, 50)]
    assert waits == [HALF_HOUR, 2 * HALF_HOUR, 4 * HALF_HOUR, LONGEST_BACK_OFF]


def test_a_server_that_names_a_time_is_not_asked_before() -> None:
    later = NOW + timedelta(hours=3)
    assert next_attempt(NOW, 1, HALF_HOUR, later) == later
    assert next_attempt(NOW, 1, HALF_HOUR, NOW) == NOW + HALF_HOUR


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"last_sync_at": None}, True),
        ({"last_sync_at": NOW - timedelta(minutes=29)}, False),
        ({"is_paused": True}, False),
        ({"state": SyncState.SYNCING}, False),
        ({"failures": 2, "next_sync_at": NOW + timedelta(minutes=1)}, False),
        ({"failures": 2, "next_sync_at": NOW}, True),
    ],
)
def test_due(changes: dict[str, object], *, expected: bool) -> None:
    assert is_due(replace(SOURCE, **changes), NOW, HALF_HOUR) is expected


def test_a_saving_device_holds_back() -> None:
    assert not is_due(SOURCE, NOW, HALF_HOUR, is_held_back=True)
