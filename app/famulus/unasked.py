"""Syncs that nobody asked for: when a folder changes, when a server tells of news, and by the clock."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.domain.errors import Expected
from app.domain.events import Progressed
from app.famulus.collection import BUILT_IN
from app.famulus.listening import Listening
from app.famulus.watching import Watching
from app.govern.schedule import is_due
from app.runtime import clock, power
from app.runtime.stop import StopSwitch
from app.settings.declarations import PAUSE_ON_BATTERY, PAUSE_ON_METERED, SYNC_INTERVAL_MINUTES, WATCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.collecting import SourceInfo
    from app.domain.progress import Progress
    from app.famulus.collection import Collection
    from app.famulus.parts import Parts
    from app.sources.contract import PushingSource

_log = logging.getLogger(__name__)


class Unasked:
    """See the module docstring. Its methods are called on the loop."""

    def __init__(self, parts: Parts, collection: Collection) -> None:
        self.collection = collection
        self._parts = parts
        self._watching: Watching | None = None
        self._listening: Listening | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._switch = StopSwitch()

    async def start(self) -> None:
        """Begin, as far as the settings say."""
        self._tasks.append(self._parts.tasks.start(self._sync_by_the_clock(), "sync by the clock"))
        if self._parts.settings.get(WATCH):
            self._watching = Watching(self._parts, self)
            await self._watching.start()
            self._listening = Listening(self._parts, self._pushing, self.sync_quietly)
            self._tasks.append(self._parts.tasks.start(self._listening.follow(), "listen"))

    async def close(self) -> None:
        """End; a sync that has begun ends at its next entry."""
        self._switch.stop()
        if self._watching is not None:
            self._watching.stop()
        if self._listening is not None:
            await self._listening.stop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def sync_quietly(self, source_id: str) -> None:
        """A sync that nobody asked for: what goes wrong stands in the source's health line."""
        try:
            infos = await self.collection.list()
        except Expected as problem:
            _log.info("an unasked sync ended with %s", problem.code)
            return
        if any(info.source_id == source_id and not info.is_paused for info in infos):
            await self._sync_one(source_id)

    async def _sync_one(self, source_id: str) -> None:
        try:
            await self.collection.sync(
                source_id, confirm_deletions=False, progress=self._tell_progress, stop=self._switch
            )
        except Expected as problem:
            _log.info("an unasked sync of %s ended with %s", source_id, problem.code)
        except Exception:  # noqa: BLE001 - what breaks down in one source ends neither the clock nor the listening
            _log.exception("an unasked sync of %s broke down", source_id)

    def _tell_progress(self, progress: Progress) -> None:
        self._parts.bus.publish(Progressed(progress))

    async def _sync_by_the_clock(self) -> None:
        """Every minute, collect the sources whose time has come, and listen or not as the device can afford it."""
        while True:
            await asyncio.sleep(60)
            if self._listening is not None:
                await self._listening.follow()
            minutes = self._parts.settings.get(SYNC_INTERVAL_MINUTES)
            if minutes:
                await self._sync_due(timedelta(minutes=minutes))

    async def _sync_due(self, interval: timedelta) -> None:
        try:
            infos = [info for info in await self.collection.list() if info.source_id not in BUILT_IN]
        except Expected as problem:
            _log.info("cannot sync by the clock now: %s", problem.code)
            return
        if not any(is_due(info, clock.now(), interval, is_held_back=False) for info in infos):
            return  # the device is asked, and what asks it loaded, only when something hangs on it
        is_saving, is_saving_servers = await self._savings()
        for info in infos:
            is_held_back = is_saving_servers if self.collection.is_remote(info) else is_saving
            if is_due(info, clock.now(), interval, is_held_back=is_held_back):
                await self._sync_one(info.source_id)

    async def _pushing(self) -> Sequence[tuple[SourceInfo, PushingSource]]:
        """Whom to listen to; nobody while servers are left alone."""
        found = await self.collection.pushing()
        if not found:
            return ()
        _, is_saving_servers = await self._savings()
        return () if is_saving_servers else found

    async def _savings(self) -> tuple[bool, bool]:
        """Whether sources on this device, and whether those on servers, are to be left alone now."""
        settings = self._parts.settings
        around = await self._parts.lanes.blocking.run(power.look)
        is_saving = around.is_on_battery and settings.get(PAUSE_ON_BATTERY)
        return is_saving, is_saving or (around.is_metered and settings.get(PAUSE_ON_METERED))
