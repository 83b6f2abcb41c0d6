"""A stage for the window: a loop for Qt and coroutines, a desk over the demo facade, no screen needed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import qasync

from app.runtime import clock
from app.runtime.bus import Bus
from app.runtime.lanes import Lanes
from app.runtime.paths import Paths
from app.runtime.tasks import Tasks
from app.ui.app import make_desk
from tests.ui.demo_facade import DemoFacade
from tests.ui.demo_world import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from app.ui.desk import Desk

PATIENCE_S = 5.0


@dataclass
class House:
    """What `app.ui.app.House` asks for, over the demo facade."""

    api: DemoFacade
    bus: Bus
    lanes: Lanes
    paths: Paths
    is_closed: bool = False

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        self.lanes.close()
        self.is_closed = True


class Stage:
    """Plays a scenario: `stage.play(scenario)` gives it a desk whose `api` is the demo facade, and cleans up."""

    def __init__(self, application: QApplication, basedir: Path) -> None:
        self._application = application
        self._basedir = basedir

    def play(
        self,
        scenario: Callable[[Desk], Coroutine[Any, Any, None]],
        *,
        prepare: Callable[[DemoFacade], object] = lambda _: None,
    ) -> None:
        with qasync.QEventLoop(self._application) as loop, clock.use(NOW):
            loop.run_until_complete(self._play(scenario, prepare))

    async def _play(
        self, scenario: Callable[[Desk], Coroutine[Any, Any, None]], prepare: Callable[[DemoFacade], object]
    ) -> None:
        bus = Bus(asyncio.get_running_loop())
        paths = Paths(self._basedir)
        paths.create()
        house = House(DemoFacade(bus), bus, Lanes(), paths)
        house.api.settings |= {"interface.language": "en", "interface.theme": "light"}
        prepare(house.api)
        tasks = Tasks()
        try:
            desk = await make_desk(self._application, house, tasks)
            await desk.status.refresh()
            await scenario(desk)
        finally:
            await tasks.close()
            await house.close()


async def until(condition: Callable[[], object]) -> None:
    """Let the window work until something holds; fails when it does not come to hold."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE_S
    while not condition():
        assert loop.time() < deadline, "what was waited for did not happen"
        await asyncio.sleep(0)


async def calm() -> None:
    """Let everything that is ready run."""
    for _ in range(30):
        await asyncio.sleep(0)
