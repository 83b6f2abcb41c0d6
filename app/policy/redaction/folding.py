r"""The text as the rules read it: full-width digits and letters made plain, invisible characters taken out (L5.3).

Traditional Chinese is read as simplified, character by character: 護照號碼 is 护照号码.

`１３８` and `1\u200b3\u200b8` are the same number as `138` to who reads them. Every position of the folded text knows
its position in the text as given, so a finding covers what stands there, invisible characters included.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import opencc

if TYPE_CHECKING:
    from collections.abc import Mapping

# Chinese commas and stops keep their width: they end a sentence, and the rules rely on it.
_KEPT_WIDE = frozenset("，；！？")
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in _KEPT_WIDE}
_SPACES = dict.fromkeys((160, 5760, *range(8192, 8203), 8239, 8287, 12288), " ")
_DASHES = dict.fromkeys((8208, 8209, 8210, 8211, 8722, 65112, 65123), "-")
_QUOTES = {0x2018: "'", 0x2019: "'"}
# Letters that a pattern without regard to case takes for i, k and s.
_LETTERS = {0x130: "I", 0x131: "i", 0x17F: "s", 0x212A: "K"}
_OTHER_DIGITS = re.compile(r"[^\W0-9a-zA-Z_\u4e00-\u9fff]", re.UNICODE)
_INVISIBLE = re.compile(
    "[\x00\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_TABLE = str.maketrans({**_FULL_WIDTH, **_SPACES, **_DASHES, **_QUOTES, **_LETTERS})
_HAN = re.compile("[\u4e00-\u9fff]")
_IS_PLAIN = re.compile(r"[\x01-\x7f\u3001\u3002\u4e00-\u9fff\uff0c]*\Z")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text.

    Attributes:
        text: what the rules read.
        positions: of each of its characters in the text as given, and one more for the end; None: they are the same.
    """

    text: str
    positions: tuple[int, ...] | None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the folded text stands in the text as given."""
        if self.positions is None:
            return start, end
        return self.positions[start], self.positions[end - 1] + 1 if end > start else self.positions[start]


def fold(text: str) -> Folded:
    """Make a text plain for the rules; its length changes by the invisible characters alone."""
    if _HAN.search(text):
        text = text.translate(_traditional())
    if _IS_PLAIN.match(text):
        return Folded(text, None)
    plain = _plain_digits(text.translate(_TABLE))
    if _INVISIBLE.search(plain) is None:
        return Folded(plain, None)
    positions = [index for index, character in enumerate(plain) if _INVISIBLE.match(character) is None]
    return Folded("".join(plain[index] for index in positions), (*positions, len(plain)))


@cache
def _traditional() -> Mapping[int, str]:
    """The simplified form of every character that has one of its own."""
    characters = [chr(code) for code in range(0x4E00, 0xA000)]
    simplified = opencc.OpenCC("t2s").convert("\n".join(characters)).split("\n")
    pairs = zip(characters, simplified, strict=True)
    return {ord(old): new for old, new in pairs if old != new and len(new) == 1}


def _plain_digits(text: str) -> str:
    """Digits of other scripts as ASCII ones; circled and written-out numbers are left as they are."""

    def plain(found: re.Match[str]) -> str:
        digit = unicodedata.decimal(found[0], None)
        return found[0] if digit is None else str(digit)

    return _OTHER_DIGITS.sub(plain, text)
