"""Times as people say them, in both languages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.text import msg
from app.ui import moments
from app.ui.wording import Wording
from tests.ui.demo_world import NOW, event


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=4), "4 min ago"),
        (timedelta(hours=3), "3 h ago"),
        (timedelta(hours=10), "yesterday"),
        (timedelta(days=4), "4 days ago"),
        (timedelta(days=13), "13 days ago"),
        (timedelta(days=14), "2 weeks ago"),
        (timedelta(days=90), "3 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(hours=-2), "today"),
        (timedelta(days=-1), "tomorrow"),
        (timedelta(days=-5), "in 5 days"),
        (timedelta(days=-30), "in 4 weeks"),
    ],
)
def test_age(passed, said):
    assert str(moments.age(NOW - passed, NOW)) == said


def test_days_are_those_of_the_persons_zone():
    last_evening_in_utc = (NOW - timedelta(hours=9, minutes=31)).astimezone(tz=None)
    assert str(moments.age(last_evening_in_utc, NOW)) == "yesterday"


@given(st.timedeltas(timedelta(days=-20_000), timedelta(days=20_000)))
def test_every_age_has_words_and_none_is_one_of_many(passed):
    said = str(moments.age(NOW - passed, NOW))
    assert said
    assert not said.startswith(("1 days", "1 weeks", "1 months", "1 years", "0 "))


def test_days_in_english(qapp):
    wording = Wording("en")
    assert moments.day_heading(date(2025, 5, 14), NOW.date(), wording) == "Today, Wednesday 14 May"
    assert moments.day_heading(date(2025, 5, 15), NOW.date(), wording) == "Tomorrow, Thursday 15 May"
    assert moments.day_heading(date(2025, 5, 16), NOW.date(), wording) == "Friday 16 May"


def test_days_in_chinese(qapp):
    assert moments.written_day(date(2025, 5, 14), Wording("zh_CN")) == "5月14日 星期三"


def test_times_within_a_sentence_of_the_core(qapp):
    reason = msg("Replaced by the version of {time} ({count})", time="2025-05-05T10:00:00+08:00", count=3)
    assert str(moments.with_readable_times(reason, Wording("en"))) == (
        "Replaced by the version of Monday 5 May 10:00 (3)"
    )
    assert str(moments.with_readable_times(msg("Deleted at its source"), Wording("en"))) == "Deleted at its source"


def test_days_within_a_sentence_of_the_core(qapp):
    late = msg("Overdue since {day}", day="2025-05-05")
    assert moments.reason_in_words(late, Wording("en")) == "Overdue since 5 May 2025"
    assert "2025年5月5日" in moments.reason_in_words(late, Wording("zh_CN"))
    inside = msg("stale: {reason}", reason=late)
    assert moments.reason_in_words(inside, Wording("en")) == "stale: Overdue since 5 May 2025"
    daily_note = msg("Replaced by “{title}”", title="2025-05-05")
    assert moments.reason_in_words(daily_note, Wording("en")) == "Replaced by “2025-05-05”", "a title stays as it is"


def test_when_on_a_day(qapp):
    wording = Wording("en")
    assert moments.time_of(event("a", "", 0, "09:00", "09:15"), NOW, wording) == "09:00\N{EN DASH}09:15"
    assert moments.time_of(event("a", "", 0, "17:00", ""), NOW, wording) == "17:00"
    assert moments.time_of(event("a", "", 0, "", ""), NOW, wording) == "all day"
    assert moments.time_of(replace(event("a", "", 0, "", ""), start=None), NOW, wording) == "no date"
