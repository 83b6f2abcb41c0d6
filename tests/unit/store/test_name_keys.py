from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.name_keys import address_key, name_key, phone_key, preference


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("张 三", "张三"),
        ("張三", "张三"),
        ("  Zhang \t San ", "zhang san"),
        ("ＺＨＡＮＧ　ＳＡＮ", "zhang san"),
        ('"Weber, Anna"', "weber, anna"),
        ("Zhang\u202e San\u200b", "zhang san"),
        ("买买提·艾力", "买买提艾力"),
        ("x" * 200, ""),
        ("\ud800", ""),
        ("", ""),
    ],
)
def test_a_name_has_one_key_however_it_is_written(text: str, key: str) -> None:
    assert name_key(text) == key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("+86 138-0013-8000", "13800138000"),
        ("0049 170 1234567", "0170 1234567"),
        ("tel:+1-202-555-0147", "(202) 555-0147"),
        ("010-87654321", "+86 10 8765 4321"),
    ],
)
def test_a_number_is_the_same_with_its_country(one: str, other: str) -> None:
    assert phone_key(one) == phone_key(other) != ""


@pytest.mark.parametrize("text", ["12345", "Zhang San", "2025", "zs@example.com", "", "1" * 80])
def test_what_is_no_number(text: str) -> None:
    assert phone_key(text) == ""


def test_an_address_has_one_key() -> None:
    assert address_key(" mailto:ZS@Example.COM ") == "zs@example.com"


@given(st.text(max_size=200))
def test_keys_are_stable(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)
    assert address_key(address_key(text)) == address_key(text)
    phone_key(text)


def _spelled_out(text: str) -> str:
    """What is seen of a text, sign by sign."""
    unseen = {"Cc", "Cf", "Cs", "Co", "Cn"}
    composed = unicodedata.normalize("NFKC", text)
    signs = [sign for sign in composed if sign.isspace() or unicodedata.category(sign) not in unseen]
    return "".join(sign for sign in signs if not sign.isspace())


@given(st.one_of(st.text(max_size=30), st.text(st.characters(max_codepoint=127), max_size=30)))
def test_plain_ascii_has_the_key_that_it_has_sign_by_sign(text: str) -> None:
    spelled = unicodedata.normalize("NFKC", _spelled_out(text)[:320].casefold()).removeprefix("mailto:")
    assert address_key(text) == spelled
    assert "".join(name_key(f"{text}x").split()) == "".join(name_key(f"\u200b{text}x").split())


def test_the_best_of_several_names_is_shown() -> None:
    names = ["zs@example.com", "ZHANG SAN", "San (office)", "San", "Zhang, San", "Zhang San", "张三", "A" * 39]
    assert min(names, key=preference) == "Zhang San"
    assert max(names, key=preference) == "zs@example.com"
    assert preference("ZHANG SAN") < preference("San (office)"), "a shout before an aside"
