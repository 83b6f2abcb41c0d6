"""The lunar calendar and the solar terms, against days that are known, and against themselves."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.inference.dates import lunar

YEARS = st.integers(lunar.FIRST_YEAR, lunar.LAST_YEAR - 1)


@pytest.mark.parametrize(
    ("year", "month", "day", "expected"),
    [
        (2026, 1, 1, date(2026, 2, 17)),
        (2025, 8, 15, date(2025, 10, 6)),
        (2020, 5, 5, date(2020, 6, 25)),
        (1949, 8, 10, date(1949, 10, 1)),
        (1900, 1, 1, date(1900, 1, 31)),
    ],
)
def test_known_days(year: int, month: int, day: int, expected: date) -> None:
    assert lunar.day(year, month, day) == expected


def test_leap_months() -> None:
    assert lunar.month(2020, 4, is_leap=True) == (date(2020, 5, 23), date(2020, 6, 21))
    assert lunar.month(2021, 4, is_leap=True) is None
    assert lunar.day(2020, 4, 30, is_leap=True) is None


def test_what_is_unknown_is_none() -> None:
    assert lunar.day(706, 1, 1) is None
    assert lunar.year(2200) is None
    assert lunar.solar_term(1800, "清明") is None
    assert lunar.solar_term(2000, "明清") is None
    assert lunar.dog_days(1800) is None


def test_solar_terms_and_what_hangs_on_them() -> None:
    assert lunar.solar_term(2026, "清明") == date(2026, 4, 5)
    assert lunar.solar_term(2021, "冬至") == date(2021, 12, 21)
    assert lunar.season(2026, "立冬", "立春") == (date(2026, 11, 7), date(2027, 2, 4))
    assert lunar.dog_days(2025) == (date(2025, 7, 20), date(2025, 7, 30), date(2025, 8, 9), date(2025, 8, 19))


@given(YEARS)
def test_a_year_follows_on_the_one_before(number: int) -> None:
    first, following = lunar.year(number), lunar.year(number + 1)
    assert first is not None
    assert following is not None
    assert first[1] == following[0]
    assert lunar.eve(number) == following[0] - timedelta(days=1)
    assert lunar.year_of(first[0]) == number


@given(YEARS)
def test_terms_come_every_fortnight(number: int) -> None:
    days = [lunar.solar_term(number, name) for name in lunar.SOLAR_TERMS]
    gaps = {(later - earlier).days for earlier, later in pairwise(days) if earlier and later}
    assert gaps <= {14, 15, 16}
