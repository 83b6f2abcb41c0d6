"""Blocks as pieces that fit: long paragraphs at sentence borders, tables between rows, code between lines (G2.3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.domain.entries import Place
from app.domain.labels import BlockKind
from app.govern.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from app.domain.entries import Block

# Tokens of texts apart, and joined: the joined text has at most a tenth more
_JOINED_SHARE = 0.9
_MOST_CHARS_A_TOKEN = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one block.

    Attributes:
        tokens: of `header` and `text` together.
        header: a table's first line, to be shown before its rows.
        is_continued: whether the piece before it is of the same block; its text then joins without a paragraph break.
    """

    text: str
    tokens: int
    place: Place = field(default_factory=Place)
    header: str = ""
    is_heading: bool = False
    is_continued: bool = False


def pieces_of(blocks: Iterable[Block], count: Callable[[str], int], limit: int) -> list[Piece]:
    """Cut every block into pieces of at most `limit` tokens; blank blocks vanish."""
    pieces: list[Piece] = []
    for block in blocks:
        if not block.text.strip():
            continue
        if block.kind is BlockKind.TABLE:
            pieces.extend(_table_pieces(block, count, limit))
        elif block.kind in {BlockKind.CODE, BlockKind.LIST}:
            pieces.extend(_text_pieces(block, block.text.splitlines(keepends=True), count, limit))
        else:
            pieces.extend(_text_pieces(block, None, count, limit))
    return pieces


def _text_pieces(block: Block, units: Sequence[str] | None, count: Callable[[str], int], limit: int) -> list[Piece]:
    tokens = count(block.text)
    is_heading = block.kind is BlockKind.HEADING
    if tokens <= limit:
        return [Piece(text=block.text, tokens=tokens, place=block.place, is_heading=is_heading)]
    texts = _grouped(units if units is not None else split_sentences(block.text), count, limit)
    spans = _line_spans(block, texts)
    return [
        Piece(text=text, tokens=count(text), place=place, is_continued=index > 0)
        for index, (text, place) in enumerate(zip(texts, spans, strict=True))
    ]


def _grouped(units: Sequence[str], count: Callable[[str], int], limit: int) -> list[str]:
    """Join units to texts of about equal size, none over `limit`.

    Joined texts have about as many tokens as their parts; they are counted only where they may come near the limit,
    so that a text of any length is counted a few times over and not once for each of its units.
    """
    fitting = [part for unit in _with_blanks(units) for part in _fitting(unit, count, limit)]
    sizes = [count(part) for part in fitting]
    aim = sum(sizes) / max(1, -(-sum(sizes) // limit))
    texts: list[str] = []
    current, size, most = "", 0, 0.0
    has_text = False
    for part, tokens in zip(fitting, sizes, strict=True):
        most += tokens / _JOINED_SHARE
        is_over = size + tokens / 2 > aim
        if has_text and not is_over and most > limit:
            most = count(current + part)
            is_over = most > limit
        if has_text and is_over:
            texts.append(current)
            current, size, most, has_text = "", 0, tokens / _JOINED_SHARE, False
        current += part
        size += tokens
        has_text = has_text or not part.isspace()
    texts.append(current)
    return texts


def _with_blanks(units: Sequence[str]) -> list[str]:
    """Units, each with the blank ones behind it: an empty line is not worth counting."""
    whole: list[str] = []
    run: list[str] = []
    for unit in units:
        if run and not unit.isspace():
            whole.append("".join(run))
            run = []
        run.append(unit)
    return [*whole, "".join(run)]


def _fitting(unit: str, count: Callable[[str], int], limit: int) -> list[str]:
    """A single sentence or line that is too long is cut in two, at a blank where there is one near the middle.

    One that is longer than any text of `limit` tokens is cut down to such lengths before anything is counted.
    """
    sure = limit * _MOST_CHARS_A_TOKEN
    parts: list[str] = []
    start = 0
    while len(unit) - start > sure:
        cut = _cut(unit, start, start + sure)
        parts.append(unit[start:cut])
        start = cut
    parts.append(unit[start:])
    return [half for part in parts for half in _halved(part, count, limit)]


def _halved(unit: str, count: Callable[[str], int], limit: int) -> list[str]:
    if len(unit) <= 1 or count(unit) <= limit:
        return [unit]
    cut = _cut(unit, 0, len(unit))
    return [*_halved(unit[:cut], count, limit), *_halved(unit[cut:], count, limit)]


def _cut(text: str, start: int, end: int) -> int:
    """A place near the middle of a stretch: behind a blank where there is one in its third quarter."""
    middle = (start + end) // 2
    blank = text.find(" ", middle, middle + (end - start) // 4)
    return blank + 1 if blank >= 0 and blank + 1 < end else middle


def _line_spans(block: Block, texts: Sequence[str]) -> list[Place]:
    """The lines of each part, exact where the block's own lines are those of its original."""
    first, last = block.place.first_line, block.place.last_line
    if first is None or last is None or block.text.rstrip("\n").count("\n") != last - first:
        return [block.place] * len(texts)
    places = []
    line = first
    for text in texts:
        body = text.rstrip("\n")
        leading = len(body) - len(body.lstrip("\n"))
        start = line + leading
        places.append(replace(block.place, first_line=min(start, last), last_line=min(line + body.count("\n"), last)))
        line += text.count("\n")
    return places


def _table_pieces(block: Block, count: Callable[[str], int], limit: int) -> list[Piece]:
    """Row groups; a header that is itself too long is treated as a row."""
    lines = block.text.strip("\n").split("\n")
    header, rows = lines[0], lines[1:]
    header_tokens = count(header)
    if not rows or header_tokens > limit // 2 or count(block.text) <= limit:
        return _text_pieces(block, block.text.splitlines(keepends=True), count, limit)
    texts = _grouped([f"{row}\n" for row in rows], count, limit - header_tokens - 1)
    first, last = block.place.first_line, block.place.last_line
    has_lines = first is not None and last is not None and last - first == len(lines) - 1
    pieces = []
    row = 1
    for index, text in enumerate(texts):
        height = text.rstrip("\n").count("\n") + 1
        place = block.place
        if has_lines and first is not None:
            place = replace(place, first_line=first + row, last_line=first + row + height - 1)
        row += text.count("\n")
        body = text.rstrip("\n")
        tokens = count(f"{header}\n{body}")
        pieces.append(Piece(text=body, tokens=tokens, place=place, header=header, is_continued=index > 0))
    return pieces
