"""What a question wants beside its topic (G4.1)."""

from __future__ import annotations

import pytest

from app.context.wants import holds_what_is_wanted, is_of_other_turn, wants_day, wants_first, wants_value


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
    assert not holds_what_is_wanted("How many chairs can be bought?", "The club house has new chairs.")
    assert holds_what_is_wanted("How many chairs can be bought?", "There are still twelve chairs.")
    assert holds_what_is_wanted("有几个会？", "下周有三个会。")
    assert not holds_what_is_wanted("工资多少？", "工资已经发了。")
    assert holds_what_is_wanted("Where are the chairs?", "The club house has new chairs.")


def test_how_something_changed_is_told_by_numbers_or_a_change() -> None:
    assert not holds_what_is_wanted("How did my blood sugar change?", "The doctor is content.")
    assert holds_what_is_wanted("How did the plan change?", "The launch moved to Thursday.")
    assert holds_what_is_wanted("How did my weight change?", "体重 - 3月: 71.5; 9月: 69")
    assert not holds_what_is_wanted("我的血糖有什么变化？", "医生说不错。")
    assert holds_what_is_wanted("计划有什么变化？", "上线改到下周五。")


def test_who_is_answered_by_somebody() -> None:
    assert not holds_what_is_wanted("Who designs the icon?", "- The booking app goes live on 9 November")
    assert not holds_what_is_wanted("谁负责设计图标？", "- The booking app goes live on 9 November")
    assert holds_what_is_wanted("Who designs the icon?", "- The icon is made by Farid")
    assert holds_what_is_wanted("Who designs the icon?", "I do it.")
    assert holds_what_is_wanted("谁设计图标？", "图标由周岚设计")


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("When was the last tetanus shot?", "The next tetanus shot is due in May.", True),
        ("When was the last tetanus shot?", "Last tetanus shot in 2020, the next one in May.", False),
        ("When is the next service?", "The last service was in May.", True),
        ("上次保养是什么时候？", "下次保养是明年五月。", True),
        ("上次保养是什么时候？", "上次保养是五月，下次是明年。", False),
        ("What did we do last week?", "Next comes the roof.", False),
    ],
)
def test_the_next_time_is_not_the_last(question: str, sentence: str, expected: bool) -> None:
    assert is_of_other_turn(question, sentence) is expected


def test_what_would_be_paid_was_not_paid() -> None:
    assert not holds_what_is_wanted("How much did the kayak cost?", "I would take the red one for 900 euros.")
    assert holds_what_is_wanted("How much did the kayak cost?", "I paid 900 euros, though I wanted to wait.")
    assert not holds_what_is_wanted("皮艇花了多少钱？", "如果打折，我想买一艘900元的。")
    assert holds_what_is_wanted("皮艇花了多少钱？", "皮艇花了900元。")


def test_how_many_times_is_no_ordinal() -> None:
    assert not holds_what_is_wanted("理疗一共几次？", "第一次理疗在12月7日。")
    assert holds_what_is_wanted("理疗一共几次？", "理疗一共十次。")
