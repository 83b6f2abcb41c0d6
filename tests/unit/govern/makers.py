"""Entries for tests, with as little said as needed."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from app.domain.entries import Block, Entry, Place
from app.domain.labels import BlockKind, EntryKind

if TYPE_CHECKING:
    from collections.abc import Sequence

WHEN = datetime(2025, 5, 10, 9, 0, tzinfo=timezone(timedelta(hours=8)))


class WordCounter:
    """A token a word, and one a Han character: adds up exactly, as the model's tokenizer does."""

    def count(self, text: str) -> int:
        han = sum("一" <= sign <= "鿿" for sign in text)
        spaced = "".join(" " if "一" <= sign <= "鿿" else sign for sign in text)
        return han + len(spaced.split())


def entry(blocks: Sequence[Block] = (), **changes: Any) -> Entry:
    text = "\n".join(block.text for block in blocks)
    made = Entry(
        source_id="src",
        native_id="note.md",
        kind=EntryKind.DOCUMENT,
        title="A title",
        source_uri="file:///note.md",
        content_hash=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        blocks=tuple(blocks),
        created_at=WHEN,
        updated_at=WHEN,
    )
    return replace(made, **changes)


def paragraph(text: str, *path: str, line: int | None = None) -> Block:
    return Block(BlockKind.PARAGRAPH, text, place(path, line, text))


def heading(text: str, *path: str, line: int | None = None) -> Block:
    return Block(BlockKind.HEADING, text, place(path, line, text))


def place(path: Sequence[str], line: int | None, text: str) -> Place:
    last = None if line is None else line + text.count("\n")
    return Place(heading_path=tuple(path), first_line=line, last_line=last)
