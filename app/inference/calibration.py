"""What a cosine of the model means: one scale of 0 to 1 for questions and for passages (G4.2, X9.3).

The model squeezes its cosines into a narrow band that depends on the languages: two unrelated Chinese texts are more
alike than an English question and its Chinese answer. All questions of a language have much in common, and so have all
passages. What they have in common is taken off before they are compared (`meaning_of`, `cosines`):

    q' = unit(q - mean question of its language)
    p' = unit(p - 0.8 mean passage of its language)
    centred cosine = q' . p', and for two passages p' . p'

The centred cosine becomes a score by measured points of the pair of languages, with straight lines between them:

    question and passage:                                            two passages:
    0     99 of 100 unrelated passages are above                     0     99 of 100 unrelated ones are above
    0.5   `RELATED`: where answers and the best unrelated            0.5   `RELATED`: 95 of 100 unrelated ones are below
          passages are told apart best                               0.92  `NEAR_DUPLICATE`: 95 of 100 paraphrases reach
    1     99 of 100 answers are below                                      it (across languages: translations)
                                                                     1     the same text

So a score means the same in every pair of languages, and a threshold is one number for all of them. Scores within a
language and across are measured apart, for across all cosines are smaller.

`NEAR_DUPLICATE` finds candidates only: "I prefer tea" and "I prefer coffee" are above it too, so what they say is
compared afterwards (`near_duplicates`). packaging/models/calibrate.py measures the points, docs/models.md has the
figures.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.inference.packs import damaged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

RELATED = 0.5
NEAR_DUPLICATE = 0.92
PASSAGE_SHARE = 0.8
"""How much of the mean passage is taken off. Of 0.6 to 1.0, measured on four sets, all are within a point."""

ENGLISH, CHINESE = "en", "zh"
# Languages that share most of their characters with Chinese are nearer to it than to English.
_NEAREST = {"ja": CHINESE, "yue": CHINESE, "zh-tw": CHINESE, "zh-cn": CHINESE, "zh-hant": CHINESE, "zh-hans": CHINESE}
_TINY = np.float32(1e-12)


@dataclass(frozen=True, slots=True)
class Points:
    """Centred cosines of a question with passages; rising: scores 0, `RELATED` and 1."""

    low: float
    related: float
    high: float


@dataclass(frozen=True, slots=True)
class PassagePoints:
    """Centred cosines of two passages; rising and below 1: scores 0, `RELATED` and `NEAR_DUPLICATE`."""

    low: float
    related: float
    near: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The measured points, and the mean vectors of each language.

    Attributes:
        pairs: by (question's language, passage's language).
        passage_pairs: by two passages' languages, both ways round.
        query_means, passage_means: float32[dimension] by language.
    """

    pairs: Mapping[tuple[str, str], Points]
    passage_pairs: Mapping[tuple[str, str], PassagePoints]
    query_means: Mapping[str, Floats]
    passage_means: Mapping[str, Floats]

    @classmethod
    def read(cls, path: Path) -> Calibration:
        """Read a calibration file; raises `Damaged`."""
        try:
            return cls.from_json(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise damaged() from error

    @classmethod
    def from_json(cls, text: str) -> Calibration:
        """Read what `to_json` wrote; raises `Damaged`."""
        try:
            fields: dict[str, Any] = json.loads(text)
            calibration = cls(
                {_languages(name): Points(**points) for name, points in fields["pairs"].items()},
                {_languages(name): PassagePoints(**points) for name, points in fields["passage_pairs"].items()},
                {language: unpack_vector(code) for language, code in fields["query_means"].items()},
                {language: unpack_vector(code) for language, code in fields["passage_means"].items()},
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise damaged() from error
        if not calibration.is_whole():
            raise damaged()
        return calibration

    def is_whole(self) -> bool:
        """Whether English is in it, nothing is missing for any of its languages, and all points rise."""
        languages = set(self.passage_means)
        every = {(one, other) for one in languages for other in languages}
        return (
            ENGLISH in languages
            and languages == set(self.query_means)
            and every == set(self.pairs) == set(self.passage_pairs)
            and all(points.low < points.related < points.high for points in self.pairs.values())
            and all(points.low < points.related < points.near < 1 for points in self.passage_pairs.values())
        )

    def to_json(self) -> str:
        """The calibration's file; the same values give the same text."""
        fields = {
            "pairs": {
                f"{query}>{passage}": {"low": points.low, "related": points.related, "high": points.high}
                for (query, passage), points in self.pairs.items()
            },
            "passage_pairs": {
                f"{one}>{other}": {"low": points.low, "related": points.related, "near": points.near}
                for (one, other), points in self.passage_pairs.items()
            },
            "query_means": {language: pack_vector(mean) for language, mean in self.query_means.items()},
            "passage_means": {language: pack_vector(mean) for language, mean in self.passage_means.items()},
        }
        return json.dumps(fields, indent=1, sort_keys=True) + "\n"

    def meaning_of(self, query: Floats, language: str) -> Floats:
        """A question's vector without what all questions of its language share: float32[dimension], of length 1."""
        return unit(query - self.query_means[self.nearest(language)])

    def cosines(self, meaning: Floats, passages: Floats, language: str) -> Floats:
        """The centred cosines of a meaning, of length 1, with passages of one language.

        Args:
            passages: float32[n, dimension], of length 1, as the model gives them.

        Returns:
            float32[n]
        """
        mean = np.float32(PASSAGE_SHARE) * self.passage_means[self.nearest(language)]
        # (p - mean) . q and |p - mean| from products of p alone: a third of the time of the differences themselves
        products = passages @ np.stack([meaning, mean], axis=1)
        squares = np.einsum("ij,ij->i", passages, passages) - 2 * products[:, 1] + mean @ mean
        cosines: Floats = (products[:, 0] - mean @ meaning) / np.sqrt(np.maximum(squares, _TINY))
        return cosines

    def score(self, cosines: Floats, query_language: str, passage_language: str) -> Floats:
        """Centred cosines of a question with passages of one language as scores in 0..1, of the same shape."""
        points = self.pairs[self.nearest(query_language), self.nearest(passage_language)]
        return _scores(cosines, (points.low, points.related, points.high), (0.0, RELATED, 1.0))

    def alike(self, passage: Floats, language: str, others: Floats, other_language: str) -> Floats:
        """How alike a passage and others, of one language, are: float32[n] in 0..1, from vectors of length 1."""
        mine, theirs = self.nearest(language), self.nearest(other_language)
        meaning = unit(passage - np.float32(PASSAGE_SHARE) * self.passage_means[mine])
        return _passage_scores(self.cosines(meaning, others, theirs), self.passage_pairs[mine, theirs])

    def likeness(self, passages: Floats, languages: Sequence[str]) -> Floats:
        """How alike n passages are to each other, as `alike` of any two of them: float32[n, n] in 0..1."""
        spoken = [self.nearest(language) for language in languages]
        rows = {language: [at for at, name in enumerate(spoken) if name == language] for language in set(spoken)}
        centred = passages.copy()
        for language, at in rows.items():
            centred[at] -= np.float32(PASSAGE_SHARE) * self.passage_means[language]
        centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-6)
        table = (centred @ centred.T).astype(np.float32)
        for one, firsts in rows.items():
            for other, seconds in rows.items():
                block = np.ix_(firsts, seconds)
                table[block] = _passage_scores(table[block], self.passage_pairs[one, other])
        return table

    def nearest(self, language: str) -> str:
        """The measured language that stands for `language`; English for an unknown one."""
        name = language.lower()
        name = _NEAREST.get(name, name)
        return name if name in self.passage_means else ENGLISH


def unit(vector: Floats) -> Floats:
    """A vector brought to length 1; zeros stay."""
    made: Floats = vector / max(float(np.linalg.norm(vector)), 1e-6)
    return made


def pack_vector(vector: Floats) -> str:
    """A vector as base64 of fp16, little-endian."""
    return base64.b64encode(vector.astype("<f2").tobytes()).decode()


def unpack_vector(code: str) -> Floats:
    """The inverse of `pack_vector`; raises ValueError."""
    vector: Floats = np.frombuffer(base64.b64decode(code, validate=True), "<f2").astype(np.float32)
    return vector


def _passage_scores(cosines: Floats, points: PassagePoints) -> Floats:
    return _scores(cosines, (points.low, points.related, points.near, 1.0), (0.0, RELATED, NEAR_DUPLICATE, 1.0))


def _scores(cosines: Floats, at: tuple[float, ...], scores: tuple[float, ...]) -> Floats:
    made: Floats = np.interp(np.asarray(cosines, np.float32), at, scores).astype(np.float32)
    return made


def _languages(name: str) -> tuple[str, str]:
    query, separator, passage = name.partition(">")
    if not separator:
        raise ValueError("a pair of languages is written as query>passage")
    return query, passage
