"""Rows of tables as sentences: what stands in the first column, then each value behind the head of its column (G4.1).

    Service | Price | From            Internet - Price: 35; From: March
    Internet | 35 | March

A value means nothing without its row and its column, and neither is found without the other. Tables are read as blocks
hold them (`sources.parsing.blocks.table_text`) and as they stand in Markdown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.reading import Passage

_RULE = re.compile(r"[\s|:\-—=+]*")
_DIGIT = re.compile(r"\d")
_LEAST_COLUMNS, _MOST_COLUMNS = 2, 24
_MOST_ROWS = 400
_LONGEST_LINE, _LONGEST_CELL = 2_000, 120


@dataclass(frozen=True, slots=True)
class Row:
    """A row as a sentence. `at`: the number of its line in the text, from 0."""

    text: str
    at: int


def rows_of(text: str) -> list[Row]:
    """The rows of the tables of a text, without their heads; none where there is no table."""
    if "|" not in text:
        return []
    found: list[Row] = []
    heads: list[str] | None = None
    for at, line in enumerate(text.split("\n")):
        cells = _cells(line)
        if not _LEAST_COLUMNS <= len(cells) <= _MOST_COLUMNS:
            heads = None
        elif _RULE.fullmatch(line) is not None:
            continue
        elif heads is None or len(cells) != len(heads):
            heads = cells
            if _is_data(cells):
                heads = [""] * len(cells)
                found.append(Row(_sentence(cells, heads), at))
        else:
            found.append(Row(_sentence(cells, heads), at))
        if len(found) >= _MOST_ROWS:
            break
    return found


def line_of(row: Row, passage: Passage) -> int | None:
    """The line of the source in which a row stands; None where the passage does not tell."""
    first, last = passage.place.first_line, passage.place.last_line
    if first is None or last is None:
        return None
    lines = passage.text.split("\n")
    missing = (last - first + 1) - len(lines)
    # in Markdown a line of dashes stands behind the head
    return first + row.at + missing if missing in {0, 1} else None


def _cells(line: str) -> list[str]:
    if "|" not in line or len(line) > _LONGEST_LINE:
        return []
    plain = line.strip()
    # bars at both ends are Markdown's; one at one end stands beside an empty cell
    if plain.startswith("|") and plain.endswith("|"):
        plain = plain[1:-1]
    return [" ".join(cell.split())[:_LONGEST_CELL] for cell in plain.split("|")]


def _is_data(cells: list[str]) -> bool:
    """Whether a first row is none of heads: a number stands behind its first cell, and no year or unit alone."""
    return any(_DIGIT.search(cell) is not None and len(_DIGIT.findall(cell)) * 2 > len(cell) for cell in cells[1:])


def _sentence(cells: list[str], heads: list[str]) -> str:
    parts = [
        f"{head}: {cell}" if head else cell
        for head, cell in zip(heads[1:], cells[1:], strict=True)
        if cell and cell not in {"-", "—", "/"}
    ]
    return " - ".join(part for part in (cells[0], "; ".join(parts)) if part)
