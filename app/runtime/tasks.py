"""Background tasks of the loop: kept so that none is lost, logged when they fail, cancelled at the end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from app.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Tasks:
    """The tasks of one owner, who closes them.

    Args:
        is_by_itself: what is started goes on by itself, whoever caused it, and has not the time of their request.
    """

    def __init__(self, *, is_by_itself: bool = False) -> None:
        self._is_by_itself = is_by_itself
        self._running: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    @property
    def names(self) -> tuple[str, ...]:
        """What runs now."""
        return tuple(sorted(task.get_name() for task in self._running))

    def start(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Begin `work` on the running loop. Raises RuntimeError after `close`."""
        if self._is_closed:
            work.close()
            raise RuntimeError("these tasks were closed")
        with clock.by_itself() if self._is_by_itself else contextlib.nullcontext():
            task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    async def settle(self, timeout_s: float) -> None:
        """Wait until nothing runs any more, but no longer than `timeout_s`."""
        if self._running:
            await asyncio.wait(self._running, timeout=timeout_s)

    async def close(self) -> None:
        """Cancel what runs, and wait until all of it has ended."""
        self._is_closed = True
        waiting = [task for task in self._running if task is not asyncio.current_task()]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("the task %s failed", task.get_name(), exc_info=error)
