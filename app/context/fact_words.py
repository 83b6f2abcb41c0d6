"""By which words facts are named: "default address", 邮箱 (L6.3); they stand in resources/rules/facts.toml.

How a question asks for one is read elsewhere (`app.context.structured`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 100
_EDGES = " \t\r\n?？!！.。,，"


@dataclass(frozen=True, slots=True)
class FactWords:
    """The words of each predicate, and those by which the person means themselves; all folded."""

    version: str
    words: Mapping[str, frozenset[str]]
    me: frozenset[str]

    def predicates_of(self, word: str) -> list[str]:
        """The facts that a word stands for, or a predicate itself; none for an unknown one."""
        folded = " ".join(word[:_LONGEST].casefold().replace("_", " ").split())
        return [name for name, words in self.words.items() if folded in words or folded == name.replace("_", " ")]

    def is_me(self, text: str) -> bool:
        """Whether the person means themselves."""
        return text[:_LONGEST].strip(_EDGES).casefold() in self.me


@cache
def fact_words() -> FactWords:
    """The words of the rule file."""
    table = resource_table("rules", "facts.toml")
    version, common = str(table.pop("version")), table.pop("words")
    return FactWords(
        version,
        {name: _folded(part["english"], part["chinese"]) for name, part in table.items()},
        _folded(common["me_english"], common["me_chinese"]),
    )


def _folded(*lists: list[str]) -> frozenset[str]:
    return frozenset(word.casefold() for words in lists for word in words)
