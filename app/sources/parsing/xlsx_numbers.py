"""What a number in a spreadsheet stands for: a date, a time, a share, or itself (ECMA-376 part 1, 18.8.30-31)."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from enum import Enum

# Numbers of the formats that every program knows without being told; 27-36 and 50-58 are those of East Asia
_DATES = frozenset((*range(14, 18), 22, *range(27, 32), 36, *range(50, 55), 57, 58))
_TIMES = frozenset((*range(18, 22), *range(32, 36), 45, 46, 47, 55, 56))
_SHARES = frozenset((9, 10))
_QUIET = re.compile(r'"[^"]{0,200}"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]{0,100}\]', re.IGNORECASE)
_MAX_FORMAT_CHARS = 500
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - a sheet knows no zones
# Lotus took 1900 for a leap year, and Excel followed: its first 59 days are one off
_LOTUS_DAYS = 60
_MAX_SERIAL = 2_958_465
_DIGITS = 15


class NumberKind(Enum):
    """What the format of a cell makes of its number."""

    PLAIN = "plain"
    DATE = "date"
    TIME = "time"
    SHARE = "share"


def kind_of(format_id: int, code: str | None) -> NumberKind:
    """The kind by a format's number, and by its code where the file has one for it."""
    if code is None:
        known = ((_DATES, NumberKind.DATE), (_TIMES, NumberKind.TIME), (_SHARES, NumberKind.SHARE))
        return next((kind for numbers, kind in known if format_id in numbers), NumberKind.PLAIN)
    spoken = _QUIET.sub("", code[:_MAX_FORMAT_CHARS].partition(";")[0]).lower()
    if "general" in spoken or "@" in spoken:
        return NumberKind.PLAIN
    if any(mark in spoken for mark in "yd") or ("m" in spoken and "h" not in spoken and "s" not in spoken):
        return NumberKind.DATE
    if any(mark in spoken for mark in "hs"):
        return NumberKind.TIME
    return NumberKind.SHARE if "%" in spoken else NumberKind.PLAIN


def shown(text: str, kind: NumberKind, *, is_1904: bool) -> str:
    """A stored number as words: dates and times as ISO 8601; what is no number stays as it is."""
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    if kind is NumberKind.SHARE:
        return f"{_plain(number * 100)}%"
    if kind in (NumberKind.DATE, NumberKind.TIME) and 0 <= number < _MAX_SERIAL:
        return _moment(number, kind, is_1904=is_1904)
    return text if len(text) <= _DIGITS and text.isdigit() else _plain(number)


def _moment(serial: float, kind: NumberKind, *, is_1904: bool) -> str:
    days, seconds = divmod(round(serial * 86_400), 86_400)
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}" + (f":{seconds % 60:02d}" if seconds % 60 else "")
    if days == 0 and not is_1904:
        return clock
    if kind is NumberKind.TIME and days < 366:  # noqa: PLR2004 - a duration, not a day of 1900
        return f"{days * 24 + seconds // 3600}{clock[2:]}"
    epoch = _EPOCH_1904 if is_1904 else _EPOCH_1900
    day = epoch + timedelta(days=days + (not is_1904 and days < _LOTUS_DAYS))
    return day.date().isoformat() + (f" {clock}" if seconds else "")


def _plain(number: float) -> str:
    """As few digits as a sheet shows: 0.1 + 0.2 is 0.3."""
    text = f"{number:.{_DIGITS}g}"
    if "e" not in text:
        return text
    return str(int(number)) if number.is_integer() and abs(number) < 1e21 else text  # noqa: PLR2004 - then powers of ten
