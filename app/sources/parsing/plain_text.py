"""Plain text by paragraphs; also what the other kinds of text are read with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.check_boxes import with_tasks
from app.sources.parsing.parsed import Parsed, ParsedEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.text import Text
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About

_BULLET = re.compile(r"\s*(?:[-*+•·◦‣–]|\(?\d{1,3}[.)、]|[一二三四五六七八九十]{1,3}、)\s*\S")
_MAX_PARAGRAPH_LINES = 400


def parse(decoded: Decoded, about: About) -> Parsed:
    """Text by paragraphs (stretches between empty lines), with their lines."""
    return with_tasks(parse_as(decoded, about, None), decoded.text, about)


def parse_as(decoded: Decoded, about: About, kind: BlockKind | None) -> Parsed:
    """Text by paragraphs, all of one kind; None finds each paragraph's own."""
    writer = BlockWriter(about.limits.text_chars)
    for first, lines in paragraphs(decoded.text):
        writer.add(kind or _kind(lines), "\n".join(lines), lines=(first, first + len(lines) - 1))
        if writer.was_cut:
            break
    return as_note(decoded, about, writer)


def paragraphs(text: str) -> Iterator[tuple[int, list[str]]]:
    """Stretches of lines that are not blank, each with the number of its first line (from 1)."""
    held: list[str] = []
    number = 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        if line.strip() and len(held) < _MAX_PARAGRAPH_LINES:
            held.append(line)
            continue
        if held:
            yield number - len(held), held
        held = [line] if line.strip() else []
    if held:
        yield number - len(held) + 1, held


def decoding_warnings(decoded: Decoded) -> tuple[Text, ...]:
    """What a person should know of how the bytes were read."""
    if not decoded.has_losses:
        return ()
    return (msg("Some bytes make no sense as {encoding} and were left out.", encoding=decoded.encoding),)


def _kind(lines: list[str]) -> BlockKind:
    bullets = sum(1 for line in lines if _BULLET.match(line))
    if bullets > 1 and bullets * 2 >= len(lines) and _BULLET.match(lines[0]):
        return BlockKind.LIST
    return BlockKind.QUOTE if all(line.startswith(">") for line in lines) else BlockKind.PARAGRAPH


def as_note(decoded: Decoded, about: About, writer: BlockWriter) -> Parsed:
    """A text file as one entry with its name as the title."""
    entry = ParsedEntry(kind=EntryKind.NOTE, title=one_line(about.stem), blocks=writer.blocks)
    return Parsed("text", (entry,), warnings=decoding_warnings(decoded) + writer.warnings())
