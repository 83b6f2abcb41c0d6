"""From calendar components to entries: events with their occurrences, to-dos, journal notes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.entries import Block, EventFacts, Occurrence, PersonRef, TaskFacts
from app.domain.labels import BlockKind, EntryKind, Status
from app.sources.parsing import html
from app.sources.parsing.blocks import BlockWriter, clean, one_line
from app.sources.parsing.calendar_text import CALENDAR_FAULTS
from app.sources.parsing.calendar_times import moment
from app.sources.parsing.parsed import ParsedEntry
from app.sources.parsing.plain_text import paragraphs
from app.sources.parsing.recurrence import next_due
from app.sources.parsing.recurrence_set import is_canceled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime, tzinfo

    from icalendar import Component

    from app.sources.parsing.parsed import About
    from app.sources.parsing.recurrence import Expansion
    from app.sources.parsing.recurrence_set import Series

_HTML = re.compile(r"<(?:br|p|div|html|a|b|ul|span)\b[^>]{0,500}>", re.IGNORECASE)
_MAX_PEOPLE = 200
_DONE_PERCENT = 100
# Properties that change with every export and not with the event
_VOLATILE = ("DTSTAMP", "LAST-MODIFIED", "X-WR-", "SEQUENCE")


def event_entry(series: Series, expansion: Expansion, about: About, calendar_name: str) -> ParsedEntry:
    """One event, with every occurrence inside the window."""
    first = series.first
    until = about.window[1] if expansion.is_cut else None
    location = _text(first, "LOCATION")
    was_canceled = series.is_canceled or is_canceled(first)
    occurrences = expansion.occurrences
    return ParsedEntry(
        kind=EntryKind.EVENT,
        title=_title(first, about),
        blocks=_blocks(first, series.zone, about, occurrences[:1]),
        fragment=uid_of(first),
        content_hash=content_hash([first, *series.changed], until),
        created_at=moment(first, "CREATED", series.zone),
        updated_at=_updated(first, series.zone),
        event_time=moment(first, "DTSTART", series.zone) or (occurrences[0].start if occurrences else None),
        status=Status.CANCELED if was_canceled else Status.ACTIVE,
        people=_people(first),
        event=EventFacts(location, occurrences, is_recurring=series.is_recurring, expanded_until=until),
        metadata=_metadata(first, calendar_name),
    )


def task_entry(series: Series, about: About, calendar_name: str) -> ParsedEntry:
    """One to-do; of one that comes again, the next time that is not done."""
    component, zone = series.first, series.zone
    completed = moment(component, "COMPLETED", zone)
    status = _task_status(component, has_ended=completed is not None)
    people = _people(component)
    owner = next((person.name or person.address for person in people), None)
    due = moment(component, "DUE", zone)
    if series.is_recurring and status is Status.ACTIVE and (first := due or moment(component, "DTSTART", zone)):
        due = next_due(series, about.window, first)
        status = status if due is not None else Status.DONE
    task = TaskFacts(status, due, completed, owner, _parent(component))
    entry = _plain_entry(EntryKind.TASK, component, zone, about, calendar_name)
    changed = content_hash(series.components, None) if series.changed else entry.content_hash
    return replace(entry, status=status, task=task, content_hash=changed)


def note_entry(component: Component, zone: tzinfo, about: About, calendar_name: str) -> ParsedEntry:
    """One journal entry."""
    return _plain_entry(EntryKind.NOTE, component, zone, about, calendar_name)


def _plain_entry(kind: EntryKind, component: Component, zone: tzinfo, about: About, calendar_name: str) -> ParsedEntry:
    return ParsedEntry(
        kind=kind,
        title=_title(component, about),
        blocks=_blocks(component, zone, about, ()),
        fragment=uid_of(component),
        content_hash=content_hash([component], None),
        created_at=moment(component, "CREATED", zone),
        updated_at=_updated(component, zone),
        event_time=moment(component, "DTSTART", zone) or moment(component, "DUE", zone),
        people=_people(component),
        metadata=_metadata(component, calendar_name),
    )


def uid_of(component: Component) -> str:
    """The component's UID; for one without, a name made from its content."""
    return one_line(str(component.get("UID", "")), 500) or content_hash([component], None)[:32]


def content_hash(components: Iterable[Component], until: datetime | None) -> str:
    """The hash of what components say, without what changes at every export.

    `until` is part of it where a rule was cut off: with a new window the entry has new occurrences.
    """
    lines = sorted(line for component in components for line in _canonical_lines(component))
    digest = hashlib.sha256(b"\n".join(lines))
    digest.update(str(until.year).encode() if until is not None else b"")
    return digest.hexdigest()


def _canonical_lines(component: Component) -> list[bytes]:
    """What a component says, a line for each property; what is within it (alarms) too."""
    lines = [f"BEGIN:{component.name}".encode()]
    for name, value in component.items():
        if not name.upper().startswith(_VOLATILE):
            lines += [
                f"{name.upper()}{_parameters(one)}:".encode("utf-8", "replace") + _value(one)
                for one in (value if isinstance(value, list) else [value])
            ]
    for inner in component.subcomponents:
        lines += _canonical_lines(inner)
    return lines


def _parameters(value: object) -> str:
    given = getattr(value, "params", None)
    return "".join(f";{name}={given[name]}" for name in sorted(given)) if given else ""


def _value(value: Any) -> bytes:  # noqa: ANN401 - the library's values
    try:
        return bytes(value.to_ical())
    except CALENDAR_FAULTS:
        return str(value).encode("utf-8", "replace")


def _blocks(component: Component, zone: tzinfo, about: About, when: tuple[Occurrence, ...]) -> tuple[Block, ...]:
    """What can be searched: one paragraph that says what, when, where and who, and the description."""
    writer = BlockWriter(about.limits.text_chars)
    due = moment(component, "DUE", zone)
    lines = [_text(component, "SUMMARY"), *(_when(one) for one in when)]
    lines += [due.strftime("%Y-%m-%d %H:%M")] if due is not None else []
    lines += [_text(component, "LOCATION"), ", ".join(person.name or person.address for person in _people(component))]
    writer.add(BlockKind.PARAGRAPH, "\n".join(filter(None, lines)))
    for name in ("DESCRIPTION", "COMMENT"):
        description = _text(component, name, 1_000_000, is_one_line=False)
        if _HTML.search(description):
            html.read_into(description, writer)
        else:
            for _, found in paragraphs(description):
                writer.add(BlockKind.PARAGRAPH, "\n".join(found))
    return writer.blocks


def _when(occurrence: Occurrence) -> str:
    """The time in digits, the same in every language."""
    if occurrence.is_all_day:
        return occurrence.start.strftime("%Y-%m-%d")
    same_day = occurrence.start.date() == occurrence.end.date()
    end = occurrence.end.strftime("%H:%M" if same_day else "%Y-%m-%d %H:%M")
    return f"{occurrence.start.strftime('%Y-%m-%d %H:%M')} – {end}"


def _title(component: Component, about: About) -> str:
    return _text(component, "SUMMARY") or _text(component, "DESCRIPTION", 80) or one_line(about.stem)


def _text(component: Component, name: str, limit: int = 500, *, is_one_line: bool = True) -> str:
    value = component.get(name)
    parts = [str(part) for part in (value if isinstance(value, list) else [value]) if part is not None]
    text = "\n".join(parts)
    return one_line(text, limit) if is_one_line else clean(text)[:limit]


def _updated(component: Component, zone: tzinfo) -> datetime | None:
    return moment(component, "LAST-MODIFIED", zone) or moment(component, "DTSTAMP", zone)


def _people(component: Component) -> tuple[PersonRef, ...]:
    found: dict[tuple[str, str], PersonRef] = {}
    for name, role in (("ORGANIZER", "organizer"), ("ATTENDEE", "attendee")):
        value = component.get(name)
        for one in (value if isinstance(value, list) else [value])[:_MAX_PEOPLE]:
            if one is None:
                continue
            address = one_line(re.sub(r"^mailto:", "", str(one), flags=re.IGNORECASE), 320)
            label = one_line(str(getattr(one, "params", {}).get("CN", "")), 200).strip("\"'")
            if address or label:
                found.setdefault((address.lower(), label), PersonRef(label, address if "@" in address else "", role))
    return tuple(found.values())


def _task_status(component: Component, *, has_ended: bool) -> Status:
    said = str(component.get("STATUS", "")).strip().upper()
    if said in ("CANCELLED", "CANCELED"):
        return Status.CANCELED
    try:
        percent = int(str(component.get("PERCENT-COMPLETE", 0)))
    except ValueError:
        percent = 0
    return Status.DONE if said == "COMPLETED" or has_ended or percent >= _DONE_PERCENT else Status.ACTIVE


def _parent(component: Component) -> str | None:
    value = component.get("RELATED-TO")
    for one in value if isinstance(value, list) else [value]:
        if one is not None and str(getattr(one, "params", {}).get("RELTYPE", "PARENT")).upper() == "PARENT":
            return one_line(str(one), 500) or None
    return None


def _metadata(component: Component, calendar_name: str) -> MappingProxyType[str, str]:
    found = {"uid": _text(component, "UID"), "class": _text(component, "CLASS"), "url": _text(component, "URL")}
    found["calendar"] = calendar_name
    categories = component.get("CATEGORIES")
    names = [
        str(name)
        for one in (categories if isinstance(categories, list) else [categories])
        for name in getattr(one, "cats", [])
    ]
    found["categories"] = one_line(", ".join(names), 500)
    return MappingProxyType({key: value for key, value in found.items() if value})
