"""The formula, its bounds and its file (G4.2, G2.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.ranking import Features, FinalWeights, load_weights, score
from app.domain.errors import BadInput
from app.runtime.paths import resource

if TYPE_CHECKING:
    from pathlib import Path

    from app.context.ranking import Weights

SHIPPED = resource("rules", "ranking.toml")
UNIT = st.floats(0, 1)


def weights() -> Weights:
    return load_weights(SHIPPED)


def features(semantic: float, lexical: float, confidence: float, age: float, *, is_active: bool = False) -> Features:
    def column(value: float) -> np.ndarray:
        return np.array([value], np.float64)

    return Features(column(semantic), column(lexical), column(confidence), column(age), np.array([is_active]))


def final(semantic: float, lexical: float, confidence: float, age: float, *, is_active: bool = False) -> float:
    return float(score(features(semantic, lexical, confidence, age, is_active=is_active), weights()).final[0])


def test_the_articles_weights_are_the_default() -> None:
    assert weights().final == FinalWeights(0.55, 0.15, 0.20, 0.10, 0.03)


def test_the_formula() -> None:
    window = weights().time.window_days
    assert final(0.8, 0.6, 0.9, window / 4) == pytest.approx(0.55 * 0.8 + 0.15 * 0.6 + 0.20 * 0.75 + 0.10 * 0.9)


def test_freshness_falls_to_nothing_and_the_future_is_fresh() -> None:
    window, half = weights().time.window_days, weights().time.half_life_days
    scores = [score(features(0, 0, 0, age), weights()) for age in (-10, 0, window / 2, window, 10 * window)]
    assert [float(part.freshness[0]) for part in scores] == [1.0, 1.0, 0.5, 0.0, 0.0]
    assert float(score(features(0, 0, 0, half), weights()).time_decay[0]) == pytest.approx(0.5)


def test_an_active_task_gains_a_little() -> None:
    assert final(0.5, 0.5, 0.5, 10, is_active=True) - final(0.5, 0.5, 0.5, 10) == pytest.approx(0.03)


@given(UNIT, UNIT, UNIT, st.floats(-1e5, 1e5), st.booleans())
def test_every_part_is_within_bounds(
    semantic: float, lexical: float, confidence: float, age: float, is_active: bool
) -> None:
    scores = score(features(semantic, lexical, confidence, age, is_active=is_active), weights())
    for part in (scores.freshness, scores.time_decay, scores.final):
        assert 0.0 <= float(part[0]) <= 1.0


@given(st.tuples(UNIT, UNIT, UNIT), st.integers(0, 2), UNIT, st.tuples(st.floats(0, 2000), st.floats(0, 2000)))
def test_more_of_anything_never_ranks_lower(
    parts: tuple[float, float, float], place: int, other: float, ages: tuple[float, float]
) -> None:
    low, high = list(parts), list(parts)
    low[place], high[place] = sorted((parts[place], other))
    assert final(*low, 5) <= final(*high, 5)
    assert final(*parts, max(ages)) <= final(*parts, min(ages))


def test_a_person_can_change_a_weight(basedir: Path) -> None:
    own = basedir / "ranking.toml"
    own.write_text("[final]\nsemantic = 0.45\nlexical = 0.25\n[time]\nwindow_days = 30\n", "utf-8")
    changed = load_weights(SHIPPED, own)
    assert changed.final == replace(weights().final, semantic=0.45, lexical=0.25)
    assert changed.time.window_days == 30
    assert changed.candidates == weights().candidates
    assert changed.version.startswith(weights().version + "+")


def test_without_an_own_file_the_shipped_version_counts(basedir: Path) -> None:
    assert load_weights(SHIPPED, basedir / "absent.toml").version == weights().version == "ranking-2"


@pytest.mark.parametrize(
    "text",
    [
        "[final]\nsemantic = 0.9\n",
        "[final]\nsemantics = 0.55\n",
        "[finale]\nsemantic = 0.55\n",
        "final = 3\n",
        "[final]\nsemantic = 'much'\n",
        "[final]\nsemantic = true\n",
        "[final]\nsemantic = nan\n",
        "[time]\nwindow_days = 1" + "0" * 400 + "\n",
        "[time]\nwindow_days = 1" + "0" * 5_000 + "\n",
        "a = " + "[" * 20_000,
        "[time]\nwindow_days = 0\n",
        "[time]\nwindow_days = -1\n",
        "[candidates]\npool = 0\n",
        "[candidates]\nsame_entry = 1.5\n",
        "[meaning]\nlowest = 2.0\n",
        "not toml",
    ],
)
def test_a_bad_file_is_refused_and_says_where(basedir: Path, text: str) -> None:
    own = basedir / "ranking.toml"
    own.write_text(text, "utf-8")
    with pytest.raises(BadInput) as caught:
        load_weights(SHIPPED, own)
    assert "ranking.toml" in str(caught.value.what)
