"""The syncs that the window started: how far each is, and its pause and cancel (D8.5).

Syncs started elsewhere (by the clock, by the command line) are heard of on the bus, and cannot be paused from here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.events import Progressed
from app.runtime.stop import StopSwitch
from app.ui import naming
from app.ui.doing import ProgressRelay

if TYPE_CHECKING:
    import asyncio

    from app.domain.progress import Progress
    from app.famulus.api import FamulusApi
    from app.runtime.bus import Bus
    from app.ui.doing import Doing, Place


@dataclass(slots=True)
class Job:
    """One sync under way."""

    source_id: str
    switch: StopSwitch = field(default_factory=StopSwitch)
    progress: Progress | None = None


class Collecting(QObject):
    """`changed` tells the source whose sync began, moved or ended; `finished` hands on its report."""

    changed = Signal(str)
    finished = Signal(object)

    def __init__(self, api: FamulusApi, bus: Bus, doing: Doing) -> None:
        super().__init__()
        self._api = api
        self._doing = doing
        self._jobs: dict[str, Job] = {}
        bus.subscribe(Progressed, self._on_progressed)

    @property
    def is_busy(self) -> bool:
        """Whether any sync of ours is under way."""
        return bool(self._jobs)

    def job(self, source_id: str) -> Job | None:
        """The sync of a source that is under way."""
        return self._jobs.get(source_id)

    def sync(
        self, source_id: str, place: Place | None, *, confirm_deletions: bool = False
    ) -> asyncio.Task[None] | None:
        """Begin to collect the changes of one source; does nothing while that is under way."""
        if source_id in self._jobs:
            return None
        job = self._jobs[source_id] = Job(source_id)
        work = self._run(job, confirm_deletions=confirm_deletions)
        return self._doing(work, f"sync {source_id}", place)

    def sync_all(self, place: Place | None) -> None:
        """Begin to collect the changes of every source, one after the other."""
        self._doing(self._run_all(place), "sync all", place)

    def pause(self, source_id: str, *, is_paused: bool) -> None:
        """Let a sync wait, or go on."""
        job = self._jobs.get(source_id)
        if job is not None:
            (job.switch.pause if is_paused else job.switch.resume)()
            self.changed.emit(source_id)

    def cancel(self, source_id: str) -> None:
        """End a sync; what it collected so far stays."""
        job = self._jobs.get(source_id)
        if job is not None:
            job.switch.stop()

    def cancel_all(self) -> None:
        """End every sync, as before quitting."""
        for source_id in list(self._jobs):
            self.cancel(source_id)

    async def _run(self, job: Job, *, confirm_deletions: bool) -> None:
        source_id = job.source_id
        relay = ProgressRelay()
        relay.moved.connect(lambda progress: self._on_moved(job, progress))
        self.changed.emit(source_id)
        try:
            reports = await self._api.sync(
                source_id, confirm_deletions=confirm_deletions, progress=relay, stop=job.switch
            )
        finally:
            self._jobs.pop(source_id, None)
            self.changed.emit(source_id)
        for report in reports:
            self.finished.emit(report)

    async def _run_all(self, place: Place | None) -> None:
        for source in [listed for listed in await self._api.sources() if naming.is_followed(listed)]:
            task = self.sync(source.source_id, place)
            if task is not None:
                await task

    def _on_moved(self, job: Job, progress: Progress) -> None:
        job.progress = progress
        self.changed.emit(job.source_id)

    def _on_progressed(self, event: Progressed) -> None:
        # a task is named after its source, so that whoever looks at the source can show it
        _, _, source_id = event.progress.task.rpartition(":")
        job = self._jobs.get(source_id)
        if job is not None:
            self._on_moved(job, event.progress)
