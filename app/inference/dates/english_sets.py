"""What recurs, in English: "every other Friday at 9", "twice a week", "monthly", "the first Monday of each month"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.readings import DateKind, Grain
from app.inference.dates.english_context import Expression, end_of
from app.inference.dates.recurrence import WEEKEND, WORKDAYS, Recurrence

if TYPE_CHECKING:
    from app.inference.dates.english_clock import Clock, Part
    from app.inference.dates.english_context import Context, Times
    from app.inference.dates.english_tokens import Figures, Number
    from app.inference.dates.productions import Build, Row

_FREQUENCIES: dict[Grain, tuple[str, int]] = {
    Grain.SECOND: ("SECONDLY", 1),
    Grain.MINUTE: ("MINUTELY", 1),
    Grain.HOUR: ("HOURLY", 1),
    Grain.DAY: ("DAILY", 1),
    Grain.WEEK: ("WEEKLY", 1),
    Grain.MONTH: ("MONTHLY", 1),
    Grain.QUARTER: ("MONTHLY", 3),
    Grain.HALF_YEAR: ("MONTHLY", 6),
    Grain.SEASON: ("MONTHLY", 3),
    Grain.YEAR: ("YEARLY", 1),
    Grain.DECADE: ("YEARLY", 10),
    Grain.CENTURY: ("YEARLY", 100),
}
_PART_HOURS = {"morning": 9, "afternoon": 15, "evening": 19, "night": 21, "noon": 12}


def _every(_: Context, unit: Grain) -> Recurrence:
    if unit is Grain.WEEKEND:
        return Recurrence("WEEKLY", weekdays=WEEKEND)
    frequency, interval = _FREQUENCIES[unit]
    return Recurrence(frequency, interval)


def _every_few(_: Context, count: float, unit: Grain) -> Recurrence | None:
    if unit not in _FREQUENCIES or count != int(count) or not 1 <= count <= 1000:  # noqa: PLR2004
        return None
    frequency, interval = _FREQUENCIES[unit]
    return Recurrence(frequency, interval * int(count))


def _every_nth(context: Context, count: int, unit: Grain) -> Recurrence | None:
    return _every_few(context, count, unit)


def _other(context: Context, unit: Grain) -> Recurrence | None:
    return _every_few(context, 2, unit)


def _weekly(_: Context, *weekdays: int) -> Recurrence:
    return Recurrence("WEEKLY", weekdays=weekdays)


def _other_weekday(_: Context, weekday: int) -> Recurrence:
    return Recurrence("WEEKLY", 2, weekdays=(weekday,))


def _nth_weeks(_: Context, count: int, weekday: int) -> Recurrence | None:
    """Every second Tuesday."""
    return Recurrence("WEEKLY", count, weekdays=(weekday,)) if 1 < count <= 52 else None  # noqa: PLR2004


def _week_range(_: Context, first: int, last: int) -> Recurrence:
    length = (last - first) % 7 + 1
    return Recurrence("WEEKLY", weekdays=tuple((first + step) % 7 for step in range(length)))


def _workdays(_: Context) -> Recurrence:
    return Recurrence("WEEKLY", weekdays=WORKDAYS)


def _weekends(_: Context) -> Recurrence:
    return Recurrence("WEEKLY", weekdays=WEEKEND)


def _fixed(frequency: str, interval: int = 1) -> Build:
    return lambda _: Recurrence(frequency, interval)


def _times_a(_: Context, unit: Grain) -> Recurrence | None:
    found = _FREQUENCIES.get(unit)
    return None if found is None else Recurrence(*found)


def _every_part(_: Context, name: Part) -> Recurrence | None:
    hour = _PART_HOURS.get(name.name)
    return None if hour is None else Recurrence("DAILY", times=((hour, 0),))


def _weekday_part(_: Context, weekday: int, name: Part) -> Recurrence | None:
    hour = _PART_HOURS.get(name.name)
    return None if hour is None else Recurrence("WEEKLY", weekdays=(weekday,), times=((hour, 0),))


def _nth_weekday(_: Context, count: int, weekday: int) -> Recurrence | None:
    return Recurrence("MONTHLY", weekdays=(weekday,), position=count) if -1 <= count <= 5 else None  # noqa: PLR2004


def _nth_weekday_of(_: Context, count: int, weekday: int, month: int) -> Recurrence | None:
    if not -1 <= count <= 5:  # noqa: PLR2004
        return None
    return Recurrence("YEARLY", months=(month,), weekdays=(weekday,), position=count)


def _month_day(_: Context, number: int) -> Recurrence:
    return Recurrence("MONTHLY", month_days=(number,))


def _last_month_day(_: Context) -> Recurrence:
    return Recurrence("MONTHLY", month_days=(-1,))


def _yearly_on(_: Context, month_day: tuple[int, int]) -> Recurrence:
    month, number = month_day
    return Recurrence("YEARLY", months=(month,), month_days=(number,))


def _yearly_on_figures(_: Context, figures: Figures) -> Recurrence | None:
    first, second = figures.parts
    if figures.separator != "/" or (first > 12) == (second > 12) != (first == second):  # noqa: PLR2004
        return None
    return Recurrence("YEARLY", months=(min(first, second),), month_days=(max(first, second),))


def _every_month(_: Context, month: int) -> Recurrence:
    return Recurrence("YEARLY", months=(month,))


def _on_weekday(_: Context, recurrence: Recurrence, weekday: int) -> Recurrence | None:
    """Said as "Weekly on Monday"."""
    if recurrence.weekdays or recurrence.frequency in {"MONTHLY", "SECONDLY"}:
        return None  # "every second Friday" is one of two Fridays
    frequency = "WEEKLY" if recurrence.frequency == "DAILY" else recurrence.frequency
    return replace(recurrence, frequency=frequency, weekdays=(weekday,))


def _yearly_day(_: Context, recurrence: Recurrence, month_day: tuple[int, int]) -> Recurrence | None:
    """Every year on 3 March."""
    month, number = month_day
    is_plain = recurrence.frequency == "YEARLY" and not recurrence.months
    return replace(recurrence, months=(month,), month_days=(number,)) if is_plain else None


def _monthly_on(_: Context, recurrence: Recurrence, number: int) -> Recurrence | None:
    return replace(recurrence, month_days=(number,)) if recurrence.frequency == "MONTHLY" else None


def _at(_: Context, recurrence: Recurrence, clock: Clock) -> Recurrence:
    best = max(clock.hours, key=lambda hour: hour.score)
    frequency = "DAILY" if recurrence.frequency in {"HOURLY", "MINUTELY", "SECONDLY"} else recurrence.frequency
    return replace(recurrence, frequency=frequency, times=((best.hour % 24, best.minute),))


def _at_first(context: Context, clock: Clock, recurrence: Recurrence) -> Recurrence:
    return _at(context, recurrence, clock)


def _until(_: Context, recurrence: Recurrence, times: Times) -> Recurrence:
    best = max(times, key=lambda moment: moment.score + (moment.side > 0))
    last = end_of(best)
    return replace(recurrence, until=f"{last - timedelta(microseconds=1):%Y%m%d}")


def _for_times(_: Context, recurrence: Recurrence, number: Number) -> Recurrence | None:
    return replace(recurrence, count=number.value) if 1 <= number.value <= 1000 else None  # noqa: PLR2004


def _expression(_: Context, recurrence: Recurrence) -> Expression:
    return Expression(DateKind.RECURRENCE, rrule=recurrence.rrule())


def _same(_: Context, value: object) -> object:
    return value


_EVERY = "every|each"
PRODUCTIONS: tuple[Row, ...] = (
    ("set0", f"{_EVERY} single? UNIT", _every),
    ("set0", "any|per UNIT", lambda *_: None),
    ("set0", "all UNIT", lambda context, unit: _every(context, unit) if unit is Grain.WEEKEND else None),
    ("set0", f"{_EVERY} <count> UNIT", _every_few),
    ("set0", f"{_EVERY} ORDINAL UNIT", _every_nth),
    ("set0", f"{_EVERY} other|second UNIT", _other),
    ("set0", f"{_EVERY} other|second WEEKDAY", _other_weekday),
    ("set0", f"{_EVERY} ORDINAL <weekdays>", _nth_weeks),
    ("set0", f"{_EVERY} weekday|workday|weekdays", _workdays),
    ("set0", f"{_EVERY} business|working|work day", _workdays),
    ("set0", "on? weekdays|workdays", _workdays),
    ("set0", "on? the? weekends", _weekends),
    ("set0", f"{_EVERY} <weekdays> , <weekdays> ,? and|& <weekdays>", _weekly),
    ("set0", f"{_EVERY} <weekdays> <weekdays> ,? and|& <weekdays>", _weekly),
    ("set0", f"{_EVERY} <weekdays> and|&|, <weekdays>", _weekly),
    ("set0", f"{_EVERY} <weekdays> to|through|- <weekdays>", _week_range),
    ("set0", f"{_EVERY} <weekdays>", _weekly),
    ("set0", "all WEEKDAYS", _weekly),
    ("set0", "on? WEEKDAYS , WEEKDAYS ,? and|& WEEKDAYS", _weekly),
    ("set0", "on? WEEKDAYS and|&|, WEEKDAYS", _weekly),
    ("set0", "on? WEEKDAYS", _weekly),
    ("set0", f"{_EVERY} <part>", _every_part),
    ("set0", f"{_EVERY} <weekday> <part>", _weekday_part),
    ("set0", "<weekday> mornings", lambda _, number: Recurrence("WEEKLY", weekdays=(number,), times=((9, 0),))),
    ("set0", "<weekday> afternoons", lambda _, number: Recurrence("WEEKLY", weekdays=(number,), times=((15, 0),))),
    ("set0", "<weekday> evenings", lambda _, number: Recurrence("WEEKLY", weekdays=(number,), times=((19, 0),))),
    ("set0", "<weekday> nights", lambda _, number: Recurrence("WEEKLY", weekdays=(number,), times=((21, 0),))),
    ("set0", "mornings", lambda _: Recurrence("DAILY", times=((9, 0),))),
    ("set0", "daily|everyday|nightly", _fixed("DAILY")),
    ("set0", "weekly", _fixed("WEEKLY")),
    ("set0", "bi - weekly", _fixed("WEEKLY", 2)),
    ("set0", "biweekly|fortnightly", _fixed("WEEKLY", 2)),
    ("set0", f"{_EVERY} fortnight", _fixed("WEEKLY", 2)),
    ("set0", "monthly", _fixed("MONTHLY")),
    ("set0", "bimonthly", _fixed("MONTHLY", 2)),
    ("set0", "bi - monthly", _fixed("MONTHLY", 2)),
    ("set0", "quarterly", _fixed("MONTHLY", 3)),
    ("set0", "semiannually|biannually", _fixed("MONTHLY", 6)),
    ("set0", "semi|bi - annually|annual|yearly", _fixed("MONTHLY", 6)),
    ("set0", "yearly|annually", _fixed("YEARLY")),
    ("set0", "hourly", _fixed("HOURLY")),
    ("set0", "once|one|twice|thrice a|an|per|every|each UNIT", _times_a),
    ("set0", "NUMBER times a|an|per|every|each UNIT", lambda context, _, unit: _times_a(context, unit)),
    ("set0", f"the? <nth> WEEKDAY of {_EVERY} month", _nth_weekday),
    ("set0", f"on? the? <nth> WEEKDAY of {_EVERY} month", _nth_weekday),
    ("set0", f"{_EVERY} <nth> WEEKDAY of the? month", _nth_weekday),
    ("set0", f"{_EVERY} <nth> WEEKDAY of|in MONTH", _nth_weekday_of),
    ("set0", f"on? the? <dom> day? of {_EVERY} month", _month_day),
    ("set0", f"{_EVERY} <ordinalday> of the? month", _month_day),
    ("set0", f"on? the? last day of {_EVERY} month", _last_month_day),
    ("set0", f"{_EVERY} <md>", _yearly_on),
    ("set0", f"{_EVERY} DM", _yearly_on_figures),
    ("set0", f"on? <md> {_EVERY} year", _yearly_on),
    ("set0", f"{_EVERY} MONTH", _every_month),
    ("set1", "<set0> on <weekdays>", _on_weekday),
    ("set1", "<set0> <weekday>", _on_weekday),
    ("set1", "<set0> on the <dom>", _monthly_on),
    ("set1", "<set0> on? <md>", _yearly_day),
    ("set1", "<set0>", _same),
    ("set2", "<set1> ,? <timed>", _at),
    ("set2", "at <clock> <set1>", _at_first),
    ("set2", "<clock> <set1>", _at_first),
    ("set2", "<set1>", _same),
    ("set", "<set2> until|till|through <day>", _until),
    ("set", "<set2> for NUMBER times", _for_times),
    ("set", "<set2>", _same),
    ("expr", "<set>", _expression),
)
"""`set` is what recurs, as a rule of a calendar."""
