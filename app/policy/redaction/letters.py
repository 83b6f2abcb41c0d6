"""The address block of a letter or a signature: short lines, one under the other (L5.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.policy.redaction.findings import Finding, Kind
from app.policy.redaction.phrases import lower
from app.policy.redaction.western_lists import western_lists

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE = re.compile(r"[^\n]{1,4000}")
_L = "A-Za-z\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff\u0400-\u04ff"
_LONGEST_LINE = 80
_STREET = re.compile(
    rf"\A(?:(?:\d{{1,6}} ){{0,2}}[{_L}][{_L}'.\- ]{{1,50}},? \d{{1,5}}[A-Za-z]?\.?(?:,? ?(?:apt"
    rf"|suite)\.? ?\d{{1,5}}.{{0,40}})?\Z|\d{{1,6}} (?:\d{{1,6}} )?[{_L}][{_L}0-9'.,\- ]{{3,60}}\Z)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\A(?:suite|ste\.?|apt\.?|apartment|unit|flat|p\.? ?o\.? ?box|psc|box)\b.{0,40}\d.{0,20}\Z", re.IGNORECASE
)
_POST = re.compile(
    rf"\A(?:,? ?[{_L}][{_L}'.() \-]{{1,40}},? ?(?:[A-Z]{{2}} )?\d{{4,6}}|\d{{4,6}} [{_L}][{_L}' \-]{{1,40}}"
    rf"|,? ?[A-Z]{{2}},?|,? ?[A-Z]{{2}} \d{{4,6}})\Z"
)
_NAME = re.compile(rf"[{_L}][{_L}'.\-]{{0,24}}(?:,? (?:and )?[{_L}(][{_L}'.)\-]{{0,24}}){{0,5}}\Z")
_CONTACT = re.compile(
    r"\A(?:(?:mobile|desk|fax|tel|phone|office|cell|e-?mail|web|home|work)\b.{0,60}|.{0,40}-(?:office|fax"
    r"|mobile|home)\b.{0,60})\Z",
    re.IGNORECASE,
)
_PROSE = re.compile(
    r"\b(?:is|are|was|were|the|please|thank|thanks|will|have|has|can|you|we|i|my|to|of|for|dear|hi|hello"
    r"|regards|best|sincerely|subject|step|total|price|note|page|chapter)\b",
    re.IGNORECASE,
)
_FEWEST = 2
_SORTS = (("contact", _CONTACT), ("unit", _UNIT), ("", _PROSE), ("post", _POST), ("street", _STREET))
_OWN_WORDS = 8


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    sort: str


def find_letter_blocks(text: str) -> Iterator[Finding]:
    """Names, organisations, streets and places of address blocks."""
    if "\n" not in text:
        return
    block: list[_Line] = []
    for line in _lines(text):
        if line.sort:
            block.append(line)
        else:
            yield from _judge(block)
            block = []
    yield from _judge(block)


def _lines(text: str) -> Iterator[_Line]:
    for found in _LINE.finditer(text):
        stripped = found[0].strip()
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        if stripped:
            yield _Line(start, start + len(stripped), stripped, _sort(stripped))


def _sort(line: str) -> str:
    """What a line of a letter is: contact, unit, post, street, country, name; "" for a line of prose."""
    if len(line) > _LONGEST_LINE:
        return ""
    for sort, pattern in _SORTS:
        if pattern.search(line):
            return sort
    return "country" if _is_country(line) else "name" if _NAME.match(line) else ""


def _is_country(line: str) -> bool:
    return any(
        end - start >= len(line) - _OWN_WORDS
        for start, end, label in western_lists().places.find(lower(line))
        if label == "countries"
    )


def _judge(block: list[_Line]) -> Iterator[Finding]:
    sorts = [line.sort for line in block]
    places = sum(sort in {"street", "unit", "post", "country"} for sort in sorts)
    is_letter = "street" in sorts and (places >= _FEWEST or ("name" in sorts[:1] and len(block) > 1))
    is_letter = (
        is_letter
        or ("unit" in sorts and places >= _FEWEST)
        or (sorts[-1:] == ["country"] and sorts[:1] == ["name"] and len(sorts) > 1)
    )
    if not is_letter:
        return
    first_place = next(index for index, sort in enumerate(sorts) if sort in {"street", "unit", "post", "country"})
    for index, line in enumerate(block):
        if line.sort == "contact":
            continue
        if line.sort in {"street", "unit", "post"}:
            kind = Kind.ADDRESS
        elif index < first_place and line.sort == "name":
            kind = Kind.PERSON if index == 0 else Kind.ORGANISATION
        else:
            kind = Kind.PLACE
        yield Finding(line.start, line.end, kind, 0.55)
