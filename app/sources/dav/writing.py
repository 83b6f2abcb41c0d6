"""Writing an event or a to-do to a calendar, after the person confirmed it (L6.2).

A new one is written whole. Of one that is there, only the lines that say what changed are replaced, so that alarms,
guests and whatever Famulus does not know stay as they are. The server is asked to refuse when it changed meanwhile.
"""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.domain.errors import Refused
from app.domain.labels import EntryKind, Status
from app.domain.text import msg
from app.runtime import clock
from app.sources.parsing.blocks import whole_text

if TYPE_CHECKING:
    from app.domain.entries import Entry, Occurrence
    from app.domain.text import Text
    from app.sources.dav.client import DavClient
    from app.sources.dav.discovery import DavCollection

_FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_NAME = re.compile(r"[A-Za-z0-9-]+")
_LINE_BYTES = 73
_COMPONENT = {EntryKind.EVENT: "VEVENT", EntryKind.TASK: "VTODO"}
_TIMES = frozenset(("DTSTART", "DTEND", "DURATION"))
_STATUS = {
    (EntryKind.EVENT, Status.CANCELED): "CANCELLED",
    (EntryKind.TASK, Status.CANCELED): "CANCELLED",
    (EntryKind.TASK, Status.DONE): "COMPLETED",
}


def write_event(entry: Entry, client: DavClient, collections: list[DavCollection]) -> None:
    """Write one; a native id of this server means a change, any other a new one.

    Raises:
        Refused: it is of another kind, has no place or no time, recurs, or was changed meanwhile.
    """
    if entry.kind not in _COMPONENT:
        raise _refused(msg("Only events and to-dos are written to a calendar."))
    path = "/" + entry.native_id.partition("#")[0]
    if any(path.startswith(one.path) for one in collections):
        text = client.text(path)
        if text is None:
            raise _refused(msg("It is not at the server any more."))
        client.put(path, changed(text.data, entry).encode(), etag=text.etag or "*")
        return
    uid = str(uuid.uuid4())
    place = _place(entry, collections)
    client.put(f"{place.path}{uid}{client.flavour.suffix}", created(entry, uid).encode(), etag=None)


def created(entry: Entry, uid: str) -> str:
    """A whole calendar object with one event or to-do; raises `Refused` for an event without a time."""
    name = _COMPONENT[entry.kind]
    said = _said(entry)
    if entry.kind is EntryKind.EVENT and "DTSTART" not in said:
        raise _refused(msg("An event needs a time."))
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Famulus//Famulus//EN", f"BEGIN:{name}", f"UID:{uid}"]
    lines += [f"DTSTAMP:{_utc(clock.now())}", *said.values(), f"END:{name}", "END:VCALENDAR", ""]
    return "\r\n".join(map(_folded, lines))


def changed(old: bytes, entry: Entry) -> str:
    """The object with new lines for what changed; raises `Refused` for what recurs, or is not of one piece."""
    try:
        lines = _LINE_END.split(_FOLD.sub("", old.decode("utf-8")))
    except UnicodeDecodeError:
        raise _refused(msg("What is at the server cannot be changed safely.")) from None
    name = _COMPONENT[entry.kind]
    begins = [index for index, line in enumerate(lines) if line.strip().upper() == f"BEGIN:{name}"]
    ends = [index for index, line in enumerate(lines) if line.strip().upper() == f"END:{name}"]
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise _refused(msg("It recurs, with exceptions; change it in the calendar's own program."))
    first, last = begins[0] + 1, ends[0]
    said = _said(entry)
    if any(_key(line) in {"RRULE", "RDATE"} for line in lines[first:last]) and _TIMES & set(said):
        raise _refused(msg("It recurs; change its time in the calendar's own program."))
    kept = _without(
        lines[first:last], {*said, *(_TIMES if "DTSTART" in said else ()), "DTSTAMP", "LAST-MODIFIED", "SEQUENCE"}
    )
    sequence = next((line for line in lines[first:last] if _key(line) == "SEQUENCE"), "SEQUENCE:0")
    number = sequence.rpartition(":")[2].strip()
    count = int(number[:6]) + 1 if number.isascii() and number.isdigit() else 1
    stamps = [f"DTSTAMP:{_utc(clock.now())}", f"LAST-MODIFIED:{_utc(clock.now())}", f"SEQUENCE:{count}"]
    return "\r\n".join(map(_folded, [*lines[:first], *stamps, *said.values(), *kept, *lines[last:]]))


def _without(lines: list[str], names: set[str]) -> list[str]:
    """The lines but those of some properties; alarms and the like within keep all of theirs."""
    kept: list[str] = []
    depth = 0
    for line in lines:
        key = _key(line)
        depth += 1 if key == "BEGIN" else 0
        if depth or key not in names:
            kept.append(line)
        depth -= 1 if key == "END" else 0
    return kept


def _said(entry: Entry) -> dict[str, str]:
    """What an entry says, as lines by property."""
    said = {"SUMMARY": f"SUMMARY:{_escaped(entry.title)}"}
    occurrences = entry.event.occurrences if entry.event is not None else ()
    if entry.event is not None and not entry.event.is_recurring and occurrences:
        said |= _times(occurrences[0])
    if entry.event is not None and entry.event.location:
        said["LOCATION"] = f"LOCATION:{_escaped(entry.event.location)}"
    if entry.task is not None and entry.task.due_at is not None:
        said["DUE"] = f"DUE:{_utc(entry.task.due_at)}"
    status = entry.task.status if entry.task is not None else entry.status
    if status is not None and (word := _STATUS.get((entry.kind, status))) is not None:
        said["STATUS"] = f"STATUS:{word}"
    if entry.task is not None and entry.task.status is Status.DONE:
        said["COMPLETED"] = f"COMPLETED:{_utc(entry.task.completed_at or clock.now())}"
    if "description" in entry.metadata or not entry.native_id:
        said["DESCRIPTION"] = f"DESCRIPTION:{_escaped(entry.metadata.get('description') or whole_text(entry.blocks))}"
    return said


def _times(one: Occurrence) -> dict[str, str]:
    if one.is_all_day:
        days = {"DTSTART": one.start, "DTEND": one.end}
        return {name: f"{name};VALUE=DATE:{day:%Y%m%d}" for name, day in days.items()}
    return {"DTSTART": f"DTSTART:{_utc(one.start)}", "DTEND": f"DTEND:{_utc(one.end)}"}


def _place(entry: Entry, collections: list[DavCollection]) -> DavCollection:
    """The calendar that the entry names, else the first one that takes such entries."""
    wanted = entry.metadata.get("calendar", "").casefold()
    fitting = [one for one in collections if not one.components or _COMPONENT[entry.kind] in one.components]
    named = [one for one in fitting if wanted and one.name.casefold() == wanted]
    if not fitting or (wanted and not named):
        raise _refused(msg("There is no calendar that takes it."))
    return (named or fitting)[0]


def _key(line: str) -> str:
    match = _NAME.match(line)
    return match[0].upper() if match is not None else ""


def _utc(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """A text as a value; what is no character of a text (control characters) becomes a space."""
    kept = "".join(character if character.isprintable() or character == "\n" else " " for character in text)
    return kept.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> str:
    """A line of any length in pieces of 75 bytes at most (RFC 5545, 3.1); no character is cut apart."""
    pieces, held, size = [], "", 0
    for character in line:
        width = len(character.encode("utf-8", "replace"))
        if size + width > _LINE_BYTES:
            pieces.append(held)
            held, size = "", 0
        held += character
        size += width
    return "\r\n ".join([*pieces, held])


def _refused(what: Text) -> Refused:
    return Refused(
        what,
        lost=msg("Nothing was written."),
        next_step=msg("Change it in the program of the calendar."),
    )
