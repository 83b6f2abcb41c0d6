"""The domain's values as JSON for a client, and the JSON Schema of that, both read off the values' own types.

Nothing is declared twice: a field that a value gets is in its JSON and in its schema. What belongs to the inside of the
house (`_INSIDE`) is in neither.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any

from app.domain.instants import to_iso
from app.domain.text import Text
from app.famulus.codec import NAMES
from app.mcp_server.quoting import clean
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.domain.serving import Served

Schema = dict[str, Any]
_INSIDE = frozenset({"entry_id"})
_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_UNIONS = (typing.Union, types.UnionType)


def plain(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """A value as JSON: ISO times, words for levels, sentences in the person's language."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Text):
        return {name: plain(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, Mapping):
        return {clean(str(key)): plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence | Set) and not isinstance(value, str):
        return [plain(inner) for inner in value]
    if isinstance(value, Enum):
        return value.name.lower() if isinstance(value, IntEnum) else value.value
    return _plain_one(value)


def _plain_one(value: object) -> object:
    if isinstance(value, Text):
        return clean(translate(value))
    if isinstance(value, datetime):
        return to_iso(value)
    return clean(value) if isinstance(value, str) else value


def answered(answer: Served, part: str) -> dict[str, Any]:
    """An answer to a client as JSON: by what it is reported, what should be known of it, and its one part."""
    return {name: plain(getattr(answer, name)) for name in ("request_id", "notes", part)}


def schema(kind: Any) -> Schema:  # noqa: ANN401 - a type
    """The JSON Schema of what `plain` makes of a value of this type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in _UNIONS:
        return _or_null(schema(next(one for one in arguments if one is not type(None))))
    if origin is Mapping:
        return {"type": "object", "additionalProperties": schema(arguments[1])}
    if origin in {tuple, frozenset, Sequence}:
        return {"type": "array", "items": schema(arguments[0])}
    if dataclasses.is_dataclass(kind) and kind is not Text:
        return of_fields({name: schema(hint) for name, hint in _fields(typing.cast("type", kind)).items()})
    return _schema_of_one(kind)


def of_fields(fields: Mapping[str, Schema]) -> Schema:
    """An object with these fields and no other."""
    return {"type": "object", "properties": dict(fields), "required": list(fields), "additionalProperties": False}


def _schema_of_one(kind: Any) -> Schema:  # noqa: ANN401 - a type
    if kind is datetime:
        return {"type": "string", "format": "date-time"}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [plain(one) for one in kind]}
    return {"type": _PLAIN.get(kind, "string")}


def _or_null(inner: Schema) -> Schema:
    return {"anyOf": [inner, {"type": "null"}]}


def _names(kind: type) -> tuple[str, ...]:
    return tuple(_fields(kind))


@functools.cache
def _fields(kind: type) -> Mapping[str, Any]:
    hints = typing.get_type_hints(kind, localns=NAMES)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind) if field.name not in _INSIDE}
