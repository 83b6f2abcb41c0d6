"""Another thing of the kind asked for is no answer (G3.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.context.qualified import is_of_another
from tests.unit.context.test_quoting import passage

if TYPE_CHECKING:
    from app.store.reading import Passage

ANOTHER = [
    ("What is the premium of my car insurance?", "Your household insurance has been renewed: 94 euros."),
    ("When is Mum's operation?", "Your dad's operation is on 12 November."),
    ("What is the booking code of the Berlin trip?", "Rome trip: the code is X1."),
    ("妈妈的手术是哪天？", "你爸的手术定了，11月12号。"),
    ("地下室的门禁密码是多少？", "大门门禁密码今日起换成9264。"),
]
THE_SAME = [
    ("What is the premium of my car insurance?", "The car insurance costs 94 euros."),
    ("What is the premium of my car insurance?", "Insurance of the car: 94 euros."),
    ("What is the premium of my car insurance?", "The insurance costs 94 euros."),
    ("What is the annual fee?", "The yearly fee is 72 euros."),
    ("What is Ben's phone number?", "My mobile number is 555-0199."),
    ("What is the premium of my car insurance?", "家庭保险续保了，94欧元。"),
    ("爸爸的手术是哪天？", "你爸的手术定了，11月12号。"),
    ("周岚现在的手机号是多少？", "我换号了，新手机号在下面。"),
    ("我们决定买的自行车是哪辆？", "自行车选了蓝色的那辆。"),
    ("What sports activity does Evan do?", "My favourite activity is cycling."),
    ("How long ago was the 18th birthday?", "A friend made it for my 18th birthday."),
    ("", "Nothing."),
]


def passage_of(text: str) -> Passage:
    return replace(passage(text), language="en" if text.isascii() else "zh")


@pytest.mark.parametrize(("question", "text"), ANOTHER)
def test_another_thing_of_the_kind(question: str, text: str) -> None:
    assert is_of_another(question, passage_of(text), text)


@pytest.mark.parametrize(("question", "text"), THE_SAME)
def test_what_may_be_the_thing(question: str, text: str) -> None:
    assert not is_of_another(question, passage_of(text), text)


@pytest.mark.parametrize("sign", ["a ", "的", "我的", "Ab'", "\ud800", "\u202e"])
def test_hostile_text_is_no_matter(sign: str) -> None:
    assert not is_of_another(sign * 50_000, passage(sign * 50_000), sign * 50_000)
