"""The walk over the XML of a Word document (ECMA-376, part 1, chapter 17)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.labels import BlockKind
from app.sources.parsing.blocks import one_line, table_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.blocks import BlockWriter

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
# "Strict" documents use other names for the same elements
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
# Deleted and moved-away text, field codes, and the second copy of every text box
_LEFT_OUT = frozenset(("del", "moveFrom", "delText", "instrText", "Fallback", "pPr", "rPr", "tblPr", "sectPr"))
_WRAPPERS = frozenset(("sdt", "sdtContent", "customXml", "ins", "moveTo", "AlternateContent", "Choice", "smartTag"))
_MAX_DEPTH = 60
_MAX_HEADING_CHARS = 300
_NOT_A_NOTE = frozenset(("separator", "continuationSeparator", "continuationNotice"))


class DocxWalk:
    """Writes a document's body and notes into a `BlockWriter`.

    Args:
        heading_levels: by paragraph style id.
    """

    def __init__(self, writer: BlockWriter, heading_levels: dict[str, int]) -> None:
        self._writer = writer
        self._heading_levels = heading_levels
        self._list: list[str] = []
        self._has_text = False
        self.opening_heading = ""

    def body(self, element: Any) -> None:  # noqa: ANN401 - lxml elements
        """Write everything below the body."""
        for child in _content(element):
            if self._writer.was_cut:
                break
            if _name(child) == "tbl":
                self._end_list()
                self._writer.add(BlockKind.TABLE, table_text(_rows(child)))
            else:
                self._paragraph(child)
        self._end_list()

    def notes(self, root: Any, element: str) -> None:  # noqa: ANN401
        """Write footnotes, endnotes or comments, each a paragraph."""
        if root is None:
            return
        for note in root:
            if _name(note) == element and _attribute(note, "type") not in _NOT_A_NOTE:
                text = "\n".join(filter(None, (_text(part) for part in _content(note))))
                self._writer.add(BlockKind.PARAGRAPH, text.strip())

    def _paragraph(self, paragraph: Any) -> None:  # noqa: ANN401
        text = _text(paragraph)
        if not text.strip():
            return
        style, outline, list_level = _properties(paragraph)
        level = self._heading_levels.get(style, 0) or outline
        if level and len(text) <= _MAX_HEADING_CHARS:
            self._end_list()
            if not self._has_text:
                self.opening_heading = one_line(text)
            self._writer.heading(level, text)
        elif list_level is not None or style.lower().startswith("list"):
            self._list.append("  " * min(list_level or 0, 8) + "- " + text.strip())
        else:
            self._end_list()
            self._writer.add(BlockKind.PARAGRAPH, text)
        self._has_text = True

    def _end_list(self) -> None:
        if self._list:
            self._writer.add(BlockKind.LIST, "\n".join(self._list))
            self._list = []


def _name(element: Any) -> str:  # noqa: ANN401
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _attribute(element: Any, name: str) -> str:  # noqa: ANN401
    return str(element.get(_W + name) or element.get(_STRICT + name) or "")


def _content(element: Any, depth: int = 0) -> Iterator[Any]:  # noqa: ANN401
    """The paragraphs and tables below an element, looking through content controls and tracked insertions."""
    for child in element:
        name = _name(child)
        if name in ("p", "tbl"):
            yield child
        elif name in _WRAPPERS and depth < _MAX_DEPTH:
            yield from _content(child, depth + 1)


def _properties(paragraph: Any) -> tuple[str, int, int | None]:  # noqa: ANN401
    """A paragraph's style id, its own outline level (from 1; 0 for none), and its list level where it is an item."""
    style, outline, list_level = "", 0, None
    for holder in paragraph:
        if _name(holder) != "pPr":
            continue
        for element in holder:
            name, value = _name(element), _attribute(element, "val")
            if name == "pStyle":
                style = value
            elif name == "outlineLvl" and value.isdigit() and int(value) < 9:  # noqa: PLR2004 - 9 means body text
                outline = int(value) + 1
            elif name == "numPr":
                levels = [_attribute(part, "val") for part in element if _name(part) == "ilvl"]
                list_level = int(levels[0]) if levels and levels[0].isdigit() else 0
    return style, outline, list_level


def _text(element: Any) -> str:  # noqa: ANN401
    return "".join(_pieces(element, 0))


def _pieces(element: Any, depth: int) -> Iterator[str]:  # noqa: ANN401
    if depth > _MAX_DEPTH:
        return
    for child in element:
        name = _name(child)
        if name in _LEFT_OUT:
            continue
        if name == "t" or child.tag == _MATH_TEXT:
            yield child.text or ""
        elif name in ("tab", "ptab"):
            yield "\t"
        elif name in ("br", "cr"):
            yield "\n"
        elif name == "noBreakHyphen":
            yield "-"
        else:
            yield from _pieces(child, depth + 1)
            if name in ("p", "tc"):
                yield "\n"


def _rows(table: Any) -> Iterator[list[str]]:  # noqa: ANN401
    """The rows of a table; a cell that continues a vertically merged one is empty, as it looks."""
    for row in _named(table, "tr"):
        yield [_text(cell).strip() for cell in _named(row, "tc")]


def _named(element: Any, wanted: str, depth: int = 0) -> Iterator[Any]:  # noqa: ANN401
    for child in element:
        name = _name(child)
        if name == wanted:
            yield child
        elif name in _WRAPPERS and depth < _MAX_DEPTH:
            yield from _named(child, wanted, depth + 1)
