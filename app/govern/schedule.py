"""When a source is looked at again without being asked: after an interval, later after failures, not while paused.

Pure rules; `famulus.house` asks them every minute.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.collecting import SyncState

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.collecting import SourceInfo

LONGEST_BACK_OFF = timedelta(days=1)
_MOST_DOUBLINGS = 12


def next_attempt(now: datetime, failures: int, interval: timedelta, retry_at: datetime | None = None) -> datetime:
    """When to try again after so many failures in a row: the interval, doubled with each one, a day at most.

    Args:
        retry_at: when the server said to come back; not earlier than that.
    """
    wait: timedelta = min(interval * 2 ** min(max(failures - 1, 0), _MOST_DOUBLINGS), LONGEST_BACK_OFF)
    return now + wait if retry_at is None else max(now + wait, retry_at)


def is_due(info: SourceInfo, now: datetime, interval: timedelta, *, is_held_back: bool = False) -> bool:
    """Whether a source is to be collected now.

    Args:
        is_held_back: whether the device's battery or network asks for less work now.
    """
    if info.is_paused or is_held_back or info.state is SyncState.SYNCING:
        return False
    if info.next_sync_at is not None and info.failures:
        return info.next_sync_at <= now
    return info.last_sync_at is None or info.last_sync_at + interval <= now
