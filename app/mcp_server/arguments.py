"""What a tool takes: declared once, and both its JSON Schema and the check of what a client sends come from that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput
from app.domain.instants import parse_iso
from app.domain.text import Text, msg
from app.mcp_server.quoting import one_line
from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from app.mcp_server.shapes import Schema

LONGEST_QUERY = 4_000
LONGEST_TEXT = 20_000
LONGEST_NAME = 200
MOST_WORDS = 50
_SHOWN = 80


class Kind(Enum):
    """What can be given."""

    TEXT = "text"
    COUNT = "count"
    FLAG = "flag"
    MOMENT = "moment"
    TEXTS = "texts"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument.

    Attributes:
        meaning: for a model, in English.
        longest: characters of a text, or of each of several. least, most: of a count; `most` also of several texts.
        choices: the only texts that are taken; any where empty.
    """

    name: str
    kind: Kind
    meaning: str
    is_required: bool = False
    longest: int = LONGEST_NAME
    least: int = 0
    most: int = MOST_WORDS
    choices: tuple[str, ...] = ()

    def schema(self) -> Schema:
        """Its JSON Schema."""
        return _SCHEMAS[self.kind](self) | {"description": self.meaning}

    def read(self, value: object) -> Any:  # noqa: ANN401 - of its kind
        """The value that was meant; raises `BadInput` for what does not fit."""
        return _READERS[self.kind](self, value)


def schema_of(arguments: Sequence[Argument]) -> Schema:
    """The JSON Schema of all arguments of a tool."""
    return {
        "type": "object",
        "properties": {one.name: one.schema() for one in arguments},
        "required": [one.name for one in arguments if one.is_required],
        "additionalProperties": False,
    }


def read_all(arguments: Sequence[Argument], given: Mapping[str, object]) -> dict[str, Any]:
    """What was given, by name; what was not given, or as null, is left out. Raises `BadInput`."""
    known = {one.name: one for one in arguments}
    for name in given:
        if name not in known:
            raise _bad(msg("There is no argument “{name}” here.", name=one_line(str(name), _SHOWN)))
    for one in arguments:
        if one.is_required and given.get(one.name) is None:
            raise _bad(msg("The argument “{name}” is missing.", name=one.name))
    return {name: known[name].read(value) for name, value in given.items() if value is not None}


def _read_text(argument: Argument, value: object) -> str:
    if not isinstance(value, str):
        raise _bad(msg("“{name}” must be a text.", name=argument.name))
    if len(value) > argument.longest:
        raise _bad(msg("“{name}” is longer than {count} characters.", name=argument.name, count=argument.longest))
    if argument.choices and value not in argument.choices:
        raise _bad(msg("“{name}” can be: {choices}", name=argument.name, choices=", ".join(argument.choices)))
    if argument.is_required and not value.strip():
        raise _bad(msg("“{name}” is empty.", name=argument.name))
    return value


def _read_count(argument: Argument, value: object) -> int:
    # JSON knows one kind of number, so 5.0 is 5
    number = int(value) if isinstance(value, float) and value.is_integer() else value
    if not isinstance(number, int) or isinstance(number, bool) or not argument.least <= number <= argument.most:
        raise _bad(
            msg(
                "“{name}” must be a whole number from {least} to {most}.",
                name=argument.name,
                least=argument.least,
                most=argument.most,
            )
        )
    return number


def _read_flag(argument: Argument, value: object) -> bool:
    if not isinstance(value, bool):
        raise _bad(msg("“{name}” must be true or false.", name=argument.name))
    return value


def _read_moment(argument: Argument, value: object) -> datetime:
    text = _read_text(argument, value)
    try:
        return clock.checked(parse_iso(text, clock.local_zone()))
    except (ValueError, OverflowError):
        raise _bad(
            msg("“{name}” must be a day or a time as in 2026-05-12 or 2026-05-12T09:30:00Z.", name=argument.name)
        ) from None


def _read_texts(argument: Argument, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _bad(msg("“{name}” must be a list.", name=argument.name))
    if len(value) > argument.most:
        raise _bad(msg("“{name}” has more than {count} parts.", name=argument.name, count=argument.most))
    return tuple(_read_text(argument, one) for one in value)


def _bad(what: Text) -> BadInput:
    return BadInput(what, next_step=msg("See the tool's input schema, and call it again."))


def _text_schema(argument: Argument) -> Schema:
    limits: Schema = {"type": "string", "maxLength": argument.longest}
    if argument.is_required:
        limits["minLength"] = 1
    return limits | ({"enum": list(argument.choices)} if argument.choices else {})


def _texts_schema(argument: Argument) -> Schema:
    return {"type": "array", "maxItems": argument.most, "items": _text_schema(argument)}


_SCHEMAS = {
    Kind.TEXT: _text_schema,
    Kind.COUNT: lambda one: {"type": "integer", "minimum": one.least, "maximum": one.most},
    Kind.FLAG: lambda _: {"type": "boolean"},
    Kind.MOMENT: _text_schema,
    Kind.TEXTS: _texts_schema,
}
_READERS = {
    Kind.TEXT: _read_text,
    Kind.COUNT: _read_count,
    Kind.FLAG: _read_flag,
    Kind.MOMENT: _read_moment,
    Kind.TEXTS: _read_texts,
}
