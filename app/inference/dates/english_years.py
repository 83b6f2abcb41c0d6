"""Years, decades and centuries in English: "2026", "next year", "the nineties", "the 15th century"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.readings import Grain
from app.inference.dates import calendar
from app.inference.dates.english_context import (
    Context,
    Distance,
    Times,
    one,
)
from app.inference.dates.english_shifts import after_next, shifted

if TYPE_CHECKING:
    from app.inference.dates.english_tokens import Number
    from app.inference.dates.productions import Row


def _year(_: Context, number: int) -> Times:
    return one(calendar.year(number))


def short_year(context: Context, number: Number) -> Times | None:
    """A year in two digits."""
    return one(calendar.year(full_year(context, number.value))) if number.digits == 2 else None  # noqa: PLR2004


def _calendar_year(context: Context, number: int) -> Times:
    return one(calendar.year(full_year(context, number) if number < 100 else number))  # noqa: PLR2004


def _year_in(context: Context, length: Distance) -> Times | None:
    if length.unit is not Grain.YEAR or not length.count:
        return None
    return one(calendar.year(context.today.year + length.count))


def _year_ago(context: Context, length: Distance) -> Times | None:
    if length.unit is not Grain.YEAR or not length.count:
        return None
    return one(calendar.year(context.today.year - length.count))


def _decade(_: Context, number: int) -> Times | None:
    return one(calendar.years(number, 10, Grain.DECADE)) if number % 10 == 0 else None


def short_decade(context: Context, number: Number | int) -> Times | None:
    """The eighties, 80s: the last that has begun."""
    value = number if isinstance(number, int) else number.value
    if value % 10 or value >= 100 or (not isinstance(number, int) and number.digits != 2):  # noqa: PLR2004
        return None
    base = context.today.year // 100 * 100
    first = base + value if base + value <= context.today.year else base - 100 + value
    return one(calendar.years(first, 10, Grain.DECADE))


def _century_decade(_: Context, number: Number, decade: int) -> Times | None:
    return one(calendar.years(number.value * 100 + decade, 10, Grain.DECADE)) if 10 <= number.value <= 20 else None  # noqa: PLR2004


def _century(_: Context, number: int) -> Times:
    """The 15th century is 1400 to 1499 for most, 1401 to 1500 for the strict."""
    return one(calendar.years(max(1, (number - 1) * 100), 100, Grain.CENTURY))


PRODUCTIONS: tuple[Row, ...] = (
    ("yearof", "the? calendar? year of? YEAR", _year),
    ("yearof", "YEAR a . d|ad|ce .?", _year),
    ("yearof", "YEAR ad|ce?", _year),
    ("yearof", "the? <shift> year|yr", lambda context, shift: shifted(context, shift, Grain.YEAR)),
    ("yearof", "' SHORT", short_year),
    ("yearof", "CYNUMBER", _calendar_year),
    ("yearin", "in <length>", _year_in),
    ("yearin", "<length> from now", _year_in),
    ("yearin", "<length> ago", _year_ago),
    ("yearin", "the? year after next", lambda context: after_next(context, Grain.YEAR)),
    ("decade", "the? YEAR 's", _decade),
    ("decade", "the? YEAR '? s", _decade),
    ("decade", "the ' SHORT '?s", short_decade),
    ("decade", "' SHORT s", short_decade),
    ("decade", "the SHORT s|'s", short_decade),
    ("decade", "the SHORT ' s", short_decade),
    ("decade", "NUMBER DECADENAME", _century_decade),
    ("decade", "the DECADENAME", short_decade),
    ("century", "the? ORDINAL century", _century),
)  # fmt: skip


def full_year(context: Context, number: int) -> int:
    """A year in two digits: up to twenty years ahead, else of the century before."""
    base = context.today.year // 100 * 100
    return base + number if base + number <= context.today.year + 20 else base - 100 + number
