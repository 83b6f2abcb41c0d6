"""Puts one value into a JSON file of somebody else's, and leaves every other character of it as it is.

Comments and commas before a closing bracket are read as other programs read them in their settings, and kept. What
cannot be understood is refused, and so is every change whose result is not exactly the old file with that one value.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Strings first, so that what looks like a comment in one is none. One without an end is taken as it is, in one go.
_STRING = r'"(?:[^"\\\n]++|\\.)*+"?'
_COMMENTS = re.compile(_STRING + r"|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?")
_TRAILING = re.compile(_STRING + r"|,(?=\s*+[}\]])")
_TOKENS = re.compile(_STRING + r"|[{}\[\]:,]")
_MARK = "\ufeff"
_OPENING, _CLOSING = "{[", "}]"


class NotJson(ValueError):
    """A text that is no JSON object, or that cannot be changed without changing more."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: where its value begins and ends in the text."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Table:
    """An object: where its brackets are, and its members."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def member(self, key: str) -> _Member | None:
        """The last one of a name, which is the one that counts."""
        return next((one for one in reversed(self.members) if one.key == key), None)


def with_value(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    """The text with `value` at `path`, whose tables are made where they are missing.

    Raises:
        NotJson: it is no object, or something else than a table stands in the way.
    """
    before = read(text)
    if not text.strip(_MARK + " \t\r\n"):
        text = "{}\n"
    plain = _plain(text)
    table, left = _table(plain, plain.index("{")), list(path)
    while len(left) > 1 and (found := table.member(left[0])) is not None:
        if plain[found.start] != "{":
            raise NotJson("something else stands there")
        table, left = _table(plain, found.start), left[1:]
    after = _put(text, table, _nested(left, value))
    if read(after) != _expected(before, path, value):
        raise NotJson("the change would change more")
    return after


def read(text: str) -> dict[str, Any]:
    """What a text holds; nothing where it is empty. Raises `NotJson`."""
    body = text.removeprefix(_MARK)
    if not body.strip():
        return {}
    try:
        found = json.loads(_plain(body))
    except (ValueError, RecursionError):
        raise NotJson("not JSON") from None
    if not isinstance(found, dict):
        raise NotJson("not an object")
    return found


def _plain(text: str) -> str:
    """The text with blanks for comments and needless commas, and all else where it was."""
    without = _COMMENTS.sub(_blank_comment, text)
    return _TRAILING.sub(lambda found: " " if found[0] == "," else found[0], without)


def _blank_comment(found: re.Match[str]) -> str:
    if found[0].startswith('"'):
        return found[0]
    return "".join(char if char in "\r\n" else " " for char in found[0])


def _table(plain: str, start: int) -> _Table:
    """The object whose bracket opens at `start`, of a text that was read already."""
    members: list[_Member] = []
    key, value_start, depth = "", -1, 0
    for token in _TOKENS.finditer(plain, start):
        word = token[0]
        if word in _OPENING:
            depth += 1
        elif word in _CLOSING:
            depth -= 1
        if depth == 0 or (depth == 1 and word == ","):
            if value_start >= 0:
                members.append(_Member(key, *_trimmed(plain, value_start, token.start())))
            value_start = -1
            if depth == 0:
                return _Table(start, token.start(), tuple(members))
        elif depth == 1 and word == ":":
            value_start = token.end()
        elif depth == 1 and word.startswith('"') and value_start < 0:
            key = json.loads(word)
    raise NotJson("an object without an end")


def _trimmed(plain: str, start: int, end: int) -> tuple[int, int]:
    value = plain[start:end]
    return start + len(value) - len(value.lstrip()), start + len(value.rstrip())


def _put(text: str, table: _Table, members: Mapping[str, Any]) -> str:
    """The text with one member more in a table, or with another value of one."""
    ((key, value),) = members.items()
    line_end = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_at(text, table.start)
    inner = _indent_at(text, table.members[0].start) if table.members else outer + "  "
    if table.members and inner == outer:
        inner = outer + "  "
    shown = _shown(value, inner, line_end)
    known = table.member(key)
    if known is not None:
        return text[: known.start] + shown + text[known.end :]
    line = f"{inner}{json.dumps(key, ensure_ascii=False)}: {shown}"
    if not table.members:
        head, rest = text[: table.end].rstrip(), text[table.end :]
        return f"{head}{line_end}{line}{line_end}{outer}{rest}"
    last = table.members[-1].end
    between = text[last : table.end]
    has_comma = "," in _COMMENTS.sub(_blank_comment, between)
    return (
        f"{text[:last]}{'' if has_comma else ','}{between.rstrip()}{line_end}{line}{line_end}{outer}{text[table.end :]}"
    )


def _indent_at(text: str, place: int) -> str:
    """What the line of a place begins with."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _shown(value: Any, indent: str, line_end: str) -> str:  # noqa: ANN401 - any JSON value
    lines = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    return line_end.join([lines[0], *(indent + line for line in lines[1:])])


def _nested(path: Sequence[str], value: Mapping[str, Any]) -> dict[str, Any]:
    found: Any = value
    for key in reversed(path):
        found = {key: found}
    return dict(found)


def _expected(before: dict[str, Any], path: Sequence[str], value: Mapping[str, Any]) -> dict[str, Any]:
    after = json.loads(json.dumps(before))
    table = after
    for key in path[:-1]:
        table = table.setdefault(key, {})
    table[path[-1]] = dict(value)
    found: dict[str, Any] = after
    return found
