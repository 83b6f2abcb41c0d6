"""Blocks are gathered here by every parser: headings become paths, and text ends at its limit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.entries import Block, Place
from app.domain.labels import BlockKind
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.text import Text

_SURROGATES = re.compile("[\ud800-\udfff]")
_TITLE_CHARS = 300
_HEADING_DEPTH = 9


def clean(text: str) -> str:
    """Text as every later step can take it: no NUL, no lone surrogates, lines end with a line feed."""
    kept = text.replace("\0", "")
    if not kept.isascii():
        kept = _SURROGATES.sub("\ufffd", kept)
    return kept.replace("\r\n", "\n").replace("\r", "\n")


def one_line(text: str, limit: int = _TITLE_CHARS) -> str:
    """A title: one line of bounded length."""
    line = " ".join(clean(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


class BlockWriter:
    """Collects the blocks of one entry, up to a number of characters.

    Args:
        limit_chars: text beyond it is left out.
        message_id: where all blocks are from, for mail.
        base_path: headings above everything (an attachment's name).
    """

    def __init__(self, limit_chars: int, *, message_id: str | None = None, base_path: tuple[str, ...] = ()) -> None:
        self._left = limit_chars
        self._limit_chars = limit_chars
        self._message_id = message_id
        self._base_path = base_path
        self._headings: list[tuple[int, str]] = []
        self._blocks: list[Block] = []
        self.was_cut = False

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What was gathered."""
        return tuple(self._blocks)

    @property
    def left_chars(self) -> int:
        """How much more fits; nothing once something was cut."""
        return 0 if self.was_cut else self._left

    def heading(self, level: int, text: str, *, page: int | None = None, lines: tuple[int, int] | None = None) -> None:
        """A heading; its own place names the headings above it, and what follows stands under it."""
        text = one_line(text)
        if not text:
            return
        self.leave(level)
        self.add(BlockKind.HEADING, text, page=page, lines=lines)
        if len(self._headings) < _HEADING_DEPTH:
            self._headings.append((level, text))

    def leave(self, level: int) -> None:
        """What follows stands under no heading of this level or a lower one: a slide or page without a title."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        page: int | None = None,
        lines: tuple[int, int] | None = None,
        second: int | None = None,
    ) -> None:
        """Any block; an empty one is left out."""
        text = clean(text).strip("\n").rstrip()
        if not text.strip() or self.was_cut:
            return
        if len(text) > self._left:
            self.was_cut = True
            text = text[: self._left].rstrip()
            if not text:
                return
        self._left -= len(text)
        first, last = lines if lines is not None else (None, None)
        path = self._base_path + tuple(heading for _, heading in self._headings)
        self._blocks.append(Block(kind, text, Place(path, page, first, last, self._message_id, second)))

    def extend(self, blocks: Iterable[Block]) -> None:
        """Blocks of an enclosed document, under this one's headings."""
        outer = self._base_path + tuple(heading for _, heading in self._headings)
        for block in blocks:
            self.add(block.kind, block.text, page=block.place.page)
            if self._blocks and not self.was_cut:
                inner = Place(
                    outer + block.place.heading_path,
                    block.place.page,
                    message_id=self._message_id,
                    second=block.place.second,
                )
                self._blocks[-1] = Block(block.kind, self._blocks[-1].text, inner)

    def warnings(self) -> tuple[Text, ...]:
        """What a person should know of what was left out."""
        if not self.was_cut:
            return ()
        return (msg("Only the first {count} characters were taken in; the rest is too long.", count=self._limit_chars),)


def distinct(texts: Iterable[Text]) -> tuple[Text, ...]:
    """Each sentence once, in order."""
    return tuple({str(text): text for text in texts}.values())


def whole_text(blocks: Iterable[Block]) -> str:
    """The text of all blocks, as facts and hashes use it."""
    return "\n\n".join(block.text for block in blocks)


def table_text(rows: Iterable[Iterable[str]]) -> str:
    """A table as a block holds it: a line for each row, cells apart by ` | `."""
    lines = (" | ".join(" ".join(cell.split()) for cell in row) for row in rows)
    return "\n".join(line for line in lines if line.strip(" |"))
