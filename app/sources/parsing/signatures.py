"""Binary files are known by their first bytes: what they are called when they are refused.

Pictures, recordings and databases that are read are told apart before (`picture_kinds`, `sqlite_image`).
"""

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
_PROGRAM = msg("Programs are not read.")
_FONT = msg("Fonts are not read.")
_DATABASE = msg("Databases are not read yet.")
_NOTEBOOK = msg("OneNote notebooks are not read yet.")
_SHORTCUT = msg("Shortcuts and property lists are not read.")

# (offset, bytes, what it is)
_SIGNATURES: tuple[tuple[int, bytes, Text], ...] = (
    (0, b"\0\0\x01\0", _PICTURE),
    (0, b"8BPS", _PICTURE),
    (0, b"\x01\xda\x01\x01", _PICTURE),
    (4, b"ftyp", _MEDIA),
    (8, b"AVI ", _VIDEO),
    (0, b"\xff\xf1", _SOUND),
    (0, b"OggS", _VIDEO),
    (8, b"AIFC", _SOUND),
    (8, b"AIFF", _SOUND),
    (0, b"MThd", _SOUND),
    (0, b".snd", _SOUND),
    (0, b"\x1aE\xdf\xa3", _VIDEO),
    (0, b"\0\0\x01\xba", _VIDEO),
    (0, b"FLV\x01", _VIDEO),
    (0, b"0&\xb2u\x8ef\xcf\x11", _VIDEO),
    (0, b"\x7fELF", _PROGRAM),
    (0, b"MZ\x90\0", _PROGRAM),
    (0, b"\xca\xfe\xba\xbe", _PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", _PROGRAM),
    (0, b"\0asm", _PROGRAM),
    (0, b"\0\x01\0\0Standard", _DATABASE),
    (0, b"PAR1", _DATABASE),
    (0, b"\0\x01\0\0\0", _FONT),
    (0, b"OTTO", _FONT),
    (0, b"wOFF", _FONT),
    (0, b"wOF2", _FONT),
    (0, b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", _NOTEBOOK),
    (0, b"bplist0", _SHORTCUT),
    (0, b"L\0\0\0\x01\x14\x02\0", _SHORTCUT),
)


def refused_kind(data: bytes) -> Text | None:
    """What a known binary file is, as a sentence that says that it is not read; None for anything else.

    What may hold documents (ZIP, compound files) is told apart in `container_formats`.
    """
    return next((kind for offset, mark, kind in _SIGNATURES if data[offset : offset + len(mark)] == mark), None)


def zip_names(data: bytes) -> list[str]:
    """The member names of a ZIP container; empty when its directory is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeError, OverflowError):
        return []
