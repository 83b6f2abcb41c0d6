"""What a question wants beside its topic (G4.1)."""

from __future__ import annotations

import pytest

from app.context.wants import has_quantity, wants_day, wants_first, wants_value


@pytest.mark.parametrize("question", ["When is it?", "什么时候开会", "On what day is the party?"])
def test_a_day(question: str) -> None:
    assert wants_day(question)


@pytest.mark.parametrize("question", ["When was the launch originally planned?", "原来定哪天上线？"])
def test_what_was_first(question: str) -> None:
    assert wants_first(question)
    assert not wants_first("When is the launch?")


@pytest.mark.parametrize(
    "question",
    ["How much is the rent in March?", "What is the Wi-Fi password?", "房租多少钱", "How did my weight change?"],
)
def test_a_value(question: str) -> None:
    assert wants_value(question)
    assert not wants_value("Who is Anna?")


def test_how_many_is_answered_by_a_number() -> None:
    assert not has_quantity("How many chairs can be bought?", "The club house has new chairs.")
    assert has_quantity("How many chairs can be bought?", "There are still twelve chairs.")
    assert has_quantity("有几个会？", "下周有三个会。")
    assert not has_quantity("工资多少？", "工资已经发了。")
    assert has_quantity("Where are the chairs?", "The club house has new chairs.")
