"""Rows of any spreadsheet become blocks: a table for each stretch of rows without an empty one between them.

Columns that are empty in all of its rows are left out; one column alone is a list. Lone cells above a table are its
caption. A stretch that begins with values and not with words continues the table above it, and gets its header, so that
no row is left without the names of its columns.
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

_MAX_CELLS = 400_000
# Rows times columns of one block, empty cells included
_MAX_TABLE = 500_000
_MAX_CAPTIONS = 5
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
    _rows: list[dict[int, str]] = field(default_factory=list)
    _chars: int = 0
    _columns: set[int] = field(default_factory=set)
    _first: int = 0
    _header: dict[int, str] = field(default_factory=dict)
    _ordinal: int = 0

    def begin(self, name: str) -> None:
        """A sheet, by its name; it is a page of its file."""
        self._ordinal += 1
        self._header = {}
        self.writer.leave(1)
        self.writer.heading(1, name, page=self._ordinal)

    def row(self, number: int, cells: dict[int, str]) -> None:
        """One row that is not empty: its number, and its cells by column (both from 1). Rows come in order."""
        if self.is_full:
            return
        if self._rows and number != self._first + len(self._rows):
            self.end_table()
        if not self._rows:
            self._first = number
        cells = self._fitting(cells)
        self._rows.append(cells)
        self._columns.update(cells)
        self.cells += len(cells)
        if len(self._rows) * len(self._columns) >= _MAX_TABLE or self._chars > self.writer.left_chars:
            self.end_table()
        self.is_full = self.cells >= _MAX_CELLS or self.writer.was_cut

    def _fitting(self, cells: dict[int, str]) -> dict[int, str]:
        """The cells up to the one that is too much: a text that many cells share is small in the file alone."""
        taken: dict[int, str] = {}
        for column, text in cells.items():
            taken[column] = text
            self._chars += len(text)
            if self._chars > self.writer.left_chars:
                break
        return taken

    def note(self, text: str) -> None:
        """A remark that belongs to the sheet."""
        self.writer.add(BlockKind.PARAGRAPH, text, page=self._ordinal)

    def end_table(self) -> None:
        """Write the rows that were gathered: captions, then a table, or a list where there is one column."""
        rows, columns, first = self._rows, sorted(self._columns), self._first
        self._rows, self._columns, self._chars = [], set(), 0
        if len(columns) < 2 or all(len(row) < 2 for row in rows):  # noqa: PLR2004 - a table has two columns
            self._write_column(rows, first)
            return
        captions = next(at for at, row in enumerate(rows) if len(row) > 1 or at == _MAX_CAPTIONS)
        for offset, row in enumerate(rows[:captions]):
            self._write_column([row], first + offset)
        rows, first = rows[captions:], first + captions
        last = first + len(rows) - 1
        if not _has_values(rows[0]):
            self._header = rows[0]
        elif self._header.keys() >= set(columns):
            rows = [self._header, *rows]
        text = table_text([row.get(column, "") for column in columns] for row in rows)
        self.writer.add(BlockKind.TABLE, text, page=self._ordinal, lines=(first, last))

    def _write_column(self, rows: list[dict[int, str]], first: int) -> None:
        text = "\n".join(" ".join(cell.split()) for row in rows for cell in row.values())
        kind = BlockKind.LIST if len(rows) > 1 else BlockKind.PARAGRAPH
        self.writer.add(kind, text, page=self._ordinal, lines=(first, first + len(rows) - 1))

    def warnings(self) -> tuple[Text, ...]:
        """What a person should know of what was left out."""
        if self.cells < _MAX_CELLS:
            return self.writer.warnings()
        return (
            msg("Only the first {count} cells were taken in; the rest is too long.", count=self.cells),
            *self.writer.warnings(),
        )


def _has_values(row: dict[int, str]) -> bool:
    return any(_VALUE.fullmatch(cell.strip()) for cell in row.values())
