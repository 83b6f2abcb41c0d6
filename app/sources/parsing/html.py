"""HTML pages and the HTML of mails: what a reader sees, by headings, paragraphs, lists, tables, code and quotes.

Scripts, styles, forms, navigation and hidden elements are left out. Nothing is fetched.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from app.domain.entries import PersonRef
from app.domain.labels import BlockKind, EntryKind
from app.sources.parsing.blocks import BlockWriter, clean, one_line
from app.sources.parsing.clip_origin import saved_from
from app.sources.parsing.dates import read_instant
from app.sources.parsing.html_walk import HtmlWalk
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.plain_text import decoding_warnings, paragraphs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from selectolax.lexbor import LexborNode

    from app.sources.parsing.encodings import Decoded
    from app.sources.parsing.parsed import About

_MAX_CHARS = 4_000_000
# The tree builder takes quadratic time in the depth of the tree
_MAX_DEPTH = 3_000
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^>]{0,5000}?(/?)>")
_ANY_TAG = re.compile(r"<(?:!--.*?(?:-->|\Z)|/?[a-zA-Z!?][^>]{0,5000}>)", re.DOTALL)
_INVISIBLE = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_VOID = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track"),
        *("wbr", "frame"),
    )
)
_END_IS_OPTIONAL = frozenset(
    (
        *("p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "optgroup", "colgroup"),
        *("rt", "rp", "body", "html", "head"),
    )
)
_MAIN_SHARE = 0.5
_CREATED = ("article:published_time", "datepublished", "date", "dc.date", "dcterms.created", "og:published_time")
_UPDATED = ("article:modified_time", "datemodified", "last-modified", "dcterms.modified", "og:updated_time")
_AUTHORS = ("author", "article:author", "dc.creator", "byl")
_BOOKMARKS = re.compile(r"\s*<!DOCTYPE\s+NETSCAPE-Bookmark-file", re.IGNORECASE)


def parse(decoded: Decoded, about: About) -> Parsed:
    """Read a page. Its title is the title element's, else the first heading, else the file's name."""
    html = decoded.text[:_MAX_CHARS]
    writer = BlockWriter(about.limits.text_chars)
    meta = read_into(html, writer, keeps_links=_BOOKMARKS.match(html) is not None)
    if address := saved_from(html):
        meta = {**meta, "url": address}
    writer.was_cut = writer.was_cut or len(decoded.text) > _MAX_CHARS  # not before: a cut writer takes nothing more
    heading = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), None)
    entry = ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=one_line(meta.get("title") or meta.get("og:title") or heading or about.stem) or about.stem,
        blocks=writer.blocks,
        created_at=_first_date(meta, _CREATED, about),
        updated_at=_first_date(meta, _UPDATED, about),
        language=one_line(meta.get("lang", ""), 35) or None,
        people=tuple(PersonRef(one_line(meta[key], 200), "", "author") for key in _AUTHORS[:1] if meta.get(key)),
        metadata=MappingProxyType(_metadata(meta)),
    )
    return Parsed("html", (entry,), warnings=decoding_warnings(decoded) + writer.warnings())


def read_into(html: str, writer: BlockWriter, *, keeps_links: bool = False) -> Mapping[str, str]:
    """Write what a page shows; returns its title, language and meta elements by lower-case name."""
    if is_too_deep(html):
        for _, lines in paragraphs(without_tags(html)):
            writer.add(BlockKind.PARAGRAPH, "\n".join(" ".join(line.split()) for line in lines))
        return {}
    tree = LexborHTMLParser(clean(html))
    meta = _meta(tree)
    root = _main(tree)
    if root is not None:
        HtmlWalk(writer, keeps_links=keeps_links).walk(root)
    return meta


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    """The part that the page itself calls its main one, where it holds most of the text; else all of it."""
    marked = tree.css('main, [role="main"]')
    if len(marked) == 1 and tree.body is not None:
        own, whole = len(marked[0].text()), len(tree.body.text())
        return marked[0] if own >= _MAIN_SHARE * whole else tree.body
    return tree.body


def is_too_deep(html: str) -> bool:
    """Whether elements are nested so deep that building their tree would take forever."""
    if html.count("<") < _MAX_DEPTH:
        return False
    depth = 0
    for match in _TAG.finditer(html):
        name = match[2].lower()
        if name in _VOID or name in _END_IS_OPTIONAL or match[3]:
            continue
        depth = max(0, depth - 1) if match[1] else depth + 1
        if depth > _MAX_DEPTH:
            return True
    return False


def without_tags(html: str) -> str:
    """The text between the tags, for pages too broken to be read as trees."""
    return _ANY_TAG.sub(" ", _INVISIBLE.sub(" ", html))


def _meta(tree: LexborHTMLParser) -> dict[str, str]:
    found: dict[str, str] = {}
    title = tree.css_first("title")
    if title is not None:
        found["title"] = title.text()
    root = tree.css_first("html")
    if root is not None and root.attributes.get("lang"):
        found["lang"] = root.attributes["lang"] or ""
    for node in tree.css("meta")[:200]:
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop")
        content = attributes.get("content")
        if name and content:
            found.setdefault(name.lower(), content)
    canonical = tree.css_first('link[rel="canonical"]')
    if canonical is not None and canonical.attributes.get("href"):
        found["url"] = canonical.attributes["href"] or ""
    return found


def _first_date(meta: Mapping[str, str], names: Sequence[str], about: About) -> datetime | None:
    return next((date for name in names if (date := read_instant(meta.get(name), about.zone)) is not None), None)


def _metadata(meta: Mapping[str, str]) -> dict[str, str]:
    found = {"origin": "html"}
    for key, names in (("url", ("url", "og:url")), ("description", ("description", "og:description"))):
        value = next((meta[name] for name in names if meta.get(name)), "")
        if value:
            found[key] = one_line(value, 500)
    return found
