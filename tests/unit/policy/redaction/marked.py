"""Texts whose personal parts stand between ‹ and ›, from the tables beside."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Marked:
    """A text and the places of what may not be left of it."""

    text: str
    places: tuple[tuple[int, int], ...]

    @property
    def parts(self) -> list[str]:
        return [self.text[start:end] for start, end in self.places]


def marked(text: str) -> Marked:
    plain, places, start = "", [], 0
    for character in text:
        if character == "‹":
            start = len(plain)
        elif character == "›":
            places.append((start, len(plain)))
        else:
            plain += character
    return Marked(plain, tuple(places))


def personal_texts() -> list[Marked]:
    tables = tomllib.loads((_HERE / "personal.toml").read_text(encoding="utf-8"))
    return [marked(text) for table in tables.values() for text in table["texts"]]


def clean_texts() -> list[str]:
    tables = tomllib.loads((_HERE / "clean.toml").read_text(encoding="utf-8"))
    return [text for texts in tables.values() for text in texts]
