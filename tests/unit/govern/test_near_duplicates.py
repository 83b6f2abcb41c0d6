from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.govern.near_duplicates import LONGEST, Difference, difference, says_the_same, surely_differ

PAIRS = tomllib.loads((Path(__file__).parents[2] / "data" / "near_duplicates.toml").read_text("utf-8"))


def _pairs(kind: str) -> list[tuple[str, str]]:
    return [(one, other) for name, pairs in PAIRS.items() if name.endswith(kind) for one, other in pairs]


@pytest.mark.parametrize(("one", "other"), _pairs("_not"))
def test_what_says_something_else_is_no_duplicate(one: str, other: str) -> None:
    assert difference(one, other) is not None
    assert difference(other, one) is not None


def test_there_are_enough_pairs_and_most_paraphrases_pass() -> None:
    same = _pairs("_same")
    assert len(same) + len(_pairs("_not")) >= 80
    kept = [pair for pair in same if difference(*pair) is None]
    assert len(kept) >= 0.7 * len(same), sorted(set(same) - set(kept))


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("We meet at 3.", "We meet at 4.", Difference.NUMBERS),
        ("三点见面", "四点见面", Difference.NUMBERS),
        ("Due on Monday", "Due on Friday", Difference.DAYS),
        ("It is here", "It isn't here", Difference.NEGATION),
        ("我喜欢茶", "我不喜欢茶", Difference.NEGATION),
        ("I accepted it", "I rejected it", Difference.OPPOSITES),
        ("The long trip report is by Anna Zhou now.", "By Ben Wu now is the long trip report.", Difference.NAMES),
        ("I prefer tea", "I prefer coffee", Difference.WORDS),
    ],
)
def test_it_says_what_differs(one: str, other: str, why: Difference) -> None:
    assert difference(one, other) is why


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("价格是一百二十元", "价格是120元"),
        ("１８：３０ 见", "18:30 见"),
        ("别人不错，差不多", "别人不错，差不多。"),
        ("He doesn't smoke", "He does not smoke"),
        ("二〇二五年", "2025年"),
    ],
)
def test_writing_is_no_difference(one: str, other: str) -> None:
    assert difference(one, other) is None


def test_likeness_alone_makes_no_duplicate_and_neither_do_words_alone() -> None:
    assert not says_the_same("I prefer tea", "I prefer coffee", 1.0, enough=0.92)
    assert not says_the_same("I prefer tea", "I do prefer tea", 0.91, enough=0.92)
    assert says_the_same("I prefer tea", "I do prefer tea", 0.92, enough=0.92)


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_is_the_same_both_ways_round(one: str, other: str) -> None:
    assert (difference(one, other) is None) == (difference(other, one) is None)
    assert difference(one, one) is None


@pytest.mark.parametrize("text", ["一" * 399, "a " * 199, "1" * 399, "不" * 399, "\ud800\x00\u202e" * 130])
def test_hostile_texts_end(text: str) -> None:
    difference(text, text[:-1] + "x")
    assert difference("a" * (LONGEST + 1), "b") is Difference.LENGTH


MIXED = """
the meeting meetings appointment is on Monday report reports rent due not don't 会议 周一 房租 到期 三 号 报告 A 5
"""
WORDS_TO_MIX = st.sampled_from(MIXED.split())


@given(st.lists(WORDS_TO_MIX, max_size=30), st.lists(WORDS_TO_MIX, max_size=4), st.integers(0, 30))
def test_a_first_look_never_parts_what_says_the_same(words: list[str], others: list[str], at: int) -> None:
    one, other = " ".join(words), " ".join([*words[:at], *others, *words[at + 1 :]])
    for first, second in ((one, other), (other, one), (one, " ".join(others))):
        if surely_differ(first, second):
            assert difference(first, second) is not None


def test_a_first_look_parts_what_has_little_in_common() -> None:
    assert surely_differ("The rent for the flat is due on Friday.", "Anna plays chess with Bob every Monday evening.")
    assert surely_differ("房租每月三号之前要交给房东先生", "安娜昨天晚上在公园里跑步听音乐")
    assert not surely_differ("The rent is due on Friday.", "The rent is due on Friday!")
