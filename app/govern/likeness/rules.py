"""What resources/rules/likeness.toml says, read once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from app.runtime.paths import resource_table


@dataclass(frozen=True, slots=True)
class Rules:
    """See the file."""

    version: str
    words: int
    window: int
    most: int
    least_words: int
    holders: int
    candidates: int
    longest: int
    in_common: int
    contained: float
    version_share: float
    near: float
    forward_titles: tuple[str, ...]
    forward_marks: tuple[str, ...]
    quote_marks: tuple[str, ...]
    version_words: tuple[str, ...]


@cache
def rules() -> Rules:
    """The rules in force."""
    table = resource_table("rules", "likeness.toml")
    samples, limits, thresholds, words = (table[name] for name in ("samples", "limits", "thresholds", "words"))
    return Rules(
        version=table["version"],
        words=samples["words"],
        window=samples["window"],
        most=samples["most"],
        least_words=samples["least_words"],
        holders=limits["holders"],
        candidates=limits["candidates"],
        longest=limits["longest"],
        in_common=limits["in_common"],
        contained=thresholds["contained"],
        version_share=thresholds["version"],
        near=thresholds["near"],
        forward_titles=tuple(words["forward_titles"]),
        forward_marks=tuple(words["forward_marks"]),
        quote_marks=tuple(words["quote_marks"]),
        version_words=tuple(words["version_words"]),
    )
