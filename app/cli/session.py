"""One run of the command line: what the global options say, and the way to the facade and back."""

from __future__ import annotations

import asyncio
import functools
import signal
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from app.cli.opening import ensure_open, open_if_possible
from app.cli.progress_bar import ProgressBar
from app.domain.errors import Cancelled
from app.domain.text import msg
from app.runtime import clock
from app.runtime.paths import Paths
from app.runtime.stop import StopSwitch
from app.runtime.translation import use_language
from app.settings.declarations import LANGUAGE
from app.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime
    from pathlib import Path

    from app.cli.screen import Screen
    from app.cli.wiring import Wiring
    from app.domain.progress import Progress
    from app.famulus.api import FamulusApi

T = TypeVar("T")


class Opening(Enum):
    """What a command wants of the database before it begins."""

    ALWAYS = "always"
    IF_POSSIBLE = "if possible"
    NEVER = "never"


class Session:
    """See the module docstring. The attributes without underscore are set by the global options."""

    def __init__(self, wiring: Wiring, screen: Screen) -> None:
        self.wiring = wiring
        self.screen = screen
        self.basedir: Path | None = None
        self.now: datetime | None = None
        self.is_json = False
        self.language: str | None = None
        self.passphrase_fd: int | None = None
        self.stop = StopSwitch()
        self._bar = ProgressBar(screen)
        self._is_stoppable = False

    @functools.cached_property
    def paths(self) -> Paths:
        """The folders of this installation."""
        return Paths(self.basedir)

    @functools.cached_property
    def settings(self) -> Settings:
        """The settings of this installation."""
        return Settings(self.paths.settings)

    def speak(self) -> None:
        """Use the language of --lang, or of the settings."""
        use_language(self.language or self.settings.get(LANGUAGE))

    def progress(self, progress: Progress) -> None:
        """Show how far long work is, to whom it may interest."""
        self._bar.show(progress)

    def run(self, work: Callable[[FamulusApi], Awaitable[T]], *, opening: Opening = Opening.ALWAYS) -> T:
        """Do `work` with the facade of the running Famulus, which is started when there is none.

        Raises:
            Expected: as the facade does; `Cancelled` after Ctrl+C.
        """
        try:
            return asyncio.run(self._run(work, opening))
        except asyncio.CancelledError:
            raise _interrupted() from None
        finally:
            self._bar.close()

    async def _run(self, work: Callable[[FamulusApi], Awaitable[T]], opening: Opening) -> T:
        from app.famulus.ownership import reach  # noqa: PLC0415 - not for help and settings

        previous = signal.signal(signal.SIGINT, self._interrupt(asyncio.current_task()))
        try:
            remote = await reach(self.paths)
            try:
                with clock.use(self.now):
                    if opening is Opening.ALWAYS:
                        await ensure_open(remote.api, self)
                    elif opening is Opening.IF_POSSIBLE:
                        await open_if_possible(remote.api, self)
                    self._is_stoppable = True
                    return await work(remote.api)
            finally:
                await remote.close()
        finally:
            signal.signal(signal.SIGINT, previous)

    def _interrupt(self, task: asyncio.Task[object] | None) -> Callable[[int, object], None]:
        loop = asyncio.get_running_loop()

        def press(_signal: int, _frame: object) -> None:
            """The first Ctrl+C asks the work to stop at its next step; the second one waits for nothing."""
            if self._is_stoppable:
                self._is_stoppable = False
                loop.call_soon_threadsafe(self._ask_to_stop)
            elif task is not None:
                loop.call_soon_threadsafe(task.cancel)

        return press

    def _ask_to_stop(self) -> None:
        self.screen.note(msg("Stopping after this step; press Ctrl+C again to leave at once."))
        self.stop.stop()


def _interrupted() -> Cancelled:
    return Cancelled(
        msg("Stopped, as you asked."),
        lost=msg("Nothing was lost; what was done so far is kept."),
        next_step=msg("Run the command again to go on."),
    )
