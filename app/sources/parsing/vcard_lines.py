"""From the text of a vCard file to cards of properties (vCard 2.1, RFC 2426, RFC 6350): lines, folding, encodings.

What a property means is the work of `vcard`. Lenient throughout: a line that is none is passed over, a card that was
never ended ends where the next one begins.
"""

from __future__ import annotations

import quopri
import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.sources.parsing.encodings import decode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_LINE_END = re.compile(r"\r\n|\n|\r")
_NAME = re.compile(r"(?:([A-Za-z0-9_-]{1,64})\.)?([A-Za-z0-9_-]{1,64})\Z", re.ASCII)
_CHARSET_NAME = re.compile(r"[A-Za-z0-9._:-]{2,40}\Z", re.ASCII)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LONGEST_HEAD = 2_000
_LONGEST_VALUE = 1_000_000
# Pictures, sounds and keys: never looked at, and most of a file
_BINARY = frozenset(("PHOTO", "LOGO", "SOUND", "KEY", "X-MS-CARDPICTURE", "X-THUMBNAIL"))
_QUOTED = "QUOTED-PRINTABLE"


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a card.

    Attributes:
        group: what ties a property to its label (`item1.TEL`, `item1.X-ABLabel`).
        parameters: by name in capitals, values in lower case; those without a name (2.1) count as TYPE.
        value: decoded, and still escaped.
    """

    name: str
    value: str
    group: str = ""
    parameters: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def text(self) -> str:
        """The value as one text."""
        return unescaped(self.value)

    def parts(self, separator: str = ";") -> list[str]:
        """The value cut at a separator that is not escaped."""
        return [unescaped(part).strip() for part in split(self.value, separator)]

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it is for: home, work, cell."""
        return self.parameters.get("TYPE", ())


def cards(text: str) -> Iterator[list[Property]]:
    """The properties of each card of a file, in order."""
    for lines in _raw_cards(_LINE_END.split(text)):
        yield [found for line in _logical(lines) if (found := _property(line)) is not None]


def unescaped(value: str) -> str:
    r"""A text with `\n`, `\,`, `\;` and `\\` undone."""
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], value)


def split(value: str, separator: str) -> list[str]:
    """Cut at a separator that is not escaped; the parts stay escaped."""
    if "\\" not in value:
        return value.split(separator)
    parts: list[str] = []
    held: list[str] = []
    for piece in value.split(separator):
        held.append(piece)
        trailing = len(piece) - len(piece.rstrip("\\"))
        if trailing % 2 == 0:
            parts.append(separator.join(held))
            held = []
    return [*parts, separator.join(held)] if held else parts


def _raw_cards(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each card; a card within a card (AGENT) is passed over."""
    held: list[str] | None = None
    depth = 0
    for line in lines:
        marker = line.strip().upper() if len(line) < 40 else ""  # noqa: PLR2004 - longer ones are none
        if marker == "BEGIN:VCARD":
            if held is not None and (depth or _awaits_card(held)):
                depth += 1
                continue
            if held:
                yield held
            held = []
        elif marker == "END:VCARD":
            if depth:
                depth -= 1
            elif held is not None:
                yield held
                held = None
        elif held is not None and not depth:
            held.append(line)
    if held:
        yield held


def _awaits_card(held: list[str]) -> bool:
    last = next((line.strip().upper() for line in reversed(held[-3:]) if line.strip()), "")
    return last.startswith("AGENT") and last.endswith(":")


def _logical(lines: list[str]) -> Iterator[str]:
    """Lines with their continuations: folded ones, and in 2.1 quoted-printable ones that end with `=`."""
    keeps_blank = any(line.strip().upper() == "VERSION:2.1" for line in lines)
    held: list[str] = []
    head = ""
    is_soft = is_binary = False
    for line in lines:
        is_folded = line[:1] in {" ", "\t"} and bool(held)
        if is_soft or is_folded:
            if not is_binary:
                held.append(line if is_soft or (keeps_blank and is_folded) else line[1:])
        else:
            yield "".join(held)
            held = [line]
            head = line[:_LONGEST_HEAD].partition(":")[0].upper()
            is_binary = head.rpartition(".")[2].partition(";")[0] in _BINARY
        is_soft = not is_binary and held[-1].endswith("=") and _QUOTED in head
        if is_soft:
            held[-1] = held[-1][:-1]
    yield "".join(held)


def _property(line: str) -> Property | None:
    """One logical line; None for what is no property, and for pictures and the like."""
    colon = _colon(line)
    if colon < 0:
        return None
    head, value = line[:colon], line[colon + 1 : colon + 1 + _LONGEST_VALUE]
    name, *given = _outside_quotes(head, ";")
    match = _NAME.match(name.strip())
    if match is None or match[2].upper() in _BINARY:
        return None
    parameters = _parameters(given)
    encodings = parameters.get("ENCODING", ())
    if "b" in encodings or "base64" in encodings:
        return None
    if _QUOTED.lower() in encodings:
        value = _unquoted(value, parameters.get("CHARSET", ("",))[0])
    return Property(match[2].upper(), value.strip(), (match[1] or "").lower(), parameters)


def _colon(line: str) -> int:
    """Where the value begins: the first colon outside quotation marks."""
    first = line.find(":", 0, _LONGEST_HEAD)
    if '"' not in line[: max(0, first)]:
        return first
    is_quoted = False
    for index, character in enumerate(line[:_LONGEST_HEAD]):
        if character == '"':
            is_quoted = not is_quoted
        elif character == ":" and not is_quoted:
            return index
    return first


def _outside_quotes(text: str, separator: str) -> list[str]:
    if '"' not in text:
        return text.split(separator)
    parts = [""]
    is_quoted = False
    for character in text:
        if character == '"':
            is_quoted = not is_quoted
        elif character == separator and not is_quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _parameters(given: list[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for one in given:
        name, is_named, value = one.partition("=")
        name = name.strip().upper()
        if not is_named:
            name, value = ("ENCODING", name) if name in {_QUOTED, "BASE64"} else ("TYPE", name)
        values = tuple(part.strip().lower() for part in value.split(",") if part.strip())
        found[name] = found.get(name, ()) + values
    return MappingProxyType(found)


def _unquoted(value: str, charset: str) -> str:
    data = quopri.decodestring(value.encode("utf-8", "surrogatepass"))
    return decode(data, charset if _CHARSET_NAME.match(charset) else "utf-8").text
