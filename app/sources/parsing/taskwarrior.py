"""Taskwarrior's tasks: what `task export` prints, `pending.data` and `completed.data` of 2.x, the database of 3.x.

A task is known by its UUID. The template of a recurring task is none itself, its instances are; what was deleted is
taken as cancelled.
"""

from __future__ import annotations

import json
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.labels import Status
from app.domain.text import msg
from app.sources.parsing import program_text
from app.sources.parsing.browser_times import since_1970
from app.sources.parsing.database_tables import text as text_of
from app.sources.parsing.parsed import Parsed
from app.sources.parsing.plain_text import decoding_warnings
from app.sources.parsing.task_entry import Task, entry_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from app.domain.text import Text
    from app.sources.parsing.database_tables import Tables
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About, ParsedEntry

    Fields = Mapping[str, Any]

_UUID = re.compile(r"[0-9a-fA-F-]{8,40}")
_PAIR = re.compile(r'([A-Za-z_][\w.-]{0,60}):"([^"\n]*)"')
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z")
_STATUSES = {
    "pending": Status.ACTIVE,
    "waiting": Status.ACTIVE,
    "completed": Status.DONE,
    "deleted": Status.CANCELED,
}
# How 2.x writes what would end a value
_ESCAPES = (("&open;", "["), ("&close;", "]"), ("&dquot;", '"'), ("&squot;", "'"), ("&comma;", ","), ("&colon;", ":"))
_MAX_ANNOTATIONS, _MAX_TAGS = 200, 100
_MICROSECONDS = 1_000_000


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read an export, or a data file of 2.x. What only looks like one is read as the text that it is."""
    text = decoded.text.strip()
    rows = list(_old_rows(text)) if text.startswith("[") and _PAIR.match(text, 1) else _exported(text)
    parsed = _parsed(rows, about, decoding_warnings(decoded))
    return parsed if parsed.entries else program_text.parse(decoded, about)


def parse_database(tables: Tables, about: About) -> Parsed:
    """Read the database of Taskwarrior 3: a row for each task, its properties as JSON."""
    rows = []
    for row in tables.rows("tasks", ("uuid", "data")):
        try:
            fields = json.loads(text_of(row["data"]))
        except (ValueError, RecursionError):
            continue
        if isinstance(fields, dict):
            rows.append({**fields, "uuid": text_of(row["uuid"])})
    return _parsed(rows, about, ())


def _exported(text: str) -> list[Fields]:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        loaded = _by_lines(text)
    rows = loaded if isinstance(loaded, list) else [loaded]
    return [row for row in rows if isinstance(row, dict)]


def _by_lines(text: str) -> list[Any]:
    """Older versions print an object a line, with commas between them."""
    try:
        return [
            json.loads(line.strip().rstrip(",")) for line in text.splitlines() if line.strip() not in ("", "[", "]")
        ]
    except (ValueError, RecursionError):
        return []


def _old_rows(text: str) -> Iterator[Fields]:
    for line in text.splitlines():
        if line.startswith("[") and line.rstrip().endswith("]"):
            yield {key: _unescaped(value) for key, value in _PAIR.findall(line)}


def _unescaped(value: str) -> str:
    for written, meant in _ESCAPES:
        value = value.replace(written, meant)
    return value


def _parsed(rows: Iterable[Fields], about: About, warnings: tuple[Text, ...]) -> Parsed:
    entries: dict[str, ParsedEntry] = {}
    for row in rows:
        uuid, description = str(row.get("uuid", ""))[:40], str(row.get("description", ""))
        status = _STATUSES.get(str(row.get("status", "")))
        if status is None or not description.strip() or not _UUID.fullmatch(uuid):
            continue
        if len(entries) == about.limits.entries:
            warnings += (msg("Only the first {count} entries were taken in.", count=len(entries)),)
            break
        entries[uuid] = entry_of(_task(row, description, status, about), uuid, about.zone)
    return Parsed("taskwarrior", tuple(entries.values()), warnings, facts=MappingProxyType({"todos": len(entries)}))


def _task(row: Fields, description: str, status: Status, about: About) -> Task:
    def moment(name: str) -> str:
        return _moment(row.get(name), about)

    metadata = {
        "project": _line(row.get("project")),
        "priority": _line(row.get("priority")),
        "tags": " ".join(_tags(row)),
        "recurrence": _line(row.get("recur")),
        "start": moment("scheduled") or moment("wait"),
        "blocked_by": " ".join(_depends(row)),
    }
    return Task(
        text=description,
        status=status,
        due=moment("due"),
        completed=moment("end") if status is Status.DONE else "",
        created=moment("entry"),
        notes="\n".join(_annotations(row)),
        metadata=MappingProxyType(metadata),
    )


def _moment(value: object, about: About) -> str:
    """A time as ISO 8601: written out (20250514T090000Z), or as seconds since 1970."""
    text = str(value or "")[:40]
    if text.isascii() and text.isdigit():
        instant = since_1970(int(text) * _MICROSECONDS, about.zone)
        return instant.isoformat() if instant is not None else ""
    match = _COMPACT.fullmatch(text)
    return "{}-{}-{}T{}:{}:{}+00:00".format(*match.groups()) if match is not None else text


def _line(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


def _tags(row: Fields) -> list[str]:
    listed = row.get("tags", [])
    found = listed.split(",") if isinstance(listed, str) else listed if isinstance(listed, list) else []
    found = [tag for tag in found if isinstance(tag, str)]
    found += [key.removeprefix("tag_") for key in row if key.startswith("tag_")]
    found += [key.removeprefix("tags_") for key in row if key.startswith("tags_")]
    return list(dict.fromkeys(tag for tag in found if tag))[:_MAX_TAGS]


def _depends(row: Fields) -> list[str]:
    listed = row.get("depends", [])
    found = listed.split(",") if isinstance(listed, str) else listed if isinstance(listed, list) else []
    found = [uuid for uuid in found if isinstance(uuid, str)]
    found += [key.removeprefix("dep_") for key in row if key.startswith("dep_")]
    return list(dict.fromkeys(uuid for uuid in found if _UUID.fullmatch(uuid)))[:_MAX_TAGS]


def _annotations(row: Fields) -> list[str]:
    listed = row.get("annotations", [])
    notes = listed if isinstance(listed, list) else []
    found = [str(one.get("description", "")) for one in notes if isinstance(one, dict)]
    found += [str(value) for key, value in sorted(row.items()) if key.startswith("annotation_")]
    return found[:_MAX_ANNOTATIONS]
