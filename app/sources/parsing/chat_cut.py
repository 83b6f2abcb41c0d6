"""What is whole in a chat export in JSON that ends in the middle: a full disk, a broken download, a file too long."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_MESSAGES = re.compile(r'"messages"\s{0,9}:\s{0,9}\[')
_SEPARATORS = re.compile(r"[\s,]{0,99}")
_HEAD_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A list of messages as far as it goes, and the end of what stands before it."""

    head: str
    messages: list[Any]

    def value(self, name: str) -> object:
        """The last value of this name before the messages; None where there is none."""
        places = list(re.finditer(rf'"{name}"\s{{0,9}}:\s{{0,9}}', self.head))
        return value_at(self.head, places[-1].end()) if places else None


def value_at(text: str, position: int) -> object:
    """The JSON value that begins there; None where none is whole."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text, position)
    except ValueError:
        return None
    return value


def pieces(text: str) -> Iterator[Piece]:
    """Each list of messages of a text with those of its messages that are whole."""
    decoder = json.JSONDecoder()
    position = 0
    while (start := _MESSAGES.search(text, position)) is not None:
        head = text[max(position, start.start() - _HEAD_CHARS) : start.start()]
        found: list[Any] = []
        position = start.end()
        while True:
            gap = _SEPARATORS.match(text, position)
            position = gap.end() if gap is not None else position
            try:
                message, position = decoder.raw_decode(text, position)
            except ValueError:
                break
            found.append(message)
        yield Piece(head, found)
