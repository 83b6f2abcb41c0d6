"""Keeps the reader of intents: makes it anew when the model or the person's routing table has changed (L3.3).

Nothing is made before somebody asks; what the table says then counts at once.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from app.domain.errors import Expected, Unavailable
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.domain.intents import Intent, IntentReading
    from app.famulus.model_host import ModelHost
    from app.famulus.parts import Parts
    from app.inference.embedder import Embedder
    from app.inference.intent.reader import IntentReader

    Stamp = tuple[int, int] | None

_log = logging.getLogger(__name__)


class RouteHost:
    """All methods are called on the loop; work goes to lanes."""

    def __init__(self, parts: Parts, model: ModelHost) -> None:
        self._parts = parts
        self._model = model
        self._made: tuple[Embedder, Stamp, IntentReader] | None = None

    async def intents(self) -> Sequence[Intent]:
        """The table, with the person's additions; raises `BadInput`."""
        return await self._parts.lanes.blocking.run(_intents, self._parts.paths.config)

    async def add(self, intent: str, example: str, *, is_new: bool) -> None:
        """Add an example to the person's table; raises as `own_examples.add_example`."""
        from app.inference.intent.own_examples import add_example  # noqa: PLC0415 - rarely needed

        await self._parts.lanes.blocking.run(add_example, self._parts.paths.config, intent, example, is_new=is_new)

    async def read(self, text: str) -> IntentReading:
        """What a text is for.

        Raises:
            BadInput: the person's table is wrong.
            Unavailable, Damaged: there is no embedding model now.
        """
        embedder = self._model.embedder
        if embedder is None:
            raise Unavailable(
                msg("Intents are read with the embedding model, and there is none."),
                next_step=msg("Run `famulus models install`."),
            )
        self._model.touch()
        return await self._parts.lanes.inference.run(self._read, embedder, text)

    async def read_if_can(self, text: str) -> IntentReading | None:
        """What a text is for; None, with a line in the log, while it cannot be read."""
        if self._model.embedder is None:
            return None
        try:
            return await self.read(text)
        except Expected as problem:
            _log.warning("intents cannot be read: %s", problem.code)
            return None

    def _read(self, embedder: Embedder, text: str) -> IntentReading:
        """On the model's lane, where one call follows the other."""
        from app.inference.intent.opening import open_reader  # noqa: PLC0415 - not needed to start

        stamp = _stamp(self._parts.paths.config)
        if self._made is None or self._made[0] is not embedder or self._made[1] != stamp:
            self._made = embedder, stamp, open_reader(embedder, self._parts.paths.config)
            _log.info("the routing table was read")
        return self._made[2].read(text)


def _intents(config: Path) -> Sequence[Intent]:
    from app.inference.intent.opening import own_table  # noqa: PLC0415 - not needed to start

    return tuple(own_table(config).intents.values())


def _stamp(config: Path) -> Stamp:
    """Changes whenever the person's table does."""
    from app.inference.intent.table import FILE  # noqa: PLC0415 - not needed to start

    try:
        found = (config / FILE).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
