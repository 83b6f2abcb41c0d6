"""Calendar questions are told from others (G3.2)."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from app.context.calendar_questions import read_calendar_question

NOW = datetime(2025, 5, 12, 9, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("What do I have on Wednesday?", 14),
        ("what's on my calendar tomorrow?", 13),
        ("Do I have any meetings today?", 12),
        ("Am I free on Friday?", 16),
        ("which tasks are due this week?", 12),
        ("周三我有什么安排", 14),
        ("明天有什么会", 13),
        ("下周五我有空吗", 23),
        ("5月14日要做什么", 14),
        ("今天忙吗", 12),
    ],
)
def test_a_span_is_asked_for(text: str, day: int) -> None:
    asked = read_calendar_question(text, NOW)
    assert asked is not None
    assert asked.span is not None
    assert asked.span.start.day == day
    assert asked.has_named_time


@pytest.mark.parametrize("text", ["agenda", "my schedule", "我的日程", "what deadlines do I have"])
def test_without_a_time_the_coming_week_is_meant(text: str) -> None:
    asked = read_calendar_question(text, NOW)
    assert asked is not None
    assert asked.span is not None
    assert (asked.span.end - asked.span.start).days == 7
    assert not asked.has_named_time


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("When is the dentist?", "dentist"),
        ("when is my next dentist appointment", "dentist appointment"),
        ("What time is the team sync?", "team sync"),
        ("牙医是什么时候？", "牙医"),
        ("项目A什么时候上线", "项目A 上线"),
        ("下次体检是几号", "体检"),
    ],
)
def test_an_event_is_asked_for(text: str, event: str) -> None:
    asked = read_calendar_question(text, NOW)
    assert asked is not None
    assert asked.event == event


@pytest.mark.parametrize(
    "text",
    [
        "What did Bob say on Friday?",
        "What did we discuss about Project A?",
        "What is the wifi password?",
        "What events has Caroline participated in?",
        "张三的电话是多少",
        "会议纪要里说了什么",
        "我们讨论了什么",
        "我什么时候去过北京",
    ],
)
def test_other_questions_are_about_content(text: str) -> None:
    assert read_calendar_question(text, NOW) is None
