"""The word lists of names, read once: resources/names/people.toml, nicknames.toml, and the surnames of redaction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class NameLists:
    """See resources/names/people.toml.

    Attributes:
        surnames: single characters. common: those that are hardly anything else. compounds: of two characters.
        frequent: the surnames of half of all people. less_frequent: those of another quarter.
        readings: of surnames, where the character's most common reading is not theirs; the usual one first.
        nicknames: for a first name the numbers of the groups that it is in.
        roles: local parts of addresses that belong to no person.
        anybody: domains where anybody gets an address.
    """

    surnames: frozenset[str]
    common: frozenset[str]
    compounds: frozenset[str]
    frequent: frozenset[str]
    less_frequent: frozenset[str]
    readings: Mapping[str, tuple[str, ...]]
    nicknames: Mapping[str, frozenset[int]]
    titles: frozenset[str]
    chinese_titles: tuple[str, ...]
    chinese_before: frozenset[str]
    roles: frozenset[str]
    anybody: frozenset[str]
    suffixes: frozenset[str]
    chinese_suffixes: tuple[str, ...]
    chinese_places: tuple[str, ...]
    project_words: frozenset[str]
    chinese_project_words: tuple[str, ...]
    syllables: frozenset[str]


@cache
def name_lists() -> NameLists:
    """The lists."""
    own = resource_table("names", "people.toml")
    people = resource_table("redaction", "chinese.toml")["people"]
    groups = resource_table("names", "nicknames.toml")["groups"]
    surnames = frozenset("".join(people["surnames"].split())) | {name for name in own["readings"] if len(name) == 1}
    return NameLists(
        surnames=surnames,
        common=surnames - frozenset(people["rare"]),
        compounds=frozenset(people["compounds"].split("|")),
        frequent=frozenset(own["surnames"]["frequent"]),
        less_frequent=frozenset(own["surnames"]["common"]),
        readings={name: tuple(text.split()) for name, text in own["readings"].items()},
        nicknames=_nicknames(groups),
        titles=frozenset(own["titles"]["english"].split()),
        chinese_titles=_longest_first(own["titles"]["chinese"]),
        chinese_before=frozenset(own["titles"]["chinese_before"].split()),
        roles=frozenset(own["addresses"]["roles"].split()),
        anybody=frozenset(own["addresses"]["anybody"].split()),
        suffixes=frozenset(own["organisations"]["suffixes"].replace("'", " ").replace("&", " ").split()),
        chinese_suffixes=_longest_first(own["organisations"]["chinese_suffixes"]),
        chinese_places=_longest_first(own["organisations"]["chinese_places"]),
        project_words=frozenset(own["projects"]["english"].split()),
        chinese_project_words=_longest_first(own["projects"]["chinese"]),
        syllables=frozenset(" ".join(own["pinyin"]["syllables"]).split()),
    )


def _longest_first(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(), key=lambda word: (-len(word), word)))


def _nicknames(groups: list[str]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(groups):
        for name in group.split():
            found.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in found.items()}
