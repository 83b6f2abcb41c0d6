"""The routing table from the command line (L3.3)."""

from __future__ import annotations

import pytest

from app.domain.errors import BadInput
from app.domain.intents import Guess, Intent, IntentPart, IntentReading, ModelTier, Slot, SlotKind
from app.domain.text import msg

TEA = Intent(
    "tea", "Makes tea.", acts=True, tier=ModelTier.SMALL, tools=("kettle.boil",), slots={"cup": SlotKind.TEXT},
    examples={"en": ("make tea", "tea please"), "zh": ("泡茶",), "other": ()}, own_examples=1,
)  # fmt: skip
READING = IntentReading(
    "tea", 0.91, False, (Guess("talk", 0.05),),
    (IntentPart("tea", 0.91, True, 0, 8, (Slot("cup", 5, 8),)), IntentPart("talk", 0.4, False, 13, 18)),
)  # fmt: skip


@pytest.fixture(autouse=True)
def table(api) -> None:
    api.answers |= {"intents": [TEA], "read_intent": READING, "add_intent_example": None}


def test_list(shell, api):
    said = shell("routes", "list")
    assert "tea  Makes tea." in said
    assert "3 examples, 1 of them yours · small, kettle.boil" in said
    assert shell.json("routes", "list")[0]["examples"]["zh"] == ["泡茶"]
    assert not api.asked("status"), "needs no open database"


def test_check(shell, api):
    assert "1 intent, 1 example of yours" in shell("routes", "check")
    assert shell.json("routes", "check") == {"intents": 1, "own_examples": 1}
    api.answers["intents"] = BadInput(msg("It stands twice."), next_step=msg("Mend it."))
    shell("routes", "check", expect=3)
    assert "It stands twice." in shell.err


def test_try(shell, api):
    said = shell("routes", "try", "make tea and hello")
    assert "0.91  tea  make tea" in said
    assert "cup: tea" in said
    assert "0.05  talk" in said
    assert "you are asked" in shell.err
    assert shell.json("routes", "try", "x")["parts"][0]["slots"] == [{"name": "cup", "start": 5, "end": 8}]
    assert api.asked("read_intent")[0][0] == ("make tea and hello",)


def test_add(shell, api):
    assert "“a cuppa” is an example of tea now." in shell("routes", "add", "tea", "a cuppa")
    assert shell.json("routes", "add", "--new", "walk", "a stroll") == {"intent": "walk", "example": "a stroll"}
    assert api.asked("add_intent_example") == [
        (("tea", "a cuppa"), {"is_new": False}),
        (("walk", "a stroll"), {"is_new": True}),
    ]
