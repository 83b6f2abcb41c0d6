"""Whether two names can be one person's by how they are written: 陈博, Chen Bo and chen.bo@example.com (G2.4, X9.3).

For names that are told beside each other, where who is who was found out by nobody: a debt in a chat and a payment in a
mail. It looks at nothing but the two names, so that nothing hidden has a part in it (G4.3).
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from app.govern.people import readings
from app.govern.people.names import parse
from app.store.name_keys import name_key

_BETWEEN = re.compile(r"[._\-+\d]+")
_HAN_ONLY = re.compile("[\u3400-\u9fff]{2,4}")
_SHORTEST = 2
_LONG_ENOUGH = 4


def may_be_one(one: str, other: str) -> bool:
    """Whether two names or addresses spell the same, in either script; a first name alone is that of a full one."""
    first, second = _signs(one), _signs(other)
    if first & second:
        return True
    return bool(_given(one) & _first_words(other) or _given(other) & _first_words(one))


def names_in_text(name: str, text: str) -> bool:
    """Whether a short text names somebody, in either script."""
    plain = _plain(name)
    if not plain:
        return False
    if _HAN_ONLY.fullmatch(plain):
        letters = "".join(sign for sign in name_key(text) if sign.isalnum())
        return plain in text or any(len(sign) > _LONG_ENOUGH and sign in letters for sign in _signs(name))
    words = re.findall(r"[A-Za-z][\w'’-]*|[\u3400-\u9fff]{2,4}", text)
    pairs = [*words, *(f"{one} {other}" for one, other in pairwise(words))]
    return any(one[:1].isupper() or not one.isascii() for one in pairs) and any(
        may_be_one(name, one) for one in pairs if one[:1].isupper() or not one.isascii()
    )


@lru_cache(maxsize=4096)
def _signs(name: str) -> frozenset[str]:
    plain = _plain(name)
    found = {name_key(plain).replace(" ", "")}
    if _HAN_ONLY.fullmatch(plain):
        found |= {reading.replace(" ", "") for reading in readings.of_han(plain[0], plain[1:])}
    else:
        found |= {reading.replace(" ", "") for reading in parse(plain).readings}
    return frozenset(sign for sign in found if len(sign) >= _SHORTEST)


@lru_cache(maxsize=4096)
def _given(name: str) -> frozenset[str]:
    """The name itself, where it is one word of Latin letters."""
    plain = _plain(name)
    return frozenset({name_key(plain)}) if plain.isascii() and len(plain.split()) == 1 else frozenset()


@lru_cache(maxsize=4096)
def _first_words(name: str) -> frozenset[str]:
    words = name_key(_plain(name)).split()
    return frozenset(words[:1])


def _plain(name: str) -> str:
    """A name as it is; of an address what stands before the at, as words."""
    local = name.partition("@")[0]
    return " ".join(_BETWEEN.sub(" ", local).split()) if "@" in name else " ".join(name.split())
