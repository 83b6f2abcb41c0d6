"""A question's meaning while it is made: of a guess at first, and again where the guess was wrong (G4.1).

What is begun here is dropped when whoever asked goes, so that questions that nobody waits for any more (a person types
on, a program cancels) keep no other one waiting: there is one inference lane.
"""

from __future__ import annotations

import asyncio
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from app.context.candidates import MeaningHits
    from app.context.question import Question
    from app.runtime.lanes import Lane


class MeaningUnderWay:
    """See the module docstring. Any thread may begin; the loop waits, and drops.

    Args:
        lane: where it is made. make: makes it; blocks.
    """

    def __init__(self, lane: Lane, make: Callable[[Question], MeaningHits]) -> None:
        self._lane = lane
        self._make = make
        self._lock = Lock()
        self._future: Future[MeaningHits] | None = None
        self._question: Question | None = None
        self._is_dropped = False

    def begin(self, question: Question) -> None:
        """Make the meaning of a question, in the place of what was begun before, unless that is the same."""
        with self._lock:
            before, known = self._future, self._question
            if self._is_dropped or (known is not None and known.meanings == question.meanings):
                return
            if before is not None:
                before.cancel()
            self._future, self._question = self._lane.submit(self._make, question), question

    def drop(self) -> None:
        """Nobody waits any more: what has not begun is not done, and nothing new is begun."""
        with self._lock:
            self._is_dropped = True
            if self._future is not None:
                self._future.cancel()

    async def made(self) -> MeaningHits | None:
        """What was begun last, once it is there; None where nothing was begun. Raises as the making does."""
        if self._future is None:
            return None
        return await asyncio.wrap_future(self._future)
