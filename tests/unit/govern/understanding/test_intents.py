"""What somebody says they, or a named person, will do (G2.7)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.govern.understanding.plans import Plan, find_plan
from app.inference.dates.reader import read_dates

NOW = datetime(2025, 5, 14, 9, tzinfo=UTC)


def plan_of(sentence: str) -> Plan | None:
    return find_plan(sentence, 0, len(sentence), list(read_dates(sentence, NOW)))


@pytest.mark.parametrize(
    ("sentence", "who", "title"),
    [
        ("I'll fly to Rome on Friday.", "me", "fly to Rome"),
        ("I'm flying to Rome on Friday for a wedding.", "me", "flying to Rome for a wedding"),
        ("On Friday I'll fly to Rome.", "me", "fly to Rome"),
        ("I'm going on Friday to Rome.", "me", "going to Rome"),
        ("I'll be out of office next week.", "me", "be out of office"),
        ("Anna is flying to Rome next Friday.", "Anna", "flying to Rome"),
        ("We're going to the Arlberg from 6 to 10 June, cabin is booked.", "", "going to the Arlberg"),
        ("Anna: I'll fly to Rome on Friday", "me", "fly to Rome"),
        ("我周五去罗马。", "me", "去罗马"),
        ("下周五我要飞罗马。", "me", "飞罗马"),
        ("我下周去上海出差", "me", "去上海出差"),
        ("安娜下周五去罗马。", "安娜", "去罗马"),
        ("周五去罗马", "me", "去罗马"),
        ("项目A暂定下周五上线。", "", "项目A上线"),
    ],
)
def test_whose_a_plan_is(sentence: str, who: str, title: str) -> None:
    plan = plan_of(sentence)
    assert plan is not None
    assert (plan.who, plan.title) == (who, title)


@pytest.mark.parametrize(
    "sentence",
    ["I won't go to Rome on Friday.", "Launch is moving to Friday.", "I was in Rome on Friday.", "我不在周五去罗马",
     "I'll be able to help on Friday.", "Will you fly to Rome on Friday?"],
)  # fmt: skip
def test_no_plan_of_anybody(sentence: str) -> None:
    plan = plan_of(sentence)
    assert plan is None or plan.who == ""
