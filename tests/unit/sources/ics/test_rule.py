"""Reading recurrence rules: what the standard allows, what it forbids, and what calendars write all the same."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.sources.ics.rule import Frequency, NumberedDay, Skip, read_moment, read_rule


def test_all_parts_are_read() -> None:
    rule = read_rule(
        "FREQ=YEARLY;INTERVAL=2;UNTIL=20300101T000000Z;WKST=SU;BYMONTH=3,1;BYDAY=MO,-1FR;BYHOUR=9;BYSETPOS=-1"
    )
    assert (rule.frequency, rule.interval, rule.week_start) == (Frequency.YEARLY, 2, 6)
    assert rule.months == (1, 3)
    assert rule.days == (NumberedDay(0), NumberedDay(4, -1))
    assert rule.until == datetime.fromisoformat("2030-01-01")
    assert rule.positions == (-1,)


def test_a_date_as_until_is_the_whole_day() -> None:
    assert read_rule("FREQ=DAILY;UNTIL=20300101").until == datetime.fromisoformat("2030-01-01T23:59:59.999999")


@pytest.mark.parametrize(
    "text", ["freq=daily;count=2", "RRULE:FREQ=DAILY;COUNT=2;", " FREQ=DAILY;;COUNT=2 ", "FREQ=DAILY;COUNT=2;X-FROM=me"]
)
def test_what_calendars_write_is_let_pass(text: str) -> None:
    assert read_rule(text).count == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "COUNT=2",
        "FREQ=OFTEN",
        "FREQ=DAILY;FREQ=WEEKLY",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=DAILY;COUNT=-1",
        "FREQ=DAILY;BYHOUR=24",
        "FREQ=MONTHLY;BYMONTHDAY=0",
        "FREQ=MONTHLY;BYDAY=6XX",
        "FREQ=MONTHLY;BYDAY=0MO",
        "FREQ=DAILY;COUNT=1;UNTIL=20300101",
        "FREQ=MONTHLY;BYWEEKNO=3",
        "FREQ=DAILY;BYYEARDAY=3",
        "FREQ=WEEKLY;BYMONTHDAY=3",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=DAILY;BYSETPOS=1",
        "FREQ=DAILY;UNTIL=20301301",
        "FREQ=DAILY;WHAT=1",
        "FREQ=DAILY;BYHOUR=" + ",".join("1" * 2_000),
        "FREQ=DAILY;X-A=" + "a" * 5_000,
    ],
)
def test_what_the_standard_forbids_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_rule(text)


def test_other_calendars_are_refused_and_skip_is_read() -> None:
    with pytest.raises(BadInput, match="CHINESE"):
        read_rule("RSCALE=CHINESE;FREQ=YEARLY")
    assert read_rule("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD").skip is Skip.FORWARD


def test_moments() -> None:
    assert read_moment("20260131") == date(2026, 1, 31)
    assert read_moment("20260131T090060Z") == datetime.fromisoformat("2026-01-31T09:00:59")
    for text in ("", "20260230", "20260131T25", "2026-01-31"):
        with pytest.raises(BadInput):
            read_moment(text)


@given(st.text(max_size=60))
def test_any_text_is_a_rule_or_refused(text: str) -> None:
    for one in (text, "FREQ=DAILY;" + text):
        try:
            read_rule(one)
        except BadInput:
            continue
