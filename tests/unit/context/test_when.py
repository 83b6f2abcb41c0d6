"""Expressions of time in two languages, read in the person's zone (G3.2, X9.3)."""

from __future__ import annotations

import contextlib
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.when import find_when, read_when
from app.domain.errors import BadInput

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")
MONDAY = datetime(2025, 5, 12, 9, 30, tzinfo=SHANGHAI)

DAYS = [
    ("today", "2025-05-12"),
    ("tomorrow", "2025-05-13"),
    ("the day after tomorrow", "2025-05-14"),
    ("yesterday", "2025-05-11"),
    ("on Wednesday", "2025-05-14"),
    ("wed", "2025-05-14"),
    ("monday", "2025-05-12"),
    ("this Friday", "2025-05-16"),
    ("next wednesday", "2025-05-21"),
    ("last friday", "2025-05-09"),
    ("in 3 days", "2025-05-15"),
    ("in two weeks", "2025-05-26"),
    ("in a month", "2025-06-12"),
    ("3 days ago", "2025-05-09"),
    ("14 May", "2025-05-14"),
    ("May 14th, 2026", "2026-05-14"),
    ("14th of May 2025", "2025-05-14"),
    ("23 November", "2025-11-23"),
    ("2025-05-14", "2025-05-14"),
    ("2025/5/14", "2025-05-14"),
    ("14.5.2025", "2025-05-14"),
    ("5/14", "2025-05-14"),
    ("14/5", "2025-05-14"),
    ("今天", "2025-05-12"),
    ("明天", "2025-05-13"),
    ("后天", "2025-05-14"),
    ("大后天", "2025-05-15"),
    ("昨天", "2025-05-11"),
    ("周三", "2025-05-14"),
    ("星期天", "2025-05-18"),
    ("下周三", "2025-05-21"),
    ("下下周一", "2025-05-26"),
    ("上周五", "2025-05-09"),
    ("5月14日", "2025-05-14"),
    ("五月十四号", "2025-05-14"),
    ("2025年5月14日", "2025-05-14"),
    ("明年1月3日", "2026-01-03"),
    ("14号", "2025-05-14"),
    ("下个月3号", "2025-06-03"),
    ("三天后", "2025-05-15"),
    ("两周后", "2025-05-26"),
    ("5天前", "2025-05-07"),
]
SPANS = [
    ("this week", "2025-05-12", 7),
    ("next week", "2025-05-19", 7),
    ("this weekend", "2025-05-17", 2),
    ("the weekend", "2025-05-17", 2),
    ("last month", "2025-04-01", 30),
    ("next month", "2025-06-01", 30),
    ("this year", "2025-01-01", 365),
    ("May 2025", "2025-05-01", 31),
    ("in March", "2025-03-01", 31),
    ("March", "2025-03-01", 31),
    ("2025-02", "2025-02-01", 28),
    ("the next 3 days", "2025-05-12", 3),
    ("last 2 weeks", "2025-04-28", 14),
    ("Monday to Friday", "2025-05-12", 5),
    ("from 1 May to 5 May", "2025-05-01", 5),
    ("本周", "2025-05-12", 7),
    ("这个星期", "2025-05-12", 7),
    ("下周", "2025-05-19", 7),
    ("周末", "2025-05-17", 2),
    ("下个月", "2025-06-01", 30),
    ("2025年5月", "2025-05-01", 31),
    ("五月", "2025-05-01", 31),
    ("今年", "2025-01-01", 365),
    ("未来一周", "2025-05-12", 7),
    ("10天内", "2025-05-12", 10),
    ("周一到周五", "2025-05-12", 5),
    ("下周的安排", "2025-05-19", 7),
]


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_days(text: str, day: str) -> None:
    span = read_when(text, MONDAY)
    assert span.start == datetime.fromisoformat(day).replace(tzinfo=SHANGHAI)
    assert span.end - span.start == timedelta(days=1)


@pytest.mark.parametrize(("text", "day", "length"), SPANS)
def test_spans(text: str, day: str, length: int) -> None:
    span = read_when(text, MONDAY)
    assert span.start.date() == date.fromisoformat(day)
    assert (span.end.date() - span.start.date()).days == length


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("tonight", (18, 0)),
        ("tomorrow morning", (0, 12)),
        ("明天下午", (12, 18)),
        ("今晚", (18, 0)),
        ("friday evening", (18, 0)),
    ],
)
def test_parts_of_a_day(text: str, hours: tuple[int, int]) -> None:
    span = read_when(text, MONDAY)
    assert (span.start.hour, span.end.hour) == hours
    assert span.end > span.start


@pytest.mark.parametrize(
    "text",
    [
        "",
        "whenever",
        "31 February",
        "2月30日",
        "5/6",
        "foo tomorrow",
        "99号",
        "soon",
        "改天",
        "0001-01-01",
        "9999-12-31",
    ],
)
def test_what_is_not_understood_is_refused_with_examples(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_when(text, MONDAY)
    assert "下周三" in str(caught.value.next_step)


@pytest.mark.parametrize(
    ("text", "first", "end"),
    [
        ("tomorrow at 5 pm", "2025-05-13T17:00", "2025-05-13T18:00"),
        ("tomorrow from 3 to 5 pm", "2025-05-13T15:00", "2025-05-13T17:00"),
        ("by Friday", "2025-05-12T09:30", "2025-05-17"),
        ("before Friday", "2025-05-12T09:30", "2025-05-16"),
        ("since 1 May 2025", "2025-05-01", "2026-05-02"),
        ("the end of May 2025", "2025-05-21", "2025-06-01"),
        ("three years ago", "2022-01-01", "2023-01-01"),
        ("last summer", "2024-06-21", "2024-09-24"),
        ("Easter 2026", "2026-04-05", "2026-04-06"),
    ],
)
def test_times_deadlines_and_open_ends(text: str, first: str, end: str) -> None:
    span = read_when(text, MONDAY)
    assert (span.start, span.end) == tuple(datetime.fromisoformat(one).replace(tzinfo=SHANGHAI) for one in (first, end))


def test_the_tense_of_a_question_chooses_the_past_or_the_coming_one() -> None:
    past, coming = find_when("What did we say on Friday?", MONDAY), find_when("What will we do on Friday?", MONDAY)
    assert past is not None
    assert coming is not None
    assert (coming.span.start - past.span.start).days == 7


def test_a_day_of_daylight_saving_has_its_own_length() -> None:
    span = read_when("tomorrow", datetime(2025, 3, 29, 12, 0, tzinfo=BERLIN))
    assert span.end.timestamp() - span.start.timestamp() == 23 * 3600


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What do I have on Wednesday?", "on Wednesday"),
        ("Do I have time next Tuesday afternoon?", "next Tuesday afternoon"),
        ("我下周五下午有空吗", "下周五下午"),
        ("2025年5月有什么会", "2025年5月"),
        ("day after tomorrow and friday", "day after tomorrow"),
    ],
)
def test_found_inside_a_question(text: str, named: str) -> None:
    found = find_when(text, MONDAY)
    assert found is not None
    assert text[found.start : found.end] == named


@pytest.mark.parametrize("text", ["I may go", "第3号文件", "Mark said so", "The sun is out there 42", "monthly"])
def test_what_only_looks_like_a_time(text: str) -> None:
    assert find_when(text, MONDAY) is None


@given(
    text=st.sampled_from([text for text, *_ in (*DAYS, *SPANS)]),
    now=st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.sampled_from([SHANGHAI, BERLIN])),  # noqa: DTZ001
)
def test_every_span_is_whole_and_forward(text: str, now: datetime) -> None:
    try:
        span = read_when(text, now)
    except BadInput:
        return  # no such day in this month
    assert span.start < span.end
    assert span.start.tzinfo is now.tzinfo
    assert (span.start.hour, span.end.hour) == (0, 0)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(BadInput):
        read_when(text, MONDAY)
    find_when(text, MONDAY)


def test_a_very_long_text_is_refused_at_once_and_shown_in_short() -> None:
    with pytest.raises(BadInput) as refused:
        read_when("x" * 10_000_000, datetime(2025, 5, 14, 9, tzinfo=ZoneInfo("UTC")))
    assert len(str(refused.value)) < 300
