"""What the background queues have in common: they are woken, paused, waited for, and stand still when something fails.

What waits, and what is done with it, is the matter of `app.govern.indexing` and `app.govern.understanding.queue`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from app.domain.errors import Expected
from app.domain.events import Progressed
from app.domain.progress import Progress, ignore_progress

if TYPE_CHECKING:
    from app.domain.progress import ProgressSink, StopSignal
    from app.domain.text import Text
    from app.runtime.bus import Bus
    from app.runtime.lanes import Lanes

_LOOK_AGAIN_S = 0.1
_log = logging.getLogger(__name__)


class WorkQueue(ABC):
    """A queue. `run` is one background task; the other methods are called from the loop.

    Args:
        task: its name, in what it tells of its progress; label: the same for people.

    Attributes:
        problem: why the queue stands still, or None. It begins again at the next `wake`.
        runs: how often it has come to an end of what waited.
    """

    def __init__(self, lanes: Lanes, bus: Bus | None, task: str, label: Text) -> None:
        self._lanes = lanes
        self._bus = bus
        self._task = task
        self._label = label
        self._is_due = asyncio.Event()
        self._may_go = asyncio.Event()
        self._may_go.set()
        self._is_done = asyncio.Event()
        self._is_done.set()
        self.problem: Expected | None = None
        self.runs = 0

    @abstractmethod
    async def waiting(self) -> int:
        """How much there is to do."""

    @abstractmethod
    async def _work_off(self) -> None:
        """Work until nothing waits."""

    @property
    def is_paused(self) -> bool:
        """Whether the queue waits for `resume`."""
        return not self._may_go.is_set()

    @property
    def is_done(self) -> bool:
        """Whether nothing waits, or what waits cannot go on."""
        return self._is_done.is_set()

    def wake(self) -> None:
        """Look for what waits: something was written, or what stood in the way is gone."""
        self.problem = None
        self._is_done.clear()
        self._is_due.set()

    def pause(self) -> None:
        """Stop after the present piece of work."""
        self._may_go.clear()

    def resume(self) -> None:
        """Go on."""
        self._may_go.set()

    async def run(self) -> None:
        """Work for ever, until cancelled."""
        while True:
            await self._is_due.wait()
            self._is_due.clear()
            try:
                await self._work_off()
            except Expected as problem:
                _log.warning("the queue %s stands still: %s", self._task, problem.code)
                self.problem = problem
            self.runs += 1
            if not self._is_due.is_set():
                self._is_done.set()

    async def wait_until_done(
        self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> None:
        """Return when nothing waits.

        Raises:
            Cancelled: from `stop`; the queue itself goes on.
            Expected: what made the queue stand still.
        """
        total = await self.waiting()
        while not self._is_done.is_set():
            if stop is not None:
                await self._lanes.blocking.run(stop.checkpoint)
            left = await self.waiting()
            total = max(total, left)
            progress(self._progress(total - left, total))
            await self._wait_a_little()
        if self.problem is not None:
            raise self.problem
        progress(self._progress(total, total))

    async def _wait_a_little(self) -> None:
        """Until all is done, but not for long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._is_done.wait(), _LOOK_AGAIN_S)

    def _tell(self, done: int, left: int) -> None:
        if self._bus is not None:
            self._bus.publish(Progressed(self._progress(done, done + left)))

    def _progress(self, done: int, total: int) -> Progress:
        return Progress(task=self._task, label=self._label, done=done, total=total)
