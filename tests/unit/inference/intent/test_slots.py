"""Simple slots, as stretches of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.intents import SlotKind
from app.inference.intent.slots import slots_of

WANTED = {
    "title": SlotKind.TEXT, "person": SlotKind.PERSON, "list": SlotKind.LIST, "language": SlotKind.LANGUAGE,
    "when": SlotKind.WHEN, "query": SlotKind.TEXT,
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("please remind me to water the roses", "title", "water the roses"),
        ("note that the key is under the mat", "title", "the key is under the mat"),
        ("帮我记住我对花生过敏", "title", "我对花生过敏"),
        ("提醒我给小王打电话", "title", "给小王打电话"),
        ("send a mail to Karl Brandt about it", "person", "Karl Brandt"),
        ("what is Anna's number", "person", "Anna"),
        ("给小王发邮件", "person", "小王"),
        ("和李总开会", "person", "李总"),
        ("通知房东", "person", "房东"),
        ("add oil to my garage list", "list", "garage"),
        ("what is on the shopping list", "list", "shopping"),
        ("加到购物清单", "list", "购物"),
        ("translate this into German", "language", "German"),
        ("把这段翻译成西班牙语", "language", "西班牙语"),
        ("你好英语怎么说", "language", "英语"),
        ("你好英文怎么说", "language", "英文"),
        ("the weather is nice", "person", None),
        ("what did we decide", "query", None),
    ],
)
def test_slots(text: str, name: str, value: str | None) -> None:
    found = {slot.name: text[slot.start : slot.end] for slot in slots_of(text, 0, len(text), WANTED)}
    assert found.get(name) == value


def test_places_are_those_of_the_whole_text() -> None:
    text = "show my day, then remind me to call Ann"
    slot = next(slot for slot in slots_of(text, 18, len(text), {"title": SlotKind.TEXT}))
    assert text[slot.start : slot.end] == "call Ann"


@given(st.text(max_size=500), st.integers(0, 500), st.integers(0, 500))
def test_slots_lie_within_their_stretch(text: str, first: int, second: int) -> None:
    start, end = sorted((min(first, len(text)), min(second, len(text))))
    for slot in slots_of(text, start, end, WANTED):
        assert start <= slot.start < slot.end <= end
