from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.instants import day_span, from_ixdtf, parse_iso, to_iso, to_ixdtf

OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
INSTANTS = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001
    max_value=datetime(9998, 12, 31),  # noqa: DTZ001
    timezones=OFFSETS,
)


@given(INSTANTS)
def test_a_stored_time_comes_back_with_its_offset(instant):
    back = from_ixdtf(to_ixdtf(instant))
    assert back == instant
    assert back.utcoffset() == instant.utcoffset()


@given(INSTANTS, INSTANTS)
def test_stored_times_sort_by_instant(one, other):
    assert (to_ixdtf(one)[:26] < to_ixdtf(other)[:26]) == (one < other)


def test_a_naive_time_is_refused():
    with pytest.raises(ValueError, match="offset"):
        to_ixdtf(datetime(2025, 5, 10))  # noqa: DTZ001


@pytest.mark.parametrize("text", ["", "2025-05-10", "2025-05-10T01:00:00Z", "Z[+08:00]", "x" * 40])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011
        from_ixdtf(text)


def test_what_people_see_has_an_offset():
    assert to_iso(datetime(2025, 5, 10, 9, 0, 0, 5, tzinfo=UTC)) == "2025-05-10T09:00:00+00:00"


def test_a_time_without_offset_is_in_the_given_zone():
    zone = timezone(timedelta(hours=8))
    assert parse_iso("2025-05-10", zone) == datetime(2025, 5, 10, tzinfo=zone)
    assert parse_iso("2025-05-10T01:00Z", zone) == datetime(2025, 5, 10, 1, tzinfo=UTC)


def test_a_day_ends_where_the_next_begins():
    start, end = day_span(datetime(2025, 5, 10, tzinfo=UTC).date(), UTC)
    assert end - start == timedelta(days=1)
