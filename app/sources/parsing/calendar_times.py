"""The times of calendar components: zones by whatever name, floating times, whole days."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import TYPE_CHECKING, Any, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from icalendar.prop import vDDDLists, vDDDTypes
from icalendar.timezone import tzp

from app.sources.parsing.calendar_text import CALENDAR_FAULTS
from app.sources.parsing.dates import storable

if TYPE_CHECKING:
    from icalendar import Component

_OFFSET = re.compile(r"\(?(?:UTC|GMT)\s*([+-])(\d{1,2}):?(\d\d)?\b", re.IGNORECASE)
_CITY = re.compile(r"([A-Za-z_]+/[A-Za-z_+\-]+(?:/[A-Za-z_]+)?)\s*$")
_SINGLE = ("DTSTART", "DTEND", "DUE", "COMPLETED", "RECURRENCE-ID", "CREATED", "LAST-MODIFIED", "DTSTAMP")
_LISTS = ("EXDATE", "RDATE")


def zone_named(name: str) -> tzinfo | None:
    """A zone by its IANA name, its Windows name, a path that ends in a name, or an offset; None for an unknown one."""
    name = name.strip().strip('"')
    if (known := _known(name)) is not None:
        return known
    if match := _OFFSET.match(name):
        minutes = int(match[2]) * 60 + int(match[3] or 0)
        return timezone(timedelta(minutes=-minutes if match[1] == "-" else minutes)) if minutes < 24 * 60 else None
    if match := _CITY.search(name):
        try:
            return ZoneInfo(match[1])
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return None
    return None


def _known(name: str) -> tzinfo | None:
    try:
        return cast("tzinfo | None", tzp.timezone(name))
    except CALENDAR_FAULTS:
        return None


def bring_into(component: Component, zone: tzinfo) -> None:
    """Bring times in UTC into the zone that a calendar names the Google way, so that they recur by its clock."""
    for name in ("DTSTART", "DTEND", "DUE", "RECURRENCE-ID"):
        value = component.get(name)
        if isinstance(value, vDDDTypes) and (moved := _moved(value.dt, zone)) is not None:
            component[name] = vDDDTypes(moved, value.params)
    for name in _LISTS:
        lists = component.get(name)
        if isinstance(lists, vDDDLists):
            component[name] = _moved_list(lists, zone)
        elif isinstance(lists, list):
            component[name] = [_moved_list(one, zone) for one in lists if isinstance(one, vDDDLists)]


def _moved_list(value: vDDDLists, zone: tzinfo) -> vDDDLists:
    return vDDDLists([_moved(one.dt, zone) or one.dt for one in value.dts])


def _moved(value: object, zone: tzinfo) -> datetime | None:
    if not isinstance(value, datetime) or value.tzinfo is None or value.utcoffset() != timedelta(0):
        return None
    if storable(value, zone) is None or value.tzname() != "UTC":
        return None
    return value.astimezone(zone)


def settle(component: Component, zone: tzinfo) -> None:
    """Give every time of a component a zone: the named one, else the calendar's (times that float)."""
    for name in _SINGLE:
        value = component.get(name)
        if isinstance(value, vDDDTypes) and (settled := _settled(value.dt, value.params, zone)) is not None:
            made = vDDDTypes(settled)
            if "RANGE" in value.params:
                made.params["RANGE"] = value.params["RANGE"]
            component[name] = made
        elif isinstance(value, list) and value:
            component[name] = value[0]
            settle(component, zone)
    for name in _LISTS:
        value = component.get(name)
        lists = value if isinstance(value, list) else [value]
        if any(isinstance(one, vDDDLists) for one in lists):
            component[name] = [_settled_list(one, zone) for one in lists if isinstance(one, vDDDLists)]


def _settled_list(value: vDDDLists, zone: tzinfo) -> vDDDLists:
    return vDDDLists([_settled(one.dt, value.params, zone) or one.dt for one in value.dts])


def _settled(value: Any, parameters: Any, zone: tzinfo) -> datetime | None:  # noqa: ANN401 - the library's values
    """The time with a zone where it lacks one; None when it may stay as it is."""
    if not isinstance(value, datetime) or value.tzinfo is not None:
        return None
    named = parameters.get("TZID") if parameters else None
    return value.replace(tzinfo=(zone_named(str(named)) if named else None) or zone)


def moment(component: Component, name: str, zone: tzinfo) -> datetime | None:
    """A property as an aware time; a whole day is its first instant. None when it is missing or makes no sense."""
    value = component.get(name)
    return as_instant(getattr(value, "dt", None), zone)


def as_instant(value: object, zone: tzinfo) -> datetime | None:
    """A date or time as an aware time."""
    if isinstance(value, datetime):
        return storable(value, zone)
    if isinstance(value, date):
        return storable(datetime.combine(value, time.min), zone)
    return None


def is_whole_day(component: Component) -> bool:
    """Whether an event begins with a date and not with a time."""
    value = getattr(component.get("DTSTART"), "dt", None)
    return isinstance(value, date) and not isinstance(value, datetime)


def end_of(component: Component, start: datetime, zone: tzinfo, *, is_all_day: bool) -> datetime:
    """When an event ends (RFC 5545, section 3.6.1): its end, its duration, a day for a whole day, else at once."""
    end = moment(component, "DTEND", zone)
    if end is None:
        duration = getattr(component.get("DURATION"), "dt", None)
        if isinstance(duration, timedelta):
            end = _later(start, duration)
        elif is_all_day:
            end = _later(start, timedelta(days=1))
    return end if end is not None and end.astimezone(UTC) >= start.astimezone(UTC) else start


def _later(start: datetime, duration: timedelta) -> datetime | None:
    try:
        return storable(start + duration, UTC)
    except OverflowError:
        return None
