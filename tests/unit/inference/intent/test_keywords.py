"""Keywords in both languages (A5.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.inference.intent.keywords import keywords

GARDEN = (
    "The garden plan for the cottage: Karl suggests a new irrigation system. The irrigation system costs 400 euros, "
    "and Karl will order it next week. The cottage roof must be repaired before the irrigation system comes."
)
GARDEN_ZH = "我们讨论了花园改造计划。花园改造的预算是四万元，老王负责灌溉系统。灌溉系统下周订购，屋顶维修之后再安排。"


def terms(text: str, limit: int = 8) -> list[str]:
    return [keyword.text for keyword in keywords(text, limit)]


def test_english() -> None:
    found = terms(GARDEN, 4)
    assert "irrigation system" in found
    assert "Karl" in found
    assert "cottage" in found
    assert not {"the", "will", "next", "system"} & set(found)


def test_chinese() -> None:
    found = terms(GARDEN_ZH, 3)
    assert found[:2] == ["花园改造", "灌溉系统"]
    assert "园改" not in terms(GARDEN_ZH)


def test_chinese_terms_end_where_tokens_end() -> None:
    text = "明天讨论人工智能预算"
    words = ["明天", "讨论", "人工智能", "预算"]
    ends = [sum(map(len, words[: place + 1])) for place in range(len(words))]
    found = [keyword.text for keyword in keywords(text, ends=lambda stretch: ends if stretch == text else [])]
    assert "预算" in found
    assert not {"工智", "能预", "论人"} & set(found)


def test_both_languages_in_one_text() -> None:
    found = terms("给 Karl 发合同，合同要经 Miller GmbH 审核。Karl 周五签合同。")
    assert {"Karl", "合同"} <= set(found)


@pytest.mark.parametrize("text", ["", "!!!", "the and of", "的了是", "1 2 3"])
def test_nothing_to_say(text: str) -> None:
    assert keywords(text) == []


@pytest.mark.parametrize(
    "text", ["a" * 10_000_000, "词" * 1_000_000, "ab " * 500_000, "\ud800\x00" * 1_000, "(" * 5_000]
)
def test_huge_and_strange_texts(text: str) -> None:
    assert len(keywords(text)) <= 8


@given(st.text(max_size=300), st.integers(1, 10))
def test_terms_stand_in_the_text_and_fall(text: str, limit: int) -> None:
    found = keywords(text, limit)
    assert len(found) <= limit
    assert [keyword.score for keyword in found] == sorted((keyword.score for keyword in found), reverse=True)
    for keyword in found:
        assert keyword.text.split()[0] in text
