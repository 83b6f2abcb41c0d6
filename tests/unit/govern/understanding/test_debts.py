"""Debts of money in sentences, in English and Chinese (G2.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.govern.understanding.debts import find_debts, sum_of

OWED = [
    ("I owe you 40 euros for the tickets.", "me", "you", 40),
    ("Ben still owes me $25 for lunch", "Ben", "me", 25),
    ("Ben lent me 200 dollars last week.", "me", "Ben", 200),
    ("I borrowed 50 euros from Anna.", "me", "Anna", 50),
    ("Could you send me the 40 euros for the tickets?", "you", "me", 40),
    ("That makes 46 euros from you, whenever it suits.", "you", "me", 46),
    ("Your share of the hotel is 120 euros.", "you", "me", 120),
    ("I still owe you 30 euros, poke me if I forget.", "me", "you", 30),
    ("你还欠我两百块。", "you", "me", 200),
    ("上次电影票的钱我还欠你八十块。", "me", "you", 80),
    ("我向王五借了1000元", "me", "王五", 1000),
    ("张三借给我两千块", "me", "张三", 2000),
    ("我帮你垫了120元的打车费。", "you", "me", 120),
    ("我欠安娜两百", "me", "安娜", 200),
    ("我下周还你两百块", "me", "you", 200),
]
PAID = [
    ("I've paid Ben back the 40 euros.", "me", "Ben", 40),
    ("Ben paid me back yesterday.", "Ben", "me", None),
    ("I got the 40 euros from Ben.", "Ben", "me", 40),
    ("Thanks for paying me back!", "you", "me", None),
    ("We're even now.", "me", "you", None),
    ("张三还了我两百块。", "张三", "me", 200),
    ("我把欠李四的500块还了。", "me", "李四", 500),
    ("中午把音乐会票钱46欧转给Jonas了，他说收到。", "me", "Jonas", 46),
    ("钱收到了，谢谢！", "you", "me", None),
    ("先转你1000，这月手头紧", "me", "you", 1000),
    ("我们两清了", "me", "you", None),
]
NONE = [
    "I haven't paid Ben back yet.", "Do I owe you 40 euros?", "If you owe me 40 euros, fine.", "I owe you an apology",
    "I owe you one.", "Please send me the contract by 19 May 2025.", "The bank pays two percent.", "你还欠我钱吗？",
    "房租还没付", "我还给张三打了电话", "会议还在三楼", "还有别的事吗", "",
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "debtor", "creditor", "value"), OWED)
def test_a_debt(sentence: str, debtor: str, creditor: str, value: float) -> None:
    (debt,) = find_debts(sentence)
    assert (debt.debtor, debt.creditor, debt.is_settled) == (debtor, creditor, False)
    assert debt.amount is not None
    assert debt.amount.value == value


@pytest.mark.parametrize(("sentence", "debtor", "creditor", "value"), PAID)
def test_a_payment(sentence: str, debtor: str, creditor: str, value: float | None) -> None:
    (debt,) = find_debts(sentence)
    assert (debt.debtor, debt.creditor, debt.is_settled) == (debtor, creditor, True)
    assert (None if debt.amount is None else debt.amount.value) == value


@pytest.mark.parametrize("sentence", NONE)
def test_neither(sentence: str) -> None:
    assert not find_debts(sentence)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [("€35.50", 35.5, "EUR"), ("fifty euros", 50, "EUR"), ("a hundred and twenty dollars", 120, "USD"),
     ("1,200 CHF", 1200, "CHF"), ("两千三百块", 2300, "CNY"), ("3万元", 30_000, "CNY"), ("300", 300, "")],
)  # fmt: skip
def test_a_sum(text: str, value: float, currency: str) -> None:
    found = sum_of(text)
    assert (found.value, found.currency) == (value, currency)


@given(st.text(alphabet=st.sampled_from("I owe you 40 euros 我欠你块还了把\n.?"), max_size=300))
def test_any_text_is_read(text: str) -> None:
    for debt in find_debts(text):
        assert 0 <= debt.start < debt.end <= len(text)


@pytest.mark.parametrize(
    "sentence",
    [
        f"I owe you {'9' * 340} euros",
        f"{'9' * 340} euros arrived",
        f"I owe you €{'9' * 340}",
        f"我欠你{'9' * 340}块",
        f"{'9' * 340}块收到了",
        "一亿三千万块收到了",
        "I owe you 9e999 euros",
    ],
)
def test_no_sum_is_endless_or_the_end_of_a_longer_number(sentence: str) -> None:
    assert not [one for one in find_debts(sentence) if one.amount is not None and one.amount.value]


def test_some_thousands_are_no_sum() -> None:
    (debt,) = find_debts("我欠你几千块")
    assert debt.amount is not None
    assert debt.amount.value == 0
