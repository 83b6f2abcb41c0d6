from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.clues import Clues, most_by_form, read_clues, weigh_form, weigh_times
from app.context.question import read_question
from app.context.ranking import ClueWeights

if TYPE_CHECKING:
    from collections.abc import Sequence

NOW = datetime(2024, 5, 14, 12, tzinfo=UTC)
ONE_EACH = ClueWeights(speaker=1.0, asks=1.0, says_when=1.0, in_time=1.0, order=1.0)


def _clues(text: str, speakers: tuple[str, ...] = ()) -> Clues:
    return read_clues(read_question(text).about(speakers), NOW)


@pytest.mark.parametrize(
    ("text", "asks_when", "order"),
    [
        ("When did the boiler break?", True, 0),
        ("Which year did we move?", True, 0),
        ("What is the latest offer?", False, 1),
        ("Where did we meet for the first time?", False, -1),
        ("锅炉是什么时候坏的？", True, 0),
        ("最近一次体检的结果", False, 1),
        ("我们第一次见面在哪里", False, -1),
        ("the first and the last one", False, 0),
        ("Where is the key?", False, 0),
    ],
)
def test_what_a_question_asks_for(text: str, asks_when: bool, order: int) -> None:
    clues = _clues(text)
    assert (clues.asks_when, clues.order) == (asks_when, order)


def test_a_named_time_is_read_with_its_year() -> None:
    span = _clues("Where did Anna travel in May 2022?").span
    assert span is not None
    assert (span.start.date().isoformat(), span.end.date().isoformat()) == ("2022-05-01", "2022-06-01")
    assert _clues("Where did Anna travel?").span is None


def test_only_one_speaker_counts() -> None:
    assert _clues("What did Anna buy?", ("Anna",)).speaker == "Anna"
    assert _clues("What did Anna tell Ben?", ("Anna", "Ben")).speaker is None


def test_a_conversation_gives_no_clues() -> None:
    talk = "<Anna>: when was it?\n<Assistant>: in May 2022.\n<Anna>: and the last one?"
    assert read_clues(read_question(talk), NOW) == Clues()


def by_form(texts: Sequence[str], clues: Clues, weights: ClueWeights = ONE_EACH) -> list[float]:
    return [weigh_form(text, clues, weights) for text in texts]


def test_who_says_it_counts_for_and_against() -> None:
    texts = ["Anna: I bought a bike.", "Ben: Anna, nice!", "a note about Anna", "安娜：我买了车", "anna : again"]
    assert by_form(texts, Clues(speaker="Anna")) == [1, -1, 0, -1, 1]


def test_asking_is_not_telling() -> None:
    texts = ["Anna: How are you?", "Anna: Fine. And you?", "I am fine.", "你好吗？", "很好。你呢？"]
    assert by_form(texts, Clues()) == [-1, -0.5, 0, -1, -0.5]
    assert not any(by_form(texts, Clues(wants_questions=True)))


def test_a_question_for_a_time_prefers_passages_that_name_one() -> None:
    texts = ["We moved last week.", "We moved.", "The Monday after.", "我们上周搬家了。", "我们搬家了。", "3月2日搬家"]
    assert by_form(texts, Clues(asks_when=True)) == [1, 0, 1, 1, 0, 1]


def test_a_named_time_prefers_what_is_from_it() -> None:
    clues = _clues("What did we plan in May 2022?")
    moments = np.array([datetime(2022, month, 31, tzinfo=UTC).timestamp() for month in (3, 5)] + [np.nan])
    assert weigh_times(moments, clues, ONE_EACH).tolist() == [0, 1, 0]


def test_last_and_first_order_by_time() -> None:
    moments = np.array([30.0, 10.0, np.nan, 20.0])
    assert weigh_times(moments, Clues(order=1), ONE_EACH).tolist() == [1, 0, 0, 0.5]
    assert weigh_times(moments, Clues(order=-1), ONE_EACH).tolist() == [0, 1, 0, 0.5]
    assert not weigh_times(np.full(4, 10.0), Clues(order=1), ONE_EACH).any()


@given(
    st.text(max_size=80),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["Anna", "小红", None]),
    st.tuples(*[st.floats(-1, 1)] * 3),
)
def test_a_form_adds_no_more_than_it_can(
    text: str, asks_when: bool, wants_questions: bool, speaker: str | None, of_each: tuple[float, float, float]
) -> None:
    weights = ClueWeights(speaker=of_each[0], asks=of_each[1], says_when=of_each[2])
    clues = Clues(speaker=speaker, asks_when=asks_when, wants_questions=wants_questions)
    for said in (text, f"Anna: {text}", f"小红：昨天{text}？"):
        assert weigh_form(said, clues, weights) <= most_by_form(clues, weights) + 1e-12
