"""Pause and Stop for long work (D8.5): one switch, asked from any thread between two steps."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

from app.domain.errors import Cancelled
from app.domain.text import msg

if TYPE_CHECKING:
    from collections.abc import Callable

PAUSE = "pause"
RESUME = "resume"
STOP = "stop"


class StopSwitch:
    """A `domain.progress.StopSignal` with its buttons.

    As a context it is stopped where its block ends: work that is paused when nobody waits for it any more, as when the
    program ends, would hold its thread, and with it the process, for ever.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_paused = False
        self._is_stopped = False
        self._listeners: list[Callable[[str], None]] = []

    def __enter__(self) -> Self:
        """See the class."""
        return self

    def __exit__(self, *_: object) -> None:
        """See the class."""
        self.stop()

    @property
    def is_paused(self) -> bool:
        """Whether work waits at its next checkpoint."""
        return self._is_paused and not self._is_stopped

    @property
    def is_stopped(self) -> bool:
        """Whether work ends at its next checkpoint."""
        return self._is_stopped

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Tell `listener` of what was pressed already and of every press: pause, resume, stop; returns what ends it.

        It is called on the pressing thread: for work that goes on elsewhere.
        """
        with self._changed:
            self._listeners.append(listener)
            pressed = [PAUSE] * self._is_paused + [STOP] * self._is_stopped
        for button in pressed:
            listener(button)
        return lambda: self._listeners.remove(listener)

    def pause(self) -> None:
        """Let work wait at its next checkpoint."""
        with self._changed:
            self._is_paused = True
        self._tell(PAUSE)

    def resume(self) -> None:
        """Let paused work go on."""
        with self._changed:
            self._is_paused = False
            self._changed.notify_all()
        self._tell(RESUME)

    def stop(self) -> None:
        """Let work end at its next checkpoint, also when it is paused. There is no way back."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()
        self._tell(STOP)

    def checkpoint(self) -> None:
        """Wait while paused; raise `Cancelled` once stopped. Blocks the thread: call it from a lane, not the loop."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or not self._is_paused)
            if self._is_stopped:
                raise Cancelled(
                    msg("Stopped, as you asked."),
                    lost=msg("Nothing was lost; what was done so far is kept."),
                    next_step=msg("Start it again to go on where it stopped."),
                )

    def _tell(self, button: str) -> None:
        for listener in tuple(self._listeners):
            listener(button)
