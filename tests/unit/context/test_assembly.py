"""Cutting a passage to a budget of tokens, at the end of a sentence (G4.5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.assembly import cut_to
from app.inference.tokens import TokenCounter

COUNTER = TokenCounter()
ENGLISH = "The rent is due on Friday. Ask Anna for the new account. She knows it. Everything else can wait until May."
CHINESE = "房租周五到期。新账号问安娜。她知道。其他的事都可以等到五月再说，不着急。"


@pytest.mark.parametrize(
    ("text", "budget", "expected"),
    [
        (ENGLISH, 20, "The rent is due on Friday. Ask Anna for the new account. …"),
        (ENGLISH, 10, "The rent is due on Friday. …"),
        (ENGLISH, 1000, ENGLISH),
        (CHINESE, 12, "房租周五到期。新账号问安娜。 …"),
        (CHINESE, 100, CHINESE),
        ("", 5, ""),
        (ENGLISH, 0, ""),
        (ENGLISH, -4, ""),
    ],
)
def test_a_text_is_cut_at_a_sentence(text: str, budget: int, expected: str) -> None:
    assert cut_to(text, budget, COUNTER) == expected


def test_a_sentence_that_is_too_long_is_cut_at_a_word() -> None:
    text = "one two three four five six seven eight nine ten " * 20
    cut = cut_to(text.strip(), 12, COUNTER)
    assert cut.endswith(" …")
    assert set(cut[:-2].split()) <= set(text.split())


@given(st.text(max_size=600), st.integers(-5, 200))
def test_what_is_cut_keeps_the_budget_and_begins_alike(text: str, budget: int) -> None:
    cut = cut_to(text, budget, COUNTER)
    assert COUNTER.count(cut) <= max(budget, 0)
    if cut != text:
        assert not cut or (cut.endswith(" …") and text.startswith(cut[:-2]))


def test_long_and_hostile_texts_are_cut_soon() -> None:
    for text in ("x" * 1_000_000, "。" * 100_000, "a. " * 100_000, "\0\ud800" * 100_000):
        assert COUNTER.count(cut_to(text, 50, COUNTER)) <= 50


def test_a_text_without_punctuation_is_not_cut_to_its_heading() -> None:
    cut = cut_to("流水账\n\n" + "今天我们去了公园然后去了超市买了很多水果" * 100, 50, COUNTER)
    assert len(cut) > 30
    assert COUNTER.count(cut) <= 50
    assert not cut_to("👨\u200d👩\u200d👧" * 200, 13, COUNTER).removesuffix(" …").endswith("\u200d")
