"""A clock that is set back or ahead gives nobody more than was granted, and nobody is locked out by it (G4.6, G8.1)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from app.domain.clients import ClientState, Grant
from app.domain.errors import Denied, Refused
from app.domain.labels import Sensitivity
from app.domain.serving import ContextQuery
from app.runtime import clock
from tests.integration.conftest import PASSPHRASE

QUERY = ContextQuery("harbour ferry timetable")
TEXT = "The harbour ferry timetable says that the last ferry leaves at nine."
PERSONAL = frozenset({"personal"})


class Wall:
    """The computer's clock, which can be set, and the one that only goes on."""

    def __init__(self) -> None:
        self.is_off = timedelta()
        self.gone_on_s = 0.0

    def wait(self, gone: timedelta) -> None:
        self.is_off += gone
        self.gone_on_s += gone.total_seconds()


@pytest.fixture
def wall(monkeypatch):
    wall, lasting_s = Wall(), clock.lasting_s

    class Set(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + wall.is_off

    monkeypatch.setattr(clock, "datetime", Set)
    monkeypatch.setattr(clock, "lasting_s", lambda: lasting_s() + wall.gone_on_s)
    return wall


@pytest.fixture
async def filled(wall, api):
    await api.clip(TEXT, title="Ferry")
    return api


def state_of(infos, name):
    return next(info.state for info in infos if info.name == name)


async def test_an_end_that_has_passed_stays_passed(filled, wall):
    made = await filled.add_client("Desk", Grant(PERSONAL, expires_in_days=1))
    assert (await filled.client_search(made.token, QUERY)).items
    wall.wait(timedelta(days=2))
    with pytest.raises(Denied):
        await filled.client_search(made.token, QUERY)
    wall.is_off -= timedelta(days=30)
    with pytest.raises(Denied):
        await filled.client_search(made.token, QUERY)
    assert state_of(await filled.clients(), "Desk") is ClientState.EXPIRED


async def test_it_stays_passed_after_a_restart(filled, wall, household, open_house):
    made = await filled.add_client("Desk", Grant(PERSONAL, expires_in_days=1))
    wall.wait(timedelta(days=2))
    assert state_of(await filled.clients(), "Desk") is ClientState.EXPIRED
    wall.is_off -= timedelta(days=30)
    await household.close()
    again = await open_house()
    try:
        await again.api.unlock(passphrase=PASSPHRASE)
        with pytest.raises(Denied):
            await again.api.client_search(made.token, QUERY)
    finally:
        await again.close()


async def test_a_grant_runs_on_while_the_clock_stands_before_it(filled, wall):
    made = await filled.add_client("Desk", Grant(PERSONAL, expires_in_days=10))
    wall.is_off -= timedelta(days=300)
    assert (await filled.client_search(made.token, QUERY)).items
    wall.wait(timedelta(days=11))
    with pytest.raises(Denied):
        await filled.client_search(made.token, QUERY)


async def test_who_asks_as_of_another_day_ends_nothing(filled):
    made = await filled.add_client("Desk", Grant(PERSONAL, expires_in_days=1))
    with clock.use(clock.present() + timedelta(days=400)):
        assert state_of(await filled.clients(), "Desk") is ClientState.EXPIRED
    assert (await filled.client_search(made.token, QUERY)).items
    assert await filled.time_ahead() is None


async def test_after_a_minute_in_another_year_the_person_says_which_clock_is_right(filled, wall):
    made = await filled.add_client("Desk", Grant(PERSONAL, expires_in_days=30))
    lasting = await filled.add_client("Lasting", Grant(PERSONAL, items_per_day=2, expires_in_days=None))
    wall.is_off += timedelta(days=1_500)
    assert (await filled.client_search(lasting.token, QUERY)).items
    with pytest.raises(Denied):
        await filled.client_search(made.token, QUERY)
    wall.is_off -= timedelta(days=1_500)
    # it is told, and what would end at once is not granted
    ahead = await filled.time_ahead()
    assert ahead - clock.present() > timedelta(days=1_499)
    with pytest.raises(Refused, match="has seen") as caught:
        await filled.add_client("New", Grant(PERSONAL))
    assert "clients clock --is-right" in str(caught.value.next_step)
    with pytest.raises(Refused, match="has seen"):
        await filled.change_client("Desk", Grant(PERSONAL, expires_in_days=9))
    await filled.trust_clock()
    assert await filled.time_ahead() is None
    assert (await filled.client_search(made.token, QUERY)).items
    assert state_of(await filled.clients(), "Desk") is ClientState.ACTIVE
    await filled.add_client("New", Grant(PERSONAL, Sensitivity.PUBLIC))
    now = clock.present()
    assert all(line.at <= now for line in (await filled.audit()).lines)


async def test_the_clock_that_was_trusted_is_so_after_a_restart_too(filled, wall, household, open_house):
    made = await filled.add_client("Desk", Grant(PERSONAL, expires_in_days=30))
    wall.is_off += timedelta(days=1_500)
    await filled.clients()
    wall.is_off -= timedelta(days=1_500)
    await filled.trust_clock()
    await household.close()
    again = await open_house()
    try:
        await again.api.unlock(passphrase=PASSPHRASE)
        assert (await again.api.client_search(made.token, QUERY)).items
    finally:
        await again.close()


@pytest.mark.parametrize("jump", [timedelta(days=1, minutes=1), timedelta(days=-1, minutes=-1), timedelta(days=800)])
async def test_setting_the_clock_frees_nothing_of_a_day(filled, wall, jump):
    made = await filled.add_client("Desk", Grant(PERSONAL, items_per_day=1, expires_in_days=None))
    assert (await filled.client_search(made.token, QUERY)).items
    wall.is_off += jump
    with pytest.raises(Refused, match="item a day"):
        await filled.client_search(made.token, QUERY)
    wall.wait(timedelta(hours=25))
    assert (await filled.client_search(made.token, QUERY)).items


async def test_a_day_that_has_begun_goes_on_after_a_restart_under_a_clock_set_back(filled, wall, household, open_house):
    made = await filled.add_client("Desk", Grant(PERSONAL, items_per_day=1, expires_in_days=None))
    assert (await filled.client_search(made.token, QUERY)).items
    wall.is_off -= timedelta(days=3)
    await household.close()
    again = await open_house()
    try:
        await again.api.unlock(passphrase=PASSPHRASE)
        with pytest.raises(Refused, match="item a day"):
            await again.api.client_search(made.token, QUERY)
        wall.wait(timedelta(hours=25))
        assert (await again.api.client_search(made.token, QUERY)).items
    finally:
        await again.close()


async def test_a_clock_corrected_by_minutes_is_nothing_to_speak_of(filled, wall):
    made = await filled.add_client("Desk", Grant(PERSONAL))
    wall.is_off -= timedelta(minutes=20)
    assert await filled.time_ahead() is None
    assert (await filled.client_search(made.token, QUERY)).items
    await filled.add_client("New", Grant(PERSONAL))
