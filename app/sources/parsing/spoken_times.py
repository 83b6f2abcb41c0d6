"""Texts of what was said, with the time of the recording in front of lines: blocks learn their second (G2.3).

Meeting tools write them as text, Markdown and DOCX, with `[00:12:34]` or `00:12:34` at the start of a line, or behind
a speaker's name. The times leave the text, and become the second of their block: nobody said them. Times of a day look
alike: a transcript begins within its first hour (the first minute where only minutes and seconds stand), and goes on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from app.domain.entries import Block
from app.domain.labels import BlockKind, EntryKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.sources.parsing.parsed import Parsed, ParsedEntry

_KINDS = frozenset({EntryKind.NOTE, EntryKind.DOCUMENT})
_CUT = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE})
_TOLD = _CUT | {BlockKind.HEADING}
_HEAD_CHARS = 120
STRETCH_S = 30
STRETCH_CHARS = 600
"""What is told as one: a citation leads to within half a minute, and no paragraph is longer than a page."""
_HOUR_S, _MINUTE_S = 3600, 60
_LEAST_LONG, _LEAST_SHORT = 2, 3
_STEPS_BACK_SHARE = 0.1

TIME = r"(?:(?P<h>\d{1,3}):)?(?P<m>\d{1,3}):(?P<s>[0-5]\d)(?:[.,]\d{1,3})?"
"""Hours, minutes and seconds from the start of a recording."""
_UNTIL = TIME.replace("?P<h>", "?:").replace("?P<m>", "?:").replace("?P<s>", "?:")
_IN_FRONT = re.compile(
    rf"(?P<bullet>\s{{0,8}}(?:[-*>•]\s{{1,3}})?)(?P<mark>[*_]{{0,3}})[\[(（【]?{TIME}(?![\d:]|[.,]\d|\s?[AaPp]\.?[Mm]\b)"
    rf"(?:\s{{0,3}}(?:-->|[-–~至])\s{{0,3}}{_UNTIL}(?![\d:]))?[\])）】]?(?P<closed>[*_]{{0,3}})\s{{0,4}}(?:[-–—|:：]\s{{0,4}})?"
)
_NAME = r"\s{0,8}[*_\[]{0,3}(?P<name>[^\W\d_][^\n:：\[\](（）)*]{0,40}?)[*_\]]{0,3}\s{0,4}"
_BEHIND_NAME = re.compile(rf"{_NAME}[\[(（]{TIME}[\])）]\s?(?:[:：]\s{{0,4}}|$)")
_AFTER_NAME = re.compile(rf"{_NAME}\s{TIME}\s{{0,4}}[:：]?\s{{0,4}}$")


@dataclass(frozen=True, slots=True)
class _Stamp:
    """The time with which a line begins. `is_long`: with its hours. `rest`: the line without it."""

    second: int
    is_long: bool
    rest: str


def with_seconds(parsed: Parsed) -> Parsed:
    """Tell the blocks of a transcript their seconds; any other text comes back as it is."""
    entries = tuple(_looked_at(entry) if entry.kind in _KINDS else entry for entry in parsed.entries)
    return replace(parsed, entries=entries) if entries != parsed.entries else parsed


def second_of(match: re.Match[str]) -> int:
    """The whole seconds of a match of `TIME`."""
    return int(match["h"] or 0) * _HOUR_S + int(match["m"]) * _MINUTE_S + int(match["s"])


def _looked_at(entry: ParsedEntry) -> ParsedEntry:
    stamps = [[_stamp(line) for line in _lines(block)] for block in entry.blocks]
    if not _is_transcript([stamp for some in stamps for stamp in some if stamp is not None]):
        return entry
    return replace(entry, blocks=tuple(_told(zip(entry.blocks, stamps, strict=True))))


def _lines(block: Block) -> list[str]:
    return block.text.split("\n") if block.kind in _TOLD else []


def _stamp(line: str) -> _Stamp | None:
    head = line[:_HEAD_CHARS]
    if ":" not in head:
        return None
    if (match := _IN_FRONT.match(head)) is not None:
        opened = "" if match["mark"] == match["closed"] else match["mark"]
        rest = match["bullet"] + opened + line[match.end() :]
    elif (match := _BEHIND_NAME.match(head) or _AFTER_NAME.match(head)) is not None:
        rest = f"{match['name']}: {line[match.end() :]}".rstrip()
    else:
        return None
    return _Stamp(second_of(match), match["h"] is not None, rest)


def _is_transcript(stamps: list[_Stamp]) -> bool:
    """Whether the times are those of a recording, and not of a day, a table of trains or a log."""
    long = sum(stamp.is_long for stamp in stamps)
    if len(stamps) < (_LEAST_LONG if long * 2 > len(stamps) else _LEAST_SHORT):
        return False
    if stamps[0].second >= (_HOUR_S if stamps[0].is_long else _MINUTE_S):
        return False
    back = sum(one.second > other.second for one, other in pairwise(stamps))
    return back <= _STEPS_BACK_SHARE * len(stamps) and stamps[-1].second > stamps[0].second


def _told(blocks: Iterable[tuple[Block, list[_Stamp | None]]]) -> Iterator[Block]:
    """Each block with its second; one without a time goes on from the one before, up to the next heading."""
    second: int | None = None
    for block, stamps in blocks:
        if block.kind is BlockKind.HEADING:
            second = stamps[0].second if stamps and stamps[0] is not None else None
        if block.kind not in _CUT:
            yield replace(block, place=replace(block.place, second=second))
            continue
        lines = block.text.split("\n")
        for start, end in _stretches(lines, stamps):
            stamp = stamps[start]
            second = stamp.second if stamp is not None else second
            part = _part(block, (start, end), lines, stamps)
            if part.text:
                yield replace(part, place=replace(part.place, second=second))
            second = next((one.second for one in reversed(stamps[start:end]) if one is not None), second)


def _stretches(lines: list[str], stamps: list[_Stamp | None]) -> Iterator[tuple[int, int]]:
    """Lines that are told as one: about half a minute, from a time on."""
    start, since, size = 0, None, 0
    for number, (line, stamp) in enumerate(zip(lines, stamps, strict=True)):
        is_far = stamp is not None and (since is None or abs(stamp.second - since) >= STRETCH_S)
        if stamp is not None and number and (is_far or size > STRETCH_CHARS):
            yield start, number
            start, since, size = number, None, 0
        if stamp is not None and since is None:
            since = stamp.second
        size += len(line)
    yield start, len(lines)


def _part(block: Block, span: tuple[int, int], lines: list[str], stamps: list[_Stamp | None]) -> Block:
    """Some lines of a block, without their times; those in front that had nothing else are left out."""
    start, end = span
    texts = [
        line if stamp is None else stamp.rest for line, stamp in zip(lines[start:end], stamps[start:end], strict=True)
    ]
    while texts and not texts[0].strip():
        del texts[0]
        start += 1
    place = block.place
    first, last = place.first_line, place.last_line
    if first is not None and last is not None and last - first == len(lines) - 1:
        place = replace(place, first_line=first + start, last_line=first + end - 1)
    return Block(block.kind, "\n".join(texts), place)
