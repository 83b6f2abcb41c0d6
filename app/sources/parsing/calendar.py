"""Calendars (iCalendar, RFC 5545): an entry for each event, to-do and journal note.

Everything under one UID is one entry: the master and its changed occurrences. Occurrences are materialised inside the
window that the caller gives, so that a calendar question is answered by a comparison of times.
"""

from __future__ import annotations

import warnings
from collections import defaultdict
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.domain.text import Text, counted, msg
from app.sources.parsing.blocks import distinct, one_line
from app.sources.parsing.calendar_entry import event_entry, note_entry, task_entry, uid_of
from app.sources.parsing.calendar_text import drop_broken, kept_components, read, says_nothing
from app.sources.parsing.calendar_times import bring_into, settle, zone_named
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.plain_text import decoding_warnings
from app.sources.parsing.recurrence import Expander
from app.sources.parsing.recurrence_set import Series, sequence_of

if TYPE_CHECKING:
    from datetime import tzinfo

    import icalendar
    from icalendar import Component

    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About


class _Calendar:
    """One calendar of the file, with its zone."""

    def __init__(self, calendar: icalendar.Calendar, zone: tzinfo) -> None:
        named = zone_named(str(calendar.get("X-WR-TIMEZONE", "")))
        self.zone = named or zone
        self.name = one_line(str(calendar.get("X-WR-CALNAME", "")), 200)
        self.is_canceled = str(calendar.get("METHOD", "")).strip().upper() == "CANCEL"
        self.components = kept_components(calendar)
        self.broken = sum(_mend(component) for component in self.components if component.name != "VTIMEZONE")
        for component in self.components:
            if named is not None:
                bring_into(component, named)
            settle(component, self.zone)


def _mend(component: Component) -> bool:
    """Make a component usable; returns whether something of it had to be left out."""
    return drop_broken(component) or says_nothing(component)


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read a file of one or more calendars.

    Raises:
        Unreadable: there is no calendar in it.
    """
    found, said = read(decoded.text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        calendars = [_Calendar(calendar, about.zone) for calendar in found]
    said = [*decoding_warnings(decoded), *said]
    if broken := sum(calendar.broken for calendar in calendars):
        said.append(
            counted(
                "{count} entry in it has values that make no sense; these were left out.",
                "{count} entries in it have values that make no sense; these were left out.",
                count=broken,
            )
        )
    entries = _events(calendars, about, said) + _others(calendars, about)
    if len(entries) > about.limits.entries:
        said.append(msg("Only the first {count} entries were taken in.", count=about.limits.entries))
    ends = [entry.event.expanded_until for entry in entries if entry.event is not None and entry.event.expanded_until]
    return Parsed(
        "calendar",
        _with_own_fragments(entries[: about.limits.entries]),
        warnings=distinct(said),
        expanded_until=min(ends) if ends else None,
        facts=MappingProxyType({"events": _count(calendars, "VEVENT"), "todos": _count(calendars, "VTODO")}),
    )


def _events(calendars: list[_Calendar], about: About, said: list[Text]) -> list[ParsedEntry]:
    grouped = [(series, calendar.name) for calendar in calendars for series in _series(calendar)]
    expander = Expander(about.window, about.limits.occurrences, [series for series, _ in grouped])
    entries: list[ParsedEntry] = []
    partial = 0
    for series, name in grouped[: about.limits.entries + 1]:
        expansion = expander.expand(series)
        partial += expansion.is_partial
        entries.append(event_entry(series, expansion, about, name))
    if partial:
        said.append(
            counted(
                "{count} event repeats too often or in an unknown way; not all of its dates were taken in.",
                "{count} events repeat too often or in an unknown way; not all of their dates were taken in.",
                count=partial,
            )
        )
    if expander.is_narrowed:
        said.append(msg("It holds very many recurring events; their dates were taken in for three years."))
    return entries


def _series(calendar: _Calendar) -> list[Series]:
    """The events of a calendar by UID. Two masters that share one are two events, unless one is a newer version."""
    masters: dict[str, list[Component]] = defaultdict(list)
    changed: dict[str, list[Component]] = defaultdict(list)
    for component in calendar.components:
        if component.name == "VEVENT" and not says_nothing(component):
            (changed if "RECURRENCE-ID" in component else masters)[uid_of(component)].append(component)
    found: list[Series] = []
    for uid in dict.fromkeys([*masters, *changed]):
        newest = _newest(masters[uid])
        found.extend(Series(master, (), calendar.zone, calendar.is_canceled) for master in newest[1:])
        master = newest[0] if newest else None
        found.append(Series(master, tuple(changed[uid]), calendar.zone, calendar.is_canceled))
    return found


def _newest(masters: list[Component]) -> list[Component]:
    if len(masters) < 2:  # noqa: PLR2004 - the usual case
        return masters
    latest = max(sequence_of(master) for master in masters)
    unique = {str(master.get("DTSTART")): master for master in masters if sequence_of(master) == latest}
    return list(unique.values())


def _others(calendars: list[_Calendar], about: About) -> list[ParsedEntry]:
    entries: list[ParsedEntry] = []
    for calendar in calendars:
        done: dict[str, list[Component]] = defaultdict(list)
        for component in calendar.components:
            if component.name == "VTODO" and "RECURRENCE-ID" in component:
                done[uid_of(component)].append(component)
        for component in calendar.components:
            if component.name == "VTODO" and "RECURRENCE-ID" not in component:
                series = Series(component, tuple(done[uid_of(component)]), calendar.zone)
                entries.append(task_entry(series, about, calendar.name))
            elif component.name == "VJOURNAL" and "RECURRENCE-ID" not in component:
                entries.append(note_entry(component, calendar.zone, about, calendar.name))
    return entries


def _with_own_fragments(entries: list[ParsedEntry]) -> tuple[ParsedEntry, ...]:
    """Entries that share a name get one of their own, which stays the same as long as they do."""
    unique: dict[str, ParsedEntry] = {}
    for entry in entries:
        name = entry.fragment
        if name in unique and unique[name].content_hash == entry.content_hash:
            continue
        if name in unique:
            name = f"{entry.fragment}#{entry.content_hash[:12]}"
        unique[name] = entry if name == entry.fragment else replace(entry, fragment=name)
    return tuple(unique.values())


def _count(calendars: list[_Calendar], name: str) -> int:
    return sum(component.name == name for calendar in calendars for component in calendar.components)
