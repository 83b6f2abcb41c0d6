"""By which words facts are named, in both languages (L6.3)."""

from __future__ import annotations

import re

import pytest

from app.context.fact_words import fact_words
from app.store.fact_lookup import FACT_PREDICATES

NAMED = {
    "address": ["lives_in"],
    "Home  Address": ["lives_in"],
    "lives_in": ["lives_in"],
    "lives in": ["lives_in"],
    "地址": ["lives_in"],
    "手机号": ["phone"],
    "e-mail": ["email"],
    "邮箱": ["email"],
    "work": ["works_at"],
    "公司": ["works_at"],
    "职位": ["role"],
    "contact": ["phone", "email"],
    "联系方式": ["phone", "email"],
    "shoe size": [],
    "": [],
    "a" * 10_000_000: [],
}


@pytest.mark.parametrize(("word", "expected"), NAMED.items())
def test_a_word_for_a_fact(word: str, expected: list[str]) -> None:
    assert fact_words().predicates_of(word) == expected


def test_a_fact_has_words_in_both_languages() -> None:
    words = fact_words()
    assert re.fullmatch(r"facts-\d+", words.version)
    assert set(words.words) == set(FACT_PREDICATES)
    for name, known in words.words.items():
        assert any(one.isascii() for one in known), name
        assert any(not one.isascii() for one in known), name


@pytest.mark.parametrize("text", ["me", "My", " I ", "我", "本人", "我的"])
def test_the_person_by_a_word(text: str) -> None:
    assert fact_words().is_me(text)
    assert not fact_words().is_me(f"{text} and Bob")
