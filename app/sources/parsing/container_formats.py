"""Which document a container holds (ZIP, compound files), and which of them are refused, with what to do instead.

Office documents, books and archives share their first bytes; only the names inside tell them apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from app.domain.errors import Unreadable
from app.domain.text import msg
from app.sources.parsing.refusals import damaged, encrypted
from app.sources.parsing.signatures import zip_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.text import Text

T = TypeVar("T")

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06", b"PK00PK\x03\x04")
_RTF = b"{\\rtf"
_TAR_MARK, _TAR_OFFSET = b"ustar", 257
_PACKED = (
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ\0",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
    b"MSCF\0\0\0\0",
)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A kind of document that is not read, and what to do instead."""

    kind: Text
    next_step: Text

    def error(self) -> Unreadable:
        return Unreadable(self.kind, next_step=self.next_step)


_OLD_WORD = _Refused(
    msg("Documents in the old Word format (.doc) are not read."), msg("Open it, and save it as DOCX or PDF.")
)
_OLD_EXCEL = _Refused(
    msg("Spreadsheets in the old Excel format (.xls) are not read."), msg("Open it, and save it as XLSX or CSV.")
)
_OLD_SLIDES = _Refused(
    msg("Slides in the old PowerPoint format (.ppt) are not read."), msg("Open it, and save it as PPTX or PDF.")
)
_OLD_OFFICE = _Refused(
    msg("Documents in the old Office formats are not read."), msg("Open it, and save it as DOCX, XLSX, PPTX or PDF.")
)
_BINARY_SHEET = _Refused(msg("Binary spreadsheets (.xlsb) are not read."), msg("Open it, and save it as XLSX or CSV."))
_APPLE = _Refused(
    msg("Documents of Pages, Numbers and Keynote are not read."),
    msg("Open it, and export it as DOCX, XLSX, PPTX or PDF."),
)
_DRAWING = _Refused(
    msg("Drawings of this kind are not read."), msg("Open it, and export it as PDF if Famulus should know its text.")
)
# Stream names in a compound file are UTF-16; the first that is found says what it is
_OLE_STREAMS: tuple[tuple[str, _Refused], ...] = (
    ("PowerPoint Document", _OLD_SLIDES),
    ("WordDocument", _OLD_WORD),
    ("Workbook", _OLD_EXCEL),
    ("VisioDocument", _DRAWING),
)
_OUTLOOK_STREAM = "__properties_version1.0"
_MAIN_PARTS: tuple[tuple[str, str], ...] = (
    (r"word/document\d*\.xml", "docx"),
    (r"xl/workbook\d*\.xml", "xlsx"),
    (r"ppt/presentation\d*\.xml", "pptx"),
    (r"meta-inf/container\.xml", "epub"),
)
_REFUSED_PARTS: tuple[tuple[str, _Refused], ...] = (
    (r"xl/workbook\d*\.bin", _BINARY_SHEET),
    (r"index/document\.iwa|index\.zip|index\.apxl(?:\.gz)?|index\.xml\.gz", _APPLE),
    (r"visio/document\.xml", _DRAWING),
)
_BY_SUFFIX = {
    **dict.fromkeys(("docx", "docm", "dotx", "dotm"), "DOCX"),
    **dict.fromkeys(("xlsx", "xlsm", "xltx", "xltm", "xlsb"), "XLSX"),
    **dict.fromkeys(("pptx", "pptm", "ppsx", "potx", "ppsm"), "PPTX"),
    **dict.fromkeys(("odt", "ods", "odp", "odg", "ott", "ots", "otp"), "OpenDocument"),
    "epub": "EPUB",
}


def container_format(data: bytes, suffix: str) -> str | None:
    """The format (a value of `sniffing.Format`) of a container; None for what is none.

    Args:
        suffix: of the file's name; only says what a damaged container was.

    Raises:
        Unreadable: it is damaged, encrypted, or of a kind that is not read.
    """
    if data.startswith(_OLE):
        return _compound(data)
    if data.startswith(_ZIP_STARTS):
        return _zipped(data, suffix)
    if data[:64].lstrip(b"\xef\xbb\xbf\r\n\t ").startswith(_RTF):
        return "rtf"
    is_tar = data[_TAR_OFFSET : _TAR_OFFSET + len(_TAR_MARK)] == _TAR_MARK
    return "archive" if is_tar or data.startswith(_PACKED) else None


def _compound(data: bytes) -> str:
    """What a compound file (MS-CFB) is; raises `Unreadable` for all but Outlook's messages."""

    def has(stream: str) -> bool:
        return stream.encode("utf-16-le") in data

    if has("EncryptedPackage"):
        raise encrypted()
    if has(_OUTLOOK_STREAM):
        return "outlook"
    raise next((refused for name, refused in _OLE_STREAMS if has(name)), _OLD_OFFICE).error()


def _zipped(data: bytes, suffix: str) -> str:
    names = [name.lower().replace("\\", "/").lstrip("/") for name in zip_names(data)]
    if not names:
        if (kind := _BY_SUFFIX.get(suffix)) is not None:
            raise damaged(kind)
        return "archive"
    if (found := _first(_MAIN_PARTS, names)) is not None:
        return found
    if (refused := _first(_REFUSED_PARTS, names)) is not None:
        raise refused.error()
    if "content.xml" in names and ("mimetype" in names or suffix in _BY_SUFFIX):
        return "open_document"
    # the main part may have any name (ECMA-376 part 2); the reader looks for it
    kind = _BY_SUFFIX.get(suffix, "").lower()
    return kind if kind in {"docx", "xlsx", "pptx"} and "[content_types].xml" in names else "archive"


def _first(table: Sequence[tuple[str, T]], names: Sequence[str]) -> T | None:
    return next((meaning for pattern, meaning in table if any(re.fullmatch(pattern, name) for name in names)), None)
