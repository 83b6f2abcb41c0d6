"""The message bus: parts tell what happened without knowing who listens (L6.2). Events are `domain.events`.

It keeps nothing: who subscribes late has missed what was.
"""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from app.domain.events import Event

E = TypeVar("E")
_log = logging.getLogger(__name__)


class Bus:
    """Delivers events on `loop`, in the order in which they were published from one thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._listeners: dict[type[Any], list[Callable[[Any], None]]] = {}

    def subscribe(self, kind: type[E], listener: Callable[[E], None]) -> Callable[[], None]:
        """Call `listener` on the loop for every event of `kind`; returns the function that ends it."""
        listeners = self._listeners.setdefault(kind, [])
        listeners.append(listener)

        def unsubscribe() -> None:
            with contextlib.suppress(ValueError):
                listeners.remove(listener)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Tell an event, from any thread. After the loop has closed nobody hears it."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._deliver, event)

    def _deliver(self, event: Event) -> None:
        for listener in tuple(self._listeners.get(type(event), ())):
            try:
                listener(event)
            except Exception:  # noqa: BLE001 - a border: one listener's bug must not silence the others
                _log.exception("a listener for %s failed", type(event).__name__)
