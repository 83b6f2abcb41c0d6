"""Which of two files is the later version of the other, by their names: "plan v2.docx", "方案_最终版.docx"."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from app.govern.likeness.rules import rules

_FOLDER_OR_ENDING = re.compile(r"^.*[/\\#]|\.[a-z][a-z0-9]{0,4}$")
_NUMBER = re.compile(
    r"(?:\bv|\bver|\bversion|\brev|(?<![^\W\d_a-z])v|版本)[\s._-]{0,2}(\d{1,3}(?:\.\d{1,3}){0,2})(?![\d-])"
    r"|第\s?(\d{1,2})\s?(?=[版稿])|\((\d{1,2})\)"
)
_DATE = re.compile(r"(?<!\d)((?:19|20)\d{2})[-._年]?(0?[1-9]|1[0-2])[-._月]?(0?[1-9]|[12]\d|3[01])日?(?!\d)")
_SIGNS = re.compile(r"[\s._\-()（）\[\]【】版稿]+")
_DIGIT = {"一": "1", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9"}


@dataclass(frozen=True, slots=True)
class FileName:
    """A name without what says which version it is; and that, in the order of versions."""

    stem: str
    number: tuple[int, ...]
    day: tuple[int, int, int]
    word: int


@lru_cache(maxsize=1024)
def read_name(name: str) -> FileName:
    """Take the name of a file apart."""
    plain = unicodedata.normalize("NFKC", name[-200:]).casefold().strip()
    plain = _FOLDER_OR_ENDING.sub("", plain)
    plain = re.sub(r"第([一二三四五六七八九])(?=[版稿])", lambda match: "第" + _DIGIT[match[1]], plain)
    plain, day = _take_date(plain)
    word = -1
    for place, text in sorted(enumerate(rules().version_words), key=lambda pair: -len(pair[1])):
        found = re.search(rf"(?<![a-z]){re.escape(text)}(?![a-z])", plain)
        if found is not None:
            plain, word = plain.replace(found[0], " ", 1), max(word, place)
            break
    plain, number = _take_number(plain.strip())
    return FileName(_SIGNS.sub("", plain), number, day, word)


def are_versions(one: str, other: str) -> bool:
    """Whether two names differ in nothing but their version."""
    mine, theirs = read_name(one), read_name(other)
    return bool(mine.stem) and mine.stem == theirs.stem


def say_their_version(one: str, other: str) -> bool:
    """Whether both names are told apart by a number or a word for a version; a day may also tell a series apart."""
    mine, theirs = read_name(one), read_name(other)
    return (mine.number, mine.word) != (theirs.number, theirs.word)


def newer(one: tuple[str, str], other: tuple[str, str]) -> int:
    """Which of two (name, time of its last change) is newer: 0 or 1; names decide before times."""
    mine, theirs = read_name(one[0]), read_name(other[0])
    if mine.number != theirs.number:
        # what has no number is what was numbered later
        return 0 if mine.number > theirs.number else 1
    if mine.day != theirs.day:
        return 0 if mine.day > theirs.day else 1
    if mine.word != theirs.word and min(mine.word, theirs.word) >= 0:
        return 0 if mine.word > theirs.word else 1
    return 0 if one[1] >= other[1] else 1


def _take_date(text: str) -> tuple[str, tuple[int, int, int]]:
    found = _DATE.search(text)
    if found is None:
        return text, (0, 0, 0)
    return text.replace(found[0], " ", 1), (int(found[1]), int(found[2]), int(found[3]))


def _take_number(text: str) -> tuple[str, tuple[int, ...]]:
    found = _NUMBER.search(text)
    if found is None:
        return text, ()
    digits = next(group for group in found.groups() if group)
    return text.replace(found[0], " ", 1), tuple(int(part) for part in digits.split("."))
