"""A stand-in for the embedding model: texts that share letters are alike. Exact, quick, and of no intelligence."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIZE = 256


class NoMeans:
    query_means = passage_means = {language: np.zeros(_SIZE, np.float32) for language in ("en", "zh")}  # noqa: RUF012

    def nearest(self, language: str) -> str:
        return language


class Letters:
    """See the module docstring; `read` lists what was embedded."""

    dimension = _SIZE
    calibration = NoMeans()

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        self.read.extend(texts)
        return np.array([_vector(text) for text in texts], np.float32).reshape(len(texts), _SIZE)

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([_vector(text) for text in texts], np.float16).reshape(len(texts), _SIZE)


def _vector(text: str) -> np.ndarray:
    vector = np.zeros(_SIZE, np.float32)
    words = f" {text.casefold()} "
    for size in (1, 2, 3, 4):
        for start in range(len(words) - size + 1):
            vector[zlib.crc32(words[start : start + size].encode("utf-8", "replace")) % _SIZE] += size
    return vector / max(float(np.linalg.norm(vector)), 1e-12)
