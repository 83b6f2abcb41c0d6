"""Times as people say them: "4 days ago", "tomorrow", "Wednesday 14 May", "09:30-10:30"."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDate

from app.domain.text import Text, msg

if TYPE_CHECKING:
    from datetime import timedelta

    from app.domain.context_item import AgendaItem
    from app.ui.wording import Wording

_ISO_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)")
_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_DAY: Final = "day"
"""The place of a sentence that is filled with a day; what else looks like one may be the title of a note."""
_MINUTES_AN_HOUR: Final = 60
_HOURS_A_DAY: Final = 24
_MANY_DAYS: Final = 14
_MANY_WEEKS_IN_DAYS: Final = 60
_MANY_MONTHS_IN_DAYS: Final = 730


def age(then: datetime, now: datetime) -> Text:
    """How long ago, or in how long, rounded down to what people say; days are calendar days of `now`'s zone."""
    then = then.astimezone(now.tzinfo)
    days = (now.date() - then.date()).days
    if days == 0:
        return _within_the_day(now - then)
    if abs(days) == 1:
        return msg("yesterday") if days == 1 else msg("tomorrow")
    return _past(days) if days > 0 else _coming(-days)


def wait(then: datetime, now: datetime) -> Text:
    """In how long something happens, rounded up."""
    minutes = max(1, -int((now - then).total_seconds() // 60))
    if minutes < _MINUTES_AN_HOUR:
        return msg("in {count} min", count=minutes)
    return msg("in {count} h", count=-(-minutes // _MINUTES_AN_HOUR))


def _within_the_day(passed: timedelta) -> Text:
    minutes = int(passed.total_seconds() // 60)
    if minutes < 0:
        return msg("today")
    if minutes < 1:
        return msg("just now")
    if minutes < _MINUTES_AN_HOUR:
        return msg("{count} min ago", count=minutes)
    return msg("{count} h ago", count=minutes // _MINUTES_AN_HOUR)


def _past(days: int) -> Text:
    if days < _MANY_DAYS:
        return msg("{count} days ago", count=days)
    if days < _MANY_WEEKS_IN_DAYS:
        return msg("{count} weeks ago", count=days // 7)
    if days < _MANY_MONTHS_IN_DAYS:
        return msg("{count} months ago", count=days // 30)
    return msg("{count} years ago", count=days // 365)


def _coming(days: int) -> Text:
    if days < _MANY_DAYS:
        return msg("in {count} days", count=days)
    if days < _MANY_WEEKS_IN_DAYS:
        return msg("in {count} weeks", count=days // 7)
    if days < _MANY_MONTHS_IN_DAYS:
        return msg("in {count} months", count=days // 30)
    return msg("in {count} years", count=days // 365)


def day_heading(day: date, today: date, wording: Wording) -> str:
    """The weekday with the date; before it "Today" or "Tomorrow" where it is."""
    distance = (day - today).days
    written = written_day(day, wording)
    if distance == 0:
        return wording.say(msg("Today, {day}", day=written))
    if distance == 1:
        return wording.say(msg("Tomorrow, {day}", day=written))
    return written


def written_day(day: date, wording: Wording) -> str:
    """The weekday and the day of the month, in the language's own order."""
    form = "M月d日 dddd" if wording.is_chinese else "dddd d MMMM"
    return wording.locale.toString(QDate(day.year, day.month, day.day), form)


def reason_in_words(reason: Text, wording: Wording) -> str:
    """Why something is no longer so, or late, in the person's language and their way of writing days."""
    return wording.say(with_readable_times(reason, wording))


def with_readable_times(text: Text, wording: Wording) -> Text:
    """A sentence of the core, whose times and days are ISO 8601, with them as people write them."""
    values = {name: _readable(name, value, wording) for name, value in text.values.items()}
    return Text(text.template, values) if values else text


def _readable(name: str, value: object, wording: Wording) -> object:
    if isinstance(value, Text):
        return with_readable_times(value, wording)
    if not isinstance(value, str):
        return value
    if name == _DAY and _ISO_DAY.fullmatch(value):
        return written_date(date.fromisoformat(value), wording)
    if not _ISO_TIME.fullmatch(value):
        return value
    instant = datetime.fromisoformat(value)
    return f"{written_day(instant.date(), wording)} {clock_time(instant)}"


def clock_time(instant: datetime) -> str:
    """Hours and minutes."""
    return f"{instant:%H:%M}"


def time_of(item: AgendaItem, now: datetime, wording: Wording) -> str:
    """When on its day an event or a task is: "09:30-10:30", "all day", "by 17:00"."""
    if item.start is None:
        return wording.say(msg("no date"))
    if item.is_all_day:
        return wording.say(msg("all day"))
    start = clock_time(item.start.astimezone(now.tzinfo))
    if item.end is None or item.end == item.start:
        return start
    return f"{start}\N{EN DASH}{clock_time(item.end.astimezone(now.tzinfo))}"


def written_date(day: date, wording: Wording) -> str:
    """The day of the month with its year, in the language's own order."""
    form = "yyyy年M月d日" if wording.is_chinese else "d MMMM yyyy"
    return wording.locale.toString(QDate(day.year, day.month, day.day), form)


def short_day(day: date, wording: Wording) -> str:
    """The day and the month alone, as a chart has room for."""
    form = "M月d日" if wording.is_chinese else "d MMM"
    return wording.locale.toString(QDate(day.year, day.month, day.day), form)
