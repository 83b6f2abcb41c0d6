"""How Chinese names are read in Latin letters (Hanyu Pinyin without tones), and how such a reading is recognised.

    of_han("张", "三")           zhang san
    of_latin(["San", "Zhang"])   zhang san
    of_latin(["Wang", "Li"])     wang li, and with its order turned: li wang

A reading is "family given", the given name in one piece. This is about sounds alone: two people can have the same.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING

from app.govern.people.lists import name_lists
from app.runtime.paths import resource

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_READINGS = 4
_LONGEST_SYLLABLE = 6
_MOST_SYLLABLES = 3
_MOST_TOKENS = 4


_UNMARKED = str.maketrans({"ø": "ö", "ł": "l", "đ": "d", "æ": "ä", "œ": "ö", "ı": "i"})
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading. `is_turned`: the name can be read in two orders, and this is the less likely one."""

    text: str
    is_turned: bool = False


def folded(text: str) -> str:
    """Latin letters without marks, in lower case; ü is v, as on a Chinese keyboard."""
    return _without_marks(unicodedata.normalize("NFC", text.casefold()).replace("ü", "v").replace("u:", "v"))


def western(text: str) -> tuple[str, str]:
    """A Western name without its marks, in the two ways of writing it: Müller is Muller and Mueller."""
    plain = text.casefold().translate(_UNMARKED)
    spelled = unicodedata.normalize("NFC", plain).translate(_SPELLED)
    return _without_marks(plain), _without_marks(spelled)


def _without_marks(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


@lru_cache(maxsize=4096)
def of_han(surname: str, given: str) -> tuple[str, ...]:
    """The readings of a name in simplified characters, the usual one first."""
    families = _of_surname(surname)
    given_readings = ["".join(parts) for parts in product(*(_of_sign(sign) for sign in given))]
    found = [f"{family} {rest}" for rest in given_readings for family in families]
    spelled = [other for text in found for other in _spellings(text)]
    return tuple(dict.fromkeys(spelled))[: 2 * _MOST_READINGS]


def of_latin(tokens: Sequence[str]) -> tuple[Reading, ...]:
    """The readings of a name in Latin letters if it can be a Chinese one; none where it cannot."""
    words = [folded(token) for token in tokens]
    if not 2 <= len(words) <= _MOST_TOKENS or not all(word.replace("-", "").isascii() for word in words):  # noqa: PLR2004 - two parts
        return ()
    found = [reading for reading in (_split(words, is_family_first=first) for first in (True, False)) if reading]
    kinds = list(dict.fromkeys(found))
    weights = [_weight(text.split(" ")[0]) for text in kinds]
    if len(kinds) > 1 and abs(weights[0] - weights[1]) > 1:
        kinds = [kinds[weights.index(max(weights))]]
    return tuple(Reading(text, is_turned=place > 0) for place, text in enumerate(kinds))


def of_one_word(word: str) -> tuple[str, ...]:
    """The readings of "zhangsan" and "sanzhang": a local part, or a name without its space."""
    plain = folded(word)
    found: list[str] = []
    for cut in range(1, len(plain)):
        for family, given in ((plain[:cut], plain[cut:]), (plain[cut:], plain[:cut])):
            if family in _surnames() and syllables(given):
                found.append(f"{family} {given}")
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=4096)
def syllables(word: str) -> tuple[str, ...]:
    """A given name as one to three syllables of Pinyin, as few as possible; empty where it is not made of them."""
    known = _syllables()
    found: list[tuple[str, ...]] = [()] if not word else []
    is_short = 0 < len(word) <= _LONGEST_SYLLABLE * _MOST_SYLLABLES
    waiting: list[tuple[tuple[str, ...], str]] = [((), word)] if is_short else []
    while waiting:
        parts, rest = waiting.pop()
        if not rest:
            found.append(parts)
        elif len(parts) < _MOST_SYLLABLES:
            sizes = range(1, min(_LONGEST_SYLLABLE, len(rest)) + 1)
            waiting += [((*parts, rest[:size]), rest[size:]) for size in sizes if rest[:size] in known]
    return min(found, key=len, default=())


def _split(words: Sequence[str], *, is_family_first: bool) -> str | None:
    """Read words as family and given name in one order; None where they are not."""
    for size in (2, 1) if len(words) > 2 else (1,):  # noqa: PLR2004 - a compound surname may be two words
        family_words, rest = (words[:size], words[size:]) if is_family_first else (words[-size:], words[:-size])
        family, given = "".join(family_words).replace("-", ""), "".join(rest).replace("-", "").replace("'", "")
        if family in _surnames() and given and syllables(given):
            return f"{family} {given}"
    return None


def _of_surname(surname: str) -> tuple[str, ...]:
    special = name_lists().readings.get(surname)
    if special is not None:
        return special
    return ("".join(_of_sign(sign)[0] for sign in surname),)


def _of_sign(sign: str) -> tuple[str, ...]:
    return _readings().get(sign) or (sign,)


@cache
def _readings() -> dict[str, tuple[str, ...]]:
    """The usual reading of every character, and its second one; 21,000 in 20 ms."""
    usual: dict[str, str] = {}
    second: dict[str, str] = {}
    for line in resource("names", "readings.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            reading, firsts, *seconds = line.split("\t")
            usual.update(dict.fromkeys(firsts, reading))
            second.update(dict.fromkeys("".join(seconds), reading))
    alone = {reading: (reading,) for reading in usual.values()}  # 400 tuples instead of 20,000: 1 MB
    return {sign: (reading, second[sign]) if sign in second else alone[reading] for sign, reading in usual.items()}


def _spellings(reading: str) -> tuple[str, ...]:
    """Lv is also written lu and lyu, in passports and by those without the key."""
    if "lv" not in reading and "nv" not in reading:
        return (reading,)
    other = [reading.replace("lv", f"l{sign}").replace("nv", f"n{sign}") for sign in ("u", "yu")]
    return (reading, *other)


def _weight(family: str) -> int:
    """How likely a syllable is a surname and no given name."""
    return next((weight for weight, readings in _telling() if family in readings), 0)


@cache
def _telling() -> tuple[tuple[int, frozenset[str]], ...]:
    lists = name_lists()
    kinds = ((3, lists.compounds), (2, lists.frequent), (1, lists.less_frequent))
    return tuple(
        (weight, frozenset(reading for name in names for reading in _of_surname(name))) for weight, names in kinds
    )


@cache
def _surnames() -> frozenset[str]:
    lists = name_lists()
    found = {reading for name in lists.surnames | lists.compounds for reading in _of_surname(name)}
    return frozenset(spelled for reading in found for spelled in _spellings(reading))


@cache
def _syllables() -> frozenset[str]:
    return frozenset(spelled for syllable in name_lists().syllables for spelled in _spellings(syllable))
