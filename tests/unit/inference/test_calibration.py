from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Damaged
from app.inference.building import CALIBRATION_RESOURCE
from app.inference.calibration import NEAR_DUPLICATE, RELATED, Calibration, PassagePoints, Points
from app.runtime.paths import resource

if TYPE_CHECKING:
    from pathlib import Path

_SHIPPED = Calibration.read(resource("models", CALIBRATION_RESOURCE))


def _unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


_EVERY = [(one, other) for one in ("en", "zh") for other in ("en", "zh")]
_MADE = Calibration(
    pairs=dict.fromkeys(_EVERY, Points(0.0, 0.2, 0.6)),
    passage_pairs=dict.fromkeys(_EVERY, PassagePoints(0.0, 0.3, 0.8)),
    query_means={"en": _unit(1, 0) * np.float32(0.5), "zh": _unit(0, 1) * np.float32(0.5)},
    passage_means={"en": _unit(1, 0), "zh": _unit(0, 1)},
)


def test_a_score_runs_through_the_three_points() -> None:
    scores = _MADE.score(np.array([-0.5, 0.0, 0.1, 0.2, 0.4, 0.6, 0.9]), "en", "zh")
    np.testing.assert_allclose(scores, [0, 0, 0.25, RELATED, 0.75, 1, 1], atol=1e-6)


def test_a_meaning_is_what_questions_do_not_share() -> None:
    np.testing.assert_allclose(_MADE.meaning_of(_unit(0.5, 0.5), "zh"), _unit(0.7071, 0.2071), atol=1e-4)
    np.testing.assert_array_equal(_MADE.meaning_of(np.array([0.5, 0], np.float32), "en"), [0, 0])


@given(st.lists(st.floats(-3.2, 3.2), min_size=1, max_size=6))
def test_cosines_are_those_of_the_centred_vectors(angles: list[float]) -> None:
    passages = np.array([_unit(np.cos(angle), np.sin(angle)) for angle in angles])
    meaning = _unit(3, 1)
    found = _MADE.cosines(meaning, passages, "en")
    for passage, cosine in zip(passages, found, strict=True):
        off = passage - 0.8 * _unit(1, 0)
        assert cosine == pytest.approx(float(meaning @ off / np.linalg.norm(off)), abs=1e-4)


def test_alike_is_one_for_the_same_text_and_the_same_both_ways() -> None:
    one, other = _unit(1, 2), _unit(2, 1)
    assert _MADE.alike(one, "en", one[None], "en")[0] == pytest.approx(1, abs=1e-5)
    there, back = _MADE.alike(one, "en", other[None], "zh")[0], _MADE.alike(other, "zh", one[None], "en")[0]
    assert there == pytest.approx(back, abs=1e-5)


@pytest.mark.parametrize(
    ("language", "stands_for"), [("en", "en"), ("ZH", "zh"), ("zh-TW", "zh"), ("ja", "zh"), ("de", "en"), ("", "en")]
)
def test_an_unmeasured_language_takes_the_nearest(language: str, stands_for: str) -> None:
    assert _MADE.nearest(language) == stands_for


@given(
    st.lists(st.floats(-1, 1), min_size=2, max_size=20), st.sampled_from(["en", "zh"]), st.sampled_from(["en", "zh"])
)
def test_scores_keep_the_order_and_stay_in_0_to_1(cosines: list[float], query: str, passage: str) -> None:
    scores = _SHIPPED.score(np.sort(np.array(cosines)), query, passage)
    assert scores.dtype == np.float32
    assert np.all((scores >= 0) & (scores <= 1))
    assert np.all(np.diff(scores) >= 0)


def test_reads_what_it_wrote() -> None:
    again = Calibration.from_json(_SHIPPED.to_json())
    assert again.to_json() == _SHIPPED.to_json()
    assert again.pairs == _SHIPPED.pairs


def test_the_shipped_one_speaks_of_both_languages() -> None:
    assert set(_SHIPPED.passage_means) == {"en", "zh"}
    assert all(mean.shape == (384,) for mean in _SHIPPED.passage_means.values())
    assert RELATED < NEAR_DUPLICATE < 1


@pytest.mark.parametrize("change", ["no json", "pairs", "passages", "means", "points", "order", "base64", "english"])
def test_a_broken_file_is_damage(change: str, tmp_path: Path) -> None:
    fields = json.loads(_SHIPPED.to_json())
    if change == "pairs":
        del fields["pairs"]["en>zh"]
    elif change == "passages":
        fields["passage_pairs"]["en>en"]["near"] = 1.0
    elif change == "means":
        del fields["query_means"]
    elif change == "points":
        fields["pairs"]["en>en"] = {"low": 0.1}
    elif change == "order":
        fields["pairs"]["en>en"] = {"low": 0.3, "related": 0.2, "high": 0.1}
    elif change == "base64":
        fields["passage_means"]["en"] = "***"
    elif change == "english":
        fields = {"pairs": {}, "passage_pairs": {}, "query_means": {}, "passage_means": {}}
    path = tmp_path / "calibration.json"
    path.write_text("{" if change == "no json" else json.dumps(fields), "utf-8")
    with pytest.raises(Damaged):
        Calibration.read(path)


def test_a_missing_file_is_damage(tmp_path: Path) -> None:
    with pytest.raises(Damaged):
        Calibration.read(tmp_path / "none.json")
