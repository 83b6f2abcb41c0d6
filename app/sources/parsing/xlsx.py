"""Spreadsheets (XLSX, ECMA-376 part 1, chapter 18): sheets as headings, their used cells as tables.

Nothing is computed: a formula shows the result that its program stored with it. Sheets are streamed, row by row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.domain.labels import EntryKind
from app.domain.text import counted
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.office_properties import read_properties
from app.sources.parsing.package import Package, attribute, below, local, text_of
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged
from app.sources.parsing.sheet import SheetWriter
from app.sources.parsing.xlsx_numbers import NumberKind, kind_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.parsed import About

_MAX_COLUMN = 16_384
_MAX_ROW = 1_048_576
_MAX_STRINGS = 1_000_000
_MAX_NOTES = 5_000
_TRUTH = {"0": "FALSE", "1": "TRUE"}


def parse(data: bytes, about: About) -> Parsed:
    """Read a workbook; raises `Unreadable`."""
    package = Package(data, "XLSX", about.limits.unpacked_bytes)
    writer = BlockWriter(about.limits.text_chars)
    sheets = SheetWriter(writer)
    book = _Workbook(package, about.limits.unpacked_bytes)
    for name, part in book.sheets():
        if sheets.is_full:
            break
        book.read(part, name, sheets)
    warnings = sheets.warnings()
    if book.uncomputed:
        warnings = (
            *warnings,
            counted(
                "{count} formula has no stored result and was left out.",
                "{count} formulas have no stored result and were left out.",
                count=book.uncomputed,
            ),
        )
    said = read_properties(package)
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
    return Parsed("xlsx", (entry,), warnings=warnings)


class _Workbook:
    """The parts that all sheets share."""

    def __init__(self, package: Package, limit_chars: int) -> None:
        self._package = package
        self._main = package.main_part("xl/workbook.xml")
        self._root = package.tree(self._main)
        if self._root is None:
            raise damaged("XLSX")
        self._links = package.links(self._main)
        properties = next(below(self._root, "workbookPr"), None)
        self._is_1904 = properties is not None and attribute(properties, "date1904") in {"1", "true"}
        self._strings = list(self._read_strings(limit_chars))
        self._kinds = self._read_kinds()
        self.uncomputed = 0

    def sheets(self) -> Iterator[tuple[str, str]]:
        """Name and part of each sheet, in their order; charts have no cells."""
        for sheet in below(self._root, "sheet"):
            link = next((self._links[value] for value in sheet.attrib.values() if value in self._links), None)
            if link is not None and link.kind == "worksheet" and self._package.has(link.target):
                yield attribute(sheet, "name"), link.target

    def read(self, part: str, name: str, sheets: SheetWriter) -> None:
        """Write one sheet."""
        sheets.begin(name)
        number = 0
        for count, row in enumerate(self._package.stream(part, "row")):
            said = attribute(row, "r")
            number = int(said) if said.isdecimal() and number < int(said[:9]) <= _MAX_ROW else number + 1
            cells = dict(self._cells(row))
            if cells:
                sheets.row(number, cells)
            if sheets.is_full or count >= _MAX_ROW:
                break
        sheets.end_table()
        for note in self._notes(part):
            sheets.note(note)

    def _cells(self, row: Any) -> Iterator[tuple[int, str]]:  # noqa: ANN401 - lxml has no types
        column = 0
        for cell in row.iterchildren("{*}c"):
            column = _column(cell.get("r") or "") or column + 1
            text = self._text(cell, cell.get("t") or "n")
            if column <= _MAX_COLUMN and text and not text.isspace():
                yield column, text

    def _text(self, cell: Any, kind: str) -> str:  # noqa: ANN401
        value, has_formula = "", False
        for child in cell:
            name = local(child)
            if name == "v":
                value = child.text or ""
            elif name == "is":
                return _string(child)
            elif name == "f":
                has_formula = True
        if not value:
            self.uncomputed += has_formula and kind != "str"
            return ""
        if kind == "s":
            index = int(value) if value.strip().isdecimal() else -1
            return self._strings[index] if 0 <= index < len(self._strings) else ""
        if kind == "b":
            return _TRUTH.get(value, value)
        if kind != "n":
            return value
        style = cell.get("s") or ""
        number = int(style[:6]) if style.isdecimal() else 0
        meaning = self._kinds[number] if number < len(self._kinds) else NumberKind.PLAIN
        return shown(value, meaning, is_1904=self._is_1904)

    def _read_strings(self, limit_chars: int) -> Iterator[str]:
        """The texts that cells share; those beyond the limit are blank."""
        part = self._part("sharedStrings")
        if part is None:
            return
        left = limit_chars
        for count, item in enumerate(self._package.stream(part, "si")):
            text = _string(item) if left > 0 else ""
            left -= len(text)
            yield text
            if count >= _MAX_STRINGS:
                return

    def _read_kinds(self) -> list[NumberKind]:
        """What each style makes of numbers."""
        part = self._part("styles")
        root = self._package.tree(part) if part is not None else None
        if root is None:
            return []
        codes = {attribute(one, "numFmtId"): attribute(one, "formatCode") for one in below(root, "numFmt")}
        kinds: list[NumberKind] = []
        for formats in below(root, "cellXfs"):
            for style in formats:
                number = attribute(style, "numFmtId")
                kinds.append(kind_of(int(number[:6]) if number.isdecimal() else 0, codes.get(number)))
        return kinds

    def _part(self, kind: str) -> str | None:
        targets = (link.target for link in self._links.values() if link.kind == kind)
        return next((target for target in targets if self._package.has(target)), None)

    def _notes(self, part: str) -> Iterator[str]:
        """What people wrote on cells, with the cell's name."""
        for link in self._package.links(part).values():
            if link.kind not in {"comments", "threadedComment"}:
                continue
            root = self._package.tree(link.target)
            for count, element in enumerate(root.iter("{*}comment", "{*}threadedComment") if root is not None else ()):
                text = text_of(element).strip()
                # what old programs show in place of a conversation that they cannot show
                if text and count < _MAX_NOTES and not text.startswith("[Threaded comment]"):
                    yield f"{attribute(element, 'ref')}: {text}"


def _string(item: Any) -> str:  # noqa: ANN401
    """A text with its formats left out, and without the readings that stand above Japanese words."""
    pieces = []
    for child in item:
        name = local(child)
        if name == "t":
            pieces.append(child.text or "")
        elif name == "r":
            pieces.extend(part.text or "" for part in child if local(part) == "t")
    return "".join(pieces)


def _column(reference: str) -> int:
    """The column (from 1) of a cell's name such as AB12; 0 for what is none."""
    column = 0
    for letter in reference[:8]:
        if not "A" <= letter <= "Z":
            break
        column = column * 26 + ord(letter) - 64
    return column
