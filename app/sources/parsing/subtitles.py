"""Subtitles (SubRip, WebVTT) as the text of what is said: a paragraph for each half minute or speaker, with its second.

The times, numbers and styles of the cues are left out. A cue of which the time makes no sense has none.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind, EntryKind
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.picture_dates import date_in_name
from app.sources.parsing.plain_text import decoding_warnings
from app.sources.parsing.spoken_times import STRETCH_CHARS, STRETCH_S, TIME, second_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About

_ARROW = "-->"
_TIMING = re.compile(rf"\s{{0,9}}{TIME}\s{{0,9}}-->\s{{0,9}}[\d:.,]{{4,20}}(?=\s|$)")
_BROKEN_TIMING = re.compile(r"\s{0,9}\d[\d:.,;\-]{0,30}\s{0,9}-->")
_VTT_START = re.compile(r"\ufeff?WEBVTT(?:[ \t\n]|$)")
_NO_CUE = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t]|$)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]{0,60})?[ \t]([^<>]{1,80})>")
_MARKUP = re.compile(r"</?[a-z](?:[^<>]{0,200})>|<\d[\d:.]{0,20}>|\{\\[^{}]{0,200}\}", re.IGNORECASE)
_HEAD_LINES = 400
_PAUSE_S = 10


def is_subtitles(head: str, name: str) -> bool:
    """Whether a text is one of cues, by its beginning; the name alone does not make it one."""
    if _VTT_START.match(head):
        return True
    lines = head.lstrip("\ufeff").splitlines()[:_HEAD_LINES]
    if name.lower().endswith((".srt", ".vtt")):
        return any(_TIMING.match(line) for line in lines)
    filled = [line for line in lines if line.strip()][:2]
    return any(_TIMING.match(line) for line in filled) and (
        filled[0].strip().isdecimal() or _TIMING.match(filled[0]) is not None
    )


@dataclass(slots=True)
class _Cue:
    """What is shown at a time, or several such things that belong together.

    Attributes:
        second: of the first one; None where no time could be read. until: the start of the last one.
    """

    second: int | None
    first_line: int
    last_line: int
    until: int | None = None
    speaker: str = ""
    lines: list[str] = field(default_factory=list)
    size: int = 0


def parse(decoded: Decoded, about: About) -> Parsed:
    """One entry: who says what, by stretches of about half a minute."""
    writer = BlockWriter(about.limits.text_chars)
    for cue in _stretches(_cues(decoded.text)):
        text = " ".join(cue.lines)
        words = f"{cue.speaker}: {text}" if cue.speaker else text
        writer.add(BlockKind.PARAGRAPH, words, lines=(cue.first_line, cue.last_line), second=cue.second)
        if writer.was_cut:
            break
    entry = ParsedEntry(
        kind=EntryKind.NOTE,
        title=one_line(about.stem),
        blocks=writer.blocks,
        event_time=date_in_name(about.name, about.zone),
    )
    return Parsed("subtitles", (entry,), warnings=decoding_warnings(decoded) + writer.warnings())


def _cues(text: str) -> Iterator[_Cue]:
    """Every cue by itself, in the order of the file; each line is looked at once."""
    cue: _Cue | None = None
    is_skipped = _VTT_START.match(text) is not None
    was_blank = not is_skipped
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix("\ufeff")
        timing = _TIMING.match(line)
        if timing is not None or _BROKEN_TIMING.match(line):
            if cue is not None and cue.lines:
                yield cue
            second = second_of(timing) if timing is not None else None
            cue, is_skipped = _Cue(second, number, number, second), False
        elif not line.strip():
            is_skipped, was_blank = False, True
            continue
        elif was_blank and _NO_CUE.match(line):
            is_skipped = True
        elif not is_skipped and not _is_number(line, lines, number):
            cue = cue or _Cue(None, number, number)
            _add(cue, line, number)
        was_blank = False
    if cue is not None and cue.lines:
        yield cue


def _is_number(line: str, lines: list[str], number: int) -> bool:
    """Whether a line is the name of the cue that begins in the next one."""
    return (
        number < len(lines)
        and _ARROW in lines[number]
        and (line.strip().isdecimal() or number < 2 or not lines[number - 2].strip())  # noqa: PLR2004 - the line above
    )


def _add(cue: _Cue, line: str, number: int) -> None:
    voice = _VOICE.search(line)
    speaker = one_line(html.unescape(voice[1])) if voice is not None else ""
    text = " ".join(html.unescape(_MARKUP.sub("", line)).split())
    if not text:
        return
    if not cue.lines:
        cue.speaker = speaker
    cue.lines.append(text if speaker in {"", cue.speaker} else f"{speaker}: {text}")
    cue.last_line = number
    cue.size += len(text)


def _stretches(cues: Iterable[_Cue]) -> Iterator[_Cue]:
    """Cues of one speaker without a pause as one; a line that a cue repeats from the one before stands once."""
    held: _Cue | None = None
    for cue in cues:
        if held is not None and held.lines[-1] == cue.lines[0]:
            del cue.lines[0]
        if held is not None and not cue.lines:
            held.until, held.last_line = cue.until or held.until, cue.last_line
        elif held is not None and _goes_on(held, cue):
            held.lines += cue.lines
            held.size += cue.size
            held.until, held.last_line = cue.until or held.until, cue.last_line
        else:
            if held is not None:
                yield held
            held = cue
    if held is not None:
        yield held


def _goes_on(held: _Cue, cue: _Cue) -> bool:
    if cue.speaker != held.speaker or held.size > STRETCH_CHARS:
        return False
    if held.second is None or held.until is None or cue.second is None:
        return False
    return held.second <= cue.second < held.second + STRETCH_S and cue.second - held.until <= _PAUSE_S
