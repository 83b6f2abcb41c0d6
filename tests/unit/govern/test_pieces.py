"""Long texts: how often they are counted does not grow with their length, whatever they are made of (G2.3)."""

from __future__ import annotations

import pytest

from app.domain.entries import Block
from app.domain.labels import BlockKind
from app.govern.pieces import pieces_of

LIMIT = 300


class CountsCounts:
    """Three characters a token, and a record of how much was counted."""

    def __init__(self) -> None:
        self.chars = 0

    def count(self, text: str) -> int:
        self.chars += len(text)
        return len(text) // 3 + 1


SHAPES = {
    "sentences": (BlockKind.PARAGRAPH, "The report is due on Wednesday. "),
    "one long word": (BlockKind.PARAGRAPH, "字"),
    "short sentences": (BlockKind.PARAGRAPH, "好。"),
    "abbreviations": (BlockKind.PARAGRAPH, "e.g. "),
    "blanks": (BlockKind.PARAGRAPH, " "),
    "rows": (BlockKind.TABLE, "报告 | 张伟\n"),
    "items": (BlockKind.LIST, "- x\n"),
    "empty lines": (BlockKind.CODE, "\n\n\n"),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("length", [20_000, 80_000])
def test_a_text_is_counted_a_few_times_over_and_not_once_for_each_of_its_units(shape, length):
    kind, unit = SHAPES[shape]
    text = f"开头\n{unit * (length // len(unit))}end"
    counter = CountsCounts()
    pieces = pieces_of([Block(kind, text)], counter.count, LIMIT)
    assert counter.chars <= 8 * len(text)
    header = f"{pieces[0].header}\n" if pieces[0].header else ""
    joiner = "\n" if header else ""
    assert header + joiner.join(piece.text for piece in pieces) == text


@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"blanks", "empty lines"}))
def test_no_piece_is_over_the_limit(shape):
    kind, unit = SHAPES[shape]
    counter = CountsCounts()
    for piece in pieces_of([Block(kind, unit * (30_000 // len(unit)))], counter.count, LIMIT):
        assert counter.count(piece.text) <= LIMIT
