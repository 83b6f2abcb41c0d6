"""Named lanes of threads: where blocking work goes, and the only place where it may (DESIGN 3).

One lane has one writer thread, so that the database has one writer; the others have as many as they are made with.
Context variables (a request's time, for one) go along with the work.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_SWITCH_SECONDS = 0.0002
"""How long a thread may keep the interpreter while another one waits for it. With Python's own 5 ms a search beside a
thread that computes waits at each of its steps (220 ms instead of 3 for the vectors); with this it takes 12, and the
threads together compute as much as before."""

P = ParamSpec("P")
R = TypeVar("R")


class Lane:
    """A queue of work with `threads` threads, named `name`."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self.name = name
        self.threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"famulus-{name}")
        self._lock = threading.Lock()
        self._depth = 0

    @property
    def depth(self) -> int:
        """Pieces of work that wait or run; a queue that backs up is seen here (L6.4)."""
        return self._depth

    def submit(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Queue `work`; its result or error is in the future. Raises RuntimeError after `close`."""
        context = contextvars.copy_context()
        with self._lock:
            self._depth += 1
        try:
            future = self._pool.submit(context.run, functools.partial(work, *args, **kwargs))
        except RuntimeError:
            self._leave(None)
            raise
        future.add_done_callback(self._leave)
        return future

    async def run(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Do `work` on this lane. Cancelling the caller drops work that has not begun, and lets begun work end."""
        return await asyncio.wrap_future(self.submit(work, *args, **kwargs))

    def close(self, *, is_waiting: bool = True) -> None:
        """Take no more work, drop what has not begun, and wait for the rest."""
        self._pool.shutdown(wait=is_waiting, cancel_futures=True)

    def _leave(self, _: Future[R] | None) -> None:
        with self._lock:
            self._depth -= 1


class Lanes:
    """The lanes of one process, whose threads take turns more often than Python's would from then on."""

    def __init__(self, *, readers: int = 3, blocking: int = 4) -> None:
        sys.setswitchinterval(min(sys.getswitchinterval(), _SWITCH_SECONDS))
        self.writer = Lane("writer")
        self.readers = Lane("readers", readers)
        self.inference = Lane("inference")
        self.blocking = Lane("blocking", blocking)

    @property
    def all(self) -> tuple[Lane, ...]:
        """Every lane; the writer last, so that closing lets the others hand it their last work."""
        return (self.inference, self.readers, self.blocking, self.writer)

    def endless(self, name: str) -> Lane:
        """A lane for one piece of work that never ends by itself, such as watching; whoever asks for it closes it."""
        return Lane(name)

    def close(self) -> None:
        """Close every lane, and wait for the work that has begun."""
        for lane in self.all:
            lane.close()
