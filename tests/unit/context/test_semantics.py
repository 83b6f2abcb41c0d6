"""What is common to all questions and passages is taken off before they are compared (G4.2, X9.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.context.question import read_question
from app.context.semantics import Semantics
from app.inference.calibration import PASSAGE_SHARE, Calibration, PassagePoints, Points

if TYPE_CHECKING:
    from collections.abc import Sequence

# the first axis is common to all, the second to Chinese; the others are topics
COMMON, CHINESE, RENT, CATS = np.eye(4, dtype=np.float32)


def unit(vector: np.ndarray) -> np.ndarray:
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def means() -> Calibration:
    common = {"en": 0.9 * COMMON, "zh": 0.9 * unit(COMMON + CHINESE)}
    pairs = [(one, other) for one in ("en", "zh") for other in ("en", "zh")]
    points = {pair: Points(-0.2, 0.4, 1.0) if pair[0] == pair[1] else Points(-0.2, 0.325, 0.85) for pair in pairs}
    return Calibration(points, dict.fromkeys(pairs, PassagePoints(0.0, 0.5, 0.9)), common, common)


@dataclass
class Model:
    """Everything about rent points one way, and everything is much alike."""

    model_id: str = "axes"
    version: str = "1"
    dimension: int = 4
    is_loaded: bool = True
    calibration: Calibration = field(default_factory=means)
    asked: list[str] = field(default_factory=list)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.stack([vector(text) for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([vector(text) for text in texts]).astype(np.float16)


def vector(text: str) -> np.ndarray:
    is_chinese = any(sign > "一" for sign in text)
    topic = RENT if "rent" in text or "租" in text else CATS if "cat" in text or "猫" in text else 0 * RENT
    return unit(3 * COMMON + 3 * is_chinese * CHINESE + topic)


@pytest.fixture
def semantics() -> Semantics:
    return Semantics(Model())


def score(semantics: Semantics, question: str, passage: str, language: str) -> float:
    return float(semantics.scores(semantics.meaning(read_question(question)), vector(passage)[None], language)[0])


def test_topics_are_told_apart_though_all_are_alike(semantics: Semantics) -> None:
    assert float(vector("rent due") @ vector("my cat")) > 0.89
    assert score(semantics, "the rent", "rent due", "en") > score(semantics, "the rent", "my cat", "en") + 0.3


def test_a_topic_is_the_same_in_another_language(semantics: Semantics) -> None:
    across = score(semantics, "the rent", "房租", "zh")
    assert across > score(semantics, "the rent", "my cat", "en") + 0.2
    assert across > score(semantics, "the rent", "猫", "zh") + 0.2


def test_scores_are_within_bounds(semantics: Semantics) -> None:
    passages = np.stack([vector(text) for text in ("rent", "cat", "nothing")])
    found = semantics.scores(semantics.meaning(read_question("rent?")), passages, "en")
    assert found.min() >= 0.0
    assert found.max() <= 1.0


def test_the_cosine_is_that_of_the_centred_vectors(semantics: Semantics) -> None:
    meaning = semantics.meaning(read_question("the rent"))
    passage = vector("rent due")
    off = passage - PASSAGE_SHARE * means().passage_means["en"]
    cosine = float(meaning.vector @ off) / float(np.linalg.norm(off))
    expected = (cosine + 0.2) / 1.2
    assert score(semantics, "the rent", "rent due", "en") == pytest.approx(expected, abs=1e-5)


def test_small_talk_is_embedded_once_and_only_for_a_conversation() -> None:
    model = Model()
    semantics = Semantics(model)
    semantics.meaning(read_question("rent?"))
    assert model.asked == ["rent?"]
    talk = read_question('<Anna>: "The rent went up."\n<Assistant>: "How much?"\n<Anna>: "A lot."')
    semantics.meaning(talk)
    first = len(model.asked)
    semantics.meaning(talk)
    assert first > 10
    assert len(model.asked) == first + len(talk.meanings)
