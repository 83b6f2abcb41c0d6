"""The facade's values as JSON for other programs: ISO times, words for levels, sentences in the person's language."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Set
from datetime import date, datetime
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any

from app.domain.instants import to_iso
from app.domain.text import Text
from app.runtime.translation import translate

if TYPE_CHECKING:
    from app.domain.errors import Expected


def plain(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """See the module docstring."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type | Text):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | Set):
        return [plain(inner) for inner in value]
    return _plain_one(value)


def _plain_one(value: object) -> object:
    if isinstance(value, Text):
        return translate(value)
    if isinstance(value, datetime):
        return to_iso(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.name.lower() if isinstance(value, IntEnum) else value.value
    return value


def plain_error(error: Expected) -> dict[str, Any]:
    """What `--json` prints instead of a result."""
    sentences = {"what": error.what, "lost": error.lost, "next_step": error.next_step}
    return {"error": {"code": error.code} | {name: translate(text) for name, text in sentences.items()}}
