"""Plain text, program text and delimited tables."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.sources.parsing.blocks import BlockWriter, one_line, table_text
from app.sources.parsing.parsed import Parsed, ParsedEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.text import Text
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About

_BULLET = re.compile(r"\s*(?:[-*+•·◦‣–]|\(?\d{1,3}[.)、]|[一二三四五六七八九十]{1,3}、)\s*\S")
_MAX_PARAGRAPH_LINES = 400
_DELIMITERS = ",\t;|"


def parse(decoded: Decoded, about: About, *, is_code: bool = False) -> Parsed:
    """Text by paragraphs (stretches between empty lines), with their lines."""
    writer = BlockWriter(about.limits.text_chars)
    for first, lines in paragraphs(decoded.text):
        kind = BlockKind.CODE if is_code else _kind(lines)
        writer.add(kind, "\n".join(lines), lines=(first, first + len(lines) - 1))
        if writer.was_cut:
            break
    return _parsed("text", decoded, about, writer)


def parse_delimited(decoded: Decoded, about: About) -> Parsed:
    """A CSV or TSV file as one table, its first row the header."""
    writer = BlockWriter(about.limits.text_chars)
    text = decoded.text[: about.limits.text_chars]
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=_delimiter(text, about)))
    except csv.Error:
        return parse(decoded, about)
    writer.add(BlockKind.TABLE, table_text(rows), lines=(1, max(1, text.count("\n"))))
    return _parsed("text", decoded, about, writer)


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


def _delimiter(text: str, about: About) -> str:
    if about.name.lower().endswith(".tsv"):
        return "\t"
    head = text.split("\n", 1)[0]
    return max(_DELIMITERS, key=head.count)


def _parsed(format_name: str, decoded: Decoded, about: About, writer: BlockWriter) -> Parsed:
    entry = ParsedEntry(kind=EntryKind.NOTE, title=one_line(about.stem), blocks=writer.blocks)
    return Parsed(format_name, (entry,), warnings=decoding_warnings(decoded) + writer.warnings())
