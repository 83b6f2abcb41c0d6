"""Times: ISO 8601 with offset everywhere (G2.2), in one sortable text in the database.

The stored form is RFC 9557 (IXDTF): the instant in UTC, and the original offset in brackets, as in
`2025-05-10T01:00:00.000000Z[+08:00]`. Stored texts sort by instant.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache

_OFFSET = re.compile(r"Z\[(?P<sign>[+-])(?P<hours>\d\d):(?P<minutes>\d\d)\]")
_OFFSET_LENGTH = len("Z[+08:00]")


def to_ixdtf(instant: datetime) -> str:
    """Write an aware datetime; raises ValueError for a naive one."""
    offset = instant.utcoffset()
    if offset is None:
        raise ValueError("a time without an offset cannot be stored")
    minutes = round(offset.total_seconds() / 60)
    sign = "-" if minutes < 0 else "+"
    utc = instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")
    # strftime does not pad years below 1000 on every platform
    return f"{utc.rjust(26, '0')}Z[{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}]"


def from_ixdtf(text: str) -> datetime:
    """Read what `to_ixdtf` wrote; raises ValueError for anything else."""
    offset = _offset(text[-_OFFSET_LENGTH:])
    utc = datetime.fromisoformat(text[:-_OFFSET_LENGTH] + "+00:00")
    return utc if offset is UTC else utc.astimezone(offset)


@lru_cache(maxsize=64)
def _offset(text: str) -> timezone:
    """The offset that a stored time ends with: a person's times have few, and every passage has several times."""
    match = _OFFSET.fullmatch(text)
    if match is None:
        raise ValueError("not an IXDTF time")
    minutes = int(match["hours"]) * 60 + int(match["minutes"])
    return timezone(timedelta(minutes=-minutes if match["sign"] == "-" else minutes)) if minutes else UTC


def to_iso(instant: datetime) -> str:
    """ISO 8601 with offset, to the second, as people and other programs see it."""
    return instant.replace(microsecond=0).isoformat()


def parse_iso(text: str, zone: tzinfo) -> datetime:
    """Read an ISO 8601 date or time; one without an offset is in `zone`. Raises ValueError."""
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=zone)


def day_span(day: date, zone: tzinfo) -> tuple[datetime, datetime]:
    """The first instant of a day, and the first instant of the next one."""
    start = datetime.combine(day, time.min, zone)
    return start, datetime.combine(day + timedelta(days=1), time.min, zone)
