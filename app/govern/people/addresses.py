"""What a mail address tells of a name: whether its local part spells one, and whether it is a person's at all.

spells("zhangsan", "zhang san")   whole
spells("san.zhang", "zhang san")  whole
spells("zhang.s", "zhang san")    partly
spells("zs", "zhang san")         initials
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from app.govern.people.lists import name_lists
from app.govern.people.names import parse
from app.govern.people.readings import folded, of_one_word, syllables

if TYPE_CHECKING:
    from app.govern.people.names import Name

_MARKS = str.maketrans("", "", ".-_+'0123456789")
_LEAST_INITIALS = 2
_BETWEEN = re.compile(r"[._\-]")


class Spelling(IntEnum):
    """How much of a name a local part spells."""

    NOTHING = 0
    INITIALS = 1
    PARTLY = 2
    WHOLE = 3


def split_address(address: str) -> tuple[str, str]:
    """Local part and domain; an account ("telegram:zhangsan") is all local part."""
    local, at, domain = address.rpartition("@")
    return (local, domain) if at else (address.rpartition(":")[2], "")


def is_of_a_person(address: str) -> bool:
    """Whether an address is not evidently an office's or a machine's."""
    local, _ = split_address(address)
    roles = name_lists().roles
    plain = local.partition("+")[0].strip("0123456789-_.")
    return (
        plain not in roles
        and not any(part in roles for part in (local.partition("-")[0], local.partition("@")[0]))
        and not (
            plain.startswith(("noreply", "no-reply", "donotreply", "bounce", "mailer-daemon"))
            or plain.endswith(("noreply", "no-reply"))
        )
    )


def own_domain(address: str) -> str:
    """The domain of an organisation's address; empty for one where anybody gets an address."""
    _, domain = split_address(address)
    return "" if domain in name_lists().anybody or "." not in domain else domain


@lru_cache(maxsize=8192)
def spells(local: str, reading: str) -> Spelling:
    """How much of a "family given" reading a local part spells."""
    plain = folded(local.partition("+")[0]).translate(_MARKS)
    family, _, given = reading.partition(" ")
    if not plain or not family or not given:
        return Spelling.NOTHING
    parts = syllables(given) or (given,)
    first_letters = "".join(part[0] for part in parts)
    if plain in {family + given, given + family}:
        return Spelling.WHOLE
    if plain in {family + first_letters, first_letters + family, family + given[0], given[0] + family}:
        return Spelling.PARTLY
    initials = {family[0] + first_letters, first_letters + family[0]}
    return Spelling.INITIALS if len(plain) >= _LEAST_INITIALS and plain in initials else Spelling.NOTHING


def readings_of_local(local: str) -> tuple[str, ...]:
    """The readings of Chinese names that a local part can spell whole."""
    return of_one_word(folded(local.partition("+")[0]).translate(_MARKS)[:24])


def locals_of(name: Name) -> tuple[str, ...]:
    """The local parts that spell a full name whole (emma.johnson, johnson_emma, emmajohnson)."""
    readings = (*name.readings, *name.turned) if name.readings else (f"{name.family} {name.given}",)
    found: dict[str, None] = {}
    for reading in readings if name.is_full else ():
        family, _, given = reading.partition(" ")
        for first, second in ((given, family), (family, given)):
            if min(len(first), len(second)) >= _LEAST_INITIALS and (first + second).isascii():
                found |= dict.fromkeys(f"{first}{mark}{second}" for mark in (".", "_", "-", ""))
    return tuple(found)


def names_of_local(address: str) -> tuple[Name, ...]:
    """The names that a local part of two words may spell, in both orders."""
    local, domain = split_address(address)
    words = _BETWEEN.split(local.rstrip("0123456789"))
    if not domain or not all(word.isalpha() and word.isascii() for word in words):
        return ()
    if len(words) == 1:
        return tuple(name for text in readings_of_local(local) if (name := parse(text.title())).is_full)
    if len(words) != _LEAST_INITIALS:
        return ()
    found = [parse(" ".join(word.capitalize() for word in order)) for order in (words, words[::-1])]
    return tuple(name for name in found if name.is_full)
