"""Keeps the span model: finds its pack, loads it when something is read, unloads it when nothing waits to be read.

Without a pack all goes on: clauses, dates and addresses are found by rules, names are not (G2.4). The model reads on
the inference lane, and what runs it is imported there.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from app.domain.errors import Expected
from app.govern.extraction import Extractor
from app.runtime.clock import monotonic_s
from app.settings.declarations import MODEL_IDLE_UNLOAD_MINUTES

if TYPE_CHECKING:
    from app.famulus.parts import Parts
    from app.inference.spans import SpanReader

_IDLE_CHECK_S = 30.0
_THREADS = 1
_log = logging.getLogger(__name__)


class SpanHost:
    """One span model for one process. Its methods are called on the loop.

    Attributes:
        problem: why there is no model though there is a pack, or None.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._reader: SpanReader | None = None
        self._has_looked = False
        self._used_s = monotonic_s()
        self._by_rules = Extractor()
        self._by_model: Extractor | None = None
        self.problem: Expected | None = None

    def look_again(self) -> None:
        """A pack may have come or gone."""
        self._has_looked = False

    async def extractor(self) -> Extractor | None:
        """Reads with the model; None while there is none. Call its methods on the inference lane."""
        if not self._has_looked:
            self._has_looked = True
            await self._look()
        if self._by_model is not None:
            self._used_s = monotonic_s()
        return self._by_model

    @property
    def by_rules(self) -> Extractor:
        """Reads without the model, on any lane."""
        return self._by_rules

    def give_up(self, problem: Expected) -> None:
        """The model cannot be used; until a pack comes anew, go on without it."""
        _log.warning("names are found by rules alone: %s", problem.code)
        self.problem = problem
        self._reader, self._by_model = None, None

    async def watch_idleness(self) -> None:
        """Unload the model when nobody has used it for a while; runs until cancelled."""
        while True:
            await asyncio.sleep(_IDLE_CHECK_S)
            minutes = self._parts.settings.get(MODEL_IDLE_UNLOAD_MINUTES)
            is_idle = minutes > 0 and monotonic_s() - self._used_s > minutes * 60
            if is_idle and self._reader is not None and self._reader.is_loaded:
                await self.unload()

    async def rest(self) -> None:
        """Nothing waits to be read: what comes next loads the model again, in half a second."""
        if self._reader is not None and self._reader.is_loaded and self._parts.settings.get(MODEL_IDLE_UNLOAD_MINUTES):
            await self.unload()

    async def unload(self) -> None:
        """Give the model's memory back; it loads again when something is read."""
        if self._reader is not None:
            await self._parts.lanes.inference.run(self._reader.unload)
            _log.info("the span model was unloaded")

    async def _look(self) -> None:
        try:
            reader = await self._parts.lanes.blocking.run(self._find)
        except Expected as problem:
            self.give_up(problem)
            return
        if reader is None:
            self._reader, self._by_model = None, None
        elif self._reader is None or reader.pack.folder != self._reader.pack.folder:
            self._reader, self._by_model = reader, Extractor(reader)
        self.problem = None

    def _find(self) -> SpanReader | None:
        from app.inference.packs import SPANS, find_pack  # noqa: PLC0415 - a tray does not wait for it

        pack = next(
            (pack for folder in self._parts.paths.model_folders if (pack := find_pack(folder, SPANS)) is not None), None
        )
        if pack is None:
            return None
        from app.inference.chinese_names import ChineseNames  # noqa: PLC0415 - see above
        from app.inference.spans import SpanReader  # noqa: PLC0415 - see above

        return SpanReader(pack, chinese=ChineseNames.installed(), threads=_THREADS)
