"""When a recurrence rule happens (RFC 5545, with the SKIP of RFC 7529): its instances in order, within bounds.

Wall-clock times: the zone is the caller's. Where the standard leaves room:

- The start is an instance only if the rule yields it.
- BYWEEKNO without BYDAY means the weekday of the start. Its periods are week-years: the first one is the week-year of
  the start if something of it is left from the start on, else the calendar year.
- BYSETPOS counts in the whole period that the start lies in, also what is before the start.
"""

from __future__ import annotations

import calendar as _months
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from app.domain.errors import BadInput
from app.domain.text import msg
from app.runtime import clock
from app.sources.ics.rule import Frequency, NumberedDay, Rule, Skip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_INSTANCES = 10_000
MOST_EMPTY_PERIODS = 20_000
MOST_A_PERIOD = 100_000
MOST_SECONDS = 1.2
_DAY = timedelta(days=1)
_STEP = {
    Frequency.HOURLY: timedelta(hours=1),
    Frequency.MINUTELY: timedelta(minutes=1),
    Frequency.SECONDLY: timedelta(seconds=1),
}


def instances(rule: Rule, start: datetime, limit: int = MOST_INSTANCES) -> list[datetime]:
    """The instances from the start on, at most `limit`; of a rule without an end those found in `MOST_SECONDS`.

    Raises:
        BadInput: the rule yields nothing for so long, or so much at once, that it cannot be meant.
    """
    found: list[datetime] = []
    empty = 0
    last_s = clock.monotonic_s() + MOST_SECONDS
    if limit <= 0:
        return found
    for moment in stream(rule, start):
        if clock.monotonic_s() > last_s:
            if found and rule.count is None and rule.until is None:
                return found
            raise _never()
        empty = 0 if moment is not None else empty + 1
        if empty > MOST_EMPTY_PERIODS:
            raise _never()
        if moment is not None:
            found.append(moment)
        if len(found) == limit:
            return found
    if not found and rule.until is None:
        raise _never()
    return found


def stream(rule: Rule, start: datetime, since: datetime | None = None) -> Iterator[datetime | None]:
    """The instances from the start on, lazily and in order; None for each period that has none.

    A caller that counts these can stop waiting for a rule that yields next to nothing.

    Args:
        since: what is before it need not be told, and a rule that counts nothing is not stepped through until then.

    Raises:
        BadInput: a period of it yields too much.
    """
    left = rule.count
    last: datetime | None = None
    for period in _periods(rule, start, since if left is None else None):
        is_empty = True
        for moment in period:
            # A day moved by SKIP may be one that the next month has of itself
            if moment < start or (last is not None and moment <= last):
                continue
            if rule.until is not None and moment > rule.until:
                return
            last, is_empty = moment, False
            yield moment
            if left is not None:
                left -= 1
                if not left:
                    return
        if is_empty:
            yield None


def _periods(rule: Rule, start: datetime, since: datetime | None) -> Iterator[list[datetime]]:
    """The moments of each period in order; ends with the rule's own end, or that of the calendar (the year 9999)."""
    try:
        if rule.frequency in _STEP:
            yield from _short_periods(rule, start, since)
        else:
            times = _times(rule, start)
            for first, days in _day_periods(rule, start, since):
                # A week or a week-year may begin some days after what it holds
                if rule.until is not None and datetime.combine(first, time.min) - rule.until > _DAY * 7:
                    return
                yield _with_times(rule, days, times)
    except (ValueError, OverflowError):
        # The calendar ends
        return


def _passed_over(distance: int, interval: int) -> int:
    """How far to go at once, in whole turns, so that something before the goal is still looked at."""
    return max(0, (distance - 2) // interval) * interval


def _chosen(rule: Rule, count: int) -> Sequence[int]:
    """Which of so many moments of a period the rule means: those of BYSETPOS, or all."""
    if not rule.positions:
        return range(count)
    indexes = {position - 1 if position > 0 else count + position for position in rule.positions}
    return sorted(index for index in indexes if 0 <= index < count)


def _times(rule: Rule, start: datetime) -> list[time]:
    """The times of day that a rule of days, weeks, months or years means."""
    hours = rule.hours or (start.hour,)
    minutes = rule.minutes or (start.minute,)
    seconds = tuple(second for second in rule.seconds if second < 60) or (start.second,)  # noqa: PLR2004 - leap second
    if len(hours) * len(minutes) * len(seconds) > MOST_A_PERIOD:
        raise _never()
    return [time(hour, minute, second) for hour in hours for minute in minutes for second in seconds]


def _with_times(rule: Rule, days: Sequence[date], times: Sequence[time]) -> list[datetime]:
    if len(days) * len(times) > MOST_A_PERIOD:
        raise _never()
    if not rule.positions:
        return [datetime.combine(day, at) for day in days for at in times]
    chosen = _chosen(rule, len(days) * len(times))
    return [datetime.combine(days[index // len(times)], times[index % len(times)]) for index in chosen]


def _day_periods(rule: Rule, start: datetime, since: datetime | None) -> Iterator[tuple[date, list[date]]]:
    """The first day and the chosen days of each year, month, week or day."""
    if rule.frequency is Frequency.YEARLY:
        year = _first_year(rule, start)
        year += _passed_over(since.year - year, rule.interval) if since is not None else 0
        while True:
            yield date(year, 1, 1), _days_of_year(rule, year, start)
            year += rule.interval
    elif rule.frequency is Frequency.MONTHLY:
        index = start.year * 12 + start.month - 1
        index += _passed_over(since.year * 12 + since.month - 1 - index, rule.interval) if since is not None else 0
        while True:
            year, month = index // 12, index % 12 + 1
            yield date(year, month, 1), _days_of_month(rule, year, month, start)
            index += rule.interval
    else:
        yield from _weeks_or_days(rule, start, since)


def _weeks_or_days(rule: Rule, start: datetime, since: datetime | None) -> Iterator[tuple[date, list[date]]]:
    is_weekly = rule.frequency is Frequency.WEEKLY
    first, length = start.date(), 1
    if is_weekly:
        first, length = _week_start(first, rule.week_start), 7
    if since is not None:
        first += _DAY * length * _passed_over((since.date() - first).days // length, rule.interval)
    step = _DAY * length * rule.interval
    wanted = _shifts(rule, start) if is_weekly else None
    while True:
        if wanted is not None:
            yield first, [first + shift for shift in wanted]
        else:
            days = (first + _DAY * shift for shift in range(min(length, (date.max - first).days + 1)))
            yield first, [day for day in days if _is_chosen_day(rule, day, start)]
        first += step


def _shifts(rule: Rule, start: datetime) -> list[timedelta] | None:
    """The days of every week alike, from its first one on; None where the weeks differ."""
    if rule.months or rule.month_days or rule.year_days:
        return None
    weekdays = {one.weekday for one in rule.days} or {start.weekday()}
    return [_DAY * shift for shift in range(7) if (rule.week_start + shift) % 7 in weekdays]


def _is_chosen_day(rule: Rule, day: date, start: datetime) -> bool:
    """Whether a day passes the parts of a rule that only limit (of weeks, days and shorter periods)."""
    if rule.months and day.month not in rule.months:
        return False
    if rule.month_days and not _is_month_day(rule.month_days, day):
        return False
    if rule.year_days and not _is_year_day(rule.year_days, day):
        return False
    if rule.days:
        return any(one.weekday == day.weekday() for one in rule.days)
    return rule.frequency is not Frequency.WEEKLY or day.weekday() == start.weekday()


def _is_month_day(wanted: tuple[int, ...], day: date) -> bool:
    return day.day in wanted or day.day - _length(day.year, day.month) - 1 in wanted


def _is_year_day(wanted: tuple[int, ...], day: date) -> bool:
    number = (day - date(day.year, 1, 1)).days + 1
    return number in wanted or number - _year_length(day.year) - 1 in wanted


def _days_of_month(rule: Rule, year: int, month: int, start: datetime) -> list[date]:
    if rule.months and month not in rule.months:
        return []
    if rule.month_days or not rule.days:
        days = _month_days(rule, year, month, rule.month_days or (start.day,))
        return [day for day in days if not rule.days or _matches(rule.days, day, *_month_bounds(year, month))]
    first, last = _month_bounds(year, month)
    return _numbered(rule.days, first, last)


def _days_of_year(rule: Rule, year: int, start: datetime) -> list[date]:
    if rule.week_numbers:
        return _days_of_weeks(rule, year, start)
    if rule.year_days:
        days = _year_days(rule.year_days, year)
        days = [day for day in days if not rule.months or day.month in rule.months]
        days = [day for day in days if not rule.month_days or _is_month_day(rule.month_days, day)]
        return [day for day in days if not rule.days or _matches(rule.days, day, *_bounds_for(rule, day))]
    if rule.month_days or not rule.days:
        months = rule.months or (tuple(range(1, 13)) if rule.month_days else (start.month,))
        days = [day for month in months for day in _month_days(rule, year, month, rule.month_days or (start.day,))]
        return [day for day in days if not rule.days or _matches(rule.days, day, *_bounds_for(rule, day))]
    if rule.months:
        return [day for month in rule.months for day in _numbered(rule.days, *_month_bounds(year, month))]
    return _numbered(rule.days, date(year, 1, 1), date(year, 12, 31))


def _bounds_for(rule: Rule, day: date) -> tuple[date, date]:
    """In what a numbered weekday counts: the month where months are named, else the year."""
    return _month_bounds(day.year, day.month) if rule.months else (date(day.year, 1, 1), date(day.year, 12, 31))


def _days_of_weeks(rule: Rule, year: int, start: datetime) -> list[date]:
    """The days of the numbered weeks of a week-year, which may lie in the calendar year before or after."""
    first, after = _week_year(year, rule.week_start), _week_year(year + 1, rule.week_start)
    count = (after - first).days // 7
    numbers = {number if number > 0 else count + 1 + number for number in rule.week_numbers}
    weekdays = {one.weekday for one in rule.days}
    if not rule.days and not rule.month_days and not rule.year_days:
        weekdays = {start.weekday()}
    days = [
        first + _DAY * (7 * (number - 1) + shift)
        for number in sorted(numbers)
        if 1 <= number <= count
        for shift in range(7)
    ]
    days = [day for day in days if not weekdays or day.weekday() in weekdays]
    days = [day for day in days if not rule.months or day.month in rule.months]
    days = [day for day in days if not rule.month_days or _is_month_day(rule.month_days, day)]
    return [day for day in days if not rule.year_days or _is_year_day(rule.year_days, day)]


def _first_year(rule: Rule, start: datetime) -> int:
    if not rule.week_numbers:
        return start.year
    times = _times(rule, start)
    for year in (start.year - 1, start.year, start.year + 1):
        if _week_year(year, rule.week_start) <= start.date() < _week_year(year + 1, rule.week_start):
            has_more = any(moment >= start for moment in _with_times(rule, _days_of_weeks(rule, year, start), times))
            return year if has_more else start.year
    return start.year


def _week_year(year: int, week_start: int) -> date:
    """The first day of week 1: the first week that has four days in the year."""
    return _week_start(date(year, 1, 4), week_start)


def _week_start(day: date, week_start: int) -> date:
    return day - _DAY * ((day.weekday() - week_start) % 7)


def _month_bounds(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, _length(year, month))


def _month_days(rule: Rule, year: int, month: int, numbers: Sequence[int]) -> list[date]:
    """Days of a month by their numbers; one that it lacks is left out or moved (RFC 7529)."""
    length = _length(year, month)
    days = set()
    for number in numbers:
        day = number if number > 0 else length + 1 + number
        if 1 <= day <= length:
            days.add(date(year, month, day))
        elif rule.skip is Skip.BACKWARD:
            days.add(date(year, month, length) if day > length else date(year, month, 1) - _DAY)
        elif rule.skip is Skip.FORWARD:
            days.add(date(year, month, length) + _DAY if day > length else date(year, month, 1))
    return sorted(days)


def _year_days(numbers: Sequence[int], year: int) -> list[date]:
    length = _year_length(year)
    found = {number if number > 0 else length + 1 + number for number in numbers}
    return [date(year, 1, 1) + _DAY * (number - 1) for number in sorted(found) if 1 <= number <= length]


def _numbered(days: Sequence[NumberedDay], first: date, last: date) -> list[date]:
    """All named weekdays between two days, or the nth of them, from the front or the back."""
    found: set[date] = set()
    for day in days:
        every = [
            first + _DAY * shift for shift in range((day.weekday - first.weekday()) % 7, (last - first).days + 1, 7)
        ]
        if not day.number:
            found.update(every)
        elif abs(day.number) <= len(every):
            found.add(every[day.number - 1 if day.number > 0 else day.number])
    return sorted(found)


def _matches(days: Sequence[NumberedDay], day: date, first: date, last: date) -> bool:
    """Whether a day is one of the named weekdays, or the nth of them between two days."""
    weekday = day.weekday()
    numbers = {one.number for one in days if one.weekday == weekday}
    from_front, from_back = (day - first).days // 7 + 1, (last - day).days // 7 + 1
    return 0 in numbers or from_front in numbers or -from_back in numbers


def _length(year: int, month: int) -> int:
    return _months.monthrange(year, month)[1]


def _year_length(year: int) -> int:
    return 366 if _months.isleap(year) else 365


def _short_periods(rule: Rule, start: datetime, since: datetime | None) -> Iterator[list[datetime]]:
    """Hours, minutes or seconds, one by one; what a day or an hour rules out is passed over at once."""
    step = _STEP[rule.frequency] * rule.interval
    at = start
    if since is not None and since - _DAY > at:
        at += step * ((since - _DAY - at) // step)
    while True:
        if rule.until is not None and at.replace(minute=0, second=0) > rule.until:
            return
        landing = _ruled_out_until(rule, at)
        if landing is None:
            yield _within(rule, at)
            at += step
        else:
            yield []
            at += step * max(1, -(-(landing - at) // step))


def _ruled_out_until(rule: Rule, at: datetime) -> datetime | None:
    """Where the next day, hour or minute begins when this one is not of the rule; None when it is."""
    if not _is_chosen_day(rule, at.date(), at):
        return datetime.combine(_next_candidate(rule, at.date()), time.min)
    if rule.hours and at.hour not in rule.hours:
        return _next_of(rule.hours, at.hour, at.replace(hour=0, minute=0, second=0), timedelta(hours=1))
    if rule.frequency >= Frequency.MINUTELY and rule.minutes and at.minute not in rule.minutes:
        return _next_of(rule.minutes, at.minute, at.replace(minute=0, second=0), timedelta(minutes=1))
    if rule.frequency is Frequency.SECONDLY and rule.seconds and at.second not in rule.seconds:
        return _next_of(rule.seconds, at.second, at.replace(second=0), timedelta(seconds=1))
    return None


def _next_of(values: tuple[int, ...], value: int, base: datetime, unit: timedelta) -> datetime:
    """The next named hour of a day (minute of an hour, second of a minute), or the end of it when there is none."""
    whole = 24 if unit == timedelta(hours=1) else 60
    return base + unit * next((one for one in values if one > value), whole)


def _next_candidate(rule: Rule, day: date) -> date:
    """The day after, or the first of the next month when the month is not of the rule."""
    if rule.months and day.month not in rule.months:
        return date(day.year, day.month, _length(day.year, day.month)) + _DAY
    return day + _DAY


def _within(rule: Rule, at: datetime) -> list[datetime]:
    minutes = rule.minutes if rule.minutes and rule.frequency is Frequency.HOURLY else (at.minute,)
    seconds = rule.seconds if rule.seconds and rule.frequency is not Frequency.SECONDLY else (at.second,)
    seconds = tuple(second for second in seconds if second < 60)  # noqa: PLR2004 - leap second
    return [
        at.replace(minute=minutes[index // len(seconds)], second=seconds[index % len(seconds)])
        for index in _chosen(rule, len(minutes) * len(seconds))
    ]


def _never() -> BadInput:
    return BadInput(
        msg("The recurrence rule yields nothing for a very long time, or far too much at once."),
        next_step=msg("Correct the rule in the calendar it comes from."),
    )
