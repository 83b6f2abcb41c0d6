"""Paragraphs, lists and tables of OpenDocument files (ODF 1.3 part 3, chapters 5, 6 and 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.labels import BlockKind
from app.sources.parsing.blocks import table_text
from app.sources.parsing.package import attribute, below, local

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.blocks import BlockWriter

_MAX_DEPTH = 60
_MAX_BLANKS = 100
_MAX_REPEATS = 100
_MAX_HEADING_CHARS = 300
# What stands in a paragraph without being its text
_ASIDE = frozenset(("note", "annotation", "annotation-end", "tracked-changes", "ruby-text", "event-listeners"))
_BREAKS = frozenset(("p", "h"))


class OdfText:
    """Writes elements of a text into a `BlockWriter`.

    Args:
        page: the slide; None for texts, whose pages are not known before they are printed.
    """

    def __init__(self, writer: BlockWriter, page: int | None = None) -> None:
        self._writer = writer
        self._page = page

    def write(self, element: Any) -> None:  # noqa: ANN401 - lxml has no types
        """Write a heading, paragraph, list or table, and the notes in it."""
        name = local(element)
        if name == "h":
            self._heading(element)
        elif name == "p":
            self._add(BlockKind.PARAGRAPH, text_without_notes(element))
        elif name == "list":
            self._list(element)
        elif name == "table":
            self._add(BlockKind.TABLE, table_text(_rows(element)))
        for kind in ("note-body", "annotation"):
            for note in below(element, kind):
                self._add(BlockKind.PARAGRAPH, "\n".join(text_without_notes(part) for part in below(note, "p")))

    def _heading(self, element: Any) -> None:  # noqa: ANN401
        text = text_without_notes(element)
        if len(text) > _MAX_HEADING_CHARS:
            self._add(BlockKind.PARAGRAPH, text)
            return
        level = attribute(element, "outline-level")
        self._writer.heading(int(level[:2]) if level.isdecimal() else 1, text, page=self._page)

    def _list(self, element: Any) -> None:  # noqa: ANN401
        """A list of headings is how numbered chapters are stored."""
        headings = list(below(element, "h"))
        for heading in headings:
            self._heading(heading)
        lines = [] if headings else list(_items(element, 0))
        self._add(BlockKind.LIST if len(lines) > 1 else BlockKind.PARAGRAPH, "\n".join(lines))

    def _add(self, kind: BlockKind, text: str) -> None:
        self._writer.add(kind, text, page=self._page)


def text_without_notes(element: Any) -> str:  # noqa: ANN401
    """The text of a paragraph; blanks, tabs and line breaks are elements of their own."""
    return "".join(_pieces(element, 0)).strip()


def _pieces(element: Any, depth: int) -> Iterator[str]:  # noqa: ANN401
    if element.text:
        yield element.text
    for child in element:
        name = local(child)
        if name == "s":
            count = attribute(child, "c")
            yield " " * (min(int(count[:4]), _MAX_BLANKS) if count.isdecimal() else 1)
        elif name == "tab":
            yield "\t"
        elif name == "line-break":
            yield "\n"
        elif name not in _ASIDE and depth < _MAX_DEPTH:
            yield from _pieces(child, depth + 1)
            if name in _BREAKS:
                yield "\n"
        if child.tail:
            yield child.tail


def _items(element: Any, depth: int) -> Iterator[str]:  # noqa: ANN401
    for item in element:
        if local(item) not in {"list-item", "list-header"}:
            continue
        for part in item:
            if local(part) == "list" and depth < _MAX_DEPTH:
                yield from _items(part, depth + 1)
            elif local(part) in _BREAKS and (text := text_without_notes(part)):
                yield f"{'  ' * min(depth, 8)}- {text}"


def _rows(table: Any) -> Iterator[list[str]]:  # noqa: ANN401
    """Rows of a table, through groups of rows; a table within a cell is text of the cell."""
    for row in table.iter("{*}table-row"):
        if next(row.iterancestors("{*}table"), None) is not table:
            continue
        cells: list[str] = []
        for cell in row:
            if local(cell) in {"table-cell", "covered-table-cell"}:
                text = " ".join(text_without_notes(part) for part in below(cell, "p"))
                said = attribute(cell, "number-columns-repeated")
                cells.extend([text] * (min(int(said[:4]), _MAX_REPEATS) if said.isdecimal() else 1))
        yield cells
