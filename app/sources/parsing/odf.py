"""OpenDocument files (ODT, ODS, ODP; OASIS ODF 1.3): texts, spreadsheets and slides. The content is streamed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.labels import BlockKind, EntryKind
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.odf_text import OdfText, text_without_notes
from app.sources.parsing.office_properties import Properties, properties_from
from app.sources.parsing.package import Package, attribute, below, local, text_of
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged, encrypted
from app.sources.parsing.sheet import SheetWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.text import Text
    from app.sources.parsing.parsed import About

_CONTENT = "content.xml"
_MAX_COLUMN = 16_384
_MAX_ROWS = 1_048_576
# The same row again and again: as many as anybody wrote by hand
_MAX_REPEATS = 1_000
_LEFT_OUT = ("tracked-changes", "table-of-content", "illustration-index", "table-index", "alphabetical-index")


def parse(data: bytes, about: About) -> Parsed:
    """Read a document; raises `Unreadable`."""
    package = Package(data, "OpenDocument", about.limits.unpacked_bytes)
    manifest = package.tree("META-INF/manifest.xml")
    if manifest is not None and next(below(manifest, "encryption-data"), None) is not None:
        raise encrypted()
    kind = _kind(package)
    writer = BlockWriter(about.limits.text_chars)
    if kind == "ods":
        warnings: Sequence[Text] = _sheets(package, writer)
    elif kind == "odp":
        _slides(package, writer)
        warnings = writer.warnings()
    else:
        _text(package, writer)
        warnings = writer.warnings()
    said = _properties(package)
    heading = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), "")
    entry = ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=said.title or (heading if kind != "ods" else "") or one_line(about.stem),
        blocks=writer.blocks,
        created_at=said.created_at,
        updated_at=said.updated_at,
        language=said.language,
        people=said.people,
        metadata=said.metadata,
    )
    return Parsed(kind, (entry,), warnings=tuple(warnings))


def _kind(package: Package) -> str:
    """odt, ods or odp, by what the body holds."""
    if not package.has(_CONTENT):
        raise damaged("OpenDocument")
    mime = (package.read("mimetype") or b"")[:200]
    for word, kind in ((b"spreadsheet", "ods"), (b"presentation", "odp"), (b"graphics", "odp"), (b"text", "odt")):
        if word in mime:
            return kind
    return "odt"


def _text(package: Package, writer: BlockWriter) -> None:
    walk = OdfText(writer)
    for element in package.stream(_CONTENT, "h", "p", "list", "table", *_LEFT_OUT):
        if local(element) not in _LEFT_OUT:
            walk.write(element)
        if writer.was_cut:
            break


def _slides(package: Package, writer: BlockWriter) -> None:
    """A page's title is the frame that says so; notes follow the page."""
    for number, page in enumerate(package.stream(_CONTENT, "page"), start=1):
        writer.leave(1)
        walk = OdfText(writer, page=number)
        title = next((frame for frame in below(page, "frame") if attribute(frame, "class") == "title"), None)
        if title is not None:
            writer.heading(1, " ".join(text_without_notes(part) for part in below(title, "p")), page=number)
        for shape in page:
            if shape is not title:
                for part in _outermost(shape):
                    walk.write(part)
        if writer.was_cut:
            break


def _outermost(element: Any, depth: int = 0) -> Iterator[Any]:  # noqa: ANN401 - lxml has no types
    """The paragraphs, lists and tables of a shape, not those within each other."""
    if attribute(element, "class") in {"date-time", "footer", "header", "page-number", "page"}:
        return
    if local(element) in {"h", "p", "list", "table"}:
        yield element
    elif depth < 60:  # noqa: PLR2004 - deeper than any drawing program nests groups
        for child in element:
            yield from _outermost(child, depth + 1)


def _sheets(package: Package, writer: BlockWriter) -> Sequence[Text]:
    sheets = SheetWriter(writer)
    table, number = None, 0
    for count, row in enumerate(package.stream(_CONTENT, "table-row")):
        owner = next(row.iterancestors("{*}table"), None)
        if owner is not table:
            sheets.end_table()
            table, number = owner, 0
            sheets.begin(attribute(owner, "name") if owner is not None else "")
        repeats = _repeats(row, "number-rows-repeated")
        cells = dict(_cells(row))
        for offset in range(min(repeats, _MAX_REPEATS) if cells else 0):
            sheets.row(number + offset + 1, cells)
        number += repeats
        if sheets.is_full or count >= _MAX_ROWS:
            break
    sheets.end_table()
    return sheets.warnings()


def _cells(row: Any) -> Iterator[tuple[int, str]]:  # noqa: ANN401
    column = 0
    for cell in row:
        if local(cell) not in {"table-cell", "covered-table-cell"}:
            continue
        repeats = _repeats(cell, "number-columns-repeated")
        text = _cell(cell)
        if text.strip():
            for offset in range(min(repeats, _MAX_REPEATS)):
                if column + offset < _MAX_COLUMN:
                    yield column + offset + 1, text
        column += repeats


def _cell(cell: Any) -> str:  # noqa: ANN401
    """What the cell shows; dates and times as ISO 8601, since the shown form leaves open which number is the month."""
    kind = attribute(cell, "value-type")
    if kind == "date":
        return attribute(cell, "date-value").replace("T", " ").removesuffix(" 00:00:00")
    return "\n".join(text_without_notes(part) for part in cell if local(part) == "p")


def _repeats(element: Any, name: str) -> int:  # noqa: ANN401
    said = attribute(element, name)
    return max(1, int(said[:7])) if said.isdecimal() else 1


def _properties(package: Package) -> Properties:
    root = package.tree("meta.xml")
    said: dict[str, str] = {}
    for meta in below(root, "meta") if root is not None else ():
        for element in meta:
            said.setdefault(local(element), text_of(element).strip())
    names = {"created": "creation-date", "modified": "date", "keywords": "keyword"}
    author = said.get("initial-creator") or said.get("creator", "")
    return properties_from({**said, **{name: said.get(key, "") for name, key in names.items()}, "creator": author})
