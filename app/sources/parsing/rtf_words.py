"""The words of rich text that stand for characters, for code pages, and for what is no running text (RTF 1.9)."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from app.sources.parsing.encodings import codec_for

if TYPE_CHECKING:
    from collections.abc import Mapping

SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "line": "\n",
        "tab": "\t",
        "emdash": "—",
        "endash": "–",
        "bullet": "•",
        "lquote": "‘",
        "rquote": "’",
        "ldblquote": "“",
        "rdblquote": "”",
        "emspace": " ",
        "enspace": " ",
        "qmspace": " ",
        "softline": "\n",
    }
)
_LEFT_OUT = (
    *("colortbl", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "pict"),
    *("object", "objdata", "fldinst", "xe", "tc", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "template", "revtbl"),
    *("listtable", "listoverridetable", "rsidtbl", "generator", "themedata", "datastore", "filetbl", "nonshppict"),
    *("bkmkstart", "bkmkend", "sp", "sn", "sv", "atnid", "atnauthor", "atrfstart", "atrfend", "private1", "htmltag"),
    *("mhtmltag", "nonesttables", "operator", "company", "doccomm", "category", "comment", "printim", "buptim"),
)
# A starred group that is not named here is skipped: that is what the star is for
DESTINATIONS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(_LEFT_OUT, "skipped"),
        "fonttbl": "fonts",
        "stylesheet": "styles",
        **dict.fromkeys(("info", "title", "author", "subject", "keywords", "creatim", "revtim"), "info"),
        **dict.fromkeys(("pntext", "listtext"), "bullet"),
        **dict.fromkeys(("shpinst", "shptxt", "nesttableprops", "atnref", "annotation", "ud", "result"), "text"),
    }
)
CHARSETS: Mapping[int, str] = MappingProxyType(
    {
        77: "mac_roman",
        128: "cp932",
        129: "cp949",
        130: "johab",
        134: "gb18030",
        136: "cp950",
        161: "cp1253",
        162: "cp1254",
        163: "cp1258",
        177: "cp1255",
        178: "cp1256",
        186: "cp1257",
        204: "cp1251",
        222: "cp874",
        238: "cp1250",
        254: "cp437",
        255: "cp850",
    }
)
_PAGES = {936: "gb18030", 54936: "gb18030", 950: "cp950", 65001: "utf-8", 10000: "mac_roman", 1361: "johab"}


def codec_of_page(number: int) -> str | None:
    """The codec of a Windows code page; None for one that Python does not know."""
    return _PAGES.get(number) or codec_for(f"cp{number}")
