"""A text without what a pattern needs holds no match of it: nothing that is left out would have been found (L5.3)."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.policy.redaction import bank, contacts, identity_numbers, needed, rules, secrets, terms
from app.policy.redaction.needed import may_match, searchable
from app.policy.redaction.rules import Rule, apply

RULES: list[Rule] = [
    one
    for module in (bank, contacts, identity_numbers, secrets, terms)
    for table in vars(module).values()
    if isinstance(table, tuple)
    for one in table
    if isinstance(one, Rule)
]
TOLD = (
    "Diagnosed with asthma, blood type: AB+, on the waiting list. ", "他被确诊为糖尿病，正在吃二甲双胍片，血压140/90。",
    "password: hunter2-Gold! ", "银行卡号 6222 0200 1234 5678 ", "IBAN GB82 WEST 1234 5698 7654 32 ", "我是一名护士，",
    "SSN 078-05-1120; ", "身份证号11010519491231002X。", "serial no: C02ABCD1EFGH ", "mail a (at) b dot com ",
    "年满 30，", "joined the Green Party ", "性别：女 ", "ſſn 078-05-1120 ", "ETHNİCİTY: x ",
)  # fmt: skip


def test_the_rules_are_there_and_most_of_them_need_something() -> None:
    known = [one for one in RULES if needed._needed(one.pattern.pattern, one.pattern.flags) is not None]
    assert len(RULES) > 90
    assert len(known) > 0.8 * len(RULES)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(TOLD), st.text(max_size=6)), max_size=5).map("".join), st.booleans())
def test_nothing_is_left_out_that_would_be_found(text: str, is_upper: bool) -> None:
    text = text.upper() if is_upper else text
    found = list(apply(RULES, text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "searchable", lambda _: None)
        assert list(apply(RULES, text)) == found


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_every_match_of_a_rule_has_what_the_rule_needs(data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(RULES))
    text = data.draw(st.from_regex(one.pattern))
    lowered = searchable(text)
    assert lowered is None or may_match(one.pattern, lowered)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc|[xy]", None), ("abc?", {"ab"}), ("(?:blood|heart) rate", {" rate"}),
        ("(?:糖尿|高血)病?", {"糖尿", "高血"}), (r"\b(?:if|in case)\s", {"if", "in case"}),
        (r"\d{2,4}(?:kg|斤)", {"kg", "斤"}), ("(?:ab)?c{0,3}", None), ("(?=ab)[a-z]{3}", None), ("größe", {"gr"}),
    ],
)  # fmt: skip
def test_what_a_pattern_needs(pattern: str, expected: set[str] | None) -> None:
    found = needed._needed(pattern, re.IGNORECASE)
    assert found == expected


def test_letters_that_only_case_makes_ascii_are_searched_in_full() -> None:
    letters = re.compile("[a-z]", re.IGNORECASE)
    odd = [chr(code) for code in range(128, sys.maxunicode + 1) if letters.fullmatch(chr(code))]
    assert odd
    assert all(searchable(f"x{sign}") is None for sign in odd)
