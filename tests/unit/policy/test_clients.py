"""Names, grants and the pace of clients (G4.6, G8.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.clients import Grant, likeness
from app.domain.errors import BadInput
from app.domain.labels import Sensitivity
from app.policy.clients import (
    LONGEST_NAME,
    RESERVED,
    Pace,
    Volume,
    checked_grant,
    checked_name,
    name_for,
    shown_program,
)

_BIDI = "\u202a\u202e\u2066\u200f"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Desk", "Desk"),
        ("  My   agent ", "My agent"),
        ("我的助手", "我的助手"),
        ("a-b_c.(2)", "a-b_c.(2)"),
        ("e\u0301", "é"),
    ],
)
def test_a_good_name_gets_its_one_form(given, name):
    assert checked_name(given) == name


@given(st.text())
def test_a_name_is_good_or_refused(text):
    try:
        name = checked_name(text)
    except BadInput:
        return
    assert 0 < len(name) <= LONGEST_NAME
    assert name.isprintable()
    assert name.casefold() not in RESERVED
    assert checked_name(name) == name
    name.encode("utf-8")


@given(st.text(), st.sets(st.sampled_from(["Program", "Claude Desktop", "a", "A 2"])))
def test_a_program_gets_a_name_of_its_own_that_a_client_could_have(text, taken):
    name = name_for(text, taken)
    assert name.casefold() not in {one.casefold() for one in taken}
    assert checked_name(name) == name


def test_a_program_is_named_by_its_word():
    assert name_for("Claude Desktop", ()) == "Claude Desktop"
    assert name_for("claude desktop", {"Claude Desktop", "Claude Desktop 2"}) == "claude desktop 3"
    assert name_for(f"{_BIDI}Editor\0\x1b[31m", ()) == "Editor 31m"
    assert name_for("通义灵码", ()) == "通义灵码"
    assert name_for("owner", ()) == "Program"
    assert name_for("", {"Program"}) == "Program 2"
    assert len(name_for("x" * 10_000_000, ())) < LONGEST_NAME


@pytest.mark.parametrize("unseen", ["\u034f", "\u3164", "\ufe0f", "\u1160", "\U000e0100", "\u115f", "\u200b", "\u00ad"])
def test_no_name_looks_like_another_one_by_what_nobody_sees(unseen):
    with pytest.raises(BadInput):
        checked_name(f"Desk{unseen}")
    with pytest.raises(BadInput):
        checked_name(f"{unseen}Desk")
    assert name_for(f"owner{unseen}", ()) == "Program"
    assert name_for(f"Desk{unseen}", {"Desk"}) == "Desk 2"


@pytest.mark.parametrize("name", ["ｏｗｎｅｒ", "Ｏwner", "ＵＮＫＮＯＷＮ", "所有者"])
def test_a_name_with_a_meaning_is_refused_in_every_width(name):
    with pytest.raises(BadInput):
        checked_name(name)
    assert name_for(name, ()) == "Program"


def test_a_name_is_known_again_however_it_is_typed():
    assert likeness("Zoe\u0308  Ａgent") == likeness("zo\u00eb agent") == "zo\u00eb agent"
    assert likeness("Desk") != likeness("Desk 2")


@given(st.text())
def test_a_programs_word_can_be_shown(text):
    shown = shown_program(text + _BIDI)
    assert len(shown) <= 100
    assert shown.isprintable()


def test_a_grant_gets_its_one_form():
    grant = checked_grant(Grant(frozenset({" work ", "my  home"}), Sensitivity.CONFIDENTIAL, expires_in_days=None))
    assert grant.scopes == {"work", "my home"}
    with pytest.raises(BadInput):
        checked_grant(Grant(frozenset({"a"}), 7))


def test_the_pace_is_that_of_the_last_minute():
    pace = Pace()
    assert [pace.take(2, second) for second in (0.0, 10.0)] == [None, None]
    assert pace.take(2, 20.0) == 40.0
    assert pace.take(2, 60.0) is None
    assert pace.take(2, 60.0) == 10.0
    assert pace.take(1, 60.0) == 60.0
    assert pace.take(3, 60.0) is None


@given(st.integers(1, 5), st.lists(st.floats(0, 30), max_size=60))
def test_no_minute_has_more_than_was_granted(limit, gaps):
    pace, now_s, taken = Pace(), 0.0, []
    for gap in gaps:
        now_s += gap
        wait_s = pace.take(limit, now_s)
        if wait_s is None:
            taken.append(now_s)
        else:
            assert 0 < wait_s <= 60.0
            assert Pace.take(pace, limit, now_s) is not None
    assert all(sum(start <= moment < start + 60 for moment in taken) <= limit for start in taken)


def test_the_volume_is_that_of_the_last_day():
    volume = Volume()
    volume.add(3, 0.0)
    volume.add(2, 30.0)
    volume.add(5, 90.0)
    volume.add(-5, 90.0)
    volume.add(0, 200.0)
    assert volume.held(86_429.0) == 5
    assert volume.held(86_430.0) == 0
    volume.add(4, 90_000.0)
    assert volume.held(90_000.0) == 4


@given(st.lists(st.tuples(st.floats(0, 3_000), st.integers(0, 50))))
def test_a_volume_is_never_less_than_what_was_got(parts):
    volume, now_s, got = Volume(), 0.0, []
    for wait_s, count in parts:
        now_s += wait_s
        volume.add(count, now_s)
        got.append((now_s, count))
        exact = sum(one for at_s, one in got if now_s - at_s < 86_400)
        assert exact <= volume.held(now_s) <= sum(one for at_s, one in got if now_s - at_s < 86_460)
