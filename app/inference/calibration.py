"""What a cosine of the model means (G4.2, X9.3).

The model squeezes its cosines into a narrow band that depends on the languages: two unrelated Chinese texts are more
alike than an English question and its Chinese answer, so that in a store of both languages a plain cosine finds almost
nothing across them. Three steps mend it; q is a question's vector, Q the mean question of its language, p a passage's
vector, P the mean passage of its language:

1.  The index is searched with v = q - c Q instead of q (`centred`), c being one half: passages that resemble any
    question lose half of what that gives them.
2.  Of v.p the product v.P is subtracted. It is one number for each language and question (`offsets`), so an
    inner-product index is searched as it is, once for each language, and the number subtracted from what it returns;
    or a language's passages get an extra dimension that holds 1, and the question -v.P in it.
3.  The rest becomes a score by three measured points of the pair of languages (question's, passage's):

        low      what an unrelated passage gets                     score 0
        related  where a passage is as likely related as not        score 0.5 (`RELATED`)
        high     what a passage gets that holds the answer          score 1

    straight lines between them, and nothing beyond 0 and 1.

Scores of different questions and languages can be compared, and `RELATED` is the same threshold for all of them.
packaging/models/calibrate.py measures the points, docs/models.md has the figures.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.inference.packs import damaged

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

RELATED = 0.5
ENGLISH, CHINESE = "en", "zh"
# Languages that share most of their characters with Chinese are nearer to it than to English.
_NEAREST = {"ja": CHINESE, "yue": CHINESE, "zh-tw": CHINESE, "zh-cn": CHINESE, "zh-hant": CHINESE, "zh-hans": CHINESE}


@dataclass(frozen=True, slots=True)
class Points:
    """Three cosines of a pair of languages, the question's offset subtracted; rising."""

    low: float
    related: float
    high: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The measured points, and the mean vectors of each language.

    Attributes:
        pairs: by (question's language, passage's language).
        query_means, passage_means: float32[dimension] by language.
        centring: the share c of its language's mean that is taken off a question.
        near_duplicate: by language, the cosine of two passages from which one may say what the other says. It finds
            candidates only: "I prefer tea" and "I prefer coffee" are above it too, so compare numbers, dates, names
            and negations before acting on it.
    """

    pairs: Mapping[tuple[str, str], Points]
    query_means: Mapping[str, Floats]
    passage_means: Mapping[str, Floats]
    near_duplicate: Mapping[str, float]
    centring: float

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
                {language: unpack_vector(code) for language, code in fields["query_means"].items()},
                {language: unpack_vector(code) for language, code in fields["passage_means"].items()},
                {language: float(cosine) for language, cosine in fields["near_duplicate"].items()},
                float(fields["centring"]),
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise damaged() from error
        if not calibration.is_whole():
            raise damaged()
        return calibration

    def is_whole(self) -> bool:
        """Whether English is in it, nothing is missing for any of its languages, and all points rise."""
        languages = set(self.passage_means)
        return (
            ENGLISH in languages
            and languages == set(self.query_means) == set(self.near_duplicate)
            and set(self.pairs) == {(query, passage) for query in languages for passage in languages}
            and all(points.low < points.related < points.high for points in self.pairs.values())
        )

    def to_json(self) -> str:
        """The calibration's file; the same values give the same text."""
        fields = {
            "pairs": {
                f"{query}>{passage}": {"low": points.low, "related": points.related, "high": points.high}
                for (query, passage), points in self.pairs.items()
            },
            "query_means": {language: pack_vector(mean) for language, mean in self.query_means.items()},
            "passage_means": {language: pack_vector(mean) for language, mean in self.passage_means.items()},
            "near_duplicate": dict(self.near_duplicate),
            "centring": self.centring,
        }
        return json.dumps(fields, indent=1, sort_keys=True) + "\n"

    def centred(self, query: Floats, language: str) -> Floats:
        """The vector to search with, float32[dimension] like the question's own; no longer of length 1."""
        mean = self.query_means[self.nearest(language)]
        return (query - np.float32(self.centring) * mean).astype(np.float32)

    def offsets(self, centred: Floats) -> dict[str, float]:
        """By measured language, what is to be subtracted from a centred question's products with its passages."""
        return {language: float(centred @ mean) for language, mean in self.passage_means.items()}

    def score(
        self,
        products: NDArray[np.floating],
        query_language: str,
        passage_language: str,
        *,
        centred: Floats | None = None,
    ) -> Floats:
        """Products of one question with passages of one language as scores in 0..1, of the same shape.

        Args:
            products: of the centred question with each passage; or plain cosines, where `centred` is not given.
            query_language, passage_language: their languages.
            centred: the centred question. Without it the language's mean question stands in, which ranks worse.
        """
        asked, said = self.nearest(query_language), self.nearest(passage_language)
        # a plain cosine's expected value differs from a product's by what centring takes off, which is in both
        reference = self.query_means[asked] if centred is None else centred
        excess = np.asarray(products, np.float32) - float(reference @ self.passage_means[said])
        points = self.pairs[asked, said]
        scores: Floats = np.interp(excess, [points.low, points.related, points.high], [0.0, RELATED, 1.0]).astype(
            np.float32
        )
        return scores

    def nearest(self, language: str) -> str:
        """The measured language that stands for `language`; English for an unknown one."""
        name = language.lower()
        name = _NEAREST.get(name, name)
        return name if name in self.passage_means else ENGLISH


def pack_vector(vector: Floats) -> str:
    """A vector as base64 of fp16, little-endian."""
    return base64.b64encode(vector.astype("<f2").tobytes()).decode()


def unpack_vector(code: str) -> Floats:
    """The inverse of `pack_vector`; raises ValueError."""
    vector: Floats = np.frombuffer(base64.b64decode(code, validate=True), "<f2").astype(np.float32)
    return vector


def _languages(name: str) -> tuple[str, str]:
    query, separator, passage = name.partition(">")
    if not separator:
        raise ValueError("a pair of languages is written as query>passage")
    return query, passage
