"""What may be quoted where structure knew nothing of a question whose form is known (G3.2)."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from app.context.structured.fitting import may_answer
from app.context.structured.forms import read_form
from tests.unit.context.test_quoting import passage

NOW = datetime(2025, 5, 14, 9, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
LONG = "Melanie: We are thinking about going camping next month, with the kids and the dogs and all. " * 4


def may(question: str, text: str, sentence: str = "") -> bool:
    asked = read_form(question, NOW)
    assert asked is not None, question
    return may_answer(asked, passage(text, title="Talk"), sentence or text, NOW)


@pytest.mark.parametrize("question", ["What is Melanie planning?", "What did Melanie say about camping?"])
def test_a_passage_has_to_name_who_is_asked_for_however_long_it_is(question: str) -> None:
    assert may(question, LONG)
    assert not may(question, LONG.replace("Melanie", "Caroline"))


def test_money_needs_a_number() -> None:
    assert may("How much do I owe Leo?", "Leo laid out 240 for the party, so everybody owes him 40.")
    assert not may("How much do I owe Leo?", "Leo had a party.")


def test_a_duty_has_to_be_said() -> None:
    text = "The edits look good to me. Ready to send. David Smith"
    assert not may("What do I owe David Smith?", text, "The edits look good to me.")
    assert may("What do I owe David Smith?", f"Please send the slides. {text}", "Please send the slides.")


def test_a_name_alone_says_nothing_of_who_that_is() -> None:
    assert not may("Who is Dr. Kaya?", "From December we open at 7:30. Dr. Kaya", "Dr. Kaya")
    assert may("Who is Dr. Kaya?", "Dr. Kaya is the vet of our dog.")


def test_who_somebody_is_to_another_has_to_be_said() -> None:
    assert not may("Who is Walter's wife?", "Our treasurer is Birgit, Walter having served for nine years.")
    assert may("Who is Walter's wife?", "Walter came with his wife Rosa.")


def test_a_debt_told_by_its_form_is_the_ledgers_and_no_quote() -> None:
    assert not may("Does Tom owe me anything?", "Tom: lovely kite. I still owe you 30 euros for my share.")
    assert not may("Tom欠我钱吗？", "Tom，我还欠你30块钱。")


def test_where_somebody_lives_is_a_place() -> None:
    assert not may("Where does Nuria Osei live?", "Nuria Osei, physiotherapist")
    assert not may("What is Nuria Osei's address?", "Gave Nuria Osei back her scores at last.")
    assert may("Where does Nuria Osei live?", "Nuria Osei is at home in Porto.")
    assert may("Where does Nuria Osei live?", "Nuria Osei moved to Porto.")
