"""Word documents (DOCX): headings, lists, tables, footnotes and comments, as they read with all changes accepted."""

from __future__ import annotations

import io
import zipfile
import zlib
from datetime import UTC
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app.domain.entries import PersonRef
from app.domain.labels import EntryKind
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.dates import storable
from app.sources.parsing.docx_walk import DocxWalk
from app.sources.parsing.package import Package
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged

if TYPE_CHECKING:
    from app.sources.parsing.parsed import About

# What programs put in when nobody gave one
_NO_TITLE = frozenset(("", "Word Document", "Document", "Untitled", "文档"))
_NOTES = (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment"))


def parse(data: bytes, about: About) -> Parsed:
    """Read a document.

    Raises:
        Unreadable: it is no DOCX, damaged, or would unpack to far more than it is.
    """
    Package(data, "DOCX", about.limits.unpacked_bytes)  # refuses bombs before the library unpacks them
    document = _open(data)
    writer = BlockWriter(about.limits.text_chars)
    walk = DocxWalk(writer, _heading_levels(document))
    walk.body(document.element.body)
    for relation, element in _NOTES:
        walk.notes(_related_xml(document, relation), element)
    properties = document.core_properties
    title = one_line(properties.title or "")
    author = one_line(properties.author or "", 200)
    entry = ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=title if title not in _NO_TITLE else walk.opening_heading or one_line(about.stem),
        blocks=writer.blocks,
        created_at=storable(_date(properties, "created"), about.zone),
        updated_at=storable(_date(properties, "modified"), about.zone),
        language=one_line(properties.language or "", 35) or None,
        people=(PersonRef(author, "", "author"),) if author and author != "python-docx" else (),
        metadata=MappingProxyType(_metadata(properties)),
    )
    return Parsed("docx", (entry,), warnings=writer.warnings())


def _open(data: bytes) -> Any:  # noqa: ANN401 - the library has no types
    import docx  # noqa: PLC0415 - 60 ms that only Word documents need
    from docx.opc.exceptions import OpcError  # noqa: PLC0415 - see above
    from lxml.etree import LxmlError  # noqa: PLC0415 - see above

    faults = (OpcError, LxmlError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
    try:
        document = docx.Document(io.BytesIO(data))
        if document.element.body is None:
            raise damaged("DOCX")
    except (*faults, KeyError, ValueError, TypeError, AttributeError, IndexError, AssertionError, OSError):
        raise damaged("DOCX") from None
    return document


def _heading_levels(document: Any) -> dict[str, int]:  # noqa: ANN401
    """The heading level of each paragraph style that has one, by its id; a title counts as level 1."""
    levels: dict[str, int] = {}
    try:
        styles = list(document.styles)
    except (KeyError, ValueError, TypeError, AttributeError):
        return levels
    for style in styles:
        name = (style.name or "").lower()
        if name == "title":
            levels[style.style_id] = 1
        elif name.startswith("heading ") and name[8:].isdigit():
            levels[style.style_id] = int(name[8:])
    return levels


def _related_xml(document: Any, relation: str) -> Any:  # noqa: ANN401
    """The root element of a part beside the text (footnotes, comments), or None."""
    from docx.oxml import parse_xml  # noqa: PLC0415 - see _open
    from lxml.etree import LxmlError  # noqa: PLC0415 - see _open

    for link in document.part.rels.values():
        if link.reltype.endswith(f"/{relation}") and not link.is_external:
            try:
                return parse_xml(link.target_part.blob)
            except (LxmlError, ValueError, AttributeError):
                return None
    return None


def _date(properties: Any, name: str) -> Any:  # noqa: ANN401
    """A core property that is a date (in UTC); the library raises for one that is none."""
    try:
        value = getattr(properties, name)
    except (ValueError, TypeError, AttributeError):
        return None
    return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def _metadata(properties: Any) -> dict[str, str]:  # noqa: ANN401
    names = ("subject", "keywords", "category", "comments")
    said = {name: one_line(getattr(properties, name) or "", 500) for name in names}
    return {name: value for name, value in said.items() if value and "python-docx" not in value}
