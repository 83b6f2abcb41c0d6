"""Whose, or of what, a question asks for something, in both languages (G3.2)."""

from __future__ import annotations

import pytest

from app.context.owners import is_open, is_said, read_owners, says_names, share_of

READ = [
    ("What is the code of the suitcase?", "en", (), ("suitcase",)),
    ("How much does the red kayak cost?", "en", (), ("red kayak",)),
    ("Who is the tutor of Nadia?", "en", (("nadia",),), ()),
    ("When do Nadia and Olek fly?", "en", (("nadia", "olek"),), ()),
    ("What are the results? Give me the value in Celsius.", "en", (), ()),
    ("What kind of music does she like?", "en", (), ()),
    ("How do people cope with life's challenges?", "en", (), ()),
    ("健身房的会员费是多少？", "zh", (), ("健身房",)),
    ("帐篷多少钱？", "zh", (), ("帐篷",)),
    ("明年的房租是多少？", "zh", (), ()),
    ("我们决定买的自行车是哪辆？", "zh", (), ()),
    ("Olek的房租是多少？", "zh", (("olek",),), ()),
]


@pytest.mark.parametrize(("question", "language", "names", "things"), READ)
def test_whose_it_is(question: str, language: str, names: tuple[tuple[str, ...], ...], things: tuple[str, ...]) -> None:
    owners = read_owners(question, language)
    assert owners.names == names
    assert owners.things == things


def test_what_of_theirs_is_asked_for() -> None:
    assert read_owners("When is Nadia's recital?", "en").whats == ("recital",)
    assert read_owners("How much is the membership of the gym?", "en").whats == ("membership",)
    assert read_owners("冰岛的机票多少钱？", "zh").whats == ("机票",)
    assert not read_owners("妈妈的生日是哪天？", "zh").whats


def test_whoever_is_named_has_to_be_named() -> None:
    owners = read_owners("How much rent does Nadia pay?", "en")
    assert says_names(owners, "Nadia pays 640 euros.", "en")
    assert not says_names(owners, "Rent is 640 euros.", "en")
    assert says_names(owners, "房租640欧元。", "zh")


def test_a_nickname_names_somebody() -> None:
    owners = read_owners("Where does William work?", "en")
    assert says_names(owners, "Bill works at the harbour.", "en")


def test_kin_has_to_be_named() -> None:
    owners = read_owners("外公的手术是哪天？", "zh")
    assert says_names(owners, "外公周五手术。", "zh")
    assert not says_names(owners, "外婆周五手术。", "zh")


SHARES = [
    ("suitcase", "The code of the suitcase is 114.", "en", True, False),
    ("suitcase", "The code of the bike is 114.", "en", False, True),
    ("flute lessons", "Guitar lessons are 30 euros.", "en", False, False),
    ("chess club", "Our club meets on Mondays.", "en", False, True),
    ("日语班", "日语班每周二上课。", "zh", True, False),
    ("小提琴课", "钢琴课每周六上课。", "zh", False, False),
    ("健身房", "游泳一次45元。", "zh", False, True),
    ("车", "车在车库。", "zh", True, False),
]


@pytest.mark.parametrize(("thing", "text", "language", "is_there", "is_left_open"), SHARES)
def test_how_much_of_a_name_is_said(thing: str, text: str, language: str, is_there: bool, is_left_open: bool) -> None:
    share = share_of(thing, text, language)
    assert is_said(share) is is_there
    assert is_open(share) is is_left_open


def test_the_rest_is_what_is_asked_of_somebody() -> None:
    assert read_owners("What does Nadia want to study?", "en").rest == "study"
    assert not read_owners("How much rent does Nadia pay?", "en").rest
    assert not read_owners("What is planned?", "en").rest


@pytest.mark.parametrize("sign", ["a ", "of the ", "的", "我的", "Ab's ", "\ud800", "\u202e", "\x00", "(", "“"])
def test_hostile_text_is_no_matter(sign: str) -> None:
    text = sign * 100_000
    for language in ("en", "zh"):
        owners = read_owners(text, language)
        says_names(owners, text, language)
        for thing in owners.things:
            share_of(thing, text, language)
