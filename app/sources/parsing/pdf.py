"""PDF documents: their text by page. What has no text layer (a scan) is taken in with a warning, not refused."""

from __future__ import annotations

import re
import statistics
from types import MappingProxyType
from typing import TYPE_CHECKING

import pypdfium2
import pypdfium2.raw as pdfium

from app.domain.entries import PersonRef
from app.domain.labels import BlockKind, EntryKind
from app.domain.text import Text, counted, msg
from app.sources.parsing.blocks import BlockWriter, one_line
from app.sources.parsing.dates import read_pdf_date
from app.sources.parsing.parsed import Parsed, ParsedEntry
from app.sources.parsing.refusals import damaged, encrypted, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.sources.parsing.parsed import About

_SENTENCE_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "…", "”", '"', ")", "）")
_SHORT_LINE = 0.7
_GARBAGE = re.compile("[\ufffd\ufffe\ue000-\uf8ff\x00-\x08\x0e-\x1f]")
_GARBAGE_SHARE = 0.3
_HYPHEN = re.compile(r"(?<=\w)[\ufffe\u00ad\x02]\n?")
# Titles that programs put in when nobody gave one
_NO_TITLE = re.compile(
    r"untitled.*|(?:microsoft )?(?:word|powerpoint|excel)?\s*-\s.*|.*\.(?:docx?|indd|dvi|tex|pdf|p65)|\W*",
    re.IGNORECASE,
)


def parse(data: bytes, about: About) -> Parsed:
    """Read a document.

    Raises:
        Unreadable: it is encrypted, or no PDF at all.
    """
    document = _open(data)
    try:
        writer = BlockWriter(about.limits.text_chars)
        broken = _write_pages(document, writer, about.limits.pages)
        warnings = [*_warnings(writer, broken, len(document), about), *writer.warnings()]
        entry = _entry(document, writer, about)
    finally:
        document.close()
    return Parsed("pdf", (entry,), warnings=tuple(warnings))


def _open(data: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code == pdfium.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise encrypted() from None
        if code == pdfium.FPDF_ERR_SECURITY:
            raise unreadable(msg("It is protected in a way that Famulus does not know.")) from None
        raise damaged("PDF") from None


def _write_pages(document: pypdfium2.PdfDocument, writer: BlockWriter, limit: int) -> int:
    """Write the pages' paragraphs; returns how many pages could not be read."""
    broken = 0
    for index in range(min(len(document), limit)):
        if writer.was_cut:
            break
        try:
            text = _page_text(document, index, writer.left_chars)
        except pypdfium2.PdfiumError:
            broken += 1
            continue
        for paragraph in paragraphs(text):
            writer.add(BlockKind.PARAGRAPH, paragraph, page=index + 1)
    return broken


def _page_text(document: pypdfium2.PdfDocument, index: int, limit: int) -> str:
    page = document[index]
    try:
        text_page = page.get_textpage()
        try:
            count = min(max(text_page.count_chars(), 0), limit + 1)
            return str(text_page.get_text_range(0, count)) if count else ""
        finally:
            text_page.close()
    finally:
        page.close()


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a page, of which a PDF keeps only the lines: an ending sentence on a short line closes one."""
    lines = [line.strip() for line in _HYPHEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")]
    lengths = [len(line) for line in lines if line]
    usual = statistics.quantiles(lengths, n=4)[2] if len(lengths) > 1 else 0
    held: list[str] = []
    for line in lines:
        if line:
            held.append(line)
        if held and (not line or (len(line) < _SHORT_LINE * usual and line.endswith(_SENTENCE_ENDS))):
            yield "\n".join(held)
            held = []
    if held:
        yield "\n".join(held)


def _warnings(writer: BlockWriter, broken: int, pages: int, about: About) -> list[Text]:
    found: list[Text] = []
    text = "".join(block.text for block in writer.blocks)
    if not text.strip() and pages:
        found.append(msg("It has no text layer (a scan, or pictures); only its title was taken in."))
    elif len(_GARBAGE.findall(text)) > _GARBAGE_SHARE * len(text):
        found.append(msg("Its fonts hide what its characters are; most of its text cannot be read."))
    if broken:
        found.append(
            counted(
                "{count} of its pages is damaged and was left out.",
                "{count} of its pages are damaged and were left out.",
                count=broken,
            )
        )
    if pages > about.limits.pages:
        found.append(msg("Only the first {count} pages were taken in.", count=about.limits.pages))
    return found


def _entry(document: pypdfium2.PdfDocument, writer: BlockWriter, about: About) -> ParsedEntry:
    said = {key: one_line(value, 500) for key, value in _metadata(document).items() if value.strip()}
    title = said.get("Title", "")
    author = said.get("Author")
    return ParsedEntry(
        kind=EntryKind.DOCUMENT,
        title=one_line(about.stem if _NO_TITLE.fullmatch(title) else title),
        blocks=writer.blocks,
        created_at=read_pdf_date(said.get("CreationDate", ""), about.zone),
        updated_at=read_pdf_date(said.get("ModDate", ""), about.zone),
        people=(PersonRef(one_line(author, 200), "", "author"),) if author else (),
        metadata=MappingProxyType(
            {key.lower(): said[key] for key in ("Subject", "Keywords") if key in said} | {"pages": str(len(document))}
        ),
    )


def _metadata(document: pypdfium2.PdfDocument) -> dict[str, str]:
    try:
        return dict(document.get_metadata_dict(skip_empty=True))
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        return {}
