import asyncio
import os
import time
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.runtime import clock


@pytest.fixture(autouse=True)
def _forget_zone():
    clock.local_zone.cache_clear()
    yield
    clock.local_zone.cache_clear()


def test_now_has_an_offset():
    assert clock.now().utcoffset() is not None
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(seconds=5)


def test_a_given_time_holds_inside_only(now):
    with clock.use(now):
        assert clock.now() == now
        assert clock.given() == now
        with clock.use(now + timedelta(days=1)):
            assert clock.now() == now + timedelta(days=1)
        assert clock.now() == now
    assert clock.now() != now
    assert clock.given() is None


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "0999-12-31", "9000-01-01T00:00:00+00:00", "2025-01-01"])
def test_a_time_that_nothing_can_be_reckoned_from_is_refused(text):
    with pytest.raises(ValueError, match=r"year|offset"), clock.use(datetime.fromisoformat(text)):
        pass


def test_no_given_time_changes_nothing(now):
    with clock.use(now), clock.use(None):
        assert clock.now() == now


def test_a_naive_time_is_refused():
    with pytest.raises(ValueError, match="offset"), clock.use(datetime(2025, 1, 1)):  # noqa: DTZ001
        pass


async def test_a_given_time_is_a_matter_of_one_request(now):
    async def request(instant):
        with clock.use(instant):
            await asyncio.sleep(0)
            return clock.now()

    instants = [now, now + timedelta(days=1)]
    assert await asyncio.gather(*(request(instant) for instant in instants)) == instants


def test_the_zone_is_the_given_one_where_it_differs(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    assert clock.zone() == ZoneInfo("Europe/Berlin")
    with clock.use(datetime(2025, 7, 1, 12, tzinfo=timezone(timedelta(hours=8)))):
        assert clock.zone() == timezone(timedelta(hours=8))
    with clock.use(datetime(2025, 7, 1, 12, tzinfo=timezone(timedelta(hours=2)))):
        assert clock.zone() == ZoneInfo("Europe/Berlin"), "the person's own zone knows of daylight saving"


@pytest.mark.parametrize("name", ["No/Such", "../../etc/passwd", ""])
def test_a_zone_that_does_not_exist(monkeypatch, name):
    monkeypatch.setenv("TZ", name)
    assert clock.now().utcoffset() is not None


@pytest.fixture
def berlin(monkeypatch):
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield ZoneInfo("Europe/Berlin")
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs a zone that can be chosen")
def test_the_systems_own_rules_agree_with_the_named_zone(berlin):
    ours = clock.SystemZone()
    for month in range(1, 13):
        wall = datetime(2025, month, 15, 12)  # noqa: DTZ001
        assert ours.utcoffset(wall) == wall.replace(tzinfo=berlin).utcoffset()
        instant = datetime(2025, month, 15, 12, tzinfo=UTC)
        assert instant.astimezone(ours).replace(tzinfo=None) == instant.astimezone(berlin).replace(tzinfo=None)
    assert ours.dst(datetime(2025, 7, 1)) == timedelta(hours=1)  # noqa: DTZ001
    assert ours.dst(datetime(2025, 1, 1)) == timedelta(0)  # noqa: DTZ001
    assert ours.tzname(datetime(2025, 7, 1)) == "CEST"  # noqa: DTZ001
    assert ours.utcoffset(None) == timedelta(hours=1)


@given(st.datetimes())
def test_the_systems_zone_never_raises(wall):
    ours = clock.SystemZone()
    assert abs(ours.utcoffset(wall)) < timedelta(days=1)
    assert abs(wall.replace(tzinfo=ours).utcoffset()) < timedelta(days=1)


def test_the_monotonic_clock_goes_on():
    assert clock.monotonic_s() <= clock.monotonic_s()


def test_this_machine_has_a_zone():
    assert clock.local_zone().utcoffset(datetime(2025, 1, 1)) is not None, os.environ.get("TZ")  # noqa: DTZ001


def test_clocks_for_limits_go_on_and_never_back():
    assert clock.lasting_s() <= clock.lasting_s()
    before = clock.worked_s()
    assert sum(range(10_000))
    assert clock.worked_s() >= before
