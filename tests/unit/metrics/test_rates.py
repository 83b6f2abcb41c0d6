"""Rates are shares, None where nothing was counted, and a span's is made of its weeks' (G7)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from app.metrics.counts import RATES, Count
from app.metrics.rates import five_rates, monday_of, weeks_of

MONDAY = date(2025, 5, 12)
ZONE = timezone(timedelta(hours=8))
MOMENTS = st.integers(0, 27 * 24).map(lambda hours: datetime(2025, 5, 12, tzinfo=ZONE) + timedelta(hours=hours))


@st.composite
def counts(draw):
    whole = draw(st.integers(0, 50))
    return Count(draw(st.sampled_from(RATES)), draw(MOMENTS), draw(st.integers(0, whole)), whole)


@given(st.lists(counts()))
def test_a_rate_is_a_share_or_unknown(found):
    for rate in five_rates(found):
        assert (rate.value is None) == (rate.whole == 0)
        assert rate.value is None or (0 <= rate.value <= 1 and rate.value == rate.part / rate.whole)


@given(st.lists(counts(), max_size=12))
def test_the_whole_is_made_of_its_weeks(found):
    weeks = weeks_of(found, [one.at for one in found], MONDAY, MONDAY + timedelta(days=27), ZONE)
    assert [week.first_day for week in weeks] == [MONDAY + timedelta(days=7 * number) for number in range(4)]
    assert sum(week.requests for week in weeks) == len(found)
    for rate in five_rates(found):
        known = [dict(week.values)[rate.name] for week in weeks if dict(week.values)[rate.name] is not None]
        assert bool(known) == (rate.value is not None)
        assert rate.value is None or min(known) - 1e-9 <= rate.value <= max(known) + 1e-9


def test_nothing_counted_is_not_zero():
    assert [(rate.name, rate.value) for rate in five_rates([])] == [(name, None) for name in RATES]
    nought = five_rates([Count("task_success", datetime(2025, 5, 12, tzinfo=UTC), 0, 2)])[0]
    assert nought.value == 0.0


def test_a_week_begins_on_monday_in_the_persons_zone():
    late = Count("task_success", datetime(2025, 5, 18, 17, 0, tzinfo=UTC), 1, 1)
    weeks = weeks_of([late], [], MONDAY, MONDAY + timedelta(days=7), ZONE)
    assert [dict(week.values)["task_success"] for week in weeks] == [None, 1.0]


def test_weeks_are_there_though_nothing_happened():
    weeks = weeks_of([], [], date(2025, 5, 14), date(2025, 5, 19), ZONE)
    assert [(week.first_day, week.requests) for week in weeks] == [(MONDAY, 0), (MONDAY + timedelta(days=7), 0)]


@given(st.dates())
def test_monday(day):
    assert monday_of(day).weekday() == 0
    assert 0 <= (day - monday_of(day)).days < 7
