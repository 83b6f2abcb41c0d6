"""E-books (EPUB 2 and 3): the chapters in their reading order, each read as the page that it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.domain.errors import Unreadable
from app.domain.labels import EntryKind
from app.domain.text import msg
from app.sources.parsing import html
from app.sources.parsing.blocks import BlockWriter, distinct, one_line
from app.sources.parsing.encodings import decode, is_text
from app.sources.parsing.office_properties import properties_from
from app.sources.parsing.package import Package, attribute, below, joined, local, text_of
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged, unreadable
from app.sources.parsing.sniffing import declared_charset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from app.domain.text import Text
    from app.sources.parsing.parsed import About

_MAX_CHAPTERS = 3_000
_PAGES = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"))
# XML may close an element at once; HTML would take the rest of the page for its content
_CLOSED_AT_ONCE = re.compile(
    r"<(title|script|style|textarea|iframe|noscript|a|b|i|em|strong|span|div|p|h[1-6]|td|th|li)((?:\s[^<>]{0,2000})?)/>",
    re.IGNORECASE,
)
_HEADING = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)
# What only disguises fonts is no protection of the text
_FONTS_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def parse(data: bytes, about: About) -> Parsed:
    """Read a book; raises `Unreadable`, also for one with a copy protection."""
    package = Package(data, "EPUB", about.limits.unpacked_bytes)
    _refuse_protected(package)
    path, book = _book(package)
    folder = path.rpartition("/")[0]
    items = {attribute(item, "id"): item for item in below(book, "item")}
    labels = _labels(package, folder, items)
    writer = BlockWriter(about.limits.text_chars)
    warnings: list[Text] = []
    for name in _chapters(package, folder, book, items):
        try:
            _write(package.read(name) or b"", labels.get(name.lower(), ""), writer)
        except Unreadable:
            warnings.append(msg("A chapter of it is damaged and was left out."))
        if writer.was_cut:
            break
    said = properties_from(_said(book))
    entry = ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=said.title or one_line(about.stem),
        blocks=writer.blocks,
        created_at=said.created_at,
        updated_at=said.updated_at,
        language=said.language,
        people=said.people,
        metadata=said.metadata,
    )
    return Parsed("epub", (entry,), warnings=(*distinct(warnings), *writer.warnings()))


def _refuse_protected(package: Package) -> None:
    root = package.tree("META-INF/encryption.xml")
    methods = [attribute(method, "Algorithm") for method in below(root, "EncryptionMethod")] if root is not None else []
    if package.has("META-INF/rights.xml") or any(method not in _FONTS_ONLY for method in methods):
        raise unreadable(
            msg("It has a copy protection."), msg("Only books without one can be read outside of their shop's program.")
        )


def _book(package: Package) -> tuple[str, Any]:
    """Path and root of the package document (OPF)."""
    container = package.tree("META-INF/container.xml")
    files = [attribute(file, "full-path") for file in below(container, "rootfile")] if container is not None else []
    files.extend(name for name in package.names if name.endswith(".opf"))
    for path in files:
        root = package.tree(path)
        if root is not None:
            return joined("", path), root
    raise damaged("EPUB")


def _chapters(package: Package, folder: str, book: Any, items: Mapping[str, Any]) -> Iterator[str]:  # noqa: ANN401
    """The paths of the pages in reading order; of a book without an order, all pages as they are listed."""
    order = [items[key] for ref in below(book, "itemref") if (key := attribute(ref, "idref")) in items]
    pages = [item for item in items.values() if attribute(item, "media-type").lower() in _PAGES]
    seen: set[str] = set()
    for item in (order or pages)[:_MAX_CHAPTERS]:
        name = joined(folder, attribute(item, "href"))
        is_page = attribute(item, "media-type").lower() in _PAGES or name.lower().endswith(("html", "htm"))
        is_index = "nav" in attribute(item, "properties").split()
        if is_page and not is_index and name not in seen and package.has(name):
            seen.add(name)
            yield name


def _labels(package: Package, folder: str, items: Mapping[str, Any]) -> dict[str, str]:
    """What the table of contents calls each page: of EPUB 3 (a page of links), else of EPUB 2 (NCX)."""
    found: dict[str, str] = {}
    indices = [item for item in items.values() if "nav" in attribute(item, "properties").split()]
    indices.extend(item for item in items.values() if attribute(item, "media-type") == "application/x-dtbncx+xml")
    for item in indices:
        path = joined(folder, attribute(item, "href"))
        root = package.tree(path)
        for link in root.iter("{*}a", "{*}navPoint") if root is not None else ():
            if local(link) == "a":
                target, label = attribute(link, "href"), text_of(link)
            else:
                target = next((attribute(part, "src") for part in link if local(part) == "content"), "")
                label = next((text_of(part) for part in link if local(part) == "navLabel"), "")
            if target:
                found.setdefault(joined(path.rpartition("/")[0], target).lower(), one_line(label))
    return found


def _write(page: bytes, label: str, writer: BlockWriter) -> None:
    decoded = decode(page, declared_charset(page))
    if not is_text(decoded):
        return
    text = _CLOSED_AT_ONCE.sub(r"<\1\2></\1>", decoded.text)
    if label and not _HEADING.search(text):
        writer.heading(1, label)
    html.read_into(text, writer)


def _said(book: Any) -> dict[str, str]:  # noqa: ANN401
    said: dict[str, str] = {}
    for metadata in below(book, "metadata"):
        for element in metadata.iter():
            name = local(element)
            if name == "meta" and attribute(element, "property") == "dcterms:modified":
                said.setdefault("modified", text_of(element).strip())
            elif name not in ("", "meta", "metadata"):
                said.setdefault("created" if name == "date" else name.lower(), text_of(element).strip())
    return said
