"""Puts one table into a TOML file of somebody else's, and leaves every other line of it as it is.

A change whose result is not exactly the old file with that one table is refused.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from app.domain.toml_text import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"\s*\[([^\[\]]+)\]\s*(#.*)?")
_ANY_HEADER = re.compile(r"\s*\[.+\]\s*(#.*)?")


class NotToml(ValueError):
    """A text that is no TOML, or that cannot be changed without changing more."""


def with_table(text: str, path: Sequence[str], table: Mapping[str, Any]) -> str:
    """The text with `table` at `path`, at its end, instead of the one that is there; raises `NotToml`."""
    expected = read(text)
    target: Any = expected
    for key in path[:-1]:
        target = target.setdefault(key, {})
        if not isinstance(target, dict):
            raise NotToml("something else stands there")
    target[path[-1]] = json.loads(json.dumps(table))
    line_end = "\r\n" if "\r\n" in text else "\n"
    kept = _without(text, ".".join(map(_key, path))).rstrip()
    piece = shown(path, table).replace("\n", line_end)
    after = f"{kept}{line_end}{line_end}{piece}" if kept else piece
    if read(after) != expected:
        raise NotToml("the change would change more")
    return after


def read(text: str) -> dict[str, Any]:
    """What a text holds; raises `NotToml`."""
    try:
        return read_toml(text)
    except ValueError:
        raise NotToml("not TOML") from None


def shown(path: Sequence[str], table: Mapping[str, Any]) -> str:
    """A table as TOML; the tables in it follow."""
    name = ".".join(map(_key, path))
    lines = [f"[{name}]", *(f"{_key(key)} = {_value(value)}" for key, value in table.items() if not _is_table(value))]
    found = "\n".join(lines) + "\n"
    for key, value in table.items():
        if _is_table(value):
            found += "\n" + shown((*path, key), value)
    return found


def _without(text: str, name: str) -> str:
    """The text without a table and the tables in it; comments right above the next one are of that one, and stay."""
    kept: list[str] = []
    above: list[str] = []
    is_inside = False
    for line in text.splitlines(keepends=True):
        if _ANY_HEADER.fullmatch(line.rstrip("\r\n")):
            header = _HEADER.fullmatch(line.rstrip("\r\n"))
            named = header[1].replace(" ", "") if header else ""
            kept += above if is_inside else ()
            is_inside, above = named == name or named.startswith(name + "."), []
        if not is_inside:
            kept.append(line)
        elif line.lstrip().startswith("#"):
            above.append(line)
        else:
            above = []
    return "".join([*kept, *above])


def _key(word: str) -> str:
    return word if _BARE.fullmatch(word) else _value(word)


def _value(value: object) -> str:
    """A text, a flag, a number or a list of them; TOML writes them as JSON does, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_table(value: object) -> bool:
    return isinstance(value, dict)
