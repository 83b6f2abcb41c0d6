"""Keeps the embedding model: finds its pack, loads it in the background, unloads it when idle, installs it.

While there is none, or it is still loading, everything else works: Famulus answers by words. What runs it is imported
on a lane when it is needed: a tray does not wait for it.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from app.domain.errors import Expected
from app.domain.events import ModelStateChanged
from app.domain.progress import ignore_progress
from app.famulus.api import ModelState
from app.famulus.model_shelf import build_pack, info_of, list_packs, remove_pack
from app.runtime.clock import monotonic_s
from app.settings.declarations import MODEL_IDLE_UNLOAD_MINUTES, MODEL_THREADS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.progress import ProgressSink, StopSignal
    from app.famulus.api import ModelInfo
    from app.famulus.parts import Parts
    from app.inference.embedder import Embedder
    from app.inference.packs import ModelPack
    from app.inference.tokens import TokenCounter

_MOST_THREADS = 4
_IDLE_CHECK_S = 30.0
_LONGEST_LOADING_S = 10.0
_log = logging.getLogger(__name__)


class ModelHost:
    """One embedding model for one process. All methods are called on the loop; work goes to lanes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.state = ModelState.ABSENT
        self.problem: Expected | None = None
        self.embedder: Embedder | None = None
        self._used_s = monotonic_s()
        self._listeners: list[Callable[[], None]] = []
        self._is_settled = asyncio.Event()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` on the loop whenever the model comes or goes."""
        self._listeners.append(listener)

    async def start(self) -> None:
        """Look for the pack and load it; never raises: what is wrong stands in `state` and `problem`."""
        try:
            pack = await self._parts.lanes.blocking.run(self._find)
            if pack is None:
                self._become(ModelState.ABSENT)
                return
            await self._take(pack)
        except Expected as error:
            self._become(ModelState.FAILED, error)

    async def settled(self) -> None:
        """Return when it is known whether there is a model, and that one has loaded."""
        await self._is_settled.wait()

    async def known(self) -> None:
        """The same, but never long: one that is being built is not waited for."""
        if self.state is not ModelState.PREPARING:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_settled.wait(), _LONGEST_LOADING_S)

    async def watch_idleness(self) -> None:
        """Unload the model when nobody has used it for a while; runs until cancelled."""
        while True:
            await asyncio.sleep(_IDLE_CHECK_S)
            minutes = self._parts.settings.get(MODEL_IDLE_UNLOAD_MINUTES)
            is_idle = minutes > 0 and monotonic_s() - self._used_s > minutes * 60
            if is_idle and self.embedder is not None and self.embedder.is_loaded:
                await self._parts.lanes.inference.run(self.embedder.unload)
                _log.info("the embedding model was unloaded, being idle")

    def make_counter(self) -> TokenCounter:
        """Counts tokens by the model, or estimates while there is none; on a lane."""
        from app.inference.tokens import TokenCounter  # noqa: PLC0415 - see the module docstring

        return self.embedder.counter if self.embedder is not None else TokenCounter()

    def touch(self) -> None:
        """The model is in use."""
        self._used_s = monotonic_s()

    async def install(self, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None) -> ModelInfo:
        """Fetch and build the pack where it is missing or damaged, then use it.

        Raises:
            Unavailable, DiskFull, ReadOnly, Cancelled: see `app.inference.prepare`.
        """
        from app.inference.prepare import prepare  # noqa: PLC0415 - the builder is heavy, and used once

        before = self.state, self.problem
        self._become(ModelState.PREPARING)
        try:
            made = await self._parts.lanes.blocking.run(prepare, self._parts.paths.models, progress=progress, stop=stop)
            pack = made[0]
            await self._take(pack)
        except Expected:
            self._become(*before)
            raise
        return info_of(pack)

    async def list(self) -> Sequence[ModelInfo]:
        """The installed packs of every task, each verified now; a broken one says what is wrong with it."""
        in_use = self.embedder.pack.folder if self.embedder is not None else None
        return await self._parts.lanes.blocking.run(list_packs, self._parts.paths.model_folders, in_use)

    async def remove(self, name: str) -> None:
        """Delete a pack. Where it is the one in use, it is unloaded first, and search goes on by words.

        Raises:
            BadInput, Refused: see `model_shelf.remove_pack`.
        """
        embedder = self.embedder
        if embedder is not None and name in {embedder.model_id, embedder.pack.folder.name}:
            await self._parts.lanes.blocking.run(remove_pack, self._parts.paths.model_folders, name)
            await self._parts.lanes.inference.run(embedder.unload)
            self.embedder = None
            self._become(ModelState.ABSENT)
            return
        await self._parts.lanes.blocking.run(remove_pack, self._parts.paths.model_folders, name)

    async def build(
        self, folder: str, name: str | None, *, progress: ProgressSink = ignore_progress, stop: StopSignal | None = None
    ) -> ModelInfo:
        """Build a pack of an encoder from its folder; raises as `model_shelf.build_pack` does."""
        pack = await self._parts.lanes.blocking.run(build_pack, self._parts.paths.models, folder, name, progress, stop)
        return info_of(pack)

    def _find(self) -> ModelPack | None:
        """The first pack of the folders; a damaged one is reported only when no folder has a good one."""
        from app.inference.packs import find_pack  # noqa: PLC0415 - see the module docstring

        problem: Expected | None = None
        for folder in self._parts.paths.model_folders:
            try:
                pack = find_pack(folder)
            except Expected as error:
                problem = problem or error
            else:
                if pack is not None:
                    return pack
        if problem is not None:
            raise problem
        return None

    async def _take(self, pack: ModelPack) -> None:
        self._become(ModelState.LOADING)
        threads = _threads(self._parts.settings.get(MODEL_THREADS))
        embedder = await self._parts.lanes.inference.run(_loaded, pack, threads)
        self.embedder = embedder
        self.touch()
        self._become(ModelState.READY)

    def _become(self, state: ModelState, problem: Expected | None = None) -> None:
        self.state, self.problem = state, problem
        if state in {ModelState.PREPARING, ModelState.LOADING}:
            self._is_settled.clear()
        else:
            self._is_settled.set()
        self._parts.bus.publish(ModelStateChanged(state.value))
        for listener in self._listeners:
            listener()


def _loaded(pack: ModelPack, threads: int) -> Embedder:
    from app.inference.embedder import Embedder  # noqa: PLC0415 - see the module docstring

    embedder = Embedder(pack, threads=threads)
    embedder.load()
    return embedder


def _threads(wanted: int) -> int:
    """The cores for the model: as wished, or half of what there is and at least two (a laptop stays usable)."""
    return wanted or min(_MOST_THREADS, max(2, (os.cpu_count() or 2) // 2))
