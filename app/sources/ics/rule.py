"""A recurrence rule as it is written (RFC 5545, 3.3.10), read into a value and checked.

Only reading. When it happens is the work of `rule_instances`. A rule that the standard forbids is refused, with the
part that is wrong; a trailing semicolon, X- parts and lower case are let pass, since calendars in use write them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput
from app.domain.text import Text, msg

if TYPE_CHECKING:
    from collections.abc import Callable

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_LONGEST_TEXT = 4_000
_MOST_VALUES = 1_000
_MOST = 10_000_000


class Frequency(IntEnum):
    """From the rarest to the most frequent."""

    YEARLY = 0
    MONTHLY = 1
    WEEKLY = 2
    DAILY = 3
    HOURLY = 4
    MINUTELY = 5
    SECONDLY = 6


class Skip(StrEnum):
    """What becomes of a day that a month lacks (RFC 7529)."""

    OMIT = "OMIT"
    BACKWARD = "BACKWARD"
    FORWARD = "FORWARD"


@dataclass(frozen=True, slots=True)
class NumberedDay:
    """A weekday (0 is Monday), or with a number the nth of its period, -1 the last."""

    weekday: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """A recurrence rule.

    Attributes:
        until: the last instant, in the wall-clock time of the start; inclusive.
        week_start: 0 is Monday.
        months, week_numbers, year_days, month_days, days, hours, minutes, seconds, positions: the BY parts; empty:
            not said.
    """

    frequency: Frequency
    interval: int = 1
    count: int | None = None
    until: datetime | None = None
    week_start: int = 0
    months: tuple[int, ...] = ()
    week_numbers: tuple[int, ...] = ()
    year_days: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    days: tuple[NumberedDay, ...] = ()
    hours: tuple[int, ...] = ()
    minutes: tuple[int, ...] = ()
    seconds: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    skip: Skip = Skip.OMIT


# Part: the field, the least and the greatest value, whether negative ones are allowed
_NUMBERS = {
    "BYMONTH": ("months", 1, 12, False),
    "BYWEEKNO": ("week_numbers", 1, 53, True),
    "BYYEARDAY": ("year_days", 1, 366, True),
    "BYMONTHDAY": ("month_days", 1, 31, True),
    "BYHOUR": ("hours", 0, 23, False),
    "BYMINUTE": ("minutes", 0, 59, False),
    "BYSECOND": ("seconds", 0, 60, False),
    "BYSETPOS": ("positions", 1, 366, True),
}
_INTEGER = re.compile(r"[+-]?\d{1,8}\Z", re.ASCII)
_DAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)\Z", re.ASCII)
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?\Z", re.ASCII)


def read_rule(text: str) -> Rule:
    """Read a rule such as "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10".

    Raises:
        BadInput: it is no rule, or one that RFC 5545 forbids, or one of another calendar than the Gregorian (RFC 7529).
    """
    parts = _parts(text)
    fields: dict[str, Any] = {"frequency": _frequency(parts.pop("FREQ", ""))}
    for name, value in parts.items():
        fields |= _field(name, value)
    rule = Rule(**fields)
    _check(rule)
    return rule


def read_moment(text: str) -> datetime | date:
    """Read "20260131", "20260131T090000" or "20260131T090000Z" as wall-clock time.

    Raises:
        BadInput: it is none.
    """
    match = _MOMENT.match(text.strip().upper())
    if match is None:
        raise _bad(msg("“{value}” is no date or time of a calendar.", value=text[:40]))
    try:
        day = date(int(match[1]), int(match[2]), int(match[3]))
        if match[4] is None:
            return day
        # A leap second is taken for the second before it
        return datetime.combine(day, time(int(match[4]), int(match[5]), min(int(match[6]), 59)))
    except ValueError:
        raise _bad(msg("“{value}” is no date or time of a calendar.", value=text[:40])) from None


def _parts(text: str) -> dict[str, str]:
    if len(text) > _LONGEST_TEXT:
        raise _bad(msg("The recurrence rule is too long."))
    parts: dict[str, str] = {}
    for part in text.strip().upper().removeprefix("RRULE:").split(";"):
        if not part.strip():
            continue
        name, is_there, value = part.strip().partition("=")
        if not is_there or name in parts:
            raise _bad(msg("“{part}” is no part of a recurrence rule, or stands twice.", part=part[:40]))
        parts[name] = value
    return parts


def _frequency(value: str) -> Frequency:
    if value not in Frequency.__members__:
        raise _bad(msg("A recurrence rule needs a frequency, FREQ=YEARLY to SECONDLY."))
    return Frequency[value]


def _field(name: str, value: str) -> dict[str, Any]:
    """The field of a rule that a part fills; none for a part that says nothing."""
    if name in _NUMBERS:
        return {_NUMBERS[name][0]: _numbers(name, value)}
    read = _READERS.get(name)
    if read is not None:
        return read(value)
    if name.startswith("X-"):
        return {}
    raise _unknown(name, value)


def _days(value: str) -> dict[str, Any]:
    return {"days": tuple(dict.fromkeys(_day(one) for one in _listed("BYDAY", value)))}


def _until(value: str) -> dict[str, Any]:
    moment = read_moment(value)
    return {"until": moment if isinstance(moment, datetime) else datetime.combine(moment, time.max)}


def _week_start(value: str) -> dict[str, Any]:
    if value not in WEEKDAYS:
        raise _unknown("WKST", value)
    return {"week_start": WEEKDAYS.index(value)}


def _skip(value: str) -> dict[str, Any]:
    if value not in Skip.__members__:
        raise _unknown("SKIP", value)
    return {"skip": Skip[value]}


def _scale(value: str) -> dict[str, Any]:
    if value != "GREGORIAN":
        raise _bad(msg("Rules of the calendar “{name}” are not supported.", name=value[:40]))
    return {}


_READERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "BYDAY": _days,
    "INTERVAL": lambda value: {"interval": _integer("INTERVAL", value, 1, _MOST)},
    "COUNT": lambda value: {"count": _integer("COUNT", value, 1, _MOST)},
    "UNTIL": _until,
    "WKST": _week_start,
    "SKIP": _skip,
    "RSCALE": _scale,
}


def _unknown(name: str, value: str) -> BadInput:
    return _bad(msg("“{part}” is no part of a recurrence rule, or stands twice.", part=f"{name}={value}"[:40]))


def _listed(name: str, value: str) -> list[str]:
    values = value.split(",")
    if len(values) > _MOST_VALUES:
        raise _out_of_range(name)
    return values


def _numbers(name: str, value: str) -> tuple[int, ...]:
    _, least, greatest, has_negatives = _NUMBERS[name]
    numbers = set()
    for one in _listed(name, value):
        number = _integer(name, one, -greatest if has_negatives else least, greatest)
        if abs(number) < least:
            raise _out_of_range(name)
        numbers.add(number)
    return tuple(sorted(numbers))


def _integer(name: str, value: str, least: int, greatest: int) -> int:
    if _INTEGER.match(value) is None or not least <= int(value) <= greatest:
        raise _out_of_range(name)
    return int(value)


def _day(value: str) -> NumberedDay:
    match = _DAY.match(value)
    if match is None or (match[1] is not None and not 1 <= abs(int(match[1])) <= 53):  # noqa: PLR2004 - weeks of a year
        raise _out_of_range("BYDAY")
    return NumberedDay(WEEKDAYS.index(match[2]), int(match[1] or 0))


def _check(rule: Rule) -> None:
    """What RFC 5545 forbids together."""
    has_numbered = any(day.number for day in rule.days)
    forbidden = {
        "COUNT": rule.count is not None and rule.until is not None,
        "BYWEEKNO": bool(rule.week_numbers) and rule.frequency is not Frequency.YEARLY,
        "BYYEARDAY": bool(rule.year_days) and rule.frequency in {Frequency.DAILY, Frequency.WEEKLY, Frequency.MONTHLY},
        "BYMONTHDAY": bool(rule.month_days) and rule.frequency is Frequency.WEEKLY,
        "BYDAY": has_numbered and (rule.frequency > Frequency.MONTHLY or bool(rule.week_numbers)),
        "BYSETPOS": bool(rule.positions) and not _has_parts(rule),
    }
    for name, is_forbidden in forbidden.items():
        if is_forbidden:
            raise _bad(msg("{name} may not stand in such a recurrence rule (RFC 5545).", name=name))


def _has_parts(rule: Rule) -> bool:
    return any(
        (
            rule.months,
            rule.week_numbers,
            rule.year_days,
            rule.month_days,
            rule.days,
            rule.hours,
            rule.minutes,
            rule.seconds,
        )
    )


def _out_of_range(name: str) -> BadInput:
    return _bad(msg("The value of {name} is outside what RFC 5545 allows.", name=name))


def _bad(what: Text) -> BadInput:
    return BadInput(what, next_step=msg("Correct the rule in the calendar it comes from."))
