"""Dates as documents write them about themselves: never guessed from the running text."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_FIRST_YEAR, _LAST_YEAR = 1000, 9000
_ISO_LIKE = re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T\s]+(.*))?")
_PDF = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:Z|([+-])(\d\d)'?(\d\d)?'?)?")
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")


def storable(instant: datetime | None, zone: tzinfo) -> datetime | None:
    """An aware time that every later step can take, or None for one out of range."""
    if instant is None or not _FIRST_YEAR <= instant.year <= _LAST_YEAR:
        return None
    try:
        aware = instant if instant.utcoffset() is not None else instant.replace(tzinfo=zone)
        aware.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
    return aware


def read_instant(value: object, zone: tzinfo) -> datetime | None:
    """A date or time from front matter, a meta element or the like; None when it is neither."""
    if isinstance(value, datetime):
        return storable(value, zone)
    if isinstance(value, date):
        return storable(datetime.combine(value, time.min), zone)
    if not isinstance(value, str):
        return None
    text = value.strip()[:60]
    try:
        return storable(datetime.fromisoformat(text), zone)
    except ValueError:
        return _read_loosely(text, zone)


def _read_loosely(text: str, zone: tzinfo) -> datetime | None:
    """Year, month and day with other marks between them: 2025/5/14, 2025年5月14日 10:30."""
    match = _ISO_LIKE.fullmatch(text)
    if match is None:
        return None
    try:
        day = date(int(match[1]), int(match[2]), int(match[3]))
        clock = time.fromisoformat((match[4] or "00:00").strip())
    except ValueError:
        return None
    return storable(datetime.combine(day, clock), zone)


def read_pdf_date(text: str, zone: tzinfo) -> datetime | None:
    """A date as PDF writes it (ISO 32000-1, 7.9.4): D:20250514103000+08'00'."""
    match = _PDF.match(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) if part else 0 for part in match.groups()[:6])
    offset: tzinfo = zone
    if match[7] is not None:
        minutes = int(match[8]) * 60 + int(match[9] or 0)
        offset = _fixed(-minutes if match[7] == "-" else minutes)
    try:
        return storable(datetime(year, month or 1, day or 1, hour, minute, min(second, 59), tzinfo=offset), zone)
    except ValueError:
        return None


def zone_name(zone: tzinfo, at: datetime) -> str:
    """A zone as text for the parse process: its name where it has one, else its offset at an instant."""
    if isinstance(zone, ZoneInfo) and zone.key:
        return zone.key
    minutes = round((at.astimezone(zone).utcoffset() or timedelta()).total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def zone_by_name(name: str) -> tzinfo:
    """Read what `zone_name` made; raises ValueError for anything else."""
    if match := _OFFSET.fullmatch(name):
        minutes = int(match[2]) * 60 + int(match[3])
        return _fixed(-minutes if match[1] == "-" else minutes)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError) as error:
        raise ValueError("not a time zone") from error


def _fixed(minutes: int) -> tzinfo:
    """An offset from UTC; one beyond a day is taken as none."""
    return timezone(timedelta(minutes=minutes)) if abs(minutes) < 24 * 60 else UTC
