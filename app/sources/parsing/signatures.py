"""Binary files are known by their first bytes: what they are called when they are refused."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from app.domain.text import msg

if TYPE_CHECKING:
    from app.domain.text import Text

_PICTURE = msg("Pictures are not read yet.")
_SOUND = msg("Sound recordings are not read yet.")
_VIDEO = msg("Videos are not read yet.")
_MEDIA = msg("Sound recordings and videos are not read yet.")
_ARCHIVE = msg("Archives are not read; unpack it first.")
_PROGRAM = msg("Programs are not read.")
_FONT = msg("Fonts are not read.")
_DATABASE = msg("Databases are not read yet.")
_OLD_OFFICE = msg("Documents in the old Office formats are not read yet.")
_SPREADSHEET = msg("Spreadsheets are not read yet.")
_SLIDES = msg("Slides are not read yet.")
_BOOK = msg("E-books are not read yet.")
_OPEN_DOCUMENT = msg("OpenDocument files are not read yet.")
_OUTLOOK = msg("Outlook messages (.msg) are not read yet; save them as .eml.")
_NOTEBOOK = msg("OneNote notebooks are not read yet.")
_RICH_TEXT = msg("Rich text (RTF) is not read yet.")
_SHORTCUT = msg("Shortcuts and property lists are not read.")

# (offset, bytes, what it is)
_SIGNATURES: tuple[tuple[int, bytes, Text], ...] = (
    (0, b"\x89PNG", _PICTURE),
    (0, b"\xff\xd8\xff", _PICTURE),
    (0, b"GIF8", _PICTURE),
    (0, b"II*\0", _PICTURE),
    (0, b"MM\0*", _PICTURE),
    (8, b"WEBP", _PICTURE),
    (0, b"\0\0\x01\0", _PICTURE),
    (0, b"8BPS", _PICTURE),
    (0, b"\x01\xda\x01\x01", _PICTURE),
    (4, b"ftypheic", _PICTURE),
    (4, b"ftypmif1", _PICTURE),
    (4, b"ftypavif", _PICTURE),
    (4, b"ftypM4A", _SOUND),
    (4, b"ftyp", _MEDIA),
    (8, b"WAVE", _SOUND),
    (8, b"AVI ", _VIDEO),
    (0, b"ID3", _SOUND),
    (0, b"\xff\xfb", _SOUND),
    (0, b"\xff\xf3", _SOUND),
    (0, b"\xff\xf1", _SOUND),
    (0, b"OggS", _SOUND),
    (0, b"fLaC", _SOUND),
    (8, b"AIFC", _SOUND),
    (8, b"AIFF", _SOUND),
    (0, b"MThd", _SOUND),
    (0, b".snd", _SOUND),
    (0, b"\x1aE\xdf\xa3", _VIDEO),
    (0, b"\0\0\x01\xba", _VIDEO),
    (0, b"FLV\x01", _VIDEO),
    (0, b"0&\xb2u\x8ef\xcf\x11", _VIDEO),
    (0, b"\x1f\x8b", _ARCHIVE),
    (0, b"BZh", _ARCHIVE),
    (0, b"\xfd7zXZ\0", _ARCHIVE),
    (0, b"7z\xbc\xaf\x27\x1c", _ARCHIVE),
    (0, b"Rar!\x1a\x07", _ARCHIVE),
    (0, b"\x28\xb5\x2f\xfd", _ARCHIVE),
    (0, b"MSCF\0\0", _ARCHIVE),
    (257, b"ustar", _ARCHIVE),
    (0, b"\x7fELF", _PROGRAM),
    (0, b"MZ\x90\0", _PROGRAM),
    (0, b"\xca\xfe\xba\xbe", _PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", _PROGRAM),
    (0, b"\0asm", _PROGRAM),
    (0, b"SQLite format 3\0", _DATABASE),
    (0, b"\0\x01\0\0Standard", _DATABASE),
    (0, b"PAR1", _DATABASE),
    (0, b"\0\x01\0\0\0", _FONT),
    (0, b"OTTO", _FONT),
    (0, b"wOFF", _FONT),
    (0, b"wOF2", _FONT),
    (0, b"{\\rtf", _RICH_TEXT),
    (0, b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", _NOTEBOOK),
    (0, b"bplist0", _SHORTCUT),
    (0, b"L\0\0\0\x01\x14\x02\0", _SHORTCUT),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Stream names in a compound file are UTF-16; the first that is found says what it is
_OLE_STREAMS: tuple[tuple[str, Text], ...] = (
    ("EncryptedPackage", msg("It is protected by a password.")),
    ("__properties_version1.0", _OUTLOOK),
    ("__substg1.0_", _OUTLOOK),
    ("Workbook", _SPREADSHEET),
    ("PowerPoint Document", _SLIDES),
    ("WordDocument", _OLD_OFFICE),
)
_ZIP = b"PK\x03\x04"
_ZIP_PARTS: tuple[tuple[str, Text], ...] = (
    ("xl/", _SPREADSHEET),
    ("ppt/", _SLIDES),
    ("META-INF/container.xml", _BOOK),
    ("content.xml", _OPEN_DOCUMENT),
)
_BY_SUFFIX = {
    **dict.fromkeys(("xlsx", "xlsm", "xlsb", "ods"), _SPREADSHEET),
    **dict.fromkeys(("pptx", "pptm", "odp"), _SLIDES),
    **dict.fromkeys(("odt", "pages"), _OPEN_DOCUMENT),
    "epub": _BOOK,
}


def refused_kind(data: bytes, suffix: str) -> Text | None:
    """What a known binary file is, as a sentence that says that it is not read; None for anything else.

    The suffix of its name only says which archive it is, when its directory is damaged.
    """
    if data.startswith(_OLE):
        return next((kind for name, kind in _OLE_STREAMS if name.encode("utf-16-le") in data), _OLD_OFFICE)
    if data.startswith((_ZIP, b"PK\x05\x06")):
        names = zip_names(data)
        found = (kind for part, kind in _ZIP_PARTS if any(name.startswith(part) for name in names))
        return next(found, _BY_SUFFIX.get(suffix, _ARCHIVE))
    if data.startswith(b"BM") and data[6:10] == b"\0\0\0\0":
        return _PICTURE
    return next((kind for offset, mark, kind in _SIGNATURES if data[offset : offset + len(mark)] == mark), None)


def is_zip(data: bytes) -> bool:
    """Whether this is a ZIP container."""
    return data.startswith(_ZIP)


def zip_names(data: bytes) -> list[str]:
    """The member names of a ZIP container; empty when its directory is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeError, OverflowError):
        return []
