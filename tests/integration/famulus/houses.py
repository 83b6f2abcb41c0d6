"""A house over a world of its own, without a process around it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from app.famulus.house import House
from app.runtime.bus import Bus
from app.runtime.paths import Paths
from app.runtime.tasks import Tasks
from tests.integration.context.makers import LittleModel, World
from tests.unit.govern.makers import WordCounter

if TYPE_CHECKING:
    from pathlib import Path

    from app.famulus.model_host import ModelHost
    from app.famulus.parts import Parts


class Host:
    """What the house sees of the model."""

    def __init__(self) -> None:
        self.embedder: LittleModel | None = None

    def make_counter(self) -> WordCounter:
        return WordCounter()

    async def known(self) -> None:
        """Nothing loads here."""

    def bring(self, version: str) -> LittleModel:
        self.embedder = LittleModel(version=version)
        self.embedder.counter = WordCounter()
        return self.embedder


def house_over(world: World, basedir: Path) -> tuple[House, Tasks]:
    """A house that was not started, and its tasks, which are to be closed."""
    tasks = Tasks()
    parts = SimpleNamespace(
        lanes=world.lanes,
        bus=Bus(asyncio.get_running_loop()),
        tasks=tasks,
        settings=SimpleNamespace(get=lambda declaration: declaration.default),
        paths=Paths(basedir),
        keychain=None,
        parse=None,
    )
    return House(cast("Parts", parts), world.store, cast("ModelHost", Host())), tasks
