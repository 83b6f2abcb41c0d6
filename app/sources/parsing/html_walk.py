"""The walk over an HTML tree: text gathers until a block ends. Iterative, since trees may be very deep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.domain.labels import BlockKind
from app.sources.parsing.blocks import table_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from app.sources.parsing.blocks import BlockWriter

_SKIPPED = frozenset(
    (
        *("script", "style", "noscript", "template", "svg", "math", "iframe", "object", "embed", "audio", "video"),
        *("canvas", "nav", "select", "button", "textarea", "input", "head", "title", "dialog", "datalist"),
    )
)
_BLOCKS = frozenset(
    (
        *("p", "div", "section", "article", "main", "header", "footer", "aside", "address", "figure", "figcaption"),
        *("center", "form", "fieldset", "details", "summary", "hr", "body", "tr", "td", "th", "caption"),
    )
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset(("ul", "ol", "dl", "menu", "dir"))
_ITEMS = frozenset(("li", "dt", "dd"))
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r\n\f\u00a0]+")
_EMPTY_LINE = re.compile(r"\n\s*\n")
_EMPTY_LINES = re.compile(r"\n{3,}")
# Classes and names of elements by which mail programs mark what is answered
_QUOTING = (
    *("gmail_quote", "moz-cite-prefix", "moz-forward-container", "yahoo_quoted", "protonmail_quote", "zmail_extra"),
    *("lark-mail-quote", "history-quote-wrapper"),
    *("ntes-mailmaster-quote", "isReplyContent", "OLK_SRC_BODY_SECTION", "mail-editor-reference-message-container"),
)
_MAX_ADDRESS_CHARS = 500
_MAX_INDENT = 8


class HtmlWalk:
    """Writes the visible text below a node into a `BlockWriter`."""

    def __init__(self, writer: BlockWriter, *, keeps_links: bool = False) -> None:
        self._writer = writer
        self._keeps_links = keeps_links
        self._text: list[str] = []
        self._lists = 0
        self._quotes = 0
        self._code = 0
        self._rows: list[list[str]] | None = None
        self._tables: list[LexborNode] = []

    def walk(self, root: LexborNode) -> None:
        """Visit every node once, in the order of the document."""
        node: LexborNode | None = root
        while node is not None and not self._writer.was_cut:
            child = node.first_child if self._enter(node) else None
            if child is not None:
                node = child
                continue
            node = self._leave_up_to_next(node, root)
        self._flush()

    def _leave_up_to_next(self, node: LexborNode, root: LexborNode) -> LexborNode | None:
        current: LexborNode | None = node
        while current is not None and current.mem_id != root.mem_id:
            self._leave(current)
            if current.next is not None:
                return current.next
            current = current.parent
        return None

    def _enter(self, node: LexborNode) -> bool:
        """Take a node in; returns whether to go into it."""
        if not node.is_element_node:
            if node.is_text_node:
                self._add_text(node.text_content or "")
            return False
        tag = node.tag or ""
        if tag in _SKIPPED or _is_hidden(node):
            return False
        if tag == "br":
            self._text.append("\n")
        elif tag == "table":
            self._enter_table(node)
        else:
            self._enter_block(node, tag)
        return True

    def _enter_block(self, node: LexborNode, tag: str) -> None:
        if self._rows is not None:
            self._enter_cell(tag)
        elif tag in _LISTS:
            self._flush_unless_in_list()
            self._lists += 1
        elif tag in _ITEMS and self._lists:
            self._text.append("\n" + "  " * min(self._lists - 1, _MAX_INDENT) + "- ")
        elif tag == "blockquote" or _is_quoting(node):
            self._flush()
            self._quotes += 1
        elif tag in ("pre", "listing", "xmp"):
            self._flush_unless_in_list()
            self._code += 1
        elif tag in _BLOCKS or tag in _HEADINGS:
            self._flush_unless_in_list()

    def _enter_cell(self, tag: str) -> None:
        if tag == "tr":
            self._end_cell()
            self._rows_or_new().append([])
        elif tag in ("td", "th"):
            self._end_cell()
            rows = self._rows_or_new()
            if not rows:
                rows.append([])
            rows[-1].append("")
        elif tag in _BLOCKS or tag in _ITEMS:
            self._text.append(" ")

    def _enter_table(self, node: LexborNode) -> None:
        """A table of data becomes rows; one that only lays out a page is looked through."""
        if self._rows is None and not self._lists and _holds_data(node):
            self._flush()
            self._rows = []
            self._tables.append(node)
        else:
            self._flush_unless_in_list()

    def _leave(self, node: LexborNode) -> None:
        if not node.is_element_node:
            return
        tag = node.tag or ""
        if tag in _SKIPPED or _is_hidden(node):
            return
        if tag == "table" and self._tables and self._tables[-1].mem_id == node.mem_id:
            self._end_table()
        elif tag == "a" and self._keeps_links:
            self._add_address(node)
        elif self._rows is not None:
            if tag in ("td", "th"):
                self._end_cell()
        elif tag in _LISTS:
            self._lists = max(0, self._lists - 1)
            if not self._lists:
                self._flush(BlockKind.LIST)
        elif tag == "blockquote" or _is_quoting(node):
            self._flush()
            self._quotes = max(0, self._quotes - 1)
        else:
            self._leave_block(tag)

    def _leave_block(self, tag: str) -> None:
        if tag in ("pre", "listing", "xmp"):
            self._flush_unless_in_list(BlockKind.CODE)
            self._code = max(0, self._code - 1)
        elif tag in _HEADINGS and not self._lists and not self._quotes:
            text = self._take()
            self._writer.heading(_HEADINGS[tag], text)
        elif tag in _BLOCKS or tag in _HEADINGS:
            self._flush_unless_in_list()

    def _add_text(self, text: str) -> None:
        if not self._code:
            text = _SPACES.sub(" ", text)
            if text == " " and (not self._text or self._text[-1].endswith(("\n", " "))):
                return
        self._text.append(text)

    def _add_address(self, node: LexborNode) -> None:
        """Write a link's address after its label."""
        address = node.attributes.get("href") or ""
        if address.startswith(("http://", "https://")) and address != node.text().strip():
            self._text.append(f" ({address[:_MAX_ADDRESS_CHARS]})")

    def _take(self) -> str:
        text = "".join(self._text)
        self._text = []
        if self._code:
            return text
        return _EMPTY_LINES.sub("\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip("\n")

    def _flush(self, kind: BlockKind | None = None) -> None:
        text = self._take()
        if self._quotes:
            kind = BlockKind.QUOTE
        elif kind is None:
            kind = BlockKind.CODE if self._code else BlockKind.LIST if self._lists else BlockKind.PARAGRAPH
        if kind is BlockKind.LIST:
            text = _EMPTY_LINE.sub("\n", text)
        self._writer.add(kind, text if self._code or kind is BlockKind.LIST else text.strip())

    def _flush_unless_in_list(self, kind: BlockKind | None = None) -> None:
        if self._lists:
            if self._text and not self._text[-1].endswith(("\n", "- ")):
                self._text.append("\n" + "  " * min(self._lists, _MAX_INDENT))
        else:
            self._flush(kind)

    def _rows_or_new(self) -> list[list[str]]:
        if self._rows is None:
            self._rows = []
        return self._rows

    def _end_cell(self) -> None:
        text = self._take().strip()
        if not text or self._rows is None:
            return
        if not self._rows:
            self._rows.append([])
        if not self._rows[-1]:
            self._rows[-1].append("")
        self._rows[-1][-1] = f"{self._rows[-1][-1]} {text}".strip()

    def _end_table(self) -> None:
        self._end_cell()
        rows, self._rows = self._rows or [], None
        self._tables.pop()
        self._writer.add(BlockKind.QUOTE if self._quotes else BlockKind.TABLE, table_text(rows))


def _is_hidden(node: LexborNode) -> bool:
    """Whether a reader does not see an element, or sees that it is not the page's content."""
    attributes = node.attributes
    if not attributes:
        return False
    if attributes.get("role") in ("navigation", "search"):
        return True
    return "hidden" in attributes or _HIDDEN_STYLE.search(attributes.get("style") or "") is not None


def _is_quoting(node: LexborNode) -> bool:
    """Whether a mail program marked this as the text that is answered."""
    attributes = node.attributes
    names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
    return any(name in names for name in _QUOTING)


def _holds_data(table: LexborNode) -> bool:
    """Whether a table has rows and columns of data, and neither tables nor headings inside."""
    if table.css_first("table table, h1, h2, h3") is not None or (table.attributes.get("role") == "presentation"):
        return False
    rows = table.css("tr")
    return len(rows) > 1 and any(len(row.css("td, th")) > 1 for row in rows[:20])
