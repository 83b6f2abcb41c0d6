"""How far long work is, drawn on a terminal; nothing where nobody watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.screen import one_line, readable
from app.runtime.translation import translate

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from app.cli.screen import Screen
    from app.domain.progress import Progress


class ProgressBar:
    """One line for each task that was told of, from the first `show` to `close`."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._bars: RichProgress | None = None
        self._tasks: dict[str, TaskID] = {}

    def show(self, progress: Progress) -> None:
        """Draw one step."""
        if not self._screen.is_terminal:
            return
        label = one_line(readable(translate(progress.label)), 60)
        bars = self._started()
        if progress.task not in self._tasks:
            self._tasks[progress.task] = bars.add_task("", total=None)
        bars.update(self._tasks[progress.task], description=label, completed=progress.done, total=progress.total)

    def close(self) -> None:
        """Take the lines away."""
        if self._bars is not None:
            self._bars.stop()
            self._bars = None
            self._tasks.clear()

    def _started(self) -> RichProgress:
        if self._bars is None:
            from rich.console import Console  # noqa: PLC0415 - 60 ms, for long work alone
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

            self._bars = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeRemainingColumn(compact=True),
                console=Console(stderr=True, highlight=False, markup=False, emoji=False),
                transient=True,
            )
            self._bars.start()
        return self._bars
