"""Rows of any spreadsheet become blocks: a table for each stretch of rows without an empty one between them.

Lone cells above a table are its caption. A stretch that begins with values and not with words continues the table
above it, and gets its header, so that no row is left without the names of its columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind
from app.domain.text import msg
from app.sources.parsing.blocks import table_text

if TYPE_CHECKING:
    from app.domain.text import Text
    from app.sources.parsing.blocks import BlockWriter

_MAX_COLUMNS = 512
_MAX_CELLS = 400_000
_VALUE = re.compile(
    r"[-+]?[\d.,]{1,30}(?:e[-+]?\d{1,3})?%?|\d{4}-\d\d-\d\d.{0,20}|\d{1,5}:\d\d(?::\d\d)?", re.IGNORECASE
)


@dataclass(slots=True)
class SheetWriter:
    """Writes the sheets of one file.

    Attributes:
        is_full: no more cells are taken.
    """

    writer: BlockWriter
    cells: int = 0
    is_full: bool = False
    _rows: list[list[str]] = field(default_factory=list)
    _first: int = 0
    _header: list[str] = field(default_factory=list)
    _ordinal: int = 0

    def begin(self, name: str) -> None:
        """A sheet, by its name; it is a page of its file."""
        self._ordinal += 1
        self._header = []
        self.writer.leave(1)
        self.writer.heading(1, name, page=self._ordinal)

    def row(self, number: int, cells: dict[int, str]) -> None:
        """One row that is not empty: its number, and its cells by column (both from 1). Rows come in order."""
        if self.is_full:
            return
        self.cells += len(cells)
        last = self._first + len(self._rows) - 1
        if self._rows and number != last + 1:
            self.end_table()
        if not self._rows:
            self._first = number
        width = min(max(cells), _MAX_COLUMNS)
        row = [cells.get(column, "") for column in range(1, width + 1)]
        self._rows.append(row + [cells[column] for column in sorted(cells) if column > _MAX_COLUMNS])
        self.is_full = self.cells >= _MAX_CELLS or self.writer.was_cut
        if len(self._rows) >= _MAX_CELLS // 8:
            self.end_table()

    def note(self, text: str) -> None:
        """A remark that belongs to the sheet."""
        self.writer.add(BlockKind.PARAGRAPH, text, page=self._ordinal)

    def end_table(self) -> None:
        """Write the rows that were gathered."""
        rows, self._rows = self._rows, []
        rows = _without_empty_columns(rows)
        first = self._first
        while rows and sum(1 for cell in rows[0] if cell.strip()) <= 1:
            text = "".join(rows.pop(0)).strip()
            self.writer.add(BlockKind.PARAGRAPH, text, page=self._ordinal, lines=(first, first))
            first += 1
        if not rows:
            return
        if _has_values(rows[0]) and len(self._header) == len(rows[0]):
            text = table_text([self._header, *rows])
        else:
            self._header = [] if _has_values(rows[0]) else rows[0]
            text = table_text(rows)
        self.writer.add(BlockKind.TABLE, text, page=self._ordinal, lines=(first, first + len(rows) - 1))

    def warnings(self) -> tuple[Text, ...]:
        """What a person should know of what was left out."""
        if self.cells < _MAX_CELLS:
            return self.writer.warnings()
        return (
            msg("Only the first {count} cells were taken in; the rest is too long.", count=self.cells),
            *self.writer.warnings(),
        )


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    """Rows without the empty columns before and after all of them, and of one width."""
    filled = [column for row in rows for column, cell in enumerate(row) if cell.strip()]
    if not filled:
        return []
    first, end = min(filled), max(filled) + 1
    return [[*row[first:end], *[""] * (end - max(first, len(row)))] for row in rows]


def _has_values(row: list[str]) -> bool:
    return any(_VALUE.fullmatch(cell.strip()) for cell in row)
