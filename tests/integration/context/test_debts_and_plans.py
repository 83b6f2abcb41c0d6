"""Money that is owed, and what others plan: asked of a filled store, by the owner and by a program (G2.4, G2.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.context.answers import AnswerService
from app.context.stated import tasks_of
from app.domain.context_item import Viewer
from app.domain.labels import EntryKind
from app.policy.disclosure import visible_to
from tests.integration.context.structured_world import NOW, at, event, made, mail, tell

if TYPE_CHECKING:
    from tests.integration.context.makers import World

WEI = ("Wei Chen", "wei@example.org")
ANNA = ("Anna Weber", "anna@acme.example")
BEN = ("Ben Smith", "ben@acme.example")
CLIENT = Viewer("editor", frozenset({"personal"}), frozenset({"owner"}), 3)


async def test_who_owes_money_is_told_with_the_sum(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Tickets", "You owe me 40 euros for the tickets.", at(2), BEN, WEI),
        mail("Lunch", "I still owe you 12 euros for lunch.", at(3), ANNA, WEI),
        made(EntryKind.NOTE, "借钱", "我欠张三两百块。", at(4)),
    )
    mine = str((await answers.ask("What do I owe Ben?")).text)
    assert mine.startswith("You owe Ben Smith 40 euros: “You owe me 40 euros for the tickets.”")
    assert "12" not in mine
    for question in ("Who owes me money?", "谁欠我钱?", "How much does Anna owe me?", "安娜欠我钱吗"):
        text = str((await answers.ask(question)).text)
        assert ("12 euros" in text) is (question != "安娜欠我钱吗")
        assert "40" not in text
    assert "你欠张三两百块" in str((await answers.ask("我欠谁钱？")).text)
    assert (await answers.ask("How much do I owe Anna?")).route == "nothing"


async def test_what_was_paid_back_is_told_as_settled(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Tickets", "You owe me 40 euros for the tickets.", at(2), BEN, WEI),
        made(EntryKind.NOTE, "Saturday", "Paid Ben back the 40 euros.", at(6)),
        mail("Loan", "Ben, I'll pay you back the 100 euros in June.", at(3), WEI, BEN),
        mail("Re: Loan", "Got the 30 euros, thanks.", at(8), BEN, WEI),
    )
    answer = await answers.ask("Do I owe Ben any money?")
    open_one, settled = str(answer.text).splitlines()
    assert open_one.startswith("You owe Ben Smith the 100 euros") or "100 euros" in open_one
    assert "partly paid back, 70 EUR left" in open_one
    assert settled.startswith("Settled (Tuesday 6 May 2025): You owe Ben Smith 40 euros")
    assert {item.title for item in answer.items} == {"Tickets", "Saturday", "Loan", "Re: Loan"}


async def test_a_debt_said_twice_is_one(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Tickets", "You owe me 40 euros for the tickets.", at(2), BEN, WEI),
        mail("Re: Tickets", "I know, I owe you 40 euros.", at(3), WEI, BEN),
        mail("Beer", "And you owe me 15 euros for the beer.", at(4), BEN, WEI),
    )
    lines = str((await answers.ask("How much do I owe Ben?")).text).splitlines()
    assert len(lines) == 3
    assert lines[-1] == "Together: 55 EUR."


async def test_a_program_is_told_of_no_payment_that_it_may_not_see(empty: World, answers: AnswerService) -> None:
    await tell(empty, mail("Tickets", "You owe me 40 euros for the tickets.", at(2), BEN, WEI))
    before = await answers.ask("What do I owe Ben?", CLIENT)
    await tell(empty, made(EntryKind.NOTE, "Diary", "Paid Ben back the 40 euros.", at(6)), scope="private")
    after = await answers.ask("What do I owe Ben?", CLIENT)
    assert str(before.text) == str(after.text)
    assert str(before.text).startswith("You owe Ben Smith 40 euros")
    assert str((await answers.ask("What do I owe Ben?")).text).startswith("Settled")


async def test_plans_are_of_who_says_so(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("News", "I'll fly to Rome on Friday 23 May.", at(10), ANNA, WEI),
        made(EntryKind.NOTE, "安排", "王敏6月去上海出差。", at(10)),
        event("Standup", at(23, 10)),
    )
    for question in ("What is Anna planning?", "When is Anna flying to Rome?", "When does Anna fly to Rome?"):
        answer = await answers.ask(question)
        assert answer.route == "plans", question
        assert "Friday 23 May 2025: Anna Weber: fly to Rome" in str(answer.text)
        assert [item.title for item in answer.items] == ["News"]
    assert "去上海出差" in str((await answers.ask("王敏有什么计划？")).text)
    mine = str((await answers.ask("What do I have on 23 May?")).text)
    assert "Standup" in mine
    assert "Rome" not in mine
    assert (await answers.ask("What is Ben planning?")).route == "nothing"


async def test_a_debt_that_was_paid_back_is_no_open_task(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Tickets", "You owe me 40 euros for the tickets.", at(2), BEN, WEI),
        mail("Beer", "You owe me 15 euros for the beer.", at(2), BEN, WEI),
        made(EntryKind.NOTE, "Saturday", "Paid Ben back the 40 euros.", at(6)),
    )
    visible = visible_to(Viewer())
    with empty.store.database.reader() as reader:
        open_ones = tasks_of(reader, NOW, visible)
        paid = answers.structured.paid(reader, visible, NOW)
    assert [one.title for one in open_ones if one.item_id not in paid] == ["You owe me 15 euros for the beer"]
