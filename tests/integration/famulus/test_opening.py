"""Opening the offices of a whole house: whoever comes first, and after it went wrong once."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from app.domain.clients import Grant
from app.domain.collecting import SourceDraft, SyncState
from app.domain.context_item import SearchRequest
from app.domain.errors import DiskFull
from app.domain.serving import ContextQuery
from app.domain.text import msg
from app.famulus import house as house_module
from app.famulus.unasked import Unasked
from app.govern.freshness.engine import Freshness
from app.runtime import clock
from app.store import source_rows

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from app.bootstrap.household import Household
    from app.famulus.api import FamulusApi


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """What the next openings fail with, at the end of their way."""
    monkeypatch.setattr(house_module, "_FIRST_QUESTIONS_S", 600.0)
    start, problems = Unasked.start, list[Exception]()

    async def start_or_fail(self: Unasked) -> None:
        if problems:
            raise problems.pop(0)
        await start(self)

    monkeypatch.setattr(Unasked, "start", start_or_fail)
    return problems


def full() -> DiskFull:
    return DiskFull(msg("No room is left."), next_step=msg("Make room."))


async def test_requests_are_taken_down_after_an_opening_that_failed(api: FamulusApi, failing: list[Exception]) -> None:
    failing.append(full())
    with pytest.raises(DiskFull):
        await api.tasks()
    await api.search(SearchRequest("the red door"))
    made = await api.add_client("Desk", Grant(frozenset({"work"})))
    await api.client_search(made.token, ContextQuery("the red door"))
    await api.ask("where is the red door?")
    await api.metrics()
    lines = [(line.client, line.action) for line in (await api.audit()).lines]
    assert sorted(lines) == [("Desk", "allow"), ("Desk", "search"), ("owner", "ask"), ("owner", "search")]


@pytest.mark.parametrize("problem", [full(), RuntimeError("a bug")])
async def test_nobody_needs_to_ask_again(
    household: Household, failing: list[Exception], monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    monkeypatch.setattr(house_module, "_FIRST_QUESTIONS_S", 0.0)
    may_go_on, sleep = asyncio.Event(), asyncio.sleep

    async def wait(seconds: float) -> None:
        await (may_go_on.wait() if seconds == house_module._AGAIN_S else sleep(seconds))

    monkeypatch.setattr(house_module.asyncio, "sleep", wait)
    failing.append(problem)
    await household.api.create(passphrase="generated")
    house = household.api._vault.house
    while house.problem is None:
        await sleep(0)
    assert house.problem.what in (await household.api.status()).warnings
    assert not await household.is_busy()
    may_go_on.set()
    while house.opened is None:
        await sleep(0)
    assert house.problem is None
    assert not (await household.api.status()).warnings


async def test_a_sync_whose_end_could_not_be_written_does_not_keep_its_source_from_the_clock(
    api: FamulusApi, household: Household, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    source_id = (await api.add_source(SourceDraft("files", str(tmp_path / "notes")))).source_id

    def cut_off() -> None:
        with household.api._vault.house.store.database.write() as tx:
            source_rows.set_source_state(tx, source_id, SyncState.SYNCING)

    await household._parts.lanes.writer.run(cut_off)
    assert [info.state for info in await api.sources()] == [SyncState.IDLE]
    (tmp_path / "notes" / "door.md").write_text("The red door.")
    await (await household.api._vault.offices())._unasked._sync_due(timedelta(minutes=30))
    assert await api.search(SearchRequest("the red door"))


async def test_what_goes_on_by_itself_has_not_the_time_of_whoever_came_first(
    household: Household, failing: list[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not failing
    told: dict[str, datetime | None] = {}

    async def sync(_: Unasked) -> None:
        told["sync"] = clock.given()

    async def fire(_: Freshness) -> None:
        told["fire"] = clock.given()

    monkeypatch.setattr(Unasked, "_sync_by_the_clock", sync)
    monkeypatch.setattr(Freshness, "run", fire)
    with clock.use(clock.now() + timedelta(days=900)):
        await household.api.create(passphrase="generated")
        await household.api.tasks()
    while len(told) < 2:
        await asyncio.sleep(0)
    assert told == {"sync": None, "fire": None}
