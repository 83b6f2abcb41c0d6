"""Servers that say by themselves that something is new: one waiting connection for each such source (IMAP IDLE).

A source whose server does not answer is waited for again after a while that grows, and as soon as it was collected; a
server that does not tell is left to the schedule. While the device saves its battery or its network, nobody listens.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.collecting import SyncState
from app.domain.errors import Cancelled, Expected, Refused
from app.domain.events import SourceChanged
from app.runtime.stop import StopSwitch

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from app.domain.collecting import SourceInfo
    from app.famulus.parts import Parts
    from app.runtime.lanes import Lane
    from app.sources.contract import PushingSource

# A server that is started anew is back soon; one that does not know the password locks who asks it all the time
_AGAIN_S = (5.0, 20.0, 80.0, 300.0, 1800.0, 7200.0)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Ear:
    """One connection that waits; it was opened for a source with these options."""

    task: asyncio.Task[None]
    switch: StopSwitch
    options: Mapping[str, str]
    awake: asyncio.Event

    def close(self) -> None:
        """It ends within about a second; a sync that it has begun ends first, and is not torn apart."""
        self.switch.stop()
        self.awake.set()


class Listening:
    """See the module docstring. Methods are called on the loop.

    Args:
        pushing: opens the sources whose servers may tell.
        sync: what to do when one has news.
    """

    def __init__(
        self,
        parts: Parts,
        pushing: Callable[[], Awaitable[Sequence[tuple[SourceInfo, PushingSource]]]],
        sync: Callable[[str], Awaitable[None]],
    ) -> None:
        self._parts = parts
        self._pushing = pushing
        self._sync = sync
        self._ears: dict[str, _Ear] = {}
        self._unsubscribe = parts.bus.subscribe(SourceChanged, self._on_source)

    async def stop(self) -> None:
        """Listen no longer; a connection closes itself within about a second."""
        self._unsubscribe()
        for ear in self._ears.values():
            ear.close()
        await asyncio.gather(*(ear.task for ear in self._ears.values()), return_exceptions=True)

    def _on_source(self, event: SourceChanged) -> None:
        if event.state is SyncState.IDLE and event.source_id in self._ears:
            self._ears[event.source_id].awake.set()  # it answers, or was set up anew
        if event.state is not SyncState.SYNCING:
            self._parts.tasks.start(self.follow(), f"listen to {event.source_id}")

    async def follow(self) -> None:
        """Listen to whom there is now; to be called again when that may be somebody else."""
        try:
            wanted = {info.source_id: (info, source) for info, source in await self._pushing()}
        except Expected as problem:
            _log.info("cannot listen now: %s", problem.code)
            return
        for source_id, ear in list(self._ears.items()):
            if source_id not in wanted or ear.options != wanted[source_id][0].options:
                self._ears.pop(source_id).close()
        for source_id, (info, source) in wanted.items():
            if source_id not in self._ears:
                switch, awake = StopSwitch(), asyncio.Event()
                work = self._listen(source_id, source, switch, awake)
                task = self._parts.tasks.start(work, f"listen to {source_id}")
                self._ears[source_id] = _Ear(task, switch, info.options, awake)

    async def _listen(self, source_id: str, source: PushingSource, switch: StopSwitch, awake: asyncio.Event) -> None:
        lane = self._parts.lanes.endless(f"listen-{source_id}")
        try:
            while await self._wait(lane, source, switch, awake):
                await self._sync(source_id)
        except Cancelled:
            return
        except Refused:
            _log.info("the server of %s does not tell its changes", source_id)
        finally:
            lane.close(is_waiting=False)

    async def _wait(self, lane: Lane, source: PushingSource, switch: StopSwitch, awake: asyncio.Event) -> bool:
        """Wait for news; True when there are some. `awake` ends a pause: the source was reached otherwise.

        Raises:
            Cancelled: from `switch`.
        """
        pauses_s = iter(_AGAIN_S)
        while True:
            awake.clear()
            switch.checkpoint()
            try:
                if await lane.run(source.wait_for_change, switch):
                    return True
            except (Cancelled, Refused):
                raise
            except Expected as problem:
                _log.info("a server cannot be listened to now: %s", problem.code)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(awake.wait(), next(pauses_s, _AGAIN_S[-1]))
            else:
                pauses_s = iter(_AGAIN_S)
