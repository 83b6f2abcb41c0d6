"""What a question asks of somebody, and whether a text says it, in both languages (G3.2)."""

from __future__ import annotations

import pytest

from app.context.attributes import attributes_asked, kin_asked

SAID = [
    ("What is the rent of the studio?", "en", "We pay 640 euros rent for the studio.", True),
    ("What is the rent of the studio?", "en", "The studio is at 14 Mill Lane, second floor.", False),
    ("工作室的房租是多少？", "zh", "工作室租金每月640欧元。", True),
    ("工作室的房租是多少？", "zh", "工作室在磨坊路14号。", False),
    ("What is Nadia's phone number?", "en", "Nadia: 0176 555 01 44", True),
    ("What is Nadia's phone number?", "en", "Nadia moved on 24 December.", False),
    ("娜佳的电话是多少？", "zh", "娜佳的号码是13900001111。", True),
    ("娜佳的电话是多少？", "zh", "娜佳12月24日搬家。", False),
    ("How old is Tom?", "en", "Tom turned six in May.", True),
    ("What is the price of the tent?", "en", "It was 79 euros with poles.", True),
    ("What is the price of the tent?", "en", "We meet on 3 May at 14:00.", False),
    ("帐篷多少钱？", "zh", "帐篷连杆子一共七十九块。", True),
    ("帐篷多少钱？", "zh", "5月3日14点见。", False),
    ("Where does Tom live?", "en", "Tom moved into Elmstraße 9.", True),
    ("Where does Tom live?", "en", "Tom comes on 24 December.", False),
    ("妹妹对什么过敏？", "zh", "她吃花生会过敏。", True),
    ("What is she allergic to?", "en", "She likes peanuts.", False),
]


@pytest.mark.parametrize(("question", "language", "text", "expected"), SAID)
def test_whether_a_text_says_what_is_asked(question: str, language: str, text: str, expected: bool) -> None:
    attributes = attributes_asked(question, language)
    assert attributes
    assert all(one.is_in(text) for one in attributes) is expected


@pytest.mark.parametrize(
    ("question", "language"),
    [("Who wants the cost-cutting list?", "en"), ("What phone did she buy?", "en"), ("When is the rent due?", "en")],
)
def test_a_word_alone_asks_for_nothing(question: str, language: str) -> None:
    assert not attributes_asked(question, language)


def test_kin_has_to_be_named_as_kin_in_either_language() -> None:
    [[father]] = kin_asked("When is my father's operation?", "en")
    assert father.is_in("爸爸的手术在周五")
    assert not father.is_in("Mum's operation is on Friday")
    [[grandmother]] = kin_asked("外婆的手术是哪天？", "zh")
    assert not grandmother.is_in("外公的手术是5月3日")
    assert not grandmother.is_in("奶奶的手术是5月3日")
    assert {kin.name for kin in kin_asked("Where does grandma live?", "en")[0]} == {"mothers_mother", "fathers_mother"}


def test_kin_before_a_name_is_a_title() -> None:
    assert not kin_asked("When was Uncle Boris here?", "en")


@pytest.mark.parametrize("sign", ["a ", "的", "1 ", "Ab'", "\ud800", "\u202e", "\x00"])
def test_hostile_text_is_no_matter(sign: str) -> None:
    text = sign * 200_000
    for language in ("en", "zh"):
        for one in attributes_asked(f"What is the rent, the price, the phone number? 房租电话多少钱 {text}", language):
            one.is_in(text)
        kin_asked(text, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("What percent does the rent rise?", "en"),
        ("By what percentage did the salary go up?", "en"),
        ("Why is the fee so high?", "en"),
        ("When is the fee due?", "en"),
        ("房租涨百分之几？", "zh"),
        ("工资为什么少了？", "zh"),
        ("保费什么时候交？", "zh"),
    ],
)
def test_what_is_no_sum_is_asked_for_none(question: str, language: str) -> None:
    assert not any(one.form == "money" for one in attributes_asked(question, language))
