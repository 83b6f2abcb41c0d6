from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import Damaged
from app.inference.building import CALIBRATION_RESOURCE
from app.inference.calibration import RELATED, Calibration, Points
from app.runtime.paths import resource

if TYPE_CHECKING:
    from pathlib import Path

_SHIPPED = Calibration.read(resource("models", CALIBRATION_RESOURCE))


def _unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


_MADE = Calibration(
    pairs={(query, passage): Points(0.0, 0.1, 0.3) for query in ("en", "zh") for passage in ("en", "zh")},
    query_means={"en": _unit(1, 0), "zh": _unit(0, 1)},
    passage_means={"en": _unit(1, 0) * np.float32(0.8), "zh": _unit(1, 1) * np.float32(0.8)},
    near_duplicate={"en": 0.9, "zh": 0.95},
    centring=0.5,
)


def test_a_score_runs_through_the_three_points() -> None:
    offset = 0.8  # the mean English question with the mean English passage
    scores = _MADE.score(np.array([0.7, 0.8, 0.85, 0.9, 1.0, 1.1, 1.2]), "en", "en")
    np.testing.assert_allclose(scores, [0, 0, 0.25, RELATED, 0.75, 1, 1], atol=1e-6)
    assert _MADE.offsets(_unit(1, 0))["en"] == pytest.approx(offset)


def test_centring_takes_half_of_the_mean_question_off() -> None:
    np.testing.assert_allclose(_MADE.centred(_unit(1, 0), "en"), [0.5, 0])
    np.testing.assert_allclose(_MADE.centred(_unit(1, 0), "zh"), [1, -0.5])


def test_the_centred_question_gives_its_offset() -> None:
    centred = _MADE.centred(_unit(1, 3), "en")
    offset = _MADE.offsets(centred)["zh"]
    score = _MADE.score(np.array([offset + 0.1]), "en", "zh", centred=centred)
    assert score[0] == pytest.approx(RELATED, abs=1e-5)


def test_subtracting_the_offset_equals_one_more_dimension() -> None:
    """The form for an index that cannot be searched language by language (module docstring)."""
    centred, passage = _MADE.centred(_unit(1, 2), "en"), _unit(3, 1)
    offset = _MADE.offsets(centred)["zh"]
    extended = float(np.append(centred, -offset) @ np.append(passage, 1))
    assert extended == pytest.approx(float(centred @ passage) - offset)


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
    assert _SHIPPED.near_duplicate["en"] > 0.9


@pytest.mark.parametrize("change", ["no json", "pairs", "means", "points", "order", "base64", "english"])
def test_a_broken_file_is_damage(change: str, tmp_path: Path) -> None:
    fields = json.loads(_SHIPPED.to_json())
    if change == "pairs":
        del fields["pairs"]["en>zh"]
    elif change == "means":
        del fields["query_means"]
    elif change == "points":
        fields["pairs"]["en>en"] = {"low": 0.1}
    elif change == "order":
        fields["pairs"]["en>en"] = {"low": 0.3, "related": 0.2, "high": 0.1}
    elif change == "base64":
        fields["passage_means"]["en"] = "***"
    elif change == "english":
        fields = {"pairs": {}, "query_means": {}, "passage_means": {}, "near_duplicate": {}}
    path = tmp_path / "calibration.json"
    path.write_text("{" if change == "no json" else json.dumps(fields), "utf-8")
    with pytest.raises(Damaged):
        Calibration.read(path)


def test_a_missing_file_is_damage(tmp_path: Path) -> None:
    with pytest.raises(Damaged):
        Calibration.read(tmp_path / "none.json")
