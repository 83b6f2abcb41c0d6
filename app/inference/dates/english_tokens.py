"""Cut an English text into tokens, and say what each may mean: the lattice that the grammar reads.

Numbers in digits and in words, names of days and months, and figures such as 2026-11-30, 30/11, 3:30 or 15h30. What a
figure means (30/11 is a day, 3.30 perhaps a time, perhaps a price) is for the grammar to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from app.inference.dates import english_words as words
from app.inference.dates.english_holidays import holiday_names
from app.inference.dates.productions import REFUSED, Lattice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# a line break before a bullet, a number of a list, a cell or an empty line ends what stands before it
_TOKEN = re.compile(r"\d+|o'clock|'s(?![^\W\d_])|[^\W\d_]+|\n(?=[ \t]{0,20}(?:[-*•|#>–]|\d{1,3}[.)]\s|\n|$))|\S")
_FOLDED = {ord("’"): "'", ord("‘"): "'", ord("–"): "-", ord("—"): "-", ord("−"): "-", ord("‐"): "-", ord("‑"): "-",
           ord("〜"): "~", ord("～"): "~", ord("：")
           : ":", ord("／"): "/", ord("．"): ".", ord("，"): ","}  # fmt: skip
_FOLDED |= {0xFF10 + digit: str(digit) for digit in range(10)}
_FOLDED |= {0xFF21 + letter: chr(ord("a") + letter) for letter in range(26)}
_FOLDED |= {0xFF41 + letter: chr(ord("a") + letter) for letter in range(26)}
_LOWER = {ord("A") + letter: chr(ord("a") + letter) for letter in range(26)}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written; `digits` is how many digits it has, 0 for one in words."""

    value: int
    digits: int = 0
    is_zero_led: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures with their separator: 30/11, 9.30, 2026-11-30."""

    parts: tuple[int, ...]
    separator: str
    widths: tuple[int, ...]


def fold(text: str) -> str:
    """Small letters and plain figures, one character for one, so that offsets stay."""
    return text.translate(_FOLDED).translate(_LOWER)


def lattice_of(folded: str) -> Lattice:
    """The lattice of a folded text."""
    tokens = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(folded)]
    lattice = Lattice([word for word, _, _ in tokens], [start for _, start, _ in tokens], [end for _, _, end in tokens])
    lattice.edges = [{} for _ in tokens]
    behind = {end: number + 1 for number, end in enumerate(lattice.ends)}
    openers = _openers()
    for place, word in enumerate(lattice.words):
        if word[0].isdigit():
            _digits(lattice, place, folded, behind)
        elif word in openers:
            _name(lattice, place, folded, behind)
            _spelled(lattice, place)
            _holiday(lattice, place)
        elif word in _FRACTIONS:
            lattice.add(place, "FRACTION", _FRACTIONS[word], place + 1)
    return lattice


_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_LEXICON: dict[str, list[tuple[str, object]]] = {}


def _lexicon() -> dict[str, list[tuple[str, object]]]:
    """Each word with what it may mean, made when first asked for."""
    if not _LEXICON:
        for category, word, value in _entries():
            _LEXICON.setdefault(word, []).append((category, value))
    return _LEXICON


def _entries() -> Iterator[tuple[str, str, object]]:
    tables: tuple[tuple[str, Mapping[str, object]], ...] = (
        ("WEEKDAY", words.WEEKDAYS),
        ("WEEKDAYS", words.WEEKDAY_PLURALS),
        ("MONTH", words.MONTHS),
        ("SEASON", words.SEASONS),
        ("SHIFT", words.SHIFTS),
        ("NAMEDDAY", words.NAMED_DAYS),
        ("DECADENAME", words.DECADE_NAMES),
        ("LETTERUNIT", words.LETTER_UNITS),
        ("MEAL", words.MEALS),
        ("MEALTIME", {word: part for word, part in words.MEALS.items() if not part.endswith("day")}),
        ("ZONE", words.ZONES),
        ("PLACEZONE", words.PLACE_ZONES),
        ("CITYZONE", words.CITY_ZONES),
        ("HALFLETTER", {"a": "a", "p": "p"}),
    )
    for category, table in tables:
        yield from ((category, word, value) for word, value in table.items())
    for grain, names in words.UNITS.items():
        yield from (("UNIT", word, grain) for word in names.split())
        yield from (("PLURAL", word, grain) for word in names.split() if word.endswith("s"))
    for part, names in words.PARTS.items():
        yield from (("PART", word, part) for word in names.split())


_HALVES = frozenset({"a", "p", "am", "pm"})
_NUMBERED = frozenset({"q", "h", "sy", "fy", "cy"})
"""Before a number that touches it: Q3, H1, FY26."""


@cache
def _openers() -> frozenset[str]:
    """Words that mean something by themselves, or that a name or a number in words can begin with."""
    return _HALVES.union(_NUMBERED, _lexicon(), words.CARDINALS, words.ORDINALS, holiday_names().first_words)


_HALF_OF_DAY = re.compile(r"([ap])\s?\.?\s?m(?![^\W_])(?:\s?\.)?")


def _name(lattice: Lattice, place: int, folded: str, behind: dict[int, int]) -> None:
    word = lattice.words[place]
    for category, value in _lexicon().get(word, ()):
        lattice.add(place, category, value, place + 1)
        if word in words.SHORT_NAMES and lattice.words[place + 1 : place + 2] == ["."] and lattice.is_glued(place + 1):
            lattice.add(place, category, value, place + 2)
    if word in _HALVES and (match := _HALF_OF_DAY.match(folded, lattice.starts[place])):
        after = behind.get(match.end())
        if after is not None:
            lattice.add(place, "HALF", match[1], after)
    if word in _NUMBERED and place + 1 < len(lattice.words):
        number = lattice.words[place + 1]
        if number.isdigit() and lattice.is_glued(place + 1):
            lattice.add(place, word.upper() + "NUMBER", int(number[:4]), place + 2)


def _bare_hour(lattice: Lattice, place: int, number: Number, behind: int) -> None:
    """A number that may be an hour by itself: it counts nothing, and is no money, share or decimal."""
    before = lattice.words[place - 1] if place else ""
    most = 24 if number.digits else 12  # nobody writes "twenty" for 20:00
    if number.value > most or number.digits > 2 or before in {"$", "€", "£", "#", "no", "room"}:  # noqa: PLR2004
        return
    if _is_counting_nothing(lattice, behind):
        lattice.add(place, "BAREHOUR", number, behind)


def _is_counting_nothing(lattice: Lattice, behind: int) -> bool:
    """Whether a number is followed by nothing that it may count: "at 5 with Ann", not "5 people"."""
    after = lattice.words[behind] if behind < len(lattice.words) else ""
    return not after or (after[0].isalpha() and after in words.AFTER_AN_HOUR) or after in "-,.;:!?)~'/@\n"


def _add_ordinal_word(lattice: Lattice, place: int, value: int, behind: int) -> None:
    lattice.add(place, "ORDINAL", value, behind)
    if 1 <= value <= 31 and _is_counting_nothing(lattice, behind):  # noqa: PLR2004
        lattice.add(place, "NTHWORD", value, behind)


_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_YEARS = range(1000, 3000)
_SPELLED_YEARS = range(1500, 2101)
_LONGEST_NUMBER = 9


def _digits(lattice: Lattice, place: int, folded: str, behind: dict[int, int]) -> None:
    word = lattice.words[place]
    if len(word) > _LONGEST_NUMBER or not word.isascii():
        return
    number = Number(int(word), len(word), word[0] == "0" and len(word) > 1)
    lattice.add(place, "NUMBER", number, place + 1)
    _bare_hour(lattice, place, number, place + 1)
    if len(word) <= 2:  # noqa: PLR2004 - a day, an hour, a year in two digits
        lattice.add(place, "SHORT", number, place + 1)
    if len(word) == 4:  # noqa: PLR2004
        lattice.add(place, "FOUR", number, place + 1)
        if number.value in _YEARS:
            lattice.add(place, "YEAR", number.value, place + 1)
    after = lattice.words[place + 1] if place + 1 < len(lattice.words) else ""
    if after in _SUFFIXES and lattice.is_glued(place + 1):
        lattice.add(place, "ORDINAL", number.value, place + 2)
        if 1 <= number.value <= 31 and _is_counting_nothing(lattice, place + 2):  # noqa: PLR2004
            lattice.add(place, "NTHDAY", number.value, place + 2)
    for category, pattern, build in _FIGURES:
        match = pattern.match(folded, lattice.starts[place])
        if match is None or (end := behind.get(match.end())) is None or not _stands_free(folded, match, category):
            continue
        lattice.add(place, category, build(match), end)


def _stands_free(folded: str, match: re.Match[str], category: str) -> bool:
    """Whether figures are no part of longer ones, such as a telephone number; a hyphen may join two of a range."""
    own = match.groupdict().get("separator") or ""
    before, after = folded[max(0, match.start() - 2) : match.start()], folded[match.end() : match.end() + 2]
    joins = "" if own == "-" or category == "DECIMAL" else "-"
    if len(before) == 2 and before[1] in "-/.:," and before[0].isdigit() and before[1] not in joins:  # noqa: PLR2004
        return False
    return not (len(after) == 2 and after[0] in "-/.:" and after[1].isdigit() and after[0] not in joins)  # noqa: PLR2004


def _figures(match: re.Match[str]) -> Figures:
    texts = [text for name, text in match.groupdict().items() if name != "separator" and text is not None]
    return Figures(tuple(int(text) for text in texts), match["separator"], tuple(len(text) for text in texts))


_HOURS, _SIXTY = 25, 60


def _clock(match: re.Match[str]) -> object:
    hour, minute, second = (int(match[name] or 0) for name in ("hour", "minute", "second"))
    if hour >= _HOURS or minute >= _SIXTY or second > _SIXTY or (hour == _HOURS - 1 and (minute or second)):
        return REFUSED
    has_second = bool(match["second"])
    return (hour, minute, min(second, 59), len(match["hour"]) == 2 and match["hour"][0] == "0", has_second)  # noqa: PLR2004


def _fraction(match: re.Match[str]) -> float | None:
    return int(match["over"]) / int(match["under"])


def _iso(match: re.Match[str]) -> object:
    """An instant of ISO 8601; REFUSED for an impossible one."""
    try:
        return datetime.fromisoformat(match.group().upper())
    except ValueError:
        return REFUSED


_FIGURES: tuple[tuple[str, re.Pattern[str], Callable[[re.Match[str]], object]], ...] = (
    (
        "ISO",
        re.compile(r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.(?:\d{3}){1,2})?)?(?:z|[+-]\d\d:?\d\d)?(?P<separator>)"),
        _iso,
    ),
    (
        "ISO",
        re.compile(r"\d{8}t\d{6}z?(?P<separator>)"),
        _iso,
    ),
    ("QY", re.compile(r"(?P<a>[1-4])q(?P<separator>)(?P<b>\d{4}|\d\d)"), _figures),
    ("YQ", re.compile(r"(?P<b>\d{4}|\d\d)q(?P<separator>)(?P<a>[1-4])"), _figures),
    ("ISODAY", re.compile(r"(?P<a>[12]\d{3})(?P<separator>-)w(?P<b>\d\d)-(?P<c>[1-7])"), _figures),
    ("YMD", re.compile(r"(?P<a>\d{4})(?P<separator>[-/.])(?P<b>\d{1,2})(?P=separator)(?P<c>\d{1,2})"), _figures),
    ("DMY", re.compile(r"(?P<a>\d{1,2})(?P<separator>[-/.])(?P<b>\d{1,2})(?P=separator)(?P<c>\d{4}|\d\d)"), _figures),
    ("YM", re.compile(r"(?P<a>[12]\d{3})(?P<separator>[-/.])(?P<b>\d{1,2})"), _figures),
    ("MY", re.compile(r"(?P<a>\d{1,2})(?P<separator>[-/.])(?P<b>[12]\d{3})"), _figures),
    ("DM", re.compile(r"(?P<a>\d{1,2})(?P<separator>[-/.])(?P<b>\d{1,2})"), _figures),
    ("COMPACT", re.compile(r"(?P<a>(?:19|20)\d\d)(?P<separator>)(?P<b>[01]\d)(?P<c>[0-3]\d)"), _figures),
    ("ISOWEEK", re.compile(r"(?P<a>[12]\d{3})(?P<separator>-?)w(?P<b>\d\d)"), _figures),
    (
        "CLOCK",
        re.compile(r"(?P<hour>\d{1,2})(?P<separator>:)(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,6})?)?"),
        _clock,
    ),
    ("CLOCK", re.compile(r"(?P<hour>\d{1,2})h(?P<separator>)(?P<minute>\d\d)?(?P<second>)?"), _clock),
    ("DOTCLOCK", re.compile(r"(?P<hour>\d{1,2})(?P<separator>\.)(?P<minute>\d\d)(?P<second>)?"), _clock),
    ("DECIMAL", re.compile(r"\d{1,4}(?P<separator>\.)\d{1,3}"), lambda match: float(match.group())),
    ("FRACTION", re.compile(r"(?P<over>[1-9])(?P<separator>/)(?P<under>[2-9])"), _fraction),
)


def _spelled(lattice: Lattice, place: int) -> None:
    """Numbers in words: every prefix that is a number, and the ordinal that may end it."""
    texts = lattice.words
    value, at, pending = 0, place, 0
    if texts[at] in words.ORDINALS:
        _add_ordinal_word(lattice, at, words.ORDINALS[texts[at]], at + 1)
        return
    while at < len(texts) and at - place < _LONGEST_NUMBER:
        word = texts[at]
        step = words.CARDINALS.get(word)
        if word in words.ORDINALS and pending >= 20 and pending % 10 == 0 and words.ORDINALS[word] < 10:  # noqa: PLR2004
            _add_ordinal_word(lattice, place, value + pending + words.ORDINALS[word], at + 1)
            return
        if step is not None and (pending == 0 or (pending >= 20 and pending % 10 == 0 and 0 < step < 10)):  # noqa: PLR2004
            pending += step
        elif word in {"hundred", "thousand"} and at > place and 0 < (pending or 1) < 100:  # noqa: PLR2004
            value, pending = value + (pending or 1) * (100 if word == "hundred" else 1000), 0
        elif (
            word in {"and", "-"}
            and at > place
            and at + 1 < len(texts)
            and _continues(texts[at + 1], value, pending, word)
        ):
            at += 1
            continue
        else:
            break
        at += 1
        lattice.add(place, "NUMBER", Number(value + pending), at)
        lattice.add(place, "SPELLED", Number(value + pending), at)
        _bare_hour(lattice, place, Number(value + pending), at)
        if value + pending in _SPELLED_YEARS:
            lattice.add(place, "YEAR", value + pending, at)
    _spelled_year(lattice, place)


def _continues(word: str, value: int, pending: int, joint: str) -> bool:
    """Whether "and" or a hyphen inside a number in words joins its parts: two thousand and five, twenty-one."""
    is_number = word in words.CARDINALS or word in words.ORDINALS
    return is_number and ((joint == "and" and value >= 100 and pending == 0) or (joint == "-" and pending >= 20))  # noqa: PLR2004


def _spelled_year(lattice: Lattice, place: int) -> None:
    """Nineteen ninety six, twenty fifteen, twenty twenty, nineteen oh five."""
    texts = lattice.words
    century = words.CARDINALS.get(texts[place], 0)
    if not 11 <= century <= 20 or place + 1 >= len(texts):  # noqa: PLR2004
        return
    at = place + 1
    if texts[at] == "-" and at + 1 < len(texts):
        at += 1
    tens = words.CARDINALS.get(texts[at], 0)
    if texts[at] in {"oh", "o"} and at + 1 < len(texts) and 0 < words.CARDINALS.get(texts[at + 1], 0) < 10:  # noqa: PLR2004
        lattice.add(place, "YEAR", century * 100 + words.CARDINALS[texts[at + 1]], at + 2)
    if tens < 10:  # noqa: PLR2004
        return
    lattice.add(place, "YEAR", century * 100 + tens, at + 1)
    if tens < 20 or at + 1 >= len(texts):  # noqa: PLR2004
        return
    at += 2 if texts[at + 1] == "-" and at + 2 < len(texts) else 1
    ones = words.CARDINALS.get(texts[at], 0)
    if 0 < ones < 10:  # noqa: PLR2004
        lattice.add(place, "YEAR", century * 100 + tens + ones, at + 1)


def _holiday(lattice: Lattice, place: int) -> None:
    """Names of holidays, of up to five words; an apostrophe s is part of a name or left out as people like."""
    names = holiday_names()
    spoken = ""
    for at in range(place, min(place + 7, len(lattice.words))):
        word = lattice.words[at]
        if word in {"'s", "'", ".", "-"}:
            spoken += "s" if word == "'s" else ""
            continue
        spoken = f"{spoken} {word}" if spoken else word
        if spoken in names:
            lattice.add(place, "HOLIDAY", names[spoken], at + 1)
        elif not names.is_prefix(spoken):
            return
