"""File names in archives, in whatever encoding the program that packed them used.

ZIP knows two: UTF-8 where a flag says so, else that of the first IBM PC; in China programs wrote GBK instead. All names
of one archive are judged together, since a single short one tells little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.sources.parsing.encodings import decode

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Sequence

_UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075
_MOST_BYTES = 64 * 1024
_PATH_AT = 5


def readable_names(infos: Sequence[zipfile.ZipInfo]) -> list[str]:
    """The names of a ZIP file's members as they were meant."""
    unflagged = [raw for info in infos if (raw := _raw(info)) is not None]
    codec = _codec(unflagged)
    names = []
    for info in infos:
        raw = _raw(info)
        said = _unicode_path(info.extra)
        names.append(said or (info.filename if raw is None else raw.decode(codec, "replace")))
    return names


def readable_name(raw: bytes) -> str:
    """One name from its bytes."""
    return raw.decode(_codec([raw]), "replace")


def _raw(info: zipfile.ZipInfo) -> bytes | None:
    """The bytes of a name that is not known to be UTF-8; None for plain ones and for those that are."""
    name = info.filename
    if info.flag_bits & _UTF8_FLAG or name.isascii():
        return None
    try:
        return name.encode("cp437")
    except UnicodeEncodeError:
        return None


def _codec(names: Sequence[bytes]) -> str:
    """UTF-8 where all names are; a Chinese, Japanese or Korean one where the names make sense in it; else CP437."""
    telling = [name for name in names if not name.isascii()]
    if not telling:
        return "utf-8"
    if all(_decodes(name, "utf-8") for name in telling):
        return "utf-8"
    found = decode(b"\n".join(telling)[:_MOST_BYTES])
    candidates = {"GB2312": "gb18030", "GBK": "gb18030", "GB18030": "gb18030", "Big5": "big5hkscs", "CP950": "cp950"}
    candidates |= {"SHIFT_JIS": "cp932", "CP932": "cp932", "EUC-KR": "cp949", "CP949": "cp949"}
    codec = candidates.get(found.encoding)
    if codec is None and all(_is_chinese(name) for name in telling):
        codec = "gb18030"
    return codec if codec is not None and all(_decodes(name, codec) for name in telling) else "cp437"


def _decodes(name: bytes, codec: str) -> bool:
    try:
        name.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _is_chinese(name: bytes) -> bool:
    """Whether every high byte belongs to a pair of GB 2312's common characters (its first level)."""
    at = 0
    while at < len(name):
        if name[at] < 0x80:  # noqa: PLR2004 - ASCII
            at += 1
        elif at + 1 < len(name) and 0xB0 <= name[at] <= 0xD7 and 0xA1 <= name[at + 1] <= 0xFE:  # noqa: PLR2004
            at += 2
        else:
            return False
    return True


def _unicode_path(extra: bytes) -> str:
    """The name in a field that some programs add for it (APPNOTE 4.6.9); empty where there is none."""
    at = 0
    while at + 4 <= len(extra):
        kind, size = int.from_bytes(extra[at : at + 2], "little"), int.from_bytes(extra[at + 2 : at + 4], "little")
        if kind == _UNICODE_PATH and size > _PATH_AT:
            return extra[at + 4 + _PATH_AT : at + 4 + size].decode("utf-8", "replace")
        at += 4 + size
    return ""
