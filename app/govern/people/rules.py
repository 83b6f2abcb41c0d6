"""What resources/rules/entities.toml says, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from app.runtime.paths import resource_table

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Rules:
    """See the file. `phrases`: the lists of words of each section, longest first."""

    version: str
    confidence: Mapping[str, float]
    bearers: int
    participants: int
    mentions: int
    least_confidence: float
    phrases: Mapping[str, Mapping[str, tuple[str, ...]]]
    nobody: frozenset[str]


@cache
def rules() -> Rules:
    """The rules in force."""
    table = resource_table("rules", "entities.toml")
    limits = table["limits"]
    return Rules(
        version=table["version"],
        confidence=table["confidence"],
        bearers=limits["bearers"],
        participants=limits["participants"],
        mentions=limits["mentions"],
        least_confidence=limits["least_confidence"],
        phrases={
            section: {name: tuple(sorted(words, key=lambda word: (-len(word), word))) for name, words in lists.items()}
            for section, lists in ((section, table[section]) for section in ("works_at", "owner_of"))
        },
        nobody=frozenset(table["nobody"]["words"].split()),
    )
