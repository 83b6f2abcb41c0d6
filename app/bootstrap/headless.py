"""An owner without a window: for the command line, and for machines that have no screen."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING

from app.bootstrap.household import Household
from app.runtime.processes import fall_silent
from app.runtime.single_instance import OwnerLock
from app.runtime.tasks import Tasks

if TYPE_CHECKING:
    from app.runtime.paths import Paths


def run(paths: Paths, *, idle_exit_s: float | None) -> int:
    """Own the data until asked to quit, or idle; returns the exit code, 0 also when another process owns it.

    Args:
        idle_exit_s: seconds without a caller and without work after which it ends; None takes the setting.

    Raises:
        Expected: the data folder cannot be used.
    """
    paths.create()
    lock = OwnerLock(paths)
    # who looks for an owner holds the lock for a moment
    if not lock.take(timeout_s=1.0):
        return 0
    asyncio.run(_live(paths, lock, idle_exit_s))
    return 0


async def _live(paths: Paths, lock: OwnerLock, idle_exit_s: float | None) -> None:
    ended = asyncio.Event()
    household = Household.make(paths, lock, quit_=ended.set)
    await household.start()
    idle_s = household.idle_exit_s if idle_exit_s is None else idle_exit_s
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    # whoever started this process has heard of every problem by now
    fall_silent()
    tasks = Tasks()
    try:
        end = tasks.start(ended.wait(), "wait for the end")
        idle = tasks.start(household.server.wait_until_idle(idle_s, household.is_busy), "wait for idleness")
        await asyncio.wait((end, idle), return_when=asyncio.FIRST_COMPLETED)
    finally:
        await tasks.close()
        await household.close()
