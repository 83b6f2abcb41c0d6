"""When recurrence rules happen: what the standard leaves open, and the rest against a second implementation."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from dateutil.rrule import rrulestr  # type: ignore[import-untyped]  # comes with a dependency
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.errors import BadInput
from app.sources.ics.rule import WEEKDAYS, read_rule
from app.sources.ics.rule_instances import instances
from app.sources.ics.rule_text import unfolded


@pytest.mark.parametrize(
    ("start", "rule", "expected"),
    [
        ("20260105", "FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3", "20260105 20260107 20260112"),
        ("20260131", "FREQ=MONTHLY;COUNT=3", "20260131 20260331 20260531"),
        ("20260131", "FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "20260131 20260228 20260331"),
        ("20260101", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2", "20260130 20260227"),
        ("20240229", "FREQ=YEARLY;COUNT=3", "20240229 20280229 20320229"),
        ("20260101", "FREQ=YEARLY;BYDAY=20MO;COUNT=2", "20260518 20270517"),
        ("20260101", "FREQ=YEARLY;BYYEARDAY=-1;COUNT=2", "20261231 20271231"),
        ("20260213", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "20260213 20260313 20261113"),
        ("20260101T090000", "FREQ=DAILY;BYHOUR=9,17;COUNT=3", "20260101T090000 20260101T170000 20260102T090000"),
        ("20260101T090000Z", "FREQ=HOURLY;INTERVAL=20;COUNT=2", "20260101T090000Z 20260102T050000Z"),
        ("20260101T095900", "FREQ=MINUTELY;BYHOUR=11;COUNT=2", "20260101T110000 20260101T110100"),
        ("20260101T000005", "FREQ=SECONDLY;INTERVAL=30;COUNT=2", "20260101T000005 20260101T000035"),
        # The start counts only when the rule yields it
        ("20260106", "FREQ=WEEKLY;BYDAY=FR;COUNT=1", "20260109"),
    ],
)
def test_rules_happen(start: str, rule: str, expected: str) -> None:
    assert unfolded(start, rule) == expected.split()


def test_weeks_by_number_are_on_the_weekday_of_the_start() -> None:
    assert unfolded("20260106", "FREQ=YEARLY;BYWEEKNO=2,1;COUNT=3") == ["20260106", "20270105", "20270112"]


def test_week_years_are_counted_from_that_of_the_start() -> None:
    # 1 January 2021 is in week 53 of 2020; six years later is 2026, which has 53 weeks, and ends on Sunday 3 January
    assert unfolded("20210101", "FREQ=YEARLY;INTERVAL=6;BYWEEKNO=53;BYDAY=FR;COUNT=2") == ["20210101", "20270101"]


def test_positions_count_in_the_whole_first_period() -> None:
    # Wednesday 7 January 2026 is the third of its week's days
    rule = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,3;COUNT=3"
    assert unfolded("20260107", rule) == ["20260107", "20260112", "20260114"]


def test_days_that_a_month_lacks_are_left_out_or_moved() -> None:
    assert unfolded("20260131", "FREQ=MONTHLY;SKIP=BACKWARD;COUNT=3") == ["20260131", "20260228", "20260331"]
    assert unfolded("20260131", "FREQ=MONTHLY;SKIP=FORWARD;COUNT=3") == ["20260131", "20260301", "20260331"]


def test_until_belongs_to_it() -> None:
    assert len(unfolded("20260101", "FREQ=DAILY;UNTIL=20260103")) == 3
    assert len(unfolded("20260101T090000", "FREQ=DAILY;UNTIL=20260103")) == 3
    assert len(unfolded("20260101T090000", "FREQ=DAILY;UNTIL=20260103T080000Z")) == 2
    assert unfolded("20260101", "FREQ=DAILY;UNTIL=20250101") == []


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;INTERVAL=60;BYSECOND=5",
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3;BYMINUTE="
        + ",".join(map(str, range(60)))
        + ";BYSECOND=1,2",
    ],
)
def test_a_rule_that_cannot_be_meant_ends(rule: str) -> None:
    with pytest.raises(BadInput):
        unfolded("20260101T000000", rule)


def test_an_endless_rule_is_cut() -> None:
    assert len(unfolded("20260101", "FREQ=DAILY", limit=7)) == 7
    assert unfolded("99991230", "FREQ=DAILY") == ["99991230", "99991231"]


_NUMBERS = st.lists(st.integers(1, 28) | st.integers(-28, -1), min_size=1, max_size=3)


@st.composite
def _rules(draw: st.DrawFn) -> str:
    frequency = draw(st.sampled_from(["YEARLY", "MONTHLY", "WEEKLY", "DAILY"]))
    parts = [f"FREQ={frequency}", f"COUNT={draw(st.integers(1, 6))}", f"INTERVAL={draw(st.integers(1, 4))}"]
    if draw(st.booleans()):
        parts.append(f"BYMONTH={draw(st.integers(1, 12))}")
    if frequency != "WEEKLY" and draw(st.booleans()):
        parts.append("BYMONTHDAY=" + ",".join(map(str, draw(_NUMBERS))))
    if draw(st.booleans()):
        number = draw(st.sampled_from(["", "1", "-1", "2"])) if frequency in {"YEARLY", "MONTHLY"} else ""
        parts.append("BYDAY=" + ",".join(number + day for day in draw(st.lists(st.sampled_from(WEEKDAYS), min_size=1))))
    if draw(st.booleans()):
        parts.append(f"WKST={draw(st.sampled_from(WEEKDAYS))}")
    return ";".join(parts)


@settings(max_examples=60, deadline=None)
@given(_rules(), st.integers(0, 4000))
def test_where_both_apply_dateutil_agrees(rule: str, days: int) -> None:
    start = datetime.fromisoformat("2020-01-01T09:30") + timedelta(days=days)
    try:
        found = instances(read_rule(rule), start)
    except BadInput:
        return
    assert all(earlier < later for earlier, later in pairwise(found))
    assert found == list(rrulestr(rule, dtstart=start))


_ALL_MINUTES = ",".join(map(str, range(60)))


@pytest.mark.parametrize(
    ("start", "rule", "first", "count"),
    [
        # The calendar ends before a week after the end of the rule, or within the week of the start
        ("20260101", "FREQ=DAILY;UNTIL=99991231", "20260101", 1000),
        ("20260101", "FREQ=YEARLY;UNTIL=99991231T235959Z", "20260101", 1000),
        ("99991231", "FREQ=WEEKLY", "99991231", 1),
        ("99991231T235959", "FREQ=SECONDLY", "99991231T235959", 1),
    ],
)
def test_the_end_of_the_calendar_loses_nothing(start: str, rule: str, first: str, count: int) -> None:
    found = unfolded(start, rule)
    assert (found[0], len(found)) == (first, count)


def test_one_of_very_many_a_period_is_found_without_making_them_all() -> None:
    rule = f"FREQ=YEARLY;BYDAY=MO;BYHOUR=0,6,12,18;BYMINUTE={_ALL_MINUTES};BYSETPOS=1,-1"
    assert unfolded("20260101T000000", rule)[:3] == ["20260105T000000", "20261228T185900", "20270104T000000"]
    assert len(unfolded("20260101T000000", rule)) == 1000
    hourly = f"FREQ=HOURLY;BYMINUTE={_ALL_MINUTES};BYSECOND={_ALL_MINUTES};BYSETPOS=366"
    assert unfolded("20260101T000000", hourly, 2) == ["20260101T000605", "20260101T010605"]


def test_seldom_seconds_are_reached_by_leaps() -> None:
    rule = "FREQ=SECONDLY;INTERVAL=7;BYHOUR=3;BYMINUTE=7;BYSECOND=5"
    found = instances(read_rule(rule), datetime.fromisoformat("2024-01-01T00:00"), 3)
    assert [f"{one:%d %H:%M:%S}" for one in found] == ["05 03:07:05", "12 03:07:05", "19 03:07:05"]


def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1_000_000))
    monkeypatch.setattr("app.sources.ics.rule_instances.clock.monotonic_s", lambda: next(ticks) / 1000)
    start = datetime.fromisoformat("2026-01-01T00:00")
    assert 1_000 < len(instances(read_rule("FREQ=DAILY"), start)) < 1_300
    with pytest.raises(BadInput):
        instances(read_rule("FREQ=DAILY;COUNT=9000"), start)
