"""The keys and values inside a JSON text, and where they stand: so that the JSON stays valid (L5.3)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'"(?P<string>(?:[^"\\]|\\.)*+)"(?P<key>\s{0,64}+:)?|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)')
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")
_DEEPEST = 200


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A string or a number of a JSON text.

    Attributes:
        start: where its characters begin in the text, after the quotation mark.
        text: what it says, unescaped.
        positions: of every character of `text` in the JSON text, and one more for the end.
        key: the name under which it stands, "" in a list.
        is_number: whether it stands without quotation marks.
        is_key: whether it is a name itself, under which a value stands.
    """

    start: int
    text: str
    positions: tuple[int, ...]
    key: str
    is_number: bool
    is_key: bool = False


def is_json(text: str) -> bool:
    """Whether a text is a JSON object or list."""
    if text.lstrip()[:1] not in ("{", "[") or text.count("[") + text.count("{") > _DEEPEST * 100:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def json_values(text: str) -> Iterator[JsonValue]:
    """The values of a JSON text, in order."""
    key = ""
    for token in _TOKEN.finditer(text):
        if token["key"] is not None:
            key = token["string"]
            said, positions = _unescape(key, token.start("string"))
            yield JsonValue(token.start("string"), said, positions, "", is_number=False, is_key=True)
        elif token["number"] is not None:
            positions = tuple(range(token.start(), token.end() + 1))
            yield JsonValue(token.start(), token["number"], positions, key, is_number=True)
        else:
            said, positions = _unescape(token["string"], token.start("string"))
            yield JsonValue(token.start("string"), said, positions, key, is_number=False)


def _unescape(raw: str, start: int) -> tuple[str, tuple[int, ...]]:
    """What a JSON string says, and where each of its characters stands."""
    said: list[str] = []
    positions: list[int] = []
    place = 0
    for found in _ESCAPE.finditer(raw):
        said += raw[place : found.start()]
        positions += range(start + place, start + found.start())
        place = found.end()
        if found.start() < place and positions and _is_second_half(raw, found.start()):
            said[-1] = json.loads(f'"{raw[found.start() - 6 : found.end()]}"')
            continue
        said.append(json.loads(f'"{found[0]}"'))
        positions.append(start + found.start())
    said += raw[place:]
    positions += range(start + place, start + len(raw) + 1)
    return "".join(said), tuple(positions)


def _is_second_half(raw: str, index: int) -> bool:
    """Whether an escape is the second half of a surrogate pair."""
    first, second = raw[max(0, index - 6) : index], raw[index : index + 6]
    return bool(
        re.fullmatch(r"\\u[dD][89abAB][0-9a-fA-F]{2}", first) and re.fullmatch(r"\\u[dD][c-fC-F][0-9a-fA-F]{2}", second)
    )
