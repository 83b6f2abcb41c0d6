"""Languages by script and function words (X9.3)."""

from __future__ import annotations

import pytest

from app.govern.language import UNKNOWN, detect, detect_question

ENGLISH = [
    "What do I have on Wednesday?",
    "Meeting with 张三 about the budget",
    "ok",
    "Q3 budget",
    "API v2",
    "milk, eggs, bread",
]
CHINESE = [
    "周三我有什么安排",
    "我们用 Kubernetes 部署到 production cluster",
    "和 Alice 的 meeting",
    "项目A",
    "東京的天氣怎麼樣",
]
OTHERS = [
    ("Das ist ein Test", "de"),
    ("Le chat est sur la table", "fr"),
    ("これはテストです", "ja"),
    ("Привет, как дела", "ru"),
    ("안녕하세요", "ko"),
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text: str) -> None:
    assert detect(text) == "en"
    assert detect_question(text) == "en"


@pytest.mark.parametrize("text", CHINESE)
def test_chinese(text: str) -> None:
    assert detect(text) == "zh"
    assert detect_question(text) == "zh"


@pytest.mark.parametrize(("text", "language"), OTHERS)
def test_other_languages(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize("text", ["", "123 - 5", "***"])
def test_nothing_tells(text: str) -> None:
    assert detect(text) == UNKNOWN


def test_a_rarer_language_is_told_by_its_small_words() -> None:
    assert detect("Zażółć gęślą jaźń, napisał wczoraj Łukasz; wszyscy śmiali się głośno") == "pl"


def test_latin_letters_that_nothing_tells_are_undetermined() -> None:
    assert detect("Łódź Kraków Gdańsk") == UNKNOWN
