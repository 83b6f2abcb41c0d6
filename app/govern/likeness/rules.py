"""What resources/rules/likeness.toml says, read once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from app.runtime.paths import resource


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
    table = tomllib.loads(resource("rules", "likeness.toml").read_text("utf-8"))
    samples, limits, thresholds, words = (table[name] for name in ("samples", "limits", "thresholds", "words"))
    return Rules(
        version=table["version"],
        **samples,
        **limits,
        contained=thresholds["contained"],
        version_share=thresholds["version"],
        near=thresholds["near"],
        **{name: tuple(values) for name, values in words.items()},
    )
