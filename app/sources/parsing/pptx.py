"""Slides (PPTX, ECMA-376 part 1, chapter 19): titles as headings, text, tables and notes; the page is the slide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.labels import BlockKind, EntryKind
from app.domain.text import msg
from app.sources.parsing.blocks import BlockWriter, one_line, table_text
from app.sources.parsing.office_properties import read_properties
from app.sources.parsing.package import Package, attribute, below, local, text_of
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.text import Text
    from app.sources.parsing.package import Link
    from app.sources.parsing.parsed import About

_MAX_DEPTH = 60
_TITLES = frozenset(("title", "ctrTitle"))
# Placeholders that repeat on every slide, or hold what is no text of the slide
_FURNITURE = frozenset(("dt", "ftr", "hdr", "sldNum", "sldImg"))
_PLAIN = frozenset(("subTitle", *_TITLES))
# Shapes in groups, and the newer of two copies of one shape
_WRAPPERS = frozenset(("grpSp", "AlternateContent", "Choice"))


def parse(data: bytes, about: About) -> Parsed:
    """Read a presentation; raises `Unreadable`."""
    package = Package(data, "PPTX", about.limits.unpacked_bytes)
    writer = BlockWriter(about.limits.text_chars)
    warnings: tuple[Text, ...] = ()
    for number, part in enumerate(_slides(package), start=1):
        if number > about.limits.pages:
            warnings = (msg("Only the first {count} slides were taken in.", count=about.limits.pages),)
        if warnings or writer.was_cut:
            break
        _Slide(package, part, writer, number).write()
    said = read_properties(package)
    heading = next((block.text for block in writer.blocks if block.kind is BlockKind.HEADING), "")
    entry = ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=said.title or heading or one_line(about.stem),
        blocks=writer.blocks,
        created_at=said.created_at,
        updated_at=said.updated_at,
        language=said.language,
        people=said.people,
        metadata=said.metadata,
    )
    return Parsed("pptx", (entry,), warnings=warnings + writer.warnings())


def _slides(package: Package) -> Iterator[str]:
    """The slides' parts in the order in which they are shown."""
    main = package.main_part("ppt/presentation.xml")
    root = package.tree(main)
    if root is None:
        raise damaged("PPTX")
    links = package.links(main)
    for slide in below(root, "sldId"):
        # `id` is the slide's number; the relation's is of another namespace
        target = next((links[value] for value in slide.attrib.values() if value in links), None)
        if target is not None and package.has(target.target):
            yield target.target


class _Slide:
    """One slide, written into the blocks of its presentation."""

    def __init__(self, package: Package, part: str, writer: BlockWriter, number: int) -> None:
        self._package = package
        self._part = part
        self._writer = writer
        self._number = number

    def write(self) -> None:
        root = self._package.tree(self._part)
        if root is None:
            return
        shapes = [shape for tree in below(root, "spTree") for shape in _shapes(tree, 0)]
        titles = [shape for shape in shapes if _placeholder(shape) in _TITLES and text_of(_body(shape)).strip()]
        self._writer.leave(1)
        if titles:
            title = " ".join(text for _, text in _paragraphs(_body(titles[0])))
            self._writer.heading(1, title, page=self._number)
        for shape in shapes:
            if shape not in titles[:1]:
                self._shape(shape)
        for link in self._package.links(self._part).values():
            self._linked(link)

    def _shape(self, shape: Any) -> None:  # noqa: ANN401 - lxml has no types
        for table in below(shape, "tbl"):
            rows = ([_cell(cell) for cell in below(row, "tc")] for row in below(table, "tr"))
            self._add(BlockKind.TABLE, table_text(rows))
        kind = _placeholder(shape)
        if kind not in _FURNITURE:
            self._text(_body(shape), may_be_list=kind is not None and kind not in _PLAIN)

    def _text(self, body: Any, *, may_be_list: bool = False) -> None:  # noqa: ANN401
        lines = list(_paragraphs(body)) if body is not None else []
        if may_be_list and len(lines) > 1:
            self._add(BlockKind.LIST, "\n".join(f"{'  ' * level}- {text}" for level, text in lines))
        else:
            self._add(BlockKind.PARAGRAPH, "\n".join(text for _, text in lines))

    def _linked(self, link: Link) -> None:
        """Diagrams, speaker notes and comments are parts of their own."""
        if link.kind not in {"diagramData", "notesSlide", "comments"} or not self._package.has(link.target):
            return
        root = self._package.tree(link.target)
        if root is None:
            return
        if link.kind == "notesSlide":
            for tree in below(root, "spTree"):
                for shape in _shapes(tree, 0):
                    if _placeholder(shape) == "body":
                        self._text(_body(shape))
        elif link.kind == "diagramData":
            lines = ("".join(text_of(run) for run in below(part, "t")) for part in below(root, "p"))
            self._add(BlockKind.LIST, "\n".join(f"- {line.strip()}" for line in lines if line.strip()))
        else:
            for comment in below(root, "cm"):
                texts = (text_of(part) for name in ("text", "t") for part in below(comment, name))
                self._add(BlockKind.PARAGRAPH, "".join(texts))

    def _add(self, kind: BlockKind, text: str) -> None:
        self._writer.add(kind, text, page=self._number)


def _shapes(tree: Any, depth: int) -> Iterator[Any]:  # noqa: ANN401
    for child in tree:
        name = local(child)
        if name in _WRAPPERS and depth < _MAX_DEPTH:
            yield from _shapes(child, depth + 1)
        elif name in ("sp", "graphicFrame", "cxnSp"):
            yield child


def _placeholder(shape: Any) -> str | None:  # noqa: ANN401
    """The kind of placeholder that a shape fills ("obj" where it is not said); None for a shape of its own."""
    found = next(below(shape, "ph"), None)
    return None if found is None else attribute(found, "type") or "obj"


def _body(shape: Any) -> Any:  # noqa: ANN401
    """The text of a shape itself, and not of the table within it."""
    return next((child for child in shape if local(child) == "txBody"), None)


def _cell(cell: Any) -> str:  # noqa: ANN401
    if {attribute(cell, "hMerge"), attribute(cell, "vMerge")} & {"1", "true"}:
        return ""
    return " ".join(text for body in below(cell, "txBody") for _, text in _paragraphs(body))


def _paragraphs(body: Any) -> Iterator[tuple[int, str]]:  # noqa: ANN401
    """Level (from 0) and text of each paragraph that is not blank."""
    for paragraph in below(body, "p"):
        level, pieces = 0, []
        for element in paragraph.iter():
            name = local(element)
            if name == "pPr" and attribute(element, "lvl").isdecimal():
                level = min(int(attribute(element, "lvl")[:2]), 8)
            elif name == "t":
                pieces.append(element.text or "")
            elif name == "br":
                pieces.append(" ")
        text = "".join(pieces).strip()
        if text:
            yield level, text
