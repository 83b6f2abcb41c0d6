"""Questions that structure answers, of a filled store, with what each answer cites (G3.2, L6.3, G4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.context.answers import EXTRACT, NOTHING, AnswerService
from app.context.stated import tasks_of
from app.domain.context_item import Viewer
from app.domain.labels import EntryKind
from app.policy.disclosure import visible_to
from app.runtime import clock
from tests.integration.context.structured_world import NOW, at, card, event, made, mail, tell, to_do

if TYPE_CHECKING:
    from app.domain.context_item import Answer
    from tests.integration.context.makers import World

WEI = ("Wei Chen", "wei@example.org")
ZHANG = ("张三", "zhangsan@example.com")
LI = ("Li Si", "lisi@example.com")
ANNA = ("Anna Weber", "anna@acme.example")
BOB = ("Bob Smith", "bob@acme.example")
CLIENT = Viewer("editor", frozenset({"personal"}), frozenset({"owner"}), 3)


def said(answer: Answer, route: str) -> str:
    """The answer, with its route and every citation proven to have its item."""
    text = str(answer.text)
    assert answer.route == route, text
    for place in range(1, len(answer.items) + 1):
        assert f"[{place}]" in text
    assert f"[{len(answer.items) + 1}]" not in text
    return text


async def test_decisions_the_newest_that_holds_first(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Budget", "Hi all,\n\nWe decided to cut the budget of Project A by ten percent.", at(2), ANNA, WEI),
        mail("Printers", "We decided to buy the printers from vendor B.", at(8), BOB, WEI),
        mail("Budget again", "We agreed to raise the budget of Project B.", at(9), BOB, WEI),
    )
    answer = await answers.ask("What did we decide about the budget?")
    first, second = said(answer, "decisions").splitlines()
    assert first == "Friday 9 May 2025: We agreed to raise the budget of Project B. [1]"
    assert second.startswith("Friday 2 May 2025: We decided to cut the budget of Project A")
    assert answer.items[1].title == "Budget"
    only = said(await answers.ask("what did we decide about Project A"), "decisions")
    assert "Project B" not in only
    assert "vendor B" in said(await answers.ask("我们决定了什么"), "decisions")
    assert (await answers.ask("What did we decide about Project C?")).route == NOTHING


async def test_a_decision_that_was_taken_back_says_so(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Vendor", "We decided to use Postgres for the archive.", at(2), ANNA, WEI),
        mail("Vendor again", "We decided against Postgres for the archive.", at(9), ANNA, WEI),
    )
    answer = await answers.ask("what did we decide about Postgres")
    text = said(answer, "decisions")
    stale = [line for line in text.splitlines() if line.startswith("No longer so")]
    assert len(stale) == 1
    assert "“Vendor again”" in stale[0]
    assert "Friday 2 May 2025: We decided to use Postgres" in stale[0]
    chinese = said(await answers.ask("关于Postgres我们决定了什么"), "decisions")
    assert "已不再有效" in chinese


async def test_who_owes_what_to_whom(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Contract", "Wei, please send me the contract by 19 May 2025.", at(10), ANNA, WEI),
        made(
            EntryKind.NOTE,
            "Launch minutes",
            "Anna Weber will send the slides by 20 May 2025.\n\n张三负责在5月16日前完成测试报告。",
            at(12),
        ),
        to_do("Pay the rent", at(10)),
        to_do("Buy milk", None),
    )
    mine = said(await answers.ask("what do I owe whom?"), "tasks")
    assert "send me the contract - due Monday 19 May 2025 - for Anna Weber" in mine
    assert "Buy milk" in mine
    assert "slides" not in mine
    assert said(await answers.ask("what do I owe Anna"), "tasks").count("\n") == 0
    assert said(await answers.ask("张三该做什么"), "tasks").startswith("张三: 完成测试报告 - 2025年5月16日 星期五 截止")
    hers = await answers.ask("what does Anna Weber have to do")
    assert said(hers, "tasks") == "Anna Weber: send the slides - due Tuesday 20 May 2025 [1]"
    assert hers.items[0].place.first_line == 1
    both = said(await answers.ask("who has to do what for the launch"), "tasks")
    assert "Anna Weber: send the slides" in both
    assert "张三: " in both
    waiting = said(await answers.ask("what am I waiting for"), "tasks")
    assert "slides" in waiting
    assert "contract" not in waiting
    assert said(await answers.ask("what is overdue"), "tasks").startswith("Pay the rent")
    assert "已逾期" in said(await answers.ask("有什么逾期的任务"), "tasks")


async def test_nothing_overdue_is_an_answer_where_there_are_tasks(empty: World, answers: AnswerService) -> None:
    assert (await answers.ask("what is overdue")).route == NOTHING
    await tell(empty, to_do("Renew the passport", at(30)))
    assert said(await answers.ask("what is overdue"), "tasks") == "Nothing is overdue."


async def test_the_last_contact_is_never_in_the_future(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Hello", "See you soon.", at(7), WEI, LI),
        mail("Re: Hello", "Yes.", at(8), LI, WEI),
        event("Lunch", at(6), people=(WEI, ZHANG)),
        event("Dinner", at(28), people=(WEI, ZHANG)),
        event("Gone", at(9), people=(WEI, ZHANG), is_canceled=True),
        event("Dentist", at(3), at(20)),
    )
    assert "“Hello” [1]" in said(await answers.ask("when did I last write to Li Si"), "people")
    assert "《Hello》" in said(await answers.ask("我上次什么时候给李四写邮件"), "people")
    assert "“Re: Hello”" in said(await answers.ask("when did Li Si last write to me"), "people")
    assert said(await answers.ask("when did I last meet 张三"), "people").startswith(
        "Tuesday 6 May 2025: event “Lunch”"
    )
    assert said(await answers.ask("when was my last dentist appointment"), "agenda").startswith("Saturday 3 May 2025")
    assert "I know of no meeting with Li Si" in said(await answers.ask("when did I last meet Li Si"), "people")
    assert "Dinner" in said(await answers.ask("when do I meet 张三"), "agenda")
    assert "Dinner" in said(await answers.ask("when is my next meeting"), "agenda")


async def test_the_last_talk_about_a_topic(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Budget", "The budget is tight.", at(2), ANNA, WEI),
        mail("Re: Budget", "Let us talk about the budget.", at(9), BOB, WEI),
        mail("Printers", "They came.", at(12), BOB, WEI),
    )
    text = said(await answers.ask("when did we last talk about the budget"), "people")
    assert text.splitlines()[0].startswith("Friday 9 May 2025: mail “Re: Budget”")
    assert "Printers" not in text


async def test_a_trip_that_was_called_off_is_said_to_be_off(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        event("Berlin trip", at(26), people=(ANNA, WEI)),
        event("Paris trip", at(27), people=(ANNA, WEI)),
        mail("Bad news", "The Berlin trip is cancelled.", at(12), ANNA, WEI),
    )
    answer = await answers.ask("When is the Berlin trip?")
    text = said(answer, "agenda")
    assert text.startswith("No longer so - Cancelled by")
    assert "“Bad news”" in text
    assert "Monday 26 May 2025 09:00 Berlin trip [1] [2]" in text
    assert [item.title for item in answer.items] == ["Berlin trip", "Bad news"]
    assert answer.items[0].stale_reason is not None
    assert "Tuesday 27 May 2025" in said(await answers.ask("When is the Paris trip?"), "agenda")


async def test_a_plan_that_a_note_states_is_called_off(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        made(EntryKind.NOTE, "Evening", "Dinner with Ann on 22 May 2025 at 7pm.", at(10)),
        made(EntryKind.NOTE, "Change", "Dinner with Ann is cancelled.", at(12)),
    )
    answer = await answers.ask("when is the dinner with Ann")
    text = said(answer, "agenda")
    assert text.startswith("No longer so - Cancelled by")
    assert text.endswith("Dinner with Ann on 22 May 2025 at 7pm. [1] [2]")
    assert [item.title for item in answer.items] == ["Evening", "Change"]


async def test_what_was_put_on_again_elsewhere_is_not_said_to_be_off(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        made(EntryKind.NOTE, "Evening", "Dinner with Ann on 22 May 2025 at 7pm.", at(10)),
        made(EntryKind.NOTE, "Change", "Dinner with Ann is cancelled.", at(12)),
        mail("Again", "Remember that the dinner with Ann needs a table.", at(13), BOB, WEI),
    )
    assert (await answers.ask("when is the dinner with Ann")).route != "agenda"


async def test_a_mail_that_names_another_day_is_told_too(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        event("Family reunion", at(26), people=(ANNA, WEI)),
        mail(
            "Re: Family reunion", "Hi Wei,\n\nThe reunion will be at grandma's house on 28 May 2025.", at(12), BOB, WEI
        ),
        mail("Re: Family reunion", "The reunion is on 26 May 2025, isn't it.", at(13), ANNA, WEI),
        mail("Trip", "The trip is on 29 May 2025.", at(13), ANNA, WEI),
    )
    lines = said(await answers.ask("when is the family reunion"), "agenda").splitlines()
    assert lines[0].startswith("Monday 26 May 2025")
    assert len(lines) == 2
    assert lines[1].startswith("But “Re: Family reunion” names Wednesday 28 May 2025: The reunion will be")


async def test_the_list_behind_a_task_is_given(empty: World, answers: AnswerService) -> None:
    text = "Please do the following by 20 May 2025:\n- 1. Read the plan.\n- 2. Send me the scores."
    await tell(empty, mail("To do", text, at(12), BOB, WEI))
    assert "Read the plan. - 2. Send me the scores." in said(await answers.ask("what do I owe Bob"), "tasks")


async def test_what_somebody_said_is_quoted_from_their_own_words(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Hiking trip", "Hi Wei,\n\nLet us meet for the hiking trip at the trailhead at 8.", at(9), BOB, WEI),
        mail("Re: Hiking trip", "A hiking trip sounds perfect to me!", at(10), WEI, BOB),
        mail("Budget", "The budget is tight this year.", at(11), BOB, WEI),
    )
    text = said(await answers.ask("What did Bob say about the hiking trip?"), "people")
    assert text == "Friday 9 May 2025: Let us meet for the hiking trip at the trailhead at 8. [1]"
    assert "budget" in said(await answers.ask("what did Bob say"), "people")
    assert "sounds perfect" in said(await answers.ask("what did I say about the hiking trip"), "people")
    assert "Let us meet" in said(await answers.ask("Bob关于hiking trip说了什么"), "people")
    await tell(empty, mail("Other", "Nothing of the kind.", at(12), ("Bob Jones", "bob@other.example"), WEI))
    only = said(await answers.ask("what did Bob say about the hiking trip"), "people")
    assert only.startswith("Bob Smith, Friday 9 May 2025: Let us meet")
    assert "Several people are called Bob" in said(await answers.ask("what did Bob say"), "people")


async def test_what_changed_since_a_day(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        event("Berlin trip", at(26), people=(ANNA, WEI)),
        mail("Old", "Nothing new.", at(5), ANNA, WEI),
        mail("Bad news", "The Berlin trip is cancelled.", at(12), ANNA, WEI),
    )
    text = said(await answers.ask("What changed since Monday?"), "changes")
    assert text.splitlines()[0].startswith("Monday 12 May 2025: “Berlin trip” - Cancelled by")
    assert "mail “Bad news”" in text
    assert "Old" not in text
    assert "2025年5月12日 星期一：《Berlin trip》" in said(await answers.ask("周一以来有什么变化"), "changes")
    nothing = said(await answers.ask("what changed since yesterday"), "changes")
    assert nothing.startswith("I know of nothing that changed between Tuesday 13 May 2025")


async def test_who_somebody_is(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        card("Anna Weber", "anna@acme.example", phones=("+49 170 1234567",), organisation="Acme", role="CTO"),
        mail("Hello", "See you.", at(7), ANNA, WEI),
        made(EntryKind.NOTE, "Minutes", "Anna Weber will send the slides by 20 May 2025.", at(12)),
    )
    answer = await answers.ask("Who is Anna Weber?")
    text = said(answer, "people")
    for part in (
        "Anna Weber: CTO, Acme",
        "Phone: +49 170 1234567",
        "Addresses: anna@acme.example",
        "Last contact: Wednesday 7 May 2025, mail “Hello”",
        "Has to do: send the slides",
    ):
        assert part in text
    assert said(await answers.ask("who is Anna"), "people") == text
    assert said(await answers.ask("what is Anna's phone number"), "facts").startswith("+49 170 1234567")
    assert "Acme" in said(await answers.ask("where does Anna work"), "facts")
    assert (await answers.ask("who is the Queen of England")).route == NOTHING


async def test_a_name_of_several_people_gets_no_answer_but_a_list(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("One", "Hello.", at(7), ("Anna Weber", "anna@acme.example"), WEI),
        mail("Two", "Hello.", at(8), ("Anna Schmidt", "anna@other.example"), WEI),
    )
    for question in ("who is Anna", "what is Anna's email", "when did I last hear from Anna", "what does Anna owe me"):
        text = str((await answers.ask(question)).text)
        assert text.startswith("Several people are called Anna"), question
        assert "anna@acme.example" in text
        assert "anna@other.example" in text
    assert "有好几位叫Anna的人" in str((await answers.ask("Anna是谁")).text)
    assert "other.example" not in str((await answers.ask("who is Anna Weber")).text)


async def test_own_facts_are_looked_up(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        made(EntryKind.NOTE, "me", "I live in Hangzhou.", at(4)),
        mail("Number", "My new number is 555-0100-22.", at(5), BOB, WEI),
    )
    assert said(await answers.ask("what is my default address?"), "facts").startswith("Hangzhou (said on Sunday 4 May")
    assert said(await answers.ask("我的默认地址是什么"), "facts").startswith("Hangzhou")
    assert "555" in said(await answers.ask("Bob的电话是多少"), "facts")
    assert (await answers.ask("what is my phone number")).route in {NOTHING, EXTRACT}


async def test_meetings_are_counted(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        event("Team sync", at(21)),
        event("Dentist", at(20)),
        event("Party", at(22), is_canceled=True),
        event("Later", at(28)),
        to_do("Pay the rent", at(20)),
    )
    text = said(await answers.ask("How many meetings do I have next week?"), "agenda")
    assert text.splitlines()[0].endswith("meetings and events: 2.")
    assert "Party - canceled (canceled, and not counted)" in text
    assert "rent" not in text
    assert "共2个会议和活动" in said(await answers.ask("下周有几个会"), "agenda")


async def test_a_meeting_is_an_event_with_somebody_else(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        event("Team sync", at(21), people=(WEI, ANNA)),
        event("Yoga", at(20), people=(WEI,)),
        event("Report deadline", at(22), people=(WEI, ANNA)),
    )
    text = said(await answers.ask("How many meetings do I have next week?"), "agenda")
    assert text.splitlines()[0].endswith("meetings: 1.")
    assert text.splitlines()[1].endswith("Team sync [1]")
    assert text.count("(not counted)") == 2
    assert "meetings and events: 3" in said(await answers.ask("how many events are there next week"), "agenda")


async def test_what_no_longer_holds_is_quoted_last_and_labelled(empty: World, answers: AnswerService) -> None:
    await tell(empty, made(EntryKind.NOTE, "wifi", "The wifi password is blue-horse.", at(1), valid_to=at(5)))
    text = said(await answers.ask("what is the wifi password"), EXTRACT)
    assert text.startswith("No longer so - No longer valid since 2025-05-05")
    await tell(empty, made(EntryKind.NOTE, "wifi new", "The wifi password is red-cow.", at(6)))
    assert said(await answers.ask("what is the wifi password"), EXTRACT) == "The wifi password is red-cow. [1]"


QUESTIONS = (
    "what did we decide about the budget",
    "what do I owe whom",
    "what does Anna owe me",
    "who has to do what for the launch",
    "what am I waiting for",
    "what is overdue",
    "when did I last meet Anna",
    "when did I last write to Anna",
    "when did we last talk about the budget",
    "when is my next meeting",
    "when is the Berlin trip",
    "what changed since Monday",
    "who is Anna",
    "who am I",
    "what is Anna's phone number",
    "what is my address",
    "how many meetings do I have next week",
    "周一以来有什么变化",
    "张三是谁",
    "我欠谁什么",
)


def told(answer: Answer) -> tuple[object, ...]:
    """What an answer tells, without the store's own numbers."""
    items = [(item.title, item.content, item.stale_reason, item.place) for item in answer.items]
    agenda = [(item.title, item.start, item.reason, item.people) for item in answer.agenda]
    return str(answer.text), answer.route, items, agenda


async def test_a_client_is_answered_as_if_hidden_entries_did_not_exist(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Budget", "We decided to raise the budget.", at(2), ANNA, WEI),
        event("Berlin trip", at(26), people=(ANNA, WEI)),
        event("Team sync", at(21), people=(ANNA, WEI)),
        made(EntryKind.NOTE, "Launch minutes", "Anna Weber will send the slides by 20 May 2025.", at(12)),
        mail("Hello", "See you.", at(7), WEI, ANNA),
        made(EntryKind.NOTE, "me", "I live in Hangzhou.", at(4)),
    )
    before = [told(await answers.ask(question, CLIENT)) for question in QUESTIONS]
    await tell(
        empty,
        mail("Secret", "The Berlin trip is cancelled.", at(12), ANNA, WEI),
        mail("Secret budget", "We decided to cut the budget.", at(12), ANNA, WEI),
        mail("Secret hello", "My number is 555-0100-33.", at(13), ("Anna Weber", "anna@private.example"), WEI),
        event("Secret lunch", at(13), at(20), people=(ANNA, WEI, ZHANG)),
        made(
            EntryKind.NOTE, "Secret minutes", "Anna Weber must pay the ransom by 15 May 2025. I moved to Paris.", at(13)
        ),
        to_do("Secret launch to-do", at(10)),
        card("Anna Schmidt", "anna@other.example", phones=("+49 1",)),
        scope="private",
    )
    after = [told(await answers.ask(question, CLIENT)) for question in QUESTIONS]
    for question, one, other in zip(QUESTIONS, before, after, strict=True):
        assert one == other, question
    assert told(await answers.ask("who is Anna")) != after[QUESTIONS.index("who is Anna")]


@pytest.mark.parametrize("question", QUESTIONS)
async def test_an_empty_store_knows_nothing(answers: AnswerService, question: str) -> None:
    answer = await answers.ask(question)
    assert answer.items == ()
    assert answer.route in {NOTHING, "agenda", "changes"}


async def test_a_to_do_whose_list_names_a_day_alone_is_due_on_that_day(empty: World) -> None:
    midnight = at(10).replace(hour=0, minute=0)
    await tell(empty, to_do("Pay the rent", midnight), to_do("给妈妈打电话", at(10).replace(hour=9, minute=30)))
    with clock.use(NOW), empty.store.database.reader() as reader:
        found = tasks_of(reader, NOW, visible_to(Viewer()))
    assert [(one.title, one.is_all_day, one.start) for one in found] == [
        ("Pay the rent", True, midnight),
        ("给妈妈打电话", False, at(10).replace(hour=9, minute=30)),
    ]


@pytest.mark.parametrize(
    "question",
    [
        "who is \ud800",
        "who is a\0b",
        "what did we decide about \u202eabc\0",
        "when did I last write to " + "x" * 120,
        "what is \ufdfa\ufdfa's phone number",
        "who is p12",
        "who is p99999999999999999999",
        "what do I owe %_[a-z]*'\"; --",
        "when is the " + "nested " * 18,
        "what changed since 99999999",
        "how many meetings do I have on 1 January 9999",
        "what did we decide about " + "a" * 5_000_000,
        "张三\u200b是谁",
    ],
)
async def test_hostile_questions_are_answered_or_refused_at_once(
    empty: World, answers: AnswerService, question: str
) -> None:
    await tell(empty, mail("Hello", "See you.", at(7), ANNA, WEI))
    for viewer in (None, CLIENT):
        answer = await answers.ask(question, viewer)
        assert len(str(answer.text)) < 5000


async def test_what_is_to_come_was_not_the_last_time(empty: World, answers: AnswerService) -> None:
    await tell(empty, event("Dentist Dr. Lee", at(18, month=3)), event("Dentist Appointment", at(20)))
    answer = await answers.ask("When was my last dentist appointment?")
    assert said(answer, "agenda").startswith("Tuesday 18 March 2025: event “Dentist Dr. Lee”")
    await tell(empty, event("Eye doctor", at(22)), event("体检", at(23)))
    assert (await answers.ask("When was my last eye doctor appointment?")).route == NOTHING
    assert (await answers.ask("我上次体检是什么时候")).route == NOTHING


async def test_what_is_called_as_a_month_is_a_topic(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        mail("Walls", "We decided to paint the walls blue in project May.", at(2), ANNA, WEI),
        mail("Budget", "We decided on 2 May to cut the budget.", at(3), ANNA, WEI),
    )
    text = said(await answers.ask("What did we decide about May?"), "decisions")
    assert "walls" in text
    assert "budget" not in text
    assert said(await answers.ask("What did we decide in May?"), "decisions").count("\n") == 1
    changed = said(await answers.ask("What changed since 1 May about May?"), "changes")
    assert "Walls" in changed
    assert "Budget" not in changed


async def test_tasks_are_counted_whenever_they_are_due(empty: World, answers: AnswerService) -> None:
    await tell(empty, to_do("Pay the rent", at(10)), to_do("Buy milk", None), event("Lunch", at(15)))
    assert said(await answers.ask("How many tasks do I have?"), "tasks").startswith("Open tasks: 2.\nPay the rent")
    chinese = said(await answers.ask("我有几个任务没做完"), "tasks")
    assert chinese.startswith("共有2个未完成的任务。\nPay the rent")
    assert "Lunch" not in chinese


async def test_what_is_said_of_somebody_else_is_not_quoted(empty: World, answers: AnswerService) -> None:
    await tell(
        empty,
        made(EntryKind.NOTE, "books", "李四欠我一本书。", at(2)),
        made(EntryKind.NOTE, "me", "My phone number is +1 555 0100.", at(2)),
        made(EntryKind.NOTE, "party", "The party is for Rose Park.", at(2)),
    )
    assert "李四" not in str((await answers.ask("What does Bob owe me?")).text)
    assert "555" not in str((await answers.ask("What is Rose's phone number?")).text)


async def test_traditional_characters_ask_the_same(empty: World, answers: AnswerService) -> None:
    await tell(empty, mail("Printers", "We decided to buy the printers.", at(8), BOB, WEI), to_do("Rent", at(10)))
    assert "printers" in said(await answers.ask("我們決定了什麼？"), "decisions")
    assert "Rent" in said(await answers.ask("有什麼逾期的任務"), "tasks")
