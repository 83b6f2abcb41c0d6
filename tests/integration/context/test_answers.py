"""Answers: exact from structure, quoted from entries, or honestly none (G3.2, X9.3)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from app.context.answers import AGENDA, EXTRACT, NOTHING, AnswerService
from app.domain.context_item import Viewer
from app.domain.entries import EventFacts, Occurrence, PersonRef, TaskFacts
from app.domain.errors import BadInput
from app.domain.intents import IntentPart, IntentReading
from app.domain.labels import EntryKind, Status
from tests.unit.govern.makers import entry, paragraph
from tests.unit.store.makers import source_info

if TYPE_CHECKING:
    from datetime import datetime

    from app.domain.context_item import Answer
    from app.domain.entries import Entry
    from tests.integration.context.makers import World


def note(name: str, text: str, **changes: object) -> Entry:
    blocks = [paragraph(part) for part in text.split("\n\n")]
    return entry(blocks, native_id=name, title=name, source_id="notes", source_uri=f"file:///{name}", **changes)


def event(title: str, *starts: datetime, location: str = "", is_canceled: bool = False) -> Entry:
    occurrences = tuple(
        Occurrence(start, start + timedelta(hours=1), is_all_day=False, is_canceled=is_canceled) for start in starts
    )
    return entry(
        (),
        native_id=title,
        title=title,
        kind=EntryKind.EVENT,
        source_id="notes",
        source_uri=f"ics:{title}",
        content_hash=title,
        event_time=starts[0],
        event=EventFacts(location, occurrences, is_recurring=len(starts) > 1),
    )


@pytest.fixture
def answers(empty: World) -> AnswerService:
    return AnswerService(empty.store, empty.lanes, empty.context)


def said(answer: Answer) -> str:
    """The answer, with every citation proven to have its item."""
    text = str(answer.text)
    for place in range(1, len(answer.items) + 1):
        assert f"[{place}]" in text
    assert f"[{len(answer.items) + 1}]" not in text
    assert not answer.left_device
    return text


async def test_a_day_is_answered_from_structure(empty: World, answers: AnswerService, now: datetime) -> None:
    wednesday = now + timedelta(days=2)
    await empty.add(event("Dentist", wednesday, location="Main St 5"), event("Gym", now + timedelta(days=3)))
    answer = await answers.ask("What do I have on Wednesday?")
    assert answer.route == AGENDA
    assert said(answer) == "Wednesday 14 May 2025: 1 planned.\n09:30-10:30 Dentist (Main St 5) [1]"
    assert [item.title for item in answer.agenda] == ["Dentist"]
    chinese = await answers.ask("周三我有什么安排")
    assert said(chinese).startswith("2025年5月14日 星期三：共1项安排。\n09:30-10:30 Dentist")


async def test_a_task_is_due(empty: World, answers: AnswerService, now: datetime) -> None:
    due = TaskFacts(Status.ACTIVE, due_at=now + timedelta(days=1))
    await empty.add(note("Tax return", "Send it.", kind=EntryKind.TASK, task=due))
    assert "due 09:30 Tax return [1]" in said(await answers.ask("which tasks are due tomorrow?"))


async def test_an_empty_day_is_said_to_be_empty(empty: World, answers: AnswerService) -> None:
    answer = await answers.ask("What do I have on Sunday?")
    assert (answer.route, str(answer.text)) == (AGENDA, "Nothing is planned for Sunday 18 May 2025.")
    assert answer.items == ()


async def test_when_something_is(empty: World, answers: AnswerService, now: datetime) -> None:
    past, coming = now - timedelta(days=30), now + timedelta(days=8)
    await empty.add(event("Dentist appointment", past, coming), event("Gym", now + timedelta(days=1)))
    answer = await answers.ask("When is the dentist?")
    assert said(answer) == "Tuesday 20 May 2025 09:30-10:30 Dentist appointment [1]"
    assert answer.agenda[0].start == coming


async def test_a_canceled_event_is_labelled(empty: World, answers: AnswerService, now: datetime) -> None:
    await empty.add(event("Dentist", now + timedelta(days=1), is_canceled=True))
    assert "Dentist - canceled [1]" in said(await answers.ask("When is the dentist?"))


async def test_a_passage_is_quoted_with_its_source(empty: World, answers: AnswerService) -> None:
    await empty.add(
        note("wifi", "The office is in Berlin.\n\nThe wifi password is blue-horse-42. Guests have their own network."),
        note("menu", "Soup of the day: tomato."),
    )
    answer = await answers.ask("what is the wifi password")
    assert answer.route == EXTRACT
    assert said(answer) == "The wifi password is blue-horse-42. [1]"
    assert [item.title for item in answer.items] == ["wifi"]


async def test_nothing_is_found_and_said_in_the_language_of_the_question(empty: World, answers: AnswerService) -> None:
    await empty.add(note("menu", "Soup of the day: tomato."))
    answer = await answers.ask("What is the capital of Australia?")
    assert (answer.route, answer.items) == (NOTHING, ())
    assert str(answer.text) == "I found nothing about this in your entries."
    chinese = await answers.ask("我的护照什么时候到期？")
    assert (chinese.route, str(chinese.text)) == (NOTHING, "在你的资料里没有找到相关内容。")


async def test_a_passage_about_something_else_is_no_answer(empty: World, answers: AnswerService) -> None:
    await empty.add(note("diary", "The wifi was slow on Monday."), note("menu", "The soup was hot on Monday."))
    assert (await answers.ask("what is the wifi password of the hotel")).route == NOTHING
    await empty.add(note("办公室", "办公室在三楼。"))
    assert (await answers.ask("办公室的无线密码是什么")).route == NOTHING


async def test_of_many_sentences_the_one_that_answers_is_quoted(empty: World, answers: AnswerService) -> None:
    chatter = " ".join(f"Sentence number {number} says nothing at all." for number in range(20))
    await empty.add(note("long", f"{chatter} The wifi password is blue-horse-42. {chatter}"))
    assert "blue-horse-42" in said(await answers.ask("what is the wifi password"))


async def test_a_question_for_a_time_tells_the_day_of_the_entry(
    empty: World, answers: AnswerService, now: datetime
) -> None:
    await empty.add(note("diary", "Yesterday I bought the red bicycle.", event_time=now - timedelta(days=40)))
    answer = await answers.ask("when was the red bicycle bought")
    assert said(answer) == "Yesterday I bought the red bicycle. (Wednesday 2 April 2025) [1]"


async def test_what_stands_in_two_entries_is_quoted_once(empty: World, answers: AnswerService) -> None:
    fact = "The wifi password is blue-horse-42."
    await empty.add(note("a", f"{fact} Ask Bo."), note("b", f"{fact} Ask Anna."))
    assert said(await answers.ask("wifi password")).count(fact) == 1


async def test_a_client_gets_no_answer_from_what_it_may_not_see(
    empty: World, answers: AnswerService, now: datetime
) -> None:
    await empty.add(note("wifi", "The wifi password is blue-horse-42."), event("Dentist", now + timedelta(days=1)))
    client = Viewer(name="editor", scopes=frozenset({"work"}), acls=frozenset({"owner"}), ceiling=3)
    for question in ("wifi password", "When is the dentist?"):
        assert (await answers.ask(question, client)).route == NOTHING
    empty_day = await answers.ask("what do I have tomorrow", client)
    assert (empty_day.agenda, empty_day.items) == ((), ())


async def test_braces_in_an_entry_are_only_text(empty: World, answers: AnswerService) -> None:
    await empty.add(note("code", "The template key is {user} and {0!r}."))
    assert "{user} and {0!r}" in said(await answers.ask("what is the template key"))


async def test_an_empty_question_is_refused(answers: AnswerService) -> None:
    with pytest.raises(BadInput):
        await answers.ask(" ")


def understood(intent: str, score: float, parts: int = 1) -> IntentReading:
    part = IntentPart(intent, score, True, 0, 1)
    return IntentReading(intent, score, True, (), (part,) * parts)


@pytest.mark.parametrize(
    ("reading", "route"),
    [
        (understood("agenda_query", 0.95), AGENDA),
        (understood("agenda_query", 0.6), NOTHING),
        (understood("agenda_query", 0.95, parts=2), NOTHING),
        (understood("recall", 0.99), NOTHING),
        (None, NOTHING),
    ],
)
@pytest.mark.parametrize("text", ["give me the low-down for tomorrow", "明天都有些啥"])
async def test_an_intent_tells_where_the_form_of_a_question_does_not(
    empty: World, now: datetime, reading: IntentReading | None, route: str, text: str
) -> None:
    async def read_intent(text: str) -> IntentReading | None:
        return reading

    await empty.add(event("Dentist", now + timedelta(days=1)))
    answers = AnswerService(empty.store, empty.lanes, empty.context, read_intent)
    assert (await answers.ask(text)).route == route


async def test_a_made_up_name_is_found_by_its_words(empty: World, answers: AnswerService) -> None:
    await empty.add(note("names", "bolandoone bolandotwo"), note("chairs", "The chairs were ordered by Tom on Monday."))
    answer = await answers.ask("bolandoone bolandotwo")
    assert (answer.route, said(answer)) == (EXTRACT, "bolandoone bolandotwo [1]")


async def test_a_mail_that_looks_like_another_comes_last_and_with_a_warning(
    empty: World, answers: AnswerService, now: datetime
) -> None:
    def sent(name: str, text: str, address: str) -> Entry:
        return entry(
            [paragraph(text)],
            native_id=name,
            kind=EntryKind.MAIL,
            title="Your Acmebook code",
            source_id="mails",
            source_uri=f"test:///{name}",
            event_time=now,
            content_hash=name,
            people=(PersonRef("", address, "author"), PersonRef("", "wei@example.org", "recipient")),
        )

    await empty.add(
        sent(
            "false",
            "Your Acmebook code is to be typed in at http://acmebook.example/code 1.",
            "acmebook-com@mails.example",
        ),
        sent("real", "Your Acmebook code is 463820.", "security@acmebook.com"),
        source=source_info("mails"),
    )
    answer = await answers.ask("What is my Acmebook code?")
    first, second = str(answer.text).splitlines()
    assert "463820" in first
    assert "careful" not in first
    assert "careful: of the same title, but from acmebook-com@mails.example" in second
    assert [item.source_uri for item in answer.items] == ["test:///real", "test:///false"]
