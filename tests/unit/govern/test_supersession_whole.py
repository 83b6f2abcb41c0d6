"""What is read of an entry as a whole, and when one entry ends another (G2.6, G4.4)."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.govern.supersession.aiming import completes
from app.govern.supersession.gist import Gist, keys_of, names_of, values_of, weekdays_of
from app.govern.supersession.pairing import common
from app.govern.supersession.said import Kind, Said
from app.govern.supersession.sentences import prepare
from app.govern.supersession.turn_cues import turn_rules
from app.govern.supersession.turns import _tells
from app.inference.dates.reader import read_dates

WRITTEN = datetime(2026, 10, 20, 9, tzinfo=timezone(timedelta(hours=8)))


def _tell(text: str, sort: str) -> bool:
    return _tells(prepare(text, 0, read_dates(text, WRITTEN), WRITTEN), sort)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("So no singing on Thursday I'm afraid.", "off"),
        ("Lisbon is off, got a voucher.", "off"),
        ("We will not make it to lunch.", "off"),
        ("咱们散了吧。", "off"),
        ("成都去不成了，机票已退。", "off"),
        ("Your sofa will now reach you on 12 November.", "shift"),
        ("评审会往后挪到下午三点哈", "shift"),
        ("Please find the report attached.", "done"),
        ("选题报告总算交上去了。", "done"),
        ("I have changed banks.", "value"),
        ("工行那张卡注销了。", "value"),
    ],
)
def test_a_sentence_tells_of_a_change(text: str, sort: str) -> None:
    assert _tell(text, sort)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("Is the dinner cancelled?", "off"),
        ("If it rains the picnic is cancelled.", "off"),
        ("The lady reckons the move is called off.", "off"),
        ("Last year it was called off.", "off"),
        ("The Cancelled Flight is a fine film.", "off"),
        ("要是下雨就取消。", "off"),
        ("听说婚礼取消了。", "off"),
        ("Painted the left third of the fence.", "done"),
        ('The cellar is "all tidied up".', "done"),
        ("还了一本，剩下两本还没看完。", "done"),
    ],
)
def test_or_it_does_not(text: str, sort: str) -> None:
    assert not _tell(text, sort)


def test_keys_are_what_a_text_is_about() -> None:
    assert keys_of("The Berlin trips are on") == ("berlin", "trip", "%trip")
    assert "%trip" in keys_of("柏林出差")
    assert set(keys_of("我们的书柜")) == {"书柜"}


def test_values_names_and_weekdays() -> None:
    assert values_of("call 0161 555 0134 or write a.b@c.example, code blue42") == (
        "a.b@c.example",
        "#01615550134",
        "blue42",
    )
    assert names_of("Posted the cards to Uncle Bert") == ("uncle", "bert")
    assert names_of("我是物业小马") == ("小马",)
    assert weekdays_of("Wednesdays, 周五") == ("@wed", "@fri")


def test_what_is_shared_is_weighed() -> None:
    assert common(("berlin", "%trip", "书柜", "x"), ("书柜", "berlin", "%trip")) == pytest.approx(2.2)


def test_sending_does_not_review() -> None:
    assert not completes(Said(Kind.COMPLETE, "", verb=("give",)), Said(Kind.TASK, "", verb=("check",)))


def test_a_gist_is_the_same_after_a_row() -> None:
    said = Said(Kind.GIST, "~", gist=Gist(("a",), "t", values=("42",), wholes=(True,), is_reply=True))
    assert Said.of_row("gist", "~", said.body()) == said


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    keys_of(text)
    names_of(text)
    values_of(text)
    for sort in ("off", "shift", "done", "value", "choice", "trouble"):
        _tell(text, sort)


@pytest.mark.parametrize("piece", ["not ", "take ", "不", "1 ", "a b ", "I ", "no x "])
def test_a_long_line_takes_no_longer(piece: str) -> None:
    text = piece * (10_000 // len(piece))
    for cues in (turn_rules().english, turn_rules().chinese):
        for pattern in cues.patterns.values():
            pattern.search(text)
    values_of(text)
    names_of(text)
