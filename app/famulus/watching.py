"""Watches the folders of sources, and syncs those that change."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from app.domain.errors import Expected
from app.domain.events import SourceChanged
from app.sources.watch import Watcher

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.famulus.parts import Parts
    from app.famulus.unasked import Unasked
    from app.runtime.lanes import Lane

_log = logging.getLogger(__name__)


class Watching:
    """Syncs a source a moment after its folder changed; follows sources that come and go."""

    def __init__(self, parts: Parts, unasked: Unasked) -> None:
        self._parts = parts
        self._unasked = unasked
        self._loop = asyncio.get_running_loop()
        self._watcher = Watcher(self._tell)
        self._unsubscribe = parts.bus.subscribe(SourceChanged, self._on_source)
        self._lane: Lane | None = None
        self._targets: dict[str, Sequence[Path]] = {}
        self._running: set[str] = set()
        self._due_again: set[str] = set()

    async def start(self) -> None:
        """Watch what there is now, on a lane of its own."""
        self._lane = self._parts.lanes.endless("watch")
        self._lane.submit(self._watcher.run)
        await self._look()

    def stop(self) -> None:
        """Watch no longer."""
        self._unsubscribe()
        self._watcher.stop()
        if self._lane is not None:
            self._lane.close()

    def _on_source(self, event: SourceChanged) -> None:
        self._parts.tasks.start(self._look(), f"watch {event.source_id}")

    async def _look(self) -> None:
        try:
            infos = await self._unasked.collection.list()
            targets = self._unasked.collection.watched(infos)
        except Expected as problem:
            _log.info("cannot watch now: %s", problem.code)
            return
        # a sync changes its source's state, and that is no reason to begin watching anew
        if targets != self._targets:
            self._targets = targets
            self._watcher.watch(targets, self._unasked.collection.excluded)

    def _tell(self, source_id: str) -> None:
        """Called on the watcher's thread."""
        self._loop.call_soon_threadsafe(self._begin, source_id)

    def _begin(self, source_id: str) -> None:
        """A folder that changes while it is synced is synced once more, however often it changed."""
        if source_id in self._running:
            self._due_again.add(source_id)
            return
        self._running.add(source_id)
        self._parts.tasks.start(self._sync(source_id), f"sync {source_id}")

    async def _sync(self, source_id: str) -> None:
        is_due = True
        try:
            while is_due:
                self._due_again.discard(source_id)
                await self._unasked.sync_quietly(source_id)
                is_due = source_id in self._due_again
        finally:
            self._running.discard(source_id)
