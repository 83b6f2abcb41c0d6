"""The meaning of a question as a vector, and the scores of passages by it (G4.2, X9.3).

What cosines mean, and how they become scores that can be compared between languages, is the model's calibration
(`app.inference.calibration`): passages of different languages can be ranked in one list. A conversation instead of a
question is compared with small talk in general, which is embedded from a few samples when the first conversation comes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.context.small_talk import SAMPLES
from app.store.languages import LANGUAGES
from app.store.vector_codes import Centres
from app.store.vector_rows import EmbeddingModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from app.context.question import Question
    from app.store.store import Store
    from app.store.vectors import VectorIndex

    Floats = NDArray[np.float32]


class Calibration(Protocol):
    """What comes with the model."""

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

    def cosines(self, meaning: Floats, passages: Floats, language: str) -> Floats:
        """The centred cosines of a meaning with passages of one language: float32[n]."""
        ...

    def score(self, cosines: Floats, query_language: str, passage_language: str) -> Floats:
        """Centred cosines as scores in 0..1."""
        ...

    def likeness(self, passages: Floats, languages: Sequence[str]) -> Floats:
        """How alike passages are to each other: float32[n, n] in 0..1."""
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

    def __init__(self, embedder: QuestionEmbedder) -> None:
        self.embedder = embedder
        self.centres = centres_of(embedder.calibration)
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
        """The scores of passages of one language, in 0..1.

        Args:
            passages: float32[n, dimension], of length 1.
            language: one of `languages`.

        Returns:
            float32[n]
        """
        calibration = self.embedder.calibration
        return calibration.score(calibration.cosines(meaning.vector, passages, language), meaning.language, language)

    def likeness(self, passages: Floats, languages: Sequence[str]) -> Floats:
        """How alike passages are to each other: float32[n, n] in 0..1, on one scale for all languages."""
        return self.embedder.calibration.likeness(passages, languages)

    def _common_talk(self, language: str) -> Floats:
        if language not in self._talk:
            samples = SAMPLES.get(language, SAMPLES["en"])
            self._talk[language] = self.embedder.embed_queries(samples).mean(axis=0)
        return self._talk[language]


def vectors_of(store: Store, embedder: QuestionEmbedder) -> VectorIndex:
    """The vectors that a model made, around its own centres; blocks the first time. Raises `Damaged` from the model."""
    return store.vectors(
        EmbeddingModel(embedder.model_id, embedder.version, embedder.dimension), centres_of(embedder.calibration)
    )


def centres_of(calibration: Calibration) -> Centres:
    """Where a model's passages lie: the mean passage of each measured language, in the order of `passage_means`."""
    measured = tuple(calibration.passage_means)
    points = np.stack([calibration.passage_means[language] for language in measured]).astype(np.float32)
    return Centres(points, tuple(measured.index(calibration.nearest(tag)) for tag in LANGUAGES))


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / max(float(np.linalg.norm(vector)), 1e-6)
    return unit
