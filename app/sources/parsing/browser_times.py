"""Times as browsers keep them: numbers since an epoch of their own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from app.sources.parsing.dates import read_instant, storable

if TYPE_CHECKING:
    from datetime import tzinfo

_UNIX = datetime(1970, 1, 1, tzinfo=UTC)
_WINDOWS = datetime(1601, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM, _MICROSECONDS_FROM = 10**11, 10**14
_LOG_TIME = "%d/%b/%Y:%H:%M:%S %z"


def since_1601(microseconds: int, zone: tzinfo) -> datetime | None:
    """Chromium's times; None for none."""
    return _moved(_WINDOWS, microseconds, zone)


def since_1970(microseconds: int, zone: tzinfo) -> datetime | None:
    """Firefox's times; None for none."""
    return _moved(_UNIX, microseconds, zone)


def read_added(text: str, zone: tzinfo) -> datetime | None:
    """The time in an exported bookmark: seconds since 1970 (or finer, by its size), or written out."""
    text = text.strip()[:60]
    if text.isascii() and text.isdigit():
        number = int(text)
        unit = 1_000_000 if number < _MILLISECONDS_FROM else 1_000 if number < _MICROSECONDS_FROM else 1
        return since_1970(number * unit, zone)
    try:
        return storable(datetime.strptime(text, _LOG_TIME), zone)  # noqa: DTZ007 - the format has %z
    except ValueError:
        return read_instant(text, zone)


def _moved(epoch: datetime, microseconds: int, zone: tzinfo) -> datetime | None:
    if microseconds <= 0:
        return None
    try:
        return storable((epoch + timedelta(microseconds=microseconds)).astimezone(zone), zone)
    except (OverflowError, ValueError):
        return None
