"""A text as the vector that intents are told apart by (L3.3).

The embedding model reads a text twice, as a question and as a passage; both vectors are freed of what every sentence of
their language has in common (the mean of the examples), brought to length 1 and joined. Reading twice is worth half a
point of accuracy on 150 intents, and takes 4 ms more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
ENGLISH, CHINESE = "en", "zh"
_PRIOR = 20.0
"""As many sentences the model's own mean of the language stands for: a table of few examples has no good mean."""


class LanguageMeans(Protocol):
    """What `app.inference.calibration.Calibration` is used for."""

    @property
    def query_means(self) -> Mapping[str, Floats]:
        """By language, the mean question: float32[dimension]."""

    @property
    def passage_means(self) -> Mapping[str, Floats]:
        """By language, the mean passage: float32[dimension]."""

    def nearest(self, language: str) -> str:
        """The language whose means stand for `language`."""


class TextEncoder(Protocol):
    """What `app.inference.embedder.Embedder` is used for."""

    @property
    def calibration(self) -> LanguageMeans:
        """Holds the mean vectors of each language."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        """float32[texts, dimension], each of length 1."""

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float16]:
        """float16[texts, dimension], each of length 1."""


def language_of(text: str) -> str:
    """Chinese for a text with a single Han character, else English: whose mean is taken off."""
    return CHINESE if _HAN.search(text) else ENGLISH


def raw_vectors(encoder: TextEncoder, texts: Sequence[str]) -> Floats:
    """Both readings of each text: float32[texts, 2 * dimension]."""
    asked = encoder.embed_queries(texts)
    said = encoder.embed_passages(texts).astype(np.float32)
    return np.concatenate([asked, said], axis=1).astype(np.float32)


class Centring:
    """What is taken off a raw vector, by language."""

    def __init__(self, means: Mapping[str, Floats]) -> None:
        self._means = means

    @classmethod
    def of(cls, texts: Sequence[str], raw: Floats, calibration: LanguageMeans) -> Centring:
        """The means of a table's examples, drawn towards the model's own where a language has few."""
        languages = np.array([language_of(text) for text in texts], dtype=object)
        means: dict[str, Floats] = {}
        for language in (ENGLISH, CHINESE):
            nearest = calibration.nearest(language)
            own = np.concatenate([calibration.query_means[nearest], calibration.passage_means[nearest]])
            rows = raw[languages == language] if len(texts) else raw
            means[language] = ((rows.sum(axis=0) + _PRIOR * own) / (len(rows) + _PRIOR)).astype(np.float32)
        return cls(means)

    def apply(self, texts: Sequence[str], raw: Floats) -> Floats:
        """float32[texts, 2 * dimension], each of length 1; zeros for a text without content."""
        half = raw.shape[1] // 2
        means = np.stack([self._means[language_of(text)] for text in texts]) if len(texts) else raw
        has_content = np.abs(raw).max(axis=1, initial=0.0) > 0
        moved = raw - means
        joined = np.concatenate([_unit(moved[:, :half]), _unit(moved[:, half:])], axis=1) / np.float32(np.sqrt(2))
        joined[~has_content] = 0
        return joined.astype(np.float32)


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    result: Floats = rows / np.maximum(lengths, 1e-12)
    return result
