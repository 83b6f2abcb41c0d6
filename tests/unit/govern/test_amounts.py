"""Amounts of money (G2.4)."""

from __future__ import annotations

import pytest

from app.govern.amounts import find_amounts


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("The deposit is $1,200.50 and the fee 20 EUR.", ["$1,200.50", "20 EUR"]),
        ("They raised US$3m, then 1.2 million dollars.", ["US$3m", "1.2 million dollars"]),
        ("I owe you five and 30 bucks", ["30 bucks"]),
        ("首付30万元，尾款￥5,000，还差五百块钱", ["30万元", "￥5,000", "五百块钱"]),
        ("人民币1200元整", ["人民币1200"]),
        ("预算三千多元", ["三千多元"]),
        ("two pounds of apples, 5 m of rope, room 204", []),
        ("一块儿去，三元桥见，第一元素", []),
        ("version 1.2.3, 2025-05-10", []),
    ],
)
def test_amounts_are_found_and_other_numbers_are_not(text: str, amounts: list[str]) -> None:
    assert [text[span.start : span.end] for span in find_amounts(text)] == amounts


@pytest.mark.parametrize("text", ["1" * 100_000, "$" * 100_000, "1," * 50_000, "一" * 100_000, "$1," * 30_000])
def test_hostile_text_is_read_in_time(text: str) -> None:
    list(find_amounts(text))
