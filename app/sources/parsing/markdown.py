"""Markdown notes: front matter, headings as paths, lists, tables, code and quotes, each with its lines."""

from __future__ import annotations

import re
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from mdit_py_plugins.front_matter import front_matter_plugin

from app.domain.labels import BlockKind, EntryKind
from app.sources.parsing import front_matter, plain_text, vault
from app.sources.parsing.blocks import BlockWriter, one_line, table_text
from app.sources.parsing.check_boxes import with_tasks
from app.sources.parsing.parsed import WORDS, Parsed, ParsedEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

    from app.domain.entries import Block
    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About

_WIKILINK = re.compile(r"!?\[\[([^\[\]|#]*)(?:#([^\[\]|]*))?(?:\|([^\[\]]*))?\]\]")
_HTML_TAG = re.compile(r"<[^<>]{0,2000}>")
_LINE_BREAK_TAG = re.compile(r"<(?:br|/p|/div|/li|/tr|/h[1-6])\b[^<>]{0,100}>", re.IGNORECASE)
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BLOCK_ID = re.compile(r"[ \t]\^[A-Za-z0-9-]{1,60}[ \t]*$", re.MULTILINE)
_CALLOUT = re.compile(r"^\[![\w|-]{1,40}\][+-]?[ \t]*")
_KINDS = {
    "paragraph": BlockKind.PARAGRAPH,
    "bullet_list": BlockKind.LIST,
    "ordered_list": BlockKind.LIST,
    "blockquote": BlockKind.QUOTE,
    "table": BlockKind.TABLE,
}
# A note longer than this is read as plain text, since reading its marks would take too long
_MAX_CHARS = 400_000
_MAX_INDENT = 8


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read a note. Its title is the front matter's, else the first heading when it opens the note, else the name."""
    if len(decoded.text) > _MAX_CHARS:
        return plain_text.parse(decoded, about)
    writer = BlockWriter(about.limits.text_chars)
    head = front_matter.FrontMatter()
    tokens = _reader(has_head=about.kind != WORDS).parse(decoded.text)
    for group in _groups(tokens):
        if group[0].type == "front_matter":
            head = front_matter.read(group[0].content, about.zone)
        else:
            _write(group, writer)
    title = head.title or _opening_heading(writer.blocks) or about.stem
    day = vault.day_of(about.stem, about.zone)
    entry = ParsedEntry(
        kind=EntryKind.NOTE,
        title=one_line(title),
        blocks=writer.blocks,
        created_at=head.created_at or day,
        updated_at=head.updated_at,
        event_time=head.event_time or day,
        valid_from=head.valid_from,
        valid_to=head.valid_to,
        status=head.status,
        language=head.language,
        people=head.people,
        metadata=MappingProxyType({**head.metadata, **vault.marks_of(decoded.text, head.metadata)}),
    )
    warnings = plain_text.decoding_warnings(decoded) + head.warnings + writer.warnings()
    return with_tasks(Parsed("markdown", (entry,), warnings), decoded.text, about)


@cache
def _reader(*, has_head: bool) -> MarkdownIt:
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return reader.use(front_matter_plugin) if has_head else reader


def _groups(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of each top-level block."""
    depth = 0
    group: list[Token] = []
    for token in tokens:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []
    if group:
        yield group


def _write(group: list[Token], writer: BlockWriter) -> None:
    opening = group[0]
    lines = (opening.map[0] + 1, max(opening.map[1], opening.map[0] + 1)) if opening.map else None
    name = opening.type.removesuffix("_open")
    if name == "heading":
        writer.heading(int(opening.tag[1:]), _inline_text(group), lines=lines)
    elif name in ("fence", "code_block"):
        writer.add(BlockKind.CODE, opening.content, lines=lines)
    elif name == "html_block":
        writer.add(BlockKind.PARAGRAPH, _without_html(opening.content), lines=lines)
    elif name == "table":
        writer.add(BlockKind.TABLE, table_text(_rows(group)), lines=lines)
    elif name in ("bullet_list", "ordered_list"):
        writer.add(BlockKind.LIST, _list_text(group), lines=lines)
    elif name in _KINDS:
        writer.add(_KINDS[name], _inline_text(group), lines=lines)


def _inline_text(group: list[Token]) -> str:
    parts = (_one_inline(token) if token.type == "inline" else token.content for token in group)
    return "\n".join(part.rstrip("\n") for part in parts if part)


def _list_text(group: list[Token]) -> str:
    """The items of a list, a line for each, indented by their depth."""
    lines: list[str] = []
    depth = -1
    bullet = ""
    for token in group:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open":
            bullet = f"{token.info}{token.markup} " if token.info else "- "
        elif token.content.strip():
            text = _one_inline(token) if token.type == "inline" else token.content.rstrip("\n")
            indent = "  " * min(max(depth, 0), _MAX_INDENT)
            lines.append(indent + (bullet or "  ") + text.replace("\n", "\n" + indent + "  "))
            bullet = ""
    return "\n".join(lines)


def _rows(group: list[Token]) -> Iterator[list[str]]:
    row: list[str] = []
    for token in group:
        if token.type == "tr_open":
            row = []
        elif token.type == "inline":
            row.append(_one_inline(token))
        elif token.type == "tr_close":
            yield row


def _one_inline(token: Token) -> str:
    """The text of a line as a reader sees it; a link keeps its address, since people ask for it."""
    parts: list[str] = []
    address = ""
    start = 0
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "image":
            parts.append(child.content)
        elif child.type == "html_inline" and _LINE_BREAK_TAG.match(child.content):
            parts.append("\n")
        elif child.type == "link_open":
            address, start = str(child.attrs.get("href", "")), len(parts)
        elif child.type == "link_close":
            parts.append(link_address("".join(parts[start:]), address))
    return _BLOCK_ID.sub("", _CALLOUT.sub("", _WIKILINK.sub(_link_text, "".join(parts))))


def link_address(label: str, address: str) -> str:
    """What to write after a link's label: its address in brackets, where it leads out and is not the label itself."""
    leads_out = address.startswith(("http://", "https://", "mailto:"))
    return f" ({address})" if leads_out and label.strip() not in (address, address.removeprefix("mailto:")) else ""


def _link_text(match: re.Match[str]) -> str:
    note, heading, label = match[1].strip(), (match[2] or "").strip(), (match[3] or "").strip()
    return label or " > ".join(part for part in (note, heading) if part)


def _without_html(html: str) -> str:
    return _HTML_TAG.sub("", _LINE_BREAK_TAG.sub("\n", _HTML_COMMENT.sub("", html)))


def _opening_heading(blocks: tuple[Block, ...]) -> str | None:
    return blocks[0].text if blocks and blocks[0].kind is BlockKind.HEADING else None
