"""The facade's values as JSON and back, by their type hints: nothing is declared twice.

Strict in reading: what does not fit its type is a `WireError`, since the other side may be anything. Knows dataclasses,
enums, aware datetimes, dates, tuples, sequences, sets, mappings with text keys, and optional values; `object` stands
for any JSON value, a `Text` or a datetime.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any

from app.domain import (
    changes,
    checking,
    clients,
    collecting,
    context_item,
    entries,
    events,
    intents,
    labels,
    metrics,
    outgoing,
    people,
    progress,
    records,
    rules,
    serving,
)
from app.domain.instants import from_ixdtf, to_ixdtf
from app.domain.text import Text
from app.famulus import api, api_metrics, api_serving

_TEXT = "$text"
_TIME = "$time"
_SCALARS = (str, int, float, bool, type(None))
_UNIONS = (typing.Union, types.UnionType)
_ROWS = (tuple, frozenset, Sequence)
# Hints are strings there, whose names exist for the type checker alone; here they get their meaning.
NAMES: dict[str, Any] = {
    name: value
    for module in (
        changes,
        checking,
        clients,
        collecting,
        context_item,
        entries,
        events,
        intents,
        labels,
        metrics,
        people,
        outgoing,
        progress,
        records,
        rules,
        serving,
        api,
        api_metrics,
        api_serving,
    )
    for name, value in vars(module).items()
    if isinstance(value, type)
} | {"Text": Text, "datetime": datetime, "date": date, "Mapping": Mapping, "Sequence": Sequence, "Callable": Callable}


class WireError(ValueError):
    """What came over the wire is not what it should be."""


def encode(value: Any, hint: Any) -> Any:  # noqa: ANN401 - generic over every type
    """A value as JSON. Raises TypeError for a value that cannot travel."""
    if hint is object:
        return _encode_any(value)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        return None if value is None else encode(value, _inner(arguments))
    if origin is Mapping:
        return {key: encode(inner, arguments[1]) for key, inner in value.items()}
    if origin in _ROWS:
        return [encode(inner, each) for inner, each in _each(value, origin, arguments)]
    return _encode_one(value, hint)


def decode(data: Any, hint: Any) -> Any:  # noqa: ANN401 - generic over every type
    """Read what `encode` made; raises `WireError` for anything else."""
    if hint is object:
        return _decode_any(data)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        return None if data is None else decode(data, _inner(arguments))
    if origin is Mapping:
        given = expect(data, dict)
        return types.MappingProxyType({key: decode(inner, arguments[1]) for key, inner in given.items()})
    if origin in _ROWS:
        kind = frozenset if origin is frozenset else tuple
        return kind(decode(inner, each) for inner, each in _each(expect(data, list), origin, arguments))
    return _decode_one(data, hint)


def expect(data: Any, kind: Any) -> Any:  # noqa: ANN401 - generic over every type
    """`data` if it is of `kind` (a boolean is no number); raises `WireError` if not."""
    if not isinstance(data, kind) or (isinstance(data, bool) and kind is not bool):
        raise WireError(f"{type(data).__name__} is not {kind}")
    return data


def _encode_one(value: Any, hint: Any) -> Any:  # noqa: ANN401 - generic over every type
    if isinstance(hint, type) and issubclass(hint, Enum):
        return value.value
    if hint is datetime:
        return to_ixdtf(value)
    if hint is date:
        return value.isoformat()
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return {name: encode(getattr(value, name), inner) for name, inner in _fields(hint).items()}
    if not isinstance(value, _SCALARS):
        raise TypeError(f"{type(value).__name__} for {hint}")
    return value


def _decode_one(data: Any, hint: Any) -> Any:  # noqa: ANN401 - generic over every type
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(data)
        except ValueError:
            raise WireError(f"no {hint.__name__}") from None
    if hint is datetime:
        try:
            return from_ixdtf(expect(data, str))
        except (ValueError, OverflowError):
            raise WireError("no time") from None
    if hint is date:
        try:
            return date.fromisoformat(expect(data, str))
        except ValueError:
            raise WireError("no day") from None
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _decode_dataclass(expect(data, dict), hint)
    if hint is float:
        return float(expect(data, (int, float)))
    return expect(data, hint)


def _decode_dataclass(given: dict[str, Any], hint: type) -> Any:  # noqa: ANN401 - generic over every type
    hints = _fields(hint)
    if given.keys() != hints.keys():
        raise WireError(f"fields of {hint.__name__}")
    return hint(**{name: decode(given[name], inner) for name, inner in hints.items()})


@functools.cache
def _fields(hint: type) -> Mapping[str, Any]:
    hints = typing.get_type_hints(hint, localns=NAMES)
    return {field.name: hints[field.name] for field in dataclasses.fields(hint)}


def _inner(arguments: tuple[Any, ...]) -> Any:  # noqa: ANN401 - a type
    """The one type of an optional one."""
    (inner,) = (argument for argument in arguments if argument is not type(None))
    return inner


def _each(rows: Collection[Any], origin: object, arguments: tuple[Any, ...]) -> Iterable[tuple[Any, Any]]:
    """Every row with its type: a tuple that ends with an ellipsis has as many as it likes, another one a fixed few."""
    if origin is not tuple or arguments[-1] is Ellipsis:
        return ((row, arguments[0]) for row in rows)
    if len(rows) != len(arguments):
        raise WireError(f"{len(rows)} values for {len(arguments)}")
    return zip(rows, arguments, strict=True)


def _encode_any(value: object) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, Mapping):
        # A key of somebody's data that looks like one of our marks is doubled.
        return {f"${key}" if key.startswith("$") else key: _encode_any(inner) for key, inner in value.items()}
    if isinstance(value, Sequence | frozenset) and not isinstance(value, str | bytes):
        return [_encode_any(inner) for inner in value]
    if isinstance(value, Text):
        return {_TEXT: encode(value, Text)}
    if isinstance(value, datetime):
        return {_TIME: to_ixdtf(value)}
    plain = value.value if isinstance(value, Enum) else str(value) if isinstance(value, date | PurePath) else value
    if not isinstance(plain, _SCALARS):
        raise TypeError(f"{type(value).__name__} cannot travel")
    return plain


def _decode_any(data: Any) -> object:  # noqa: ANN401 - any JSON value
    if isinstance(data, list):
        return [_decode_any(inner) for inner in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {_TEXT}:
        return decode(data[_TEXT], Text)
    if data.keys() == {_TIME}:
        return decode(data[_TIME], datetime)
    return {key.removeprefix("$"): _decode_any(inner) for key, inner in data.items()}
