"""Runs what a button starts: every coroutine of the window goes through here, so no error is silent.

An `Expected` error becomes a calm banner; a bug becomes a plain notice and a line in the log.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from app.domain.errors import Cancelled, Expected

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine, Sequence

    from PySide6.QtWidgets import QWidget

    from app.domain.progress import Progress

    Start = Callable[[Coroutine[Any, Any, None], str], asyncio.Task[None]]

_log = logging.getLogger(__name__)


class Place(Protocol):
    """Where a problem is shown: a banner, or whatever stands for one."""

    def show_problem(self, error: Expected) -> None:
        """Say what happened, what was lost and what to do."""

    def show_bug(self) -> None:
        """Say that something went wrong that is our fault."""

    def end_problem(self) -> None:
        """Take back what was said last, if it was a problem: what failed has worked since."""


class Doing:
    """Starts coroutines and guards them."""

    def __init__(self, start: Start) -> None:
        """Take the function that keeps tasks and cancels them at the end (`runtime.tasks`)."""
        self._start = start
        self._failed: WeakKeyDictionary[Place, str] = WeakKeyDictionary()

    def __call__(
        self, work: Coroutine[Any, Any, None], name: str, place: Place | None, *, busy: Sequence[QWidget] = ()
    ) -> asyncio.Task[None] | None:
        """Run `work`; problems are shown at `place`, and the widgets in `busy` are disabled meanwhile.

        A sheet may be closed, and a form left, before its work ends: then there is nobody to tell.

        Returns None once the tasks were closed: the window is going, and so is what it wanted.
        """
        # what is off already stays off at the end
        busy = [widget for widget in busy if widget.isEnabled()]
        focused = [widget for widget in busy if widget.hasFocus()]
        for widget in focused:
            # disabled while it has the keyboard, it would pass it on to whatever comes next
            widget.clearFocus()
        # at once: the second click of a double click comes before the first step of the work
        _enable(busy, is_enabled=False)
        try:
            task = self._start(self._guarded(work, name, place, (busy, focused)), name)
        except RuntimeError:
            work.close()
            _free(busy, focused)
            return None
        # cancelled before its first step, the outer coroutine would leave the inner one unawaited
        task.add_done_callback(lambda _: work.close())
        return task

    async def _guarded(
        self,
        work: Coroutine[Any, Any, None],
        name: str,
        place: Place | None,
        held: tuple[Sequence[QWidget], Sequence[QWidget]],
    ) -> None:
        try:
            await work
            if _is_there(place) and self._failed.get(place) == name:
                del self._failed[place]
                place.end_problem()
        except Cancelled:
            _log.info("%s was cancelled by the person", name)
        except Expected as error:
            _log.info("%s ended with %s", name, error.code)
            if _is_there(place):
                self._failed[place] = name
                place.show_problem(error)
        except Exception:  # noqa: BLE001 - the border between coroutines and the window
            _log.exception("%s failed", name)
            if _is_there(place):
                self._failed[place] = name
                place.show_bug()
        finally:
            _free(*held)


def _is_there(place: Place | None) -> TypeGuard[Place]:
    """Whether somebody can be told: Qt lets a widget go without its Python half."""
    return place is not None and isValid(place)


def _free(busy: Sequence[QWidget], focused: Sequence[QWidget]) -> None:
    _enable(busy, is_enabled=True)
    _give_back(focused)


def _enable(widgets: Sequence[QWidget], *, is_enabled: bool) -> None:
    for widget in widgets:
        if isValid(widget):
            widget.setEnabled(is_enabled)


def _give_back(widgets: Sequence[QWidget]) -> None:
    """Give the keyboard back to what had it, unless the person went on to something else."""
    for widget in widgets:
        if isValid(widget) and widget.isVisible() and QApplication.focusWidget() is None:
            widget.setFocus()


class ProgressRelay(QObject):
    """Brings progress from whichever thread reports it to the window's own."""

    moved = Signal(object)

    def __call__(self, progress: Progress) -> None:
        """Take a step forward; may be called from any thread."""
        self.moved.emit(progress)
