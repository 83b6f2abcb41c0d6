"""Sees when the loop was held up: it is never to stand still for more than 50 ms (DESIGN 3).

A sample, not a proof: a heartbeat notices what stands in its way. The counts go to the log once a minute.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from app.runtime.clock import monotonic_s

if TYPE_CHECKING:
    import asyncio

_log = logging.getLogger(__name__)
LIMIT_S = 0.05
_BEAT_S = 0.2
_REPORT_S = 60.0


class LoopWatchdog:
    """Counts late heartbeats of `loop` from `start` to `stop`; both are called on the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None
        self._due_s = 0.0
        self._report_due_s = 0.0
        self._reported = 0
        self.late_count = 0
        self.worst_s = 0.0

    def start(self) -> None:
        """Begin to watch."""
        self._report_due_s = monotonic_s() + _REPORT_S
        self._arm()

    def stop(self) -> None:
        """Watch no longer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._report()

    def _arm(self) -> None:
        self._due_s = monotonic_s() + _BEAT_S
        self._handle = self._loop.call_later(_BEAT_S, self._beat)

    def _beat(self) -> None:
        late_s = monotonic_s() - self._due_s
        if late_s > LIMIT_S:
            self.late_count += 1
            self.worst_s = max(self.worst_s, late_s)
        if monotonic_s() >= self._report_due_s:
            self._report()
            self._report_due_s = monotonic_s() + _REPORT_S
        self._arm()

    def _report(self) -> None:
        if self.late_count > self._reported:
            fresh = self.late_count - self._reported
            _log.warning("the loop was held up %d times, at worst %d ms so far", fresh, round(self.worst_s * 1000))
            self._reported = self.late_count
