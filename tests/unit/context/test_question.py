"""Questions and pasted conversations (X9.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.question import LONGEST_QUESTION, read_question
from app.domain.errors import BadInput

TALK = '<Anna>: "I lost my bike."\n<Assistant>: "Where did you see it last?"\n<Anna>: "At the station."'


def test_a_question_is_one_text() -> None:
    question = read_question("  Where is my bike? ")
    assert [(part.text, part.weight) for part in question.words] == [("Where is my bike?", 1.0)]
    assert question.meanings == question.words
    assert not question.is_talk
    assert question.language == "en"


def test_of_a_conversation_the_last_turn_counts_most() -> None:
    question = read_question(TALK)
    weights = {part.text: part.weight for part in question.words}
    assert question.is_talk
    assert weights["At the station."] > weights["I lost my bike."] > weights["Where did you see it last?"]
    assert weights["Anna"] == 1.0
    assert question.meanings[0].text == "Anna: I lost my bike. At the station."


def test_a_chinese_conversation() -> None:
    question = read_question("小明：我的自行车丢了。\n助手：在哪里丢的？\n小明：在火车站。")
    assert question.is_talk
    assert question.language == "zh"
    assert question.meanings[-1].text == "在火车站。"


@pytest.mark.parametrize(
    "text", ["Note: buy milk", "Re: lunch?", "地址：中山路5号", "What is <b>: bold?", "Assistant: hello"]
)
def test_a_colon_alone_is_no_conversation(text: str) -> None:
    assert not read_question(text).is_talk


@pytest.mark.parametrize("text", ["", "   ", "?!", "——"])
def test_an_empty_question_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_question(text)


@given(st.text(min_size=1, max_size=300))
def test_any_text_is_taken_apart_or_refused(text: str) -> None:
    try:
        question = read_question(text)
    except BadInput:
        return
    assert question.words
    assert question.meanings
    assert all(0 < part.weight <= 1 and part.text.strip() for part in (*question.words, *question.meanings))


def test_a_huge_question_is_cut() -> None:
    assert len(read_question("word " * LONGEST_QUESTION).text) == LONGEST_QUESTION
