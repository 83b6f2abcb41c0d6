"""A person's own rules in the running program: from its start to its end, and no longer (G2.8)."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import BadInput
from app.domain.progress import ignore_progress
from app.famulus.governing import Governing
from app.famulus.rule_host import RuleHost
from app.govern.chunking import limits_in_force
from app.govern.understanding.rules import freshness_rules
from app.runtime.bus import Bus
from app.runtime.paths import Paths
from app.runtime.tasks import Tasks
from tests.integration.context.conftest import empty, lanes, store
from tests.unit.govern.makers import entry, paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.integration.context.makers import World

__all__ = ["empty", "lanes", "store"]
WORDS = '[unsettling]\nzh = ["封存"]\n'


class Home:
    """What of the house has to do with rules."""

    def __init__(self, world: World, basedir: Path) -> None:
        paths = Paths(basedir)
        paths.create()
        self.config = paths.config
        self._parts = SimpleNamespace(
            lanes=world.lanes,
            bus=Bus(asyncio.get_running_loop()),
            tasks=Tasks(),
            settings=SimpleNamespace(get=lambda declaration: declaration.default),
            paths=paths,
            keychain=None,
            parse=None,
        )
        self._world = world
        self.start()

    def start(self) -> None:
        self.governing = Governing(self._parts, self._world.store.database)
        self.rules = RuleHost(self._parts, self._world.store.database, self._world.pipeline, self.governing)

    async def apply(self, name: str) -> int:
        return await self.rules.apply(name, [], progress=ignore_progress)


@pytest.fixture
async def home(empty: World, basedir: Path) -> Iterator[Home]:
    made = Home(empty, basedir)
    yield made
    made.rules.stop()
    made.rules.close()


async def test_all_files_are_listed(home: Home) -> None:
    (home.config / "freshness.toml").write_text(WORDS, "utf-8")
    found = await home.rules.list()
    assert [one.name for one in found] == ["labels", "chunking", "understanding", "freshness"]
    assert [one.name for one in found if one.is_waiting] == ["freshness"]


async def test_applied_rules_hold_from_the_next_start_and_not_beyond_the_end(home: Home) -> None:
    (home.config / "freshness.toml").write_text(WORDS, "utf-8")
    (home.config / "chunking.toml").write_text("[limits]\nceiling = 400\n", "utf-8")
    assert [await home.apply(name) for name in ("freshness", "chunking")] == [0, 0]
    in_force = freshness_rules().version
    home.rules.stop()
    assert freshness_rules().version == in_force  # what is still being read is read by the same rules
    home.rules.close()
    assert freshness_rules().version == "freshness-1"
    assert limits_in_force().ceiling == 500
    home.start()
    assert in_force in home.governing.queue.version.split()  # before the first entry is read
    assert limits_in_force().ceiling == 400


async def test_a_database_without_own_rules_takes_none_over(home: Home, empty: World, basedir: Path) -> None:
    (home.config / "freshness.toml").write_text(WORDS, "utf-8")
    await home.apply("freshness")
    with empty.store.database.write() as tx:
        tx.run("DELETE FROM meta WHERE name = 'applied_rules:freshness'")
    home.start()  # as another database, whose owner never closed the first
    assert freshness_rules().version == "freshness-1"


async def test_what_is_touched_is_understood_in_the_background(home: Home, empty: World) -> None:
    await empty.add(*(entry([paragraph(text)], source_id="notes", native_id=text) for text in ("项目封存", "散步")))
    home.governing.start()
    home.governing.wake()
    await home.governing.queue.wait_until_done()
    (home.config / "freshness.toml").write_text(WORDS, "utf-8")
    preview = await home.rules.preview("freshness", progress=ignore_progress, stop=None)
    assert preview.entries == 1
    assert await home.apply("freshness") == 1
    await home.governing.queue.wait_until_done()
    assert await home.governing.queue.waiting() == 0
    await home.governing.close()


@pytest.mark.parametrize("name", ["x", "", "../labels", "ranking"])
async def test_there_are_no_such_rules(home: Home, name: str) -> None:
    with pytest.raises(BadInput) as refusal:
        await home.apply(name)
    assert "labels, chunking, understanding, freshness" in str(refusal.value.next_step)
    with pytest.raises(BadInput):
        await home.rules.preview(name, progress=ignore_progress, stop=None)
