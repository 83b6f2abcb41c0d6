"""With the real model: an answer is of whom it is asked and says what is asked, or there is none (G3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.context.answers import NOTHING, AnswerService
from app.inference.embedder import Embedder
from tests.integration.context.test_answers import note
from tests.model_pack import model_pack

if TYPE_CHECKING:
    from tests.integration.context.makers import World

ENTRIES = {
    "Fitness": "Membership at Riverside Fitness is 520 euros a year. The sauna opens at nine.",
    "Bicycle": "The lock code of my bicycle is 7306.",
    "Nadia": "Nadia wants to study medicine in Lund. Her next tetanus shot is due on 4 May.",
    "Studio": "The studio of Olek is at 14 Mill Lane, on the second floor.",
    "Kayaks": "We saw kayaks today. I would take the red one for 900 euros.",
    "阳台": "阳台的藤椅花了650元，是小区门口买的。",
    "外婆": "外婆的白内障手术定在5月20日，主刀的是罗主任。",
    "灯具": "| 东西 | 金额 |\n|---|---|\n| 台灯 | 230元 |\n| 地毯 | 还没定 |",
    "书法": "书法班每周三晚上七点，老师姓杭，一节课150元。",
}
ANSWERED = [
    ("How much is the membership of the gym?", "520"),
    ("健身房的会员费是多少？", "520"),
    ("What is the lock code of my bicycle?", "7306"),
    ("What does Nadia want to study?", "medicine"),
    ("When is Nadia's next tetanus shot?", "4 May"),
    ("藤椅花了多少钱？", "650"),
    ("外婆的手术是哪天？", "5月20日"),
    ("台灯多少钱？", "230"),
    ("书法班的老师姓什么？", "杭"),
]
UNANSWERABLE = [
    "How much is the membership of the tennis club?",
    "What is the lock code of the suitcase?",
    "What does Olek want to study?",
    "When was Nadia's last tetanus shot?",
    "How much rent does Olek pay?",
    "How much did the red kayak cost?",
    "What is Olek's phone number?",
    "外公的手术是哪天？",
    "地毯多少钱？",
    "钢琴班的老师姓什么？",
    "阳台的电话是多少？",
]


@pytest.fixture
async def answers(empty: World) -> AnswerService:
    await empty.add(*(note(name, text) for name, text in ENTRIES.items()))
    await empty.learn(Embedder(model_pack(), threads=1))
    return AnswerService(empty.store, empty.lanes, empty.context)


async def test_what_stands_there_is_answered(answers: AnswerService) -> None:
    for question, value in ANSWERED:
        assert value in str((await answers.ask(question)).text).splitlines()[0], question


async def test_what_is_anothers_or_something_else_is_no_answer(answers: AnswerService) -> None:
    for question in UNANSWERABLE:
        answer = await answers.ask(question)
        assert answer.route == NOTHING, f"{question} {answer.text}"
