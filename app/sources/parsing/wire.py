"""Parsed files as plain JSON values and back, for the way from the parse process.

That process has read untrusted bytes, so what comes from it is not trusted either: reading is strict. A wrong type, an
unknown word or a time without offset is an error, and nothing half-read comes out.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from string import Formatter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from app.domain.entries import Block, ContactFacts, EventFacts, Occurrence, PersonRef, Place, TaskFacts
from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.labels import BlockKind, EntryKind, Status
from app.domain.text import Text
from app.sources.parsing.parsed import Parsed, ParsedEntry, Pixels, Samples

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

T = TypeVar("T")
Json = dict[str, Any]
# of a picture or a recording: more than `picture` and `recording_samples` ever send
_MOST_BYTES = 1 << 26


class BrokenAnswer(ValueError):
    """What came from the parse process is not what it should send."""


def parsed_to_dict(parsed: Parsed) -> Json:
    """A parsed file as JSON values."""
    return {
        "format": parsed.format,
        "entries": [_entry_to_dict(entry) for entry in parsed.entries],
        "warnings": [text_to_dict(text) for text in parsed.warnings],
        "expanded_until": _time_out(parsed.expanded_until),
        "facts": dict(parsed.facts),
    }


def parsed_from_dict(values: object) -> Parsed:
    """Read what `parsed_to_dict` made; raises `BrokenAnswer` for anything else."""
    try:
        fields = _fields(values, "format", "entries", "warnings", "expanded_until", "facts")
        return Parsed(
            format=_text(fields["format"]),
            entries=_all(fields["entries"], _entry_from_dict),
            warnings=_all(fields["warnings"], text_from_dict),
            expanded_until=_time_in(fields["expanded_until"]),
            facts=MappingProxyType(_scalars(fields["facts"])),
        )
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError) as error:
        raise BrokenAnswer("a broken answer of the parse process") from error


def text_to_dict(text: Text) -> Json:
    """A sentence as its template and its values."""
    return {"template": text.template, "values": {key: _scalar_out(value) for key, value in text.values.items()}}


def text_from_dict(values: object) -> Text:
    """Read what `text_to_dict` made; raises ValueError for anything else."""
    fields = _fields(values, "template", "values")
    template, filling = _text(fields["template"]), _scalars(fields["values"])
    for _, place, form, conversion in Formatter().parse(template) if filling else ():
        if place is not None and (place not in filling or form or conversion):
            raise ValueError("a sentence whose values do not fit")
    return Text(template, MappingProxyType(filling))


def _entry_to_dict(entry: ParsedEntry) -> Json:
    return {
        "kind": entry.kind.value,
        "title": entry.title,
        "blocks": [_block_to_list(block) for block in entry.blocks],
        "fragment": entry.fragment,
        "content_hash": entry.content_hash,
        "created_at": _time_out(entry.created_at),
        "updated_at": _time_out(entry.updated_at),
        "event_time": _time_out(entry.event_time),
        "valid_from": _time_out(entry.valid_from),
        "valid_to": _time_out(entry.valid_to),
        "status": entry.status.value if entry.status is not None else None,
        "language": entry.language,
        "people": [[person.name, person.address, person.role] for person in entry.people],
        "event": _event_to_dict(entry.event) if entry.event is not None else None,
        "task": _task_to_dict(entry.task) if entry.task is not None else None,
        "contact": _contact_to_dict(entry.contact) if entry.contact is not None else None,
        "thread": entry.thread,
        "metadata": dict(entry.metadata),
        "pixels": None if entry.pixels is None else _pixels_to_list(entry.pixels),
        "samples": None if entry.samples is None else _samples_to_list(entry.samples),
    }


_ENTRY_FIELDS = (
    *("kind", "title", "blocks", "fragment", "content_hash", "created_at", "updated_at", "event_time", "valid_from"),
    *("valid_to", "status", "language", "people", "event", "task", "contact", "thread", "metadata"),
    *("pixels", "samples"),
)


def _entry_from_dict(values: object) -> ParsedEntry:
    fields = _fields(values, *_ENTRY_FIELDS)
    return ParsedEntry(
        kind=EntryKind(fields["kind"]),
        title=_text(fields["title"]),
        blocks=_all(fields["blocks"], _block_from_list),
        fragment=_text(fields["fragment"]),
        content_hash=_text(fields["content_hash"]),
        created_at=_time_in(fields["created_at"]),
        updated_at=_time_in(fields["updated_at"]),
        event_time=_time_in(fields["event_time"]),
        valid_from=_time_in(fields["valid_from"]),
        valid_to=_time_in(fields["valid_to"]),
        status=_or_none(fields["status"], Status),
        language=_or_none(fields["language"], _text),
        people=_all(fields["people"], _person_from_list),
        event=_or_none(fields["event"], _event_from_dict),
        task=_or_none(fields["task"], _task_from_dict),
        contact=_or_none(fields["contact"], _contact_from_dict),
        thread=_or_none(fields["thread"], _text),
        metadata=MappingProxyType({key: _text(value) for key, value in _mapping(fields["metadata"]).items()}),
        pixels=_or_none(fields["pixels"], _pixels_from_list),
        samples=_or_none(fields["samples"], _samples_from_list),
    )


def _pixels_to_list(pixels: Pixels) -> list[Any]:
    return [pixels.width, pixels.height, _bytes_out(pixels.data)]


def _pixels_from_list(values: object) -> Pixels:
    width, height, data = _list(values)
    size = _whole(width) * _whole(height) * 3
    if size > _MOST_BYTES:
        raise ValueError("a picture that is too large")
    pixels = Pixels(width, height, _bytes_in(data))
    if len(pixels.data) != size:
        raise ValueError("a picture of another size")
    return pixels


def _samples_to_list(samples: Samples) -> list[Any]:
    return [samples.rate, _bytes_out(samples.data)]


def _samples_from_list(values: object) -> Samples:
    rate, data = _list(values)
    return Samples(_whole(rate), _bytes_in(data))


def _bytes_out(data: bytes) -> str:
    """Compressed, so that the JSON stays small: reading a long one holds every other thread up."""
    return b64encode(zlib.compress(data, 1)).decode("ascii")


def _bytes_in(value: object) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(b64decode(_text(value), validate=True), _MOST_BYTES)
    except zlib.error as error:
        raise ValueError("no compressed bytes") from error
    if unpacker.unconsumed_tail or not unpacker.eof:
        raise ValueError("too many bytes, or too few")
    return data


def _block_to_list(block: Block) -> list[Any]:
    """A list and not a dict: there may be a hundred thousand of them."""
    place = block.place
    where = [list(place.heading_path), place.page, place.first_line, place.last_line, place.message_id, place.second]
    return [block.kind.value, block.text, *where]


def _block_from_list(values: object) -> Block:
    kind, text, path, page, first_line, last_line, message_id, second = _list(values)
    place = Place(
        heading_path=_all(path, _text),
        page=_or_none(page, _whole),
        first_line=_or_none(first_line, _whole),
        last_line=_or_none(last_line, _whole),
        message_id=_or_none(message_id, _text),
        second=_or_none(second, _whole),
    )
    return Block(BlockKind(kind), _text(text), place)


def _person_from_list(values: object) -> PersonRef:
    name, address, role = _list(values)
    return PersonRef(_text(name), _text(address), _text(role))


def _event_to_dict(event: EventFacts) -> Json:
    return {
        "location": event.location,
        "occurrences": [
            [to_ixdtf(one.start), to_ixdtf(one.end), one.is_all_day, one.is_canceled, one.title, one.location]
            for one in event.occurrences
        ],
        "is_recurring": event.is_recurring,
        "expanded_until": _time_out(event.expanded_until),
    }


def _event_from_dict(values: object) -> EventFacts:
    fields = _fields(values, "location", "occurrences", "is_recurring", "expanded_until")
    return EventFacts(
        location=_text(fields["location"]),
        occurrences=_all(fields["occurrences"], _occurrence_from_list),
        is_recurring=_flag(fields["is_recurring"]),
        expanded_until=_time_in(fields["expanded_until"]),
    )


def _occurrence_from_list(values: object) -> Occurrence:
    start, end, is_all_day, is_canceled, title, location = _list(values)
    return Occurrence(
        start=from_ixdtf(_text(start)),
        end=from_ixdtf(_text(end)),
        is_all_day=_flag(is_all_day),
        is_canceled=_flag(is_canceled),
        title=_or_none(title, _text),
        location=_or_none(location, _text),
    )


def _task_to_dict(task: TaskFacts) -> Json:
    return {
        "status": task.status.value,
        "due_at": _time_out(task.due_at),
        "completed_at": _time_out(task.completed_at),
        "owner": task.owner,
        "parent": task.parent_native_id,
    }


def _task_from_dict(values: object) -> TaskFacts:
    fields = _fields(values, "status", "due_at", "completed_at", "owner", "parent")
    return TaskFacts(
        status=Status(fields["status"]),
        due_at=_time_in(fields["due_at"]),
        completed_at=_time_in(fields["completed_at"]),
        owner=_or_none(fields["owner"], _text),
        parent_native_id=_or_none(fields["parent"], _text),
    )


def _contact_to_dict(contact: ContactFacts) -> Json:
    return {
        "names": list(contact.names),
        "addresses": list(contact.addresses),
        "phones": list(contact.phones),
        "accounts": list(contact.accounts),
        "organisation": contact.organisation,
        "role": contact.role,
        "birthday": contact.birthday,
    }


def _contact_from_dict(values: object) -> ContactFacts:
    fields = _fields(values, "names", "addresses", "phones", "accounts", "organisation", "role", "birthday")
    return ContactFacts(
        names=_all(fields["names"], _text),
        addresses=_all(fields["addresses"], _text),
        phones=_all(fields["phones"], _text),
        accounts=_all(fields["accounts"], _text),
        organisation=_text(fields["organisation"]),
        role=_text(fields["role"]),
        birthday=_text(fields["birthday"]),
    )


def _time_out(instant: datetime | None) -> str | None:
    return to_ixdtf(instant) if instant is not None else None


def _time_in(value: object) -> datetime | None:
    return _or_none(value, lambda text: from_ixdtf(_text(text)))


def _scalar_out(value: object) -> str | int:
    return value if isinstance(value, int) else str(value)


def _fields(values: object, *names: str) -> Mapping[str, Any]:
    if not isinstance(values, dict):
        raise TypeError("not a mapping of names")
    if values.keys() != set(names):
        raise ValueError("other fields than expected")
    return values


def _mapping(values: object) -> Mapping[str, Any]:
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise TypeError("not a mapping of names")
    return values


def _scalars(values: object) -> dict[str, str | int]:
    mapping = _mapping(values)
    if not all(isinstance(value, str | int) for value in mapping.values()):
        raise TypeError("not plain values")
    return dict(mapping)


def _list(values: object) -> list[Any]:
    if not isinstance(values, list):
        raise TypeError("not a list")
    return values


def _all(values: object, read: Callable[[object], T]) -> tuple[T, ...]:
    return tuple(read(value) for value in _list(values))


def _or_none(value: Any, read: Callable[[Any], T]) -> T | None:  # noqa: ANN401 - it is what is being checked
    return None if value is None else read(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    value.encode("utf-8")
    return value


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError("not a whole number")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("not yes or no")
    return value
