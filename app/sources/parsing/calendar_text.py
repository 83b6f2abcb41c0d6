"""From the text of a calendar file to components; one broken component does not lose the others."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

import icalendar
from icalendar.parser import Contentline
from icalendar.prop.broken import vBroken

from app.domain.text import Text, counted, msg
from app.sources.parsing.refusals import damaged

if TYPE_CHECKING:
    from collections.abc import Iterator

# What the library raises on calendars that it does not expect
CALENDAR_FAULTS = (
    *(ValueError, TypeError, IndexError, KeyError, AttributeError, LookupError, AssertionError),
    *(OverflowError, RecursionError, NotImplementedError, ArithmeticError),
)
_FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_TZID = re.compile(r"TZID=\"?([^\":;,]+)")
_KEPT = frozenset(("VEVENT", "VTODO", "VJOURNAL", "VTIMEZONE"))
_IDENTITY = frozenset(("UID", "DTSTAMP", "SEQUENCE", "CREATED", "LAST-MODIFIED"))
_MAX_DEPTH = 8
# So many take about five seconds, well within the time that a file may take
MOST = 10_000
_ENTRIES = frozenset(("VEVENT", "VTODO", "VJOURNAL"))
_START = re.compile(r"(?:DTSTART|DUE)[^:]{0,200}:(\d{8})", re.IGNORECASE | re.ASCII)
_START_WITHIN = 200
_ALWAYS = "99999999"


def read(text: str) -> tuple[list[icalendar.Calendar], list[Text]]:
    """All calendars in a file, and what had to be left out.

    Raises:
        Unreadable: there is no calendar in it.
    """
    text, was_cut = cut_down(text)
    said = [msg("It holds very many entries; the latest {count} were taken in.", count=MOST)] if was_cut else []
    with warnings.catch_warnings():
        # the library warns of guessed zones; the guess is right more often than none
        warnings.simplefilter("ignore")
        try:
            calendars = [_as_calendar(found) for found in icalendar.Calendar.from_ical(text, multiple=True)]
        except CALENDAR_FAULTS:
            calendars = []
        if calendars:
            return calendars, said
        calendars, more = _piecewise(text)
        return calendars, [*said, *more]


def cut_down(text: str, most: int = MOST) -> tuple[str, bool]:
    """A calendar with the latest of its entries, where it has more than can be read in time; else as it is.

    What recurs, and what has no start, counts as late.
    """
    if text.count("BEGIN:V") <= most:
        return text, False
    pieces = list(_components(_LINE_END.split(_FOLD.sub("", text))))
    entries = [(index, _latest_day(lines)) for index, lines in enumerate(pieces) if _name(lines) in _ENTRIES]
    if len(entries) <= most:
        return text, False
    dropped = {index for index, _ in sorted(entries, key=lambda one: one[1])[: len(entries) - most]}
    head = next((lines[1:] for lines in pieces if lines[0] == "BEGIN:VCALENDAR"), [])
    kept = [line for index, lines in enumerate(pieces) if index not in dropped for line in _without_head(lines)]
    return "\r\n".join(["BEGIN:VCALENDAR", *head, *kept, "END:VCALENDAR", ""]), True


def _without_head(lines: list[str]) -> list[str]:
    return [] if lines[0] == "BEGIN:VCALENDAR" else lines


def _latest_day(lines: list[str]) -> str:
    starts = [match[1] for line in lines[:_START_WITHIN] if (match := _START.match(line)) is not None]
    recurs = any(line[:5].upper() in {"RRULE", "RDATE"} for line in lines[:_START_WITHIN])
    return _ALWAYS if recurs or not starts else starts[0]


def _as_calendar(found: icalendar.Component) -> icalendar.Calendar:
    """A calendar, also around a component that stands in a file by itself."""
    if isinstance(found, icalendar.Calendar):
        return found
    calendar = icalendar.Calendar()
    calendar.add_component(found)
    return calendar


def kept_components(calendar: icalendar.Calendar) -> list[icalendar.Component]:
    """The events, to-dos and notes of a calendar, also those in a calendar within it."""
    return [component for component in calendar.walk() if component.name in _KEPT]


def says_nothing(component: icalendar.Component) -> bool:
    """Whether nothing is left of a component that could be asked for."""
    return not {name.upper() for name in component} - _IDENTITY


def drop_broken(component: icalendar.Component) -> bool:
    """Remove the properties whose values make no sense; returns whether there were any."""
    was_broken = False
    for name in list(component.keys()):
        value = component[name]
        values = value if isinstance(value, list) else [value]
        sound = [one for one in values if not isinstance(one, vBroken)]
        if len(sound) < len(values):
            was_broken = True
            if sound:
                component[name] = sound if len(sound) > 1 else sound[0]
            else:
                del component[name]
    return was_broken


def _piecewise(text: str) -> tuple[list[icalendar.Calendar], list[Text]]:
    """Read each component by itself, and keep those that can be read."""
    head: list[str] = []
    pieces: list[list[str]] = []
    for piece in _components(_LINE_END.split(_FOLD.sub("", text))):
        if piece[0].upper() == "BEGIN:VCALENDAR":
            head.extend(piece[1:])
        else:
            pieces.append(piece)
    if not pieces:
        raise damaged("iCalendar")
    zones = {zone: lines for lines in pieces if (zone := _zone_of(lines)) and _calendar([], [], lines) is not None}
    calendars: list[icalendar.Calendar] = []
    broken = 0
    for lines in pieces:
        if _name(lines) == "VTIMEZONE":
            continue
        named = {match for line in lines for match in _TZID.findall(line)}
        needed = [line for zone in named if zone in zones for line in zones[zone]]
        calendar = _calendar(head, needed, lines) or _calendar([], needed, _sound_lines(lines))
        if calendar is None or all(map(says_nothing, kept_components(calendar))):
            broken += 1
        else:
            calendars.append(calendar)
    if not calendars:
        raise damaged("iCalendar")
    return calendars, [
        counted(
            "{count} damaged entry in it was left out.", "{count} damaged entries in it were left out.", count=broken
        )
    ] if broken else []


def _components(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each component that is kept, BEGIN to END; and those of the calendar itself."""
    head = ["BEGIN:VCALENDAR"]
    held: list[str] = []
    open_names: list[str] = []
    for line in lines:
        key, _, value = line.strip().partition(":")
        name = value.strip().upper()
        if key.upper() == "BEGIN" and (open_names or name in _KEPT) and len(open_names) < _MAX_DEPTH:
            open_names.append(name)
            held.append(line)
        elif key.upper() == "END" and name in open_names:
            # an inner component that was never ended ends here too
            depth = len(open_names) - open_names[::-1].index(name) - 1
            held.extend(f"END:{inner}" for inner in reversed(open_names[depth:]))
            del open_names[depth:]
            if not open_names:
                yield held
                held = []
        elif open_names and line.strip():
            held.append(line)
        elif not open_names and key.upper() in ("X-WR-TIMEZONE", "X-WR-CALNAME", "METHOD"):
            head.append(line)
    if open_names:
        yield held + [f"END:{name}" for name in reversed(open_names)]
    yield head


def _calendar(head: list[str], zones: list[str], lines: list[str]) -> icalendar.Calendar | None:
    text = "\r\n".join(["BEGIN:VCALENDAR", *head, *zones, *lines, "END:VCALENDAR", ""])
    try:
        calendar = icalendar.Calendar.from_ical(text)
    except CALENDAR_FAULTS:
        return None
    return _as_calendar(calendar)


def _sound_lines(lines: list[str]) -> list[str]:
    """Without the lines that cannot be taken apart into a name and a value."""
    return [line for line in lines if _is_sound(line)]


def _is_sound(line: str) -> bool:
    try:
        Contentline(line).parts()  # type: ignore[no-untyped-call]
    except CALENDAR_FAULTS:
        return False
    return True


def _name(lines: list[str]) -> str:
    return lines[0].partition(":")[2].strip().upper()


def _zone_of(lines: list[str]) -> str:
    if _name(lines) != "VTIMEZONE":
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.upper().startswith("TZID")), "")
