"""An owner of data that it does not have: the transport is under test, not the facade behind it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from app import __version__
from app.domain.collecting import ImportReport, SourceInfo, SyncReport, SyncState
from app.domain.context_item import AgendaItem
from app.domain.errors import WrongKey
from app.domain.labels import EntryKind, Sensitivity, Trust
from app.domain.progress import Progress, ignore_progress
from app.domain.text import Text, msg
from app.famulus.api import Counts, LockState, ModelState, StatusReport
from app.famulus.server import Server
from app.runtime import clock
from app.runtime.lanes import Lane
from app.runtime.paths import Paths
from app.runtime.processes import fall_silent
from app.runtime.single_instance import OwnerLock


class FakeFamulus:
    """A few of the facade's methods, each with one way for things to go."""

    def __init__(self, has_window: bool = False) -> None:
        self.lane = Lane("fake", 4)
        self.ended = asyncio.Event()
        self.has_window = has_window
        self.begun = self.stopped = 0

    async def status(self):
        return StatusReport(
            version=__version__,
            lock=LockState.OPEN,
            lock_problem=None,
            lock_next_step=None,
            has_recovery_key=False,
            has_window=self.has_window,
            model=ModelState.ABSENT,
            model_problem=msg("{n} parts are missing", n=2),
            counts=Counts(sources=self.begun, entries=self.stopped),
            process_id=os.getpid(),
        )

    async def unlock(self, *, passphrase=None, recovery_key=None):
        raise WrongKey(msg("{x} does not fit", x="It"), next_step=msg("Try again."))

    async def set_passphrase(self, passphrase):
        raise ValueError(f"a bug that knows {passphrase}")

    async def remove_source(self, source_id):
        return {"seven": 7}.get(source_id, "not a number" and object())

    async def add_source(self, draft):
        raise WrongKey(Text(repr((draft.kind, draft.location, draft.scope, draft.sensitivity))), next_step=Text(""))

    async def sources(self):
        owned = ("files", "/", "endless", "personal", "owner", Sensitivity.INTERNAL, Trust.OWN_FILES, SyncState.IDLE)
        return [SourceInfo("endless", *owned, clock.now())]

    async def sync(self, source_id=None, *, confirm_deletions=False, progress=ignore_progress, stop=None):
        return await self.lane.run(self._sync, source_id, progress, stop)

    def _sync(self, source_id, progress, stop):
        progress(Progress("sync", msg("at {n}", n=0), 0, 3))
        if source_id == "endless":
            self.begun += 1
            try:
                while True:
                    stop.checkpoint()
            finally:
                self.stopped += 1
        if source_id == "chatty":
            for n in range(100_000):
                progress(Progress("sync", msg("at {n}", n=n), n, None))
        progress(Progress("sync", msg("at {n}", n=3), 3, 3))
        return [SyncReport(source_id or "all", added=3)]

    async def import_paths(self, paths, *, progress=ignore_progress, stop=None):
        if list(paths) == ["huge"]:
            return [ImportReport("huge", understood={"text": "x" * (1 << 28)})]
        return [ImportReport(path, understood={"text": "中文\x00", "$odd": [1, None]}) for path in paths]

    async def agenda(self, when=None):
        moment = clock.now()
        return [AgendaItem("1", EntryKind.EVENT, when or "", moment, None, False, "", None, "", "personal", ("a",))]

    async def lock(self):
        self.begun += 1
        await asyncio.Event().wait()

    async def show_window(self, *, is_toggling=False):
        return self.has_window

    async def shut_down(self):
        self.ended.set()


async def own(basedir: str, *, has_window: bool = False, idle_s: float = 60) -> int:
    """What app.bootstrap does with the real facade."""
    paths = Paths(Path(basedir))
    lock = OwnerLock(paths)
    if not lock.take(timeout_s=1):
        return 0
    api = FakeFamulus(has_window)
    server = Server(api, paths, api.lane)

    async def is_busy():
        return False

    await server.start()
    print(os.getpid(), flush=True)
    fall_silent()
    idle = asyncio.ensure_future(server.wait_until_idle(idle_s, is_busy))
    ended = asyncio.ensure_future(api.ended.wait())
    await asyncio.wait([idle, ended], return_when=asyncio.FIRST_COMPLETED)
    await server.close()
    api.lane.close(is_waiting=False)
    lock.give_back()
    return 0


if __name__ == "__main__":
    code = asyncio.run(own(sys.argv[1], has_window="window" in sys.argv, idle_s=0.2 if "hasty" in sys.argv else 60))
    os._exit(code)
