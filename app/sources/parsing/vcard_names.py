"""The names on a contact card: the full one first, then the others a person goes by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from app.sources.parsing.blocks import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.sources.parsing.vcard_lines import Property

_CJK = re.compile("[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]")
_N_PARTS = 5
_MOST = 20


def is_cjk(text: str) -> bool:
    """Whether there is a Chinese, Japanese or Korean character in it."""
    return _CJK.search(text) is not None


def names_of(properties: Iterable[Property]) -> tuple[str, ...]:
    """The full name, the name by its parts where that is another one, nicknames, a name before marriage."""
    given = list(properties)
    names = [one.text for one in given if one.name == "FN"]
    names += [_composed(one.parts()) for one in given if one.name == "N"]
    names += [part for one in given if one.name in {"NICKNAME", "X-NICKNAME"} for part in one.parts(",")]
    names += [one.text for one in given if one.name in {"X-MAIDENNAME", "X-EVOLUTION-MAIDENNAME"}]
    return _distinct(names)


def phonetic_names(properties: Iterable[Property]) -> tuple[str, ...]:
    """How a name is spoken, where the card says so: for who writes it in other letters."""
    parts = {one.name: one.text for one in properties if one.name.startswith("X-PHONETIC-") and one.value}
    last, first = parts.get("X-PHONETIC-LAST-NAME", ""), parts.get("X-PHONETIC-FIRST-NAME", "")
    joined = f"{last}{first}" if is_cjk(last + first) else f"{last} {first}"
    return _distinct([joined])


def _composed(parts: list[str]) -> str:
    """From family, given, additional, prefix and suffix to the name as it is said; titles are no part of it."""
    plain = (" ".join(part.replace(",", " ").split()) for part in [*parts, *[""] * _N_PARTS][:_N_PARTS])
    family, first, middle, prefix, suffix = plain
    if is_cjk(family + first):
        return f"{family}{first}{middle}"
    return " ".join(filter(None, (first, middle, family))) or " ".join(filter(None, (prefix, suffix)))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once, whatever its spaces and capitals."""
    found: dict[str, str] = {}
    for name in names:
        line = one_line(name, 200).strip(" ,;")
        key = "".join(line.split()).casefold()
        if key:
            found.setdefault(key, line)
    return tuple(found.values())[:_MOST]
