"""Holidays by their English names; the days are those of published calendars."""

from __future__ import annotations

from datetime import date

import pytest

from app.inference.dates.english_holidays import holiday_names

KNOWN = [
    ("thanksgiving", 2025, "11-27"),
    ("black friday", 2025, "11-28"),
    ("cyber monday", 2025, "12-01"),
    ("memorial day", 2025, "05-26"),
    ("victoria day", 2025, "05-19"),
    ("mothers day", 2025, "05-11"),
    ("mlk day", 2025, "01-20"),
    ("good friday", 2025, "04-18"),
    ("ash wednesday", 2025, "03-05"),
    ("pentecost", 2025, "06-08"),
    ("rosh hashanah", 2024, "10-03"),
    ("rosh hashanah", 2025, "09-23"),
    ("yom kippur", 2025, "10-02"),
    ("passover", 2025, "04-13"),
    ("purim", 2025, "03-14"),
    ("hanukkah", 2024, "12-26"),
    ("hanukkah", 2025, "12-15"),
    ("shavuot", 2025, "06-02"),
    ("chinese new year", 2025, "01-29"),
    ("mid autumn festival", 2025, "10-06"),
]


@pytest.mark.parametrize(("name", "year", "day"), KNOWN)
def test_days(name: str, year: int, day: str) -> None:
    assert holiday_names()[name].days(year) == [date.fromisoformat(f"{year}-{day}")]


@pytest.mark.parametrize(("name", "year", "day"), [("eid al fitr", 2025, "03-31"), ("ramadan", 2025, "03-01")])
def test_feasts_of_the_moon_are_right_within_a_day(name: str, year: int, day: str) -> None:
    holiday = holiday_names()[name]
    (found,) = holiday.days(year)
    assert abs((found - date.fromisoformat(f"{year}-{day}")).days) <= 1
    assert holiday.is_sighted


def test_a_year_may_have_two_or_none_of_a_moving_feast() -> None:
    counts = {len(holiday_names()["islamic new year"].days(year)) for year in range(2000, 2040)}
    assert counts == {1, 2}


def test_prefixes_of_names() -> None:
    names = holiday_names()
    assert names.is_prefix("new years")
    assert not names.is_prefix("new years eve")
    assert "new years eve" in names
