"""The meaning of a question as a vector, and what the cosine of a passage says (G4.2, X9.3).

e5 squeezes its cosines: all questions have much in common, and so have all passages of a language. What they have in
common is taken off before they are compared, so that what is left is what *this* question and *this* passage share:

    q' = unit(q - mean question of its language)
    p' = (p - 0.8 mean passage of its language) / its length
    centred cosine = q' . p'

Passages of different languages can then be ranked in one list. A conversation instead of a question is compared with
small talk in general, which is embedded from a few samples when the first conversation comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.context.small_talk import SAMPLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from app.context.question import Question
    from app.context.ranking import MeaningScale

    Floats = NDArray[np.float32]

PASSAGE_SHARE = 0.8
"""How much of the mean passage is taken off. Of 0.6 to 1.0, measured on four sets, all are within a point."""


class Calibration(Protocol):
    """The means that come with the model."""

    @property
    def query_means(self) -> Mapping[str, Floats]:
        """The mean question of each measured language."""
        ...

    @property
    def passage_means(self) -> Mapping[str, Floats]:
        """The mean passage of each measured language."""
        ...

    def nearest(self, language: str) -> str:
        """The measured language that stands for another one."""
        ...


class QuestionEmbedder(Protocol):
    """What is needed of the embedding model."""

    @property
    def model_id(self) -> str:
        """Its name."""
        ...

    @property
    def version(self) -> str:
        """Its vector space."""
        ...

    @property
    def dimension(self) -> int:
        """The length of its vectors."""
        ...

    @property
    def is_loaded(self) -> bool:
        """Whether the next call answers without loading first."""
        ...

    @property
    def calibration(self) -> Calibration:
        """See `Calibration`."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        """float32[len(texts), dimension], of length 1."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float16]:
        """float16[len(texts), dimension], of length 1."""
        ...


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question's centred vector, float32[dimension] of length 1, and the measured language nearest to its own."""

    vector: Floats
    language: str


class Semantics:
    """Embeds questions and scores passages, for one model. Call `meaning` and `embed` on the inference lane."""

    def __init__(self, embedder: QuestionEmbedder, scale: MeaningScale) -> None:
        self.embedder = embedder
        self._scale = scale
        self._talk: dict[str, Floats] = {}

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages whose passages have a mean of their own."""
        return tuple(self.embedder.calibration.passage_means)

    def nearest(self, language: str) -> str:
        """Which of `languages` stands for another one."""
        return self.embedder.calibration.nearest(language)

    def meaning(self, question: Question) -> Meaning:
        """Embed a question; blocks. Raises `Damaged` or `Unavailable` from the model."""
        vectors = self.embedder.embed_queries([part.text for part in question.meanings])
        language = self.nearest(question.language)
        common = self._common_talk(language) if question.is_talk else self.embedder.calibration.query_means[language]
        total = np.zeros(self.embedder.dimension, np.float32)
        for part, vector in zip(question.meanings, vectors, strict=True):
            total += part.weight * _unit(vector - common)
        return Meaning(_unit(total), language)

    def embed(self, passages: Sequence[str]) -> Floats:
        """Embed short passages that are in no index, such as single sentences; blocks."""
        return self.embedder.embed_passages(passages).astype(np.float32)

    def scores(self, meaning: Meaning, passages: Floats, language: str) -> Floats:
        """The scores of passages of one language: centred cosines on a scale of 0..1.

        Args:
            passages: float32[n, dimension], of length 1.
            language: one of `languages`.

        Returns:
            float32[n]
        """
        mean = np.float32(PASSAGE_SHARE) * self._passage_mean(language)
        # (p - mean) . q and |p - mean| from products of p alone: a third of the time of the differences themselves
        products = passages @ np.stack([meaning.vector, mean], axis=1)
        squares = np.einsum("ij,ij->i", passages, passages) - 2 * products[:, 1] + mean @ mean
        cosines = (products[:, 0] - mean @ meaning.vector) / np.sqrt(np.maximum(squares, np.float32(1e-12)))
        scale = self._scale
        highest = scale.highest if language == meaning.language else scale.highest_across
        scores: Floats = np.clip((cosines - scale.lowest) / (highest - scale.lowest), 0.0, 1.0).astype(np.float32)
        return scores

    def _passage_mean(self, language: str) -> Floats:
        return self.embedder.calibration.passage_means[language]

    def _common_talk(self, language: str) -> Floats:
        if language not in self._talk:
            samples = SAMPLES.get(language, SAMPLES["en"])
            self._talk[language] = self.embedder.embed_queries(samples).mean(axis=0)
        return self._talk[language]


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / max(float(np.linalg.norm(vector)), 1e-6)
    return unit
