"""What a name of a person is made of, as far as its form tells.

    parse("Dr. San Zhang")    full; read as: zhang san
    parse("张总")              a surname, 张
    parse("Bob")              a given name
    names_in("张三 (Zhang San)")   both names

Form alone is no knowledge: whether two names belong to one person is decided in `linking`, by evidence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from app.govern.people import readings
from app.govern.people.lists import name_lists
from app.store.name_keys import LONGEST_NAME, name_key, phone_key

_HAN_ONLY = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
_HAN_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff][\u3400-\u9fff\uf900-\ufaff·•・]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’\-.][^\W\d_]+)*\.?")
_ASIDE = re.compile(r"[(（\[【][^()（）\[\]【】]{0,80}[)）\]】]")
_VIA = re.compile(r"\s+(?:via|by way of|通过)\s.*$|\s*[|/／].*$", re.IGNORECASE)
_MOST_WORDS = 5
_LONGEST_HAN = 4
_HAN_WITH_SURNAME = (2, 3)


class Form(StrEnum):
    """How much of a name there is."""

    FULL = "full"
    GIVEN = "given"
    SURNAME = "surname"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Name:
    """A name, taken apart.

    Attributes:
        key: what it is compared by (`name_keys.name_key`).
        family, given: folded; in characters or in Latin letters, as it is written. Empty where unknown.
        readings: "family given" in Latin letters, of a full name; the first is the usual one.
        turned: the same for the less likely order of its parts.
        is_chinese: in characters, or a reading of some.
    """

    key: str
    form: Form
    is_han: bool = False
    family: str = ""
    given: str = ""
    readings: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    is_chinese: bool = False

    @property
    def is_full(self) -> bool:
        """Whether it has a family and a given name."""
        return self.form is Form.FULL


_NOBODY = Name("", Form.NONE)


@lru_cache(maxsize=8192)
def parse(text: str) -> Name:
    """Take one name apart; form NONE for what is an address, a number, a sentence or nothing."""
    if len(text) > LONGEST_NAME or "@" in text or phone_key(text):
        return _NOBODY
    key = name_key(text)
    if _HAN_ONLY.fullmatch(key):
        return _parse_han(key)
    return _parse_latin(key, text) if not _HAN_ONLY.search(key) else _NOBODY


@lru_cache(maxsize=8192)
def names_in(text: str) -> tuple[Name, ...]:
    """The names of a display name, which may give one person in two scripts: "Zhang San (张三)"."""
    if len(text) > LONGEST_NAME:
        return ()
    whole = " ".join(text.split())
    han = [parse(run) for run in _HAN_RUN.findall(whole)]
    latin = parse(_VIA.sub("", _ASIDE.sub(" ", _HAN_RUN.sub(" ", whole))))
    aside = [parse(part[1:-1]) for part in _ASIDE.findall(whole)]
    found = [name for name in (*han[:1], latin, *aside[:1]) if name.form is not Form.NONE]
    full = [name for name in found if name.is_full]
    kept = full if len(full) > 1 and _is_one_person(full) else (full[:1] or found[:1])
    return tuple({name.key: name for name in kept}.values())


def forget_names() -> None:
    """Give back the names that are kept taken apart for the next text: 6 MB after many."""
    parse.cache_clear()
    names_in.cache_clear()


def _is_one_person(names: list[Name]) -> bool:
    """A name and an aside are one person's where they are of two scripts."""
    return len({name.is_han for name in names}) == len({name.key for name in names})


def _parse_han(key: str) -> Name:
    lists = name_lists()
    plain, has_title = key, False
    for title in lists.chinese_titles:
        if plain.endswith(title) and len(plain) > len(title) and not _is_given_behind(plain, title):
            plain, has_title = plain.removesuffix(title), True
            break
    if len(plain) == 2 and plain[0] in lists.chinese_before and plain[1] in lists.common and not has_title:  # noqa: PLR2004 - 老王
        return Name(key, Form.SURNAME, is_han=True, family=plain[1])
    if plain in lists.compounds or (len(plain) == 1 and plain in lists.surnames):
        return Name(key, Form.SURNAME, is_han=True, family=plain) if has_title else _NOBODY
    size = 2 if plain[:2] in lists.compounds and len(plain) > 2 else 1  # noqa: PLR2004 - compound surnames have two signs
    surname, given = plain[:size], plain[size:]
    is_surname = size == 2 or surname in lists.surnames  # noqa: PLR2004
    if is_surname and 1 <= len(given) <= _HAN_WITH_SURNAME[1] - 1:
        return Name(
            plain,
            Form.FULL,
            is_han=True,
            family=surname,
            given=given,
            readings=readings.of_han(surname, given),
            is_chinese=True,
        )
    return Name(plain, Form.GIVEN, is_han=True, given=plain) if len(plain) <= _LONGEST_HAN else _NOBODY


def _is_given_behind(plain: str, title: str) -> bool:
    """哥, 姐, 总 and 工 end given names too: they are titles behind a surname alone."""
    return len(title) == 1 and len(plain) > 2  # noqa: PLR2004 - 张总


def _parse_latin(key: str, text: str) -> Name:
    titles = name_lists().titles
    head, comma, tail = key.partition(",")
    is_turned = bool(comma) and bool(_WORD.search(tail)) and tail.strip(" .") not in titles
    ordered = f"{tail} {head}" if is_turned else head
    if any(sign.isdigit() for sign in ordered):
        return _NOBODY
    words = [word.rstrip(".") for word in _WORD.findall(ordered)]
    words = [word for word in words if word not in titles]
    if not 1 <= len(words) <= _MOST_WORDS:
        return _NOBODY
    if len(words) == 1:
        return _one_word(words[0], text)
    plain = " ".join(words)
    is_initial = min(map(len, words)) == 1
    chinese = () if is_initial else readings.of_latin([words[-1], *words[:-1]] if is_turned else words)
    if chinese:
        first = chinese[0].text
        family, given = first.split(" ")
        sure = tuple(reading.text for reading in chinese if not reading.is_turned)
        turned = () if is_turned else tuple(reading.text for reading in chinese if reading.is_turned)
        return Name(plain, Form.FULL, family=family, given=given, readings=sure, turned=turned, is_chinese=True)
    family, given = readings.western(words[-1])[0], readings.western(words[0])[0]
    if len(given) == 1 or len(family) == 1:
        return Name(plain, Form.GIVEN, given=given, family=family)
    read = zip(readings.western(words[-1]), readings.western(words[0]), strict=True)
    found = tuple(dict.fromkeys(f"{last} {first}" for last, first in read))
    return Name(plain, Form.FULL, family=family, given=given, readings=found)


def _one_word(word: str, text: str) -> Name:
    """A given name; with two capitals ("ZhangSan") it is a full one without its space."""
    parts = re.findall(r"[A-Z][a-z]{1,7}", text.strip())
    if len(parts) == 2 and "".join(parts).casefold() == word and (found := readings.of_latin(parts)):  # noqa: PLR2004
        family, given = found[0].text.split(" ")
        return Name(word, Form.FULL, family=family, given=given, readings=(found[0].text,), is_chinese=True)
    return Name(word, Form.GIVEN, given=readings.western(word)[0])


def same_given(one: str, other: str) -> bool:
    """Whether two first names are one, or one is what bearers of the other are called (Bob, Robert)."""
    if one == other:
        return bool(one)
    groups = name_lists().nicknames
    return bool(groups.get(one, frozenset()) & groups.get(other, frozenset()))
