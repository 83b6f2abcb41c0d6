"""Sentence borders in both languages (X9.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.govern.sentences import split_sentences

PIECES = st.sampled_from(
    ["Dr. ", "a", "。", "！", "\n", " ", ".", "?", "“", "”", "你好", "3.5", "e.g. ", "!", "…", ")"]
)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Hello there. Dr. Smith came at 3.5 p.m. today! Fine.", 3),
        ("今天开会。明天呢？好的！", 3),
        ("“真的吗？”他说……然后走了。", 3),
        ("one\ntwo\n\nthree", 3),
        ("What?! No.", 2),
        ("Version 2.0 has e.g. this.", 1),
        ("See http://x.org/?a=b!c for {0!r}.", 1),
        ("真的吗?当然!好", 3),
        ("张三交报告;李四发通知", 2),
        ("...", 1),
        ("", 0),
    ],
)
def test_borders(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count


@given(st.lists(PIECES).map("".join) | st.text())
def test_joined_again_they_are_the_text(text: str) -> None:
    sentences = split_sentences(text)
    assert "".join(sentences) == text
    assert all(sentences)


def test_a_long_row_of_initials_is_one_sentence_and_read_once() -> None:
    text = "a. " * 60_000
    assert split_sentences(text) == [text]
