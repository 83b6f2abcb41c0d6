"""The arithmetic of the calendar: weeks from Monday, months of their own length, clocks that change (G2.4)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.readings import Grain
from app.inference.dates import calendar

BERLIN = ZoneInfo("Europe/Berlin")
DAYS = st.dates(date(1, 1, 8), date(9998, 12, 20))
LONG = [Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.HALF_YEAR, Grain.YEAR]


@given(DAYS, st.sampled_from(LONG))
def test_a_unit_holds_its_day_and_its_neighbours_touch_it(day: date, grain: Grain) -> None:
    unit = calendar.holding(day, grain)
    assert unit.first_day <= day <= unit.last_day
    following = calendar.holding(unit.last_day + timedelta(days=1), grain)
    assert following.start == unit.end


@given(st.dates(date(100, 1, 1), date(9800, 12, 31)), st.sampled_from(LONG), st.integers(-20, 20))
def test_moving_there_and_back_ends_where_it_began(day: date, grain: Grain, count: int) -> None:
    unit = calendar.holding(day, grain)
    assert unit.moved(count).moved(-count) == unit


@given(DAYS, st.integers(0, 6))
def test_coming_and_previous_weekdays_are_a_week_apart(day: date, weekday: int) -> None:
    coming, previous = calendar.coming(day, weekday), calendar.previous(day, weekday)
    assert coming.weekday() == previous.weekday() == weekday
    assert previous < day <= coming
    assert (coming - previous).days == 7


@pytest.mark.parametrize(
    ("start", "months", "expected"),
    [("2024-01-31", 1, "2024-02-29"), ("2023-01-31", 1, "2023-02-28"), ("2024-02-29", -12, "2023-02-28")],
)
def test_months_end_at_their_last_day(start: str, months: int, expected: str) -> None:
    moved = calendar.later_months(datetime.fromisoformat(start), months)
    assert moved == datetime.fromisoformat(expected)


def test_years_outside_the_calendar_are_refused() -> None:
    with pytest.raises((ValueError, OverflowError)):
        calendar.later_months(calendar.midnight(date(9999, 12, 31)), 2)
    with pytest.raises((ValueError, OverflowError)):
        calendar.later_months(calendar.midnight(date(1, 1, 1)), -1)
    assert calendar.year(9999).last_day == date(9999, 12, 31)


def test_the_nth_weekday_of_a_month() -> None:
    october = calendar.month(2026, 10)
    assert calendar.nth_weekday(october, 0, 1) == date(2026, 10, 5)
    assert calendar.nth_weekday(october, 4, -1) == date(2026, 10, 30)
    with pytest.raises(ValueError, match="no such weekday"):
        calendar.nth_weekday(october, 0, 5)


def test_working_days_pass_over_weekends() -> None:
    friday = date(2026, 7, 17)
    assert calendar.working_days_later(friday, 1) == date(2026, 7, 20)
    assert calendar.working_days_later(friday, 6) == date(2026, 7, 27)
    assert calendar.working_days_later(date(2026, 7, 20), -1) == friday
    assert calendar.working_days_later(date(2026, 7, 18), 5) == date(2026, 7, 24)


@pytest.mark.parametrize(("year", "day"), [(2000, "04-23"), (2024, "03-31"), (2025, "04-20"), (2038, "04-25")])
def test_easter(year: int, day: str) -> None:
    assert calendar.easter(year) == date.fromisoformat(f"{year}-{day}")


def test_elapsed_hours_are_real_ones() -> None:
    before = datetime(2026, 3, 29, 1, 30, tzinfo=BERLIN)
    assert calendar.elapsed(before, timedelta(hours=1)) == datetime(2026, 3, 29, 3, 30)  # noqa: DTZ001
    assert calendar.elapsed(before, timedelta(hours=-1)) == datetime(2026, 3, 29, 0, 30)  # noqa: DTZ001


def test_hours_beyond_midnight_are_of_the_day_after() -> None:
    night = calendar.hours(date(2026, 12, 31), 22, 26)
    assert (night.start, night.end) == (datetime(2026, 12, 31, 22), datetime(2027, 1, 1, 2))  # noqa: DTZ001
