"""The phrases of resources/rules/supersession.toml, compiled when they are first needed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_I = re.IGNORECASE
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Cues:
    """One language's phrases: patterns by their name in the file, and its word lists."""

    patterns: Mapping[str, re.Pattern[str]]
    words: Mapping[str, frozenset[str]]

    def __getitem__(self, name: str) -> re.Pattern[str]:
        """The pattern of that name; one that matches nothing where the language has none."""
        return self.patterns.get(name, _NEVER)


@dataclass(frozen=True, slots=True)
class FactForm:
    """A form in which a fact about somebody is said; `is_new`: that it replaces what was so before.

    A Chinese one has Han characters in it.
    """

    predicate: str
    pattern: re.Pattern[str]
    is_new: bool
    is_chinese: bool


@dataclass(frozen=True, slots=True)
class Rules:
    """The whole file.

    Attributes:
        reply: of a title, greeting: a sentence that says nothing, also: begins another thing.
        groups: words for kinds of things, in lower case, by the first word of their line.
        chinese_heads: finds those of them that are Chinese, the longest first.
        verbs: sorts of work by verb.
        limits: numbers, by name.
    """

    version: str
    english: Cues
    chinese: Cues
    reply: re.Pattern[str]
    greeting: re.Pattern[str]
    also: re.Pattern[str]
    groups: Mapping[str, str]
    chinese_heads: re.Pattern[str]
    verbs: Mapping[str, frozenset[str]]
    facts: Sequence[FactForm]
    limits: Mapping[str, int]


_WORD_LISTS = frozenset({"vague", "pronouns", "determiners", "prepositions"})


@cache
def rules() -> Rules:
    """The rules in force, read once."""
    table = resource_table("rules", "supersession.toml")
    groups = {word: line.split()[0] for line in table["heads"]["groups"] for word in line.split()}
    chinese = sorted((word for word in groups if not word.isascii()), key=lambda word: (-len(word), word))
    return Rules(
        version=table["version"],
        english=_english(table["english"]),
        chinese=_chinese(table["chinese"]),
        reply=re.compile(table["headings"]["reply"], _I),
        greeting=re.compile("|".join(table["headings"]["greeting"]), _I),
        also=re.compile(table["headings"]["also"], _I),
        groups=groups,
        chinese_heads=re.compile("|".join(map(re.escape, chinese))),
        verbs=_sorts(table["verbs"]),
        facts=tuple(_facts(table["facts"])),
        limits=table["limits"],
    )


def _english(table: Mapping[str, Any]) -> Cues:
    """Passive cues follow a form of "to be" or "to have"; a list is bounded by word ends."""
    be = table["be"]
    patterns: dict[str, re.Pattern[str]] = {}
    for name, value in table.items():
        if name in {"cancel", "move", "complete"}:
            plain = "|".join(value)
            patterns[name] = re.compile(
                rf"(?:(?:[\s,]{{1,3}}{be}|['’](?:s|re|ve))(?![\w])){{0,4}}[\s]{{1,3}}(?:{plain})(?![\w'’-])", _I
            )
        elif isinstance(value, list):
            patterns[name] = re.compile(rf"(?:(?<![\w'’-])|(?=['’]))(?:{'|'.join(value)})(?![\w-])", _I)
        elif name not in _WORD_LISTS | {"be"}:
            patterns[name] = re.compile(value, _I)
    patterns["prepositions"] = re.compile(rf"\b(?:{table['prepositions']})\b", _I)
    return Cues(patterns, _lists(table))


def _chinese(table: Mapping[str, Any]) -> Cues:
    patterns = {
        name: re.compile("|".join(sorted(value, key=len, reverse=True)) if isinstance(value, list) else value)
        for name, value in table.items()
        if name not in _WORD_LISTS
    }
    return Cues(patterns, _lists(table))


def _lists(table: Mapping[str, Any]) -> Mapping[str, frozenset[str]]:
    return {name: frozenset(table[name].split()) for name in _WORD_LISTS - {"prepositions"} if name in table}


def _sorts(table: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sort, words in table.items():
        for word in words.split():
            found.setdefault(word, set()).add(sort)
    return {word: frozenset(sorts) for word, sorts in found.items()}


def _facts(table: Mapping[str, Mapping[str, Sequence[str]]]) -> list[FactForm]:
    """English forms begin at a clause, Chinese ones at a border or a sentence's beginning."""
    found = []
    for predicate, forms in table.items():
        for language in ("english", "chinese"):
            for name in (f"{language}_new", language):
                for form in forms.get(name, ()):
                    edge = r"(?<![\w'’-])" if language == "english" else r"(?<![\u4e00-\u9fff])"
                    pattern = re.compile(f"{edge}(?:{form})", _folding(language))
                    found.append(FactForm(predicate, pattern, name.endswith("_new"), language == "chinese"))
    return found


def _folding(language: str) -> re.RegexFlag:
    # names begin with capitals: only "I", "my" and "we" are given in both cases by the reader
    return re.NOFLAG if language == "english" else _I
