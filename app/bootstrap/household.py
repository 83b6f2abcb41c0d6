"""One process that owns the data: its parts, the facade over them, and the server for the others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self, cast

from app.famulus.facade import Famulus
from app.famulus.parts import Parts
from app.famulus.server import Server
from app.runtime import crash_dumps, log, memory
from app.runtime.bus import Bus
from app.runtime.lanes import Lanes
from app.runtime.parse_process import ParseProcess
from app.runtime.secrets import Keychain
from app.runtime.tasks import Tasks
from app.runtime.watchdog import LoopWatchdog
from app.settings.declarations import HEADLESS_IDLE_EXIT_S, LOG_LEVEL, PARSE_MEMORY_MIB, PARSE_TIMEOUT_S, READERS
from app.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.famulus.api import FamulusApi
    from app.runtime.paths import Paths
    from app.runtime.single_instance import OwnerLock

_PARSER = "app.sources.parsing.worker:handle"
_MIB = 1 << 20


class Household:
    """Everything that lives in the process of the owner. Made and closed on its loop, with the owner lock held."""

    def __init__(self, parts: Parts, famulus: Famulus, server: Server, lock: OwnerLock) -> None:
        self._parts = parts
        self._famulus = famulus
        self._lock = lock
        self.server = server
        self._watchdog = LoopWatchdog(asyncio.get_running_loop())
        self._is_closed = False

    @classmethod
    def make(
        cls,
        paths: Paths,
        lock: OwnerLock,
        *,
        quit_: Callable[[], None],
        show: Callable[[bool], None] | None = None,
    ) -> Self:
        """Put everything together, and open nothing yet: a tray can be shown meanwhile.

        Raises:
            Expected: the data folder cannot be used. The lock is given back.
        """
        try:
            parts = _parts(paths, asyncio.get_running_loop())
        except BaseException:
            lock.give_back()
            raise
        famulus = Famulus(parts, quit_=quit_, show=show)
        return cls(parts, famulus, Server(famulus, paths, parts.lanes.blocking), lock)

    async def start(self) -> None:
        """Open the database with what is at hand, and begin to serve.

        Raises:
            Expected: the socket cannot be used. Everything is closed, and the lock given back.
        """
        self._watchdog.start()
        try:
            await self._famulus.start()
            await self.server.start()
        except BaseException:
            self._is_closed = True
            self._watchdog.stop()
            await _close_parts(self._parts)
            self._lock.give_back()
            raise

    @property
    def api(self) -> FamulusApi:
        """The facade."""
        return cast("FamulusApi", self._famulus)

    @property
    def bus(self) -> Bus:
        """The events, on the running loop."""
        return self._parts.bus

    @property
    def lanes(self) -> Lanes:
        """Where blocking work goes."""
        return self._parts.lanes

    @property
    def paths(self) -> Paths:
        """Where things are."""
        return self._parts.paths

    @property
    def idle_exit_s(self) -> float:
        """Seconds of idleness after which an owner without a window ends."""
        return float(self._parts.settings.get(HEADLESS_IDLE_EXIT_S))

    async def is_busy(self) -> bool:
        """Whether work goes on that nobody waits for."""
        return await self._famulus.is_busy()

    async def close(self) -> None:
        """Answer what is being answered, close the database, end every thread, and be the owner no longer."""
        if self._is_closed:
            return
        self._is_closed = True
        self._watchdog.stop()
        await self.server.close()
        await self._famulus.close()
        await _close_parts(self._parts)
        self._lock.give_back()


def _parts(paths: Paths, loop: asyncio.AbstractEventLoop) -> Parts:
    memory.be_modest()
    crash_dumps.forbid()
    settings = Settings(paths.settings)
    log.start(paths.log, settings.get(LOG_LEVEL))
    log.catch_unhandled(loop)
    return Parts(
        paths=paths,
        settings=settings,
        lanes=Lanes(readers=settings.get(READERS)),
        bus=Bus(loop),
        tasks=Tasks(is_by_itself=True),
        keychain=Keychain(),
        parse=ParseProcess(
            _PARSER,
            timeout_s=settings.get(PARSE_TIMEOUT_S),
            memory_bytes=settings.get(PARSE_MEMORY_MIB) * _MIB,
        ),
    )


async def _close_parts(parts: Parts) -> None:
    await parts.tasks.close()
    await asyncio.get_running_loop().run_in_executor(None, parts.parse.close)
    await asyncio.get_running_loop().run_in_executor(None, parts.lanes.close)
