"""How much of a question one sentence says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.closeness import Closeness

CLOSE = Closeness({"dentist": 3.0, "appoint": 2.0, "monday": 1.0})


@pytest.mark.parametrize(
    ("sentence", "share"),
    [
        ("My dentist appointment is on Monday", 1.0),
        ("The DENTIST's number", 0.5),
        ("disappointment on Monday", 1 / 6),
        ("nothing", 0.0),
    ],
)
def test_a_sentence(sentence: str, share: float) -> None:
    assert CLOSE.of_sentence(sentence) == pytest.approx(share)


def test_a_passage_counts_by_its_best_sentence() -> None:
    scattered = "The dentist is nice. An appointment was missed. Monday is free."
    together = "Nothing here. The dentist gave me an appointment on Monday."
    assert CLOSE.of_passage(scattered) == pytest.approx(0.5)
    assert CLOSE.of_passage(together) == pytest.approx(1.0)


def test_chinese_is_found_within_a_sentence() -> None:
    close = Closeness({"牙医": 2.0, "预约": 2.0})
    assert close.of_passage("今天天气好。我周三预约了牙医。") == pytest.approx(1.0)
    assert close.of_passage("牙医很好。预约取消了。") == pytest.approx(0.5)


def test_a_question_without_words_measures_nothing() -> None:
    assert Closeness({}).of_passage("anything") == 0.0


@given(st.text(max_size=200), st.dictionaries(st.text(min_size=1, max_size=4), st.floats(0.1, 9), max_size=12))
def test_a_share_is_a_share(text: str, weights: dict[str, float]) -> None:
    close = Closeness(weights)
    assert 0.0 <= close.of_passage(text) <= 1.0 + 1e-9
    assert 0.0 <= close.of_sentence(text) <= 1.0 + 1e-9
