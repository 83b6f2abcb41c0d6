"""Bytes become text, in whatever encoding they are (G1.1, X9.3).

What is certain is asked first: a byte order mark, UTF-8 that decodes. Then UTF-16 and UTF-32 without a mark, by how
common the characters are that come out. Then a detector for the older encodings. Of a family of encodings that contain
each other (GB2312, GBK, GB18030) the smallest that holds the text is named.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect
from dataclasses import dataclass

_MARKS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF8, "utf-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
    (b"\x84\x31\x95\x33", "gb18030", "GB18030"),
)

# The smallest first; (Python codec, name to report). The last one reads the most.
_FAMILIES: tuple[tuple[tuple[str, str], ...], ...] = (
    (("gb2312", "GB2312"), ("gbk", "GBK"), ("gb18030", "GB18030")),
    (("big5", "Big5"), ("cp950", "CP950"), ("big5hkscs", "Big5-HKSCS")),
    (("shift_jis", "SHIFT_JIS"), ("cp932", "CP932")),
    (("euc_jp", "EUC-JP"), ("euc_jis_2004", "EUC-JIS-2004")),
    (("euc_kr", "EUC-KR"), ("cp949", "CP949")),
    (("koi8_r", "KOI8-R"), ("koi8_u", "KOI8-U")),
    (("iso2022_jp", "ISO-2022-JP"), ("iso2022_jp_2", "ISO-2022-JP-2"), ("iso2022_jp_ext", "ISO-2022-JP-EXT")),
)
_MULTIBYTE = {name for family in _FAMILIES for _, name in family if not name.startswith("KOI8")}
_FAMILY_OF = {codec: family for family in _FAMILIES for codec, _ in family}
# Labels that Python does not know, and labels that in practice mean more than they say (WHATWG Encoding, section 4.2)
_LABELS = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-8-i": "iso8859_8",
    "iso-8859-9": "cp1254",
    "iso-8859-11": "cp874",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "x-gbk": "gbk",
    "gb_2312-80": "gb2312",
    "gb2312-80": "gb2312",
    "x-sjis": "shift_jis",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "ks_c_5601-1987": "euc_kr",
    "ks_c_5601": "euc_kr",
    "ksc5601": "euc_kr",
    "windows-949": "cp949",
    "x-windows-949": "cp949",
    "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman",
    "x-big5": "big5",
    "unicode-1-1-utf-8": "utf-8",
}
_NAMES = {
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252",
    "cp1253": "windows-1253",
    "cp1254": "windows-1254",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp1257": "windows-1257",
    "cp1258": "windows-1258",
    "cp874": "windows-874",
}
# What software writes that does not know the encoding: believed only against another single-byte encoding
_WEAK_LABELS = frozenset({"cp1252", "ascii"})
_CERTAIN = _MULTIBYTE | {"ascii", "utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"}
# Codecs that turn bytes into something else than text, or that guess
_NOT_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"})

# Plain ASCII says nothing of the encoding, and the detector takes a second for 5 MB
_SEARCHED_BYTES = 16 * 1024 * 1024
_SAMPLE_BYTES = 256 * 1024
_LONG_ASCII = re.compile(rb"([\t-\r -\x7e]{16})[\t-\r -\x7e]{32,}([\t-\r -\x7e]{16})")
_PLAUSIBLE = 0.9
_CHANCE_EXCLUDED = 6
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# The ends of the blocks of Latin with its accents, Greek, Cyrillic, Armenian, Hebrew and Arabic
_SCRIPT_ENDS = ("\u0370", "\u0400", "\u0530", "\u0590", "\u0600", "\u0700")
_BROKEN_SHARE = 0.02
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_CONTROL_SHARE = 0.1
_STRAY_CONTROLS = 2


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and where it came from. `has_losses` tells that some bytes made no sense and became U+FFFD."""

    text: str
    encoding: str
    has_losses: bool = False


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """Decode a whole document. `declared` is what it says of itself; it is believed when it fits.

    Line ends and characters are as they are in the original; a byte order mark is left out.
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _lossy(data[len(mark) :], codec, name)
    label = codec_for(declared) if declared is not None else None
    if label is not None and label not in _WEAK_LABELS and (fitting := _strict(data, label)) is not None:
        return fitting
    found = _undeclared(data)
    if label in _WEAK_LABELS and found.encoding not in _CERTAIN and (fitting := _strict(data, "cp1252")) is not None:
        return fitting
    return found


def _undeclared(data: bytes) -> Decoded:
    if b"\0" in data and (wide := _wide(data, (4, 2))) is not None:
        return wide
    if (unicode := _utf8(data)) is not None:
        return unicode
    older = _older(data)
    wide = _wide(data, (2,))
    return wide if wide is not None and _beats(wide, older) else older


def is_text(decoded: Decoded) -> bool:
    """Whether what came out reads like text: few control characters and few losses."""
    head = decoded.text[:65_536]
    return len(_CONTROLS.findall(head)) <= max(_STRAY_CONTROLS, _CONTROL_SHARE * len(head))


def codec_for(label: str) -> str | None:
    """The Python codec that a charset label means, or None for an unknown one."""
    wanted = label.strip().strip("\"'").lower()
    try:
        name = codecs.lookup(_LABELS.get(wanted, wanted)).name
        "".encode(name)
    except (LookupError, ValueError, UnicodeError):
        return None
    if name.replace("-", "_") in _NOT_CHARSETS:
        return None
    return _LABELS.get(name, name)


def _strict(data: bytes, codec: str) -> Decoded | None:
    """Decode without any loss, by the smallest of the codec's family that can."""
    if codec == "utf-8" and data.isascii():
        return Decoded(data.decode("ascii"), "ascii")
    for member, name in _family(codec):
        try:
            text = data.decode(member)
        except (UnicodeError, ValueError):
            continue
        if name == "GB2312":
            # the table for GB2312 alone reads a Chinese dash and dot as the Japanese ones
            text = data.decode("gb18030")
        return Decoded(text.removeprefix("\ufeff"), name)
    return None


def _family(codec: str) -> tuple[tuple[str, str], ...]:
    canonical = codec.replace("-", "_")
    return _FAMILY_OF.get(canonical) or ((codec, _NAMES.get(codec, codec)),)


def _lossy(data: bytes, codec: str, name: str) -> Decoded:
    try:
        return Decoded(data.decode(codec), name)
    except (UnicodeError, ValueError):
        return Decoded(data.decode(codec, "replace"), name, has_losses=True)


def _utf8(data: bytes) -> Decoded | None:
    """UTF-8, also with a few broken places as a cut or patched file has them."""
    if data.isascii() and b"\x1b" not in data:
        return Decoded(data.decode("ascii"), "ascii")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        broken = text.count("\ufffd")
        good = sum(1 for character in text if character > "\x7f") - broken
        return Decoded(text, "utf-8", has_losses=True) if broken <= max(1, _BROKEN_SHARE * good) < good else None
    if _is_chance(text) and (chinese := _strict(data, "gb18030")) is not None and _common_share(chinese.text) == 1:
        return chinese
    # seven-bit text with escape sequences is valid UTF-8, and may be ISO-2022
    return None if data.isascii() and _strict(data, "iso2022_jp") is not None else Decoded(text, "utf-8")


def _is_chance(text: str) -> bool:
    """Whether a few characters are valid UTF-8 by chance, as some words in GBK are: one word in two alphabets."""
    runs = _BEYOND_ASCII.findall(text)
    if sum(map(len, runs)) > _CHANCE_EXCLUDED or max(map(max, runs), default="") > "\u07ff":
        return False
    return any(len({bisect(_SCRIPT_ENDS, character) for character in run}) > 1 for run in runs)


def _wide(data: bytes, widths: tuple[int, ...]) -> Decoded | None:
    """UTF-16 or UTF-32 without a byte order mark, when what comes out is made of common characters."""
    best: tuple[float, str] = (_PLAUSIBLE, "")
    for width in widths:
        head = data[: 8192 * width]
        for order in ("le", "be"):
            codec = f"utf-{8 * width}-{order}"
            try:
                text = head[: len(head) // width * width].decode(codec)
            except UnicodeError:
                continue
            if len(data) % width == 0:
                best = max(best, (_common_share(text), codec))
    return _lossy(data, best[1], best[1]) if best[1] else None


def _beats(wide: Decoded, older: Decoded) -> bool:
    """Whether UTF-16 is the better reading. A single-byte encoding reads anything, so chance must be excluded."""
    if older.has_losses or _CONTROLS.search(older.text):
        return True
    if older.encoding in _MULTIBYTE:
        return _common_share(older.text) < _common_share(wide.text)
    return len(wide.text) >= _CHANCE_EXCLUDED


def _common_share(text: str) -> float:
    sample = text[:2048]
    return sum(map(_is_common, sample)) / len(sample) if sample else 0.0


def _is_common(character: str) -> bool:
    """Whether a character turns up in everyday text: the frequent half of Han and of Hangul, and the alphabets."""
    if character < "\u0700":
        return character in "\t\n\r\f" or " " <= character < "\x7f" or character > "\xa0"
    if "\u4e00" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7a3":
        return any(_is_frequent(character, *rows) for rows in _FREQUENT_ROWS)
    return (
        "\u2010" <= character <= "\u2044"
        or "\u3000" <= character <= "\u30ff"
        or "\uff01" <= character <= "\uff9f"
        or "\U0001f300" <= character <= "\U0001faff"
        or "\u0900" <= character <= "\u0eff"
    )


# The rows in which each national standard keeps its frequent characters (level one)
_FREQUENT_ROWS = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("shift_jis", 0x88, 0x98), ("euc_kr", 0xB0, 0xC8))


def _is_frequent(character: str, codec: str, first_row: int, last_row: int) -> bool:
    try:
        return first_row <= character.encode(codec)[0] <= last_row
    except UnicodeEncodeError:
        return False


def _older(data: bytes) -> Decoded:
    """One of the encodings before Unicode, as the detector that browsers use tells them apart."""
    from chardetng_py import EncodingDetector  # noqa: PLC0415 - loaded by the few files that need it

    sample = _LONG_ASCII.sub(rb"\1\n\2", data[:_SEARCHED_BYTES])[:_SAMPLE_BYTES]
    detector = EncodingDetector()
    detector.feed(sample, last=len(sample) < _SAMPLE_BYTES and len(data) <= _SEARCHED_BYTES)
    codec = codec_for(detector.guess(tld=None, allow_utf8=False)) or "cp1252"
    fitting = _strict(data, codec)
    if fitting is not None:
        return fitting
    widest, name = _family(codec)[-1]
    return Decoded(data.decode(widest, "replace"), name, has_losses=True)
