"""The words of resources/rules/turns.toml, compiled when they are first needed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from app.govern.supersession.cues import Cues
from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Mapping

_I = re.IGNORECASE


@dataclass(frozen=True, slots=True)
class TurnRules:
    """The whole file, by language. `values`: words for sorts of values, which tell no thing from another."""

    version: str
    english: Cues
    chinese: Cues
    values: frozenset[str]


@cache
def turn_rules() -> TurnRules:
    """The rules in force, read once."""
    table = resource_table("rules", "turns.toml")
    english, chinese = table["english"], table["chinese"]
    return TurnRules(table["version"], _english(english), _chinese(chinese), frozenset(table["values"].split()))


def _english(table: Mapping[str, Any]) -> Cues:
    """Cues begin where a word begins; those that begin with an apostrophe may stand within one."""
    patterns = {
        name: re.compile(rf"(?:(?<![\w'])|(?=['?]|n't))(?:{'|'.join(value)})", _I)
        for name, value in table.items()
        if isinstance(value, list)
    }
    return Cues(patterns, {"stop": frozenset(table["stop"].split())})


def _chinese(table: Mapping[str, Any]) -> Cues:
    patterns = {name: re.compile("|".join(value)) for name, value in table.items() if isinstance(value, list)}
    patterns["stop"] = re.compile(table["stop"])
    return Cues(patterns, {})
