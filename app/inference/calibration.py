"""What a cosine of the model means.

The model squeezes its cosines into a narrow band that depends on the languages: two unrelated Chinese texts are more
alike than an English question and its English answer. So a cosine becomes a score by three measured points of its
pair of languages (question's, passage's):

    low      what an unrelated passage gets                     score 0
    related  where a related passage becomes as likely as not   score 0.5
    high     what a passage gets that answers word for word     score 1

straight lines between them, and nothing beyond 0 and 1. Scores of different questions and languages can be compared,
and `RELATED` is the same threshold for all of them (G4.2). packaging/models/calibrate.py measures the points.
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
    """The three cosines of a pair of languages; rising."""

    low: float
    related: float
    high: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """The measured points, and the mean vectors of each language.

    Attributes:
        pairs: by (question's language, passage's language).
        query_means, passage_means: float32[dimension] by language.
        near_duplicate: by language, the cosine of two passages from which one may be a copy of the other. It finds
            candidates only: "I prefer tea" and "I prefer coffee" are above it too, so compare numbers, dates, names
            and negations before acting on it.
    """

    pairs: Mapping[tuple[str, str], Points]
    query_means: Mapping[str, Floats]
    passage_means: Mapping[str, Floats]
    near_duplicate: Mapping[str, float]

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
            pairs = {_languages(name): Points(**points) for name, points in fields["pairs"].items()}
            if any(not points.low < points.related < points.high for points in pairs.values()):
                raise damaged()
            return cls(
                pairs,
                {language: unpack_vector(code) for language, code in fields["query_means"].items()},
                {language: unpack_vector(code) for language, code in fields["passage_means"].items()},
                {language: float(cosine) for language, cosine in fields["near_duplicate"].items()},
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise damaged() from error

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
        }
        return json.dumps(fields, indent=1, sort_keys=True) + "\n"

    def score(self, cosines: NDArray[np.floating], query_language: str, passage_language: str) -> Floats:
        """Cosines as scores in 0..1, of the same shape."""
        points = self.points(query_language, passage_language)
        scores: Floats = np.interp(cosines, [points.low, points.related, points.high], [0.0, RELATED, 1.0]).astype(
            np.float32
        )
        return scores

    def points(self, query_language: str, passage_language: str) -> Points:
        """The points of a pair of languages, or of the nearest pair that was measured."""
        return self.pairs[self.nearest(query_language), self.nearest(passage_language)]

    def nearest(self, language: str) -> str:
        """The measured language that stands for `language`; English for an unknown one."""
        name = language.lower()
        name = _NEAREST.get(name, name)
        return name if name in self.passage_means else ENGLISH


def pack_vector(vector: Floats) -> str:
    """float32 as base64, little-endian."""
    return base64.b64encode(vector.astype("<f4").tobytes()).decode()


def unpack_vector(code: str) -> Floats:
    """The inverse of `pack_vector`; raises ValueError."""
    vector: Floats = np.frombuffer(base64.b64decode(code, validate=True), "<f4").astype(np.float32)
    return vector


def _languages(name: str) -> tuple[str, str]:
    query, separator, passage = name.partition(">")
    if not separator:
        raise ValueError("a pair of languages is written as query>passage")
    return query, passage
