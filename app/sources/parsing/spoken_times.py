"""Texts of what was said, with the time of the recording in front of lines: blocks learn their second (G2.3).

Meeting tools write them as text, Markdown and DOCX, with `[00:12:34]` or `00:12:34` at the start of a line, or behind
a speaker's name. The words stay as they stand; blocks are only cut, and told where they begin. Times of a day look
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
_IN_FRONT = re.compile(rf"\s{{0,8}}(?:[-*>•]\s{{1,3}})?[*_]{{0,3}}[\[(（【]?{TIME}(?![\d:]|[.,]\d|\s?[AaPp]\.?[Mm]\b)")
_BEHIND_NAME = re.compile(
    rf"\s{{0,8}}[*_\[]{{0,3}}[^\W\d_][^\n:：\[\](（）)]{{0,40}}[*_\]]{{0,3}}\s{{0,4}}(?:[\[(（]{TIME}[\])）]\s?(?:[:：]|$)"
    rf"|\s{TIME.replace('P<h>', 'P<h2>').replace('P<m>', 'P<m2>').replace('P<s>', 'P<s2>')}\s{{0,4}}[:：]?\s{{0,4}}$)"
)


@dataclass(frozen=True, slots=True)
class _Stamp:
    """The time with which a line begins. `is_long`: with its hours."""

    second: int
    is_long: bool


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
        return _Stamp(second_of(match), match["h"] is not None)
    if (match := _BEHIND_NAME.match(head)) is None:
        return None
    hours, minutes, seconds = (match[name] or match[f"{name}2"] for name in ("h", "m", "s"))
    return _Stamp(int(hours or 0) * _HOUR_S + int(minutes) * _MINUTE_S + int(seconds), hours is not None)


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
            yield _part(block, lines, (start, end), second)
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


def _part(block: Block, lines: list[str], span: tuple[int, int], second: int | None) -> Block:
    place = replace(block.place, second=second)
    first, last = block.place.first_line, block.place.last_line
    if first is not None and last is not None and last - first == len(lines) - 1:
        place = replace(place, first_line=first + span[0], last_line=first + span[1] - 1)
    return Block(block.kind, "\n".join(lines[span[0] : span[1]]), place)
