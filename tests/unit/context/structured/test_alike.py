"""A topic is fitted by meaning where no word of it stands, and never without a model (X9.3)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from app.context.closeness import Closeness
from app.context.search import Found
from app.context.semantics import Meaning, Semantics
from app.context.structured.alike import alike
from app.context.structured.topic import Topic
from app.domain.errors import Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Sequence

NEAR = {
    "We go live in June.": 0.7,
    "六月上线": 0.6,
    "The cat is ill.": 0.2,
    "Project A goes live": 0.7,
    "Paris trip": 0.8,
}


@dataclass
class Scored:
    """Scores that are told: of a text its own."""

    is_broken: bool = False
    asked: list[str] = field(default_factory=list)

    def nearest(self, language: str) -> str:
        return language if language in {"en", "zh"} else "en"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        if self.is_broken:
            raise Unavailable(msg("gone"), next_step=msg("wait"))
        self.asked += texts
        return np.array([[NEAR.get(text, 0.0)] for text in texts], np.float32)

    def scores(self, meaning: Meaning, vectors: np.ndarray, language: str) -> np.ndarray:
        del meaning, language
        return vectors[:, 0]


def found(semantics: Scored | None) -> Found:
    meaning = Meaning(np.ones(1, np.float32), "en")
    return Found((), "en", Closeness({}), cast("Semantics | None", semantics), meaning)


def test_what_is_near_enough_fits() -> None:
    texts = ["We go live in June.", "The cat is ill.", "六月上线", ""]
    assert alike(Topic("the launch"), found(Scored()), texts) == [True, False, True, False]


def test_titles_have_to_be_nearer() -> None:
    assert alike(Topic("the launch"), found(Scored()), ["六月上线"], are_titles=True) == [False]


def test_what_tells_things_apart_has_to_stand_there() -> None:
    assert alike(Topic("launch of Project B"), found(Scored()), ["Project A goes live"]) == [False]
    assert alike(Topic("the Rome trip"), found(Scored()), ["Paris trip"]) == [False]


@pytest.mark.parametrize("semantics", [None, Scored(is_broken=True)])
def test_without_a_model_nothing_fits(semantics: Scored | None) -> None:
    assert alike(Topic("the launch"), found(semantics), ["We go live in June."]) == [False]
