"""Long work that a page started: its progress with Pause and Stop, hidden while there is none (D8.5)."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shiboken6 import isValid

from app.runtime.stop import StopSwitch
from app.ui.doing import ProgressRelay
from app.ui.parts.progress_line import ProgressLine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.text import Text
    from app.ui.theme import Theme
    from app.ui.wording import Wording


@dataclass(frozen=True, slots=True)
class Running:
    """What long work is given: where it tells its progress, and what it asks whether to stop."""

    progress: ProgressRelay
    stop: StopSwitch


class WorkLine(ProgressLine):
    """One piece of work at a time."""

    def __init__(self, wording: Wording, theme: Theme) -> None:
        super().__init__(wording, theme)
        self._running: Running | None = None
        self.paused.connect(self._on_work_paused)
        self.cancelled.connect(self.stop)
        self.hide()

    @contextmanager
    def work(self, label: Text) -> Iterator[Running]:
        """Show that work is under way, as long as the block lasts."""
        running = Running(ProgressRelay(), StopSwitch())
        running.progress.moved.connect(self.show_progress)
        self._running = running
        self.begin(label)
        self.show()
        try:
            with running.stop:
                yield running
        finally:
            # whoever left it need not wait for the end of the work
            if isValid(self) and self._running is running:
                running.progress.moved.disconnect(self.show_progress)
                self._running = None
                self.hide()

    def stop(self) -> None:
        """Let the work end at its next step."""
        if self._running is not None:
            self._running.stop.stop()

    def _on_work_paused(self, is_paused: bool) -> None:
        if self._running is not None:
            (self._running.stop.pause if is_paused else self._running.stop.resume)()
