"""When a text makes a rule that runs by itself, and when it does not (G2.6, G2.7)."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from app.govern.understanding.linking import Link
from app.govern.understanding.statements import Stated
from tests.unit.govern.understanding.reading import stated

_EXAMPLES = tomllib.loads(Path(__file__).with_name("armed_rules.toml").read_text("utf-8"))


def _title(found: Stated, link: Link) -> str:
    assert link.index is not None
    return found.statements[link.index].title


@pytest.mark.parametrize("row", _EXAMPLES["armed"], ids=lambda row: row["text"][:30])
def test_what_must_be_done_until_a_day_arms_a_rule(row: dict[str, str]) -> None:
    found = stated(row["text"])
    assert len(found.armings) == 1
    arming = found.armings[0]
    assert _title(found, arming.target) == row["target"]
    assert _title(found, arming.watched) == row["watched"]
    assert (arming.due_at - timedelta(microseconds=1)).date().isoformat() == row["day"]


@pytest.mark.parametrize("text", [*_EXAMPLES["not"]["en"], *_EXAMPLES["not"]["zh"]])
def test_what_only_sounds_like_it_arms_none(text: str) -> None:
    assert stated(text).armings == ()


def test_the_thing_is_called_as_the_condition_calls_it() -> None:
    english = stated("Mara must book the bus by Tuesday; if the bus is not booked, the picnic is cancelled.")
    chinese = stated("若周五前未收到付款，合同自动作废。")
    assert [one.armings[0].what for one in (english, chinese)] == ["the bus", "收到付款"]
