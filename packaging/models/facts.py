"""The generator: facts.yaml as questions, and as passages of three lengths, in two languages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import yaml
from numpy.typing import NDArray

if TYPE_CHECKING:
    from app.inference.embedder import Embedder


LANGUAGES = ("en", "zh")
SIZES = ("short", "medium", "long")
QUESTIONS = ("question", "words")
_FILE = Path(__file__).with_name("facts.yaml")
_JOINT = {"en": " ", "zh": ""}

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact in all its forms; `near` and `far` are sentences of its own topic and of another one."""

    topic: int
    forms: dict[str, dict[str, str]]
    near: dict[str, list[str]]
    far: dict[str, list[str]]

    def passage(self, language: str, size: str) -> str:
        """The fact alone (about 20 tokens), among three sentences (65), or in the midst of twelve (180)."""
        fact, near = self.forms["fact"][language], self.near[language]
        parts = {
            "short": [fact],
            "medium": [near[0], fact, *near[1:3]],
            "long": [*near[:3], fact, *near[3:], *self.far[language]],
        }[size]
        return _JOINT[language].join(parts)


def read_facts() -> list[Fact]:
    """All facts of facts.yaml, topic by topic."""
    topics = yaml.safe_load(_FILE.read_text("utf-8"))
    around = [topic["around"] for topic in topics]
    return [
        Fact(number, forms, around[number], around[(number + 1) % len(topics)])
        for number, topic in enumerate(topics)
        for forms in topic["facts"]
    ]


class Embedded:
    """The vectors of all facts: float32[facts, dimension] by form or size, and by language."""

    def __init__(self, facts: list[Fact], embedder: Embedder) -> None:
        """Embed everything; about 1,000 texts."""
        self.topics = np.array([fact.topic for fact in facts])
        self.questions = {
            (form, language): embedder.embed_queries([fact.forms[form][language] for fact in facts])
            for form in QUESTIONS
            for language in LANGUAGES
        }
        self.passages: dict[tuple[str, str], Vectors] = {}
        for language in LANGUAGES:
            for size in SIZES:
                self.passages[size, language] = _passages(embedder, [fact.passage(language, size) for fact in facts])
            for form in ("paraphrase", "contrary"):
                self.passages[form, language] = _passages(embedder, [fact.forms[form][language] for fact in facts])


def _passages(embedder: Embedder, texts: list[str]) -> Vectors:
    return embedder.embed_passages(texts).astype(np.float32)
