from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.question import read_question
from app.context.speakers import label_of, stands_in, without


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Anna: hello", "Anna"),
        ("  Anna Maria : hello", "Anna Maria"),
        ("小红：你好", "小红"),
        ("Zoë: hi", "Zoë"),
        ("12:30 lunch", None),
        ("https://example.com", None),
        ("a line\nAnna: hello", None),
        ("no label at all", None),
        (": nothing", None),
        ("", None),
        ("x" * 60 + ": too long", None),
    ],
)
def test_who_says_a_passage(text: str, label: str | None) -> None:
    assert label_of(text) == label


@given(st.text(max_size=60))
def test_any_text_has_a_label_or_none(text: str) -> None:
    label = label_of(text)
    assert label is None or (label in text and label)


def test_a_name_is_a_whole_word_where_there_are_words() -> None:
    assert stands_in("Ann", "What did ann say?")
    assert not stands_in("Ann", "What did Anna say?")
    assert stands_in("小红", "昨天小红说了什么")


def test_names_are_taken_off() -> None:
    assert without(("Anna",), "Where did Anna's sister meet Anna?") == "Where did sister meet ?"
    assert without(("小红",), "小红买了什么？") == "买了什么？"
    assert without(("Anna",), "Anna?") == "Anna?"


def test_a_question_is_embedded_without_its_speakers_and_searched_by_words_with_them() -> None:
    question = read_question("When did Anna move?").about(("Anna",))
    assert [part.text for part in question.meanings] == ["When did move?"]
    assert [part.text for part in question.words] == ["When did Anna move?"]
    talk = read_question("<Anna>: hello\n<Assistant>: hi Anna\n<Anna>: bye")
    assert talk.about(("Anna",)) == talk
