"""One process owns the data of one installation (DESIGN 3): who holds this lock.

The system gives the lock back when its holder dies, however it dies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import filelock

from app.settings.file import explain

if TYPE_CHECKING:
    from app.runtime.paths import Paths

_NAME = "owner.lock"


class OwnerLock:
    """The lock of one installation."""

    def __init__(self, paths: Paths) -> None:
        self._path = paths.data / _NAME
        # No soft lock: a file that merely exists would outlive a killed owner.
        self._lock = filelock.FileLock(
            self._path, mode=0o600, thread_local=False, fallback_to_soft=False, preserve_lock_file=True
        )

    @property
    def is_held(self) -> bool:
        """Whether this very object holds it."""
        return self._lock.is_locked

    def take(self, *, timeout_s: float = 0.0) -> bool:
        """Become the owner, waiting up to `timeout_s`; False when another process is.

        Raises:
            ReadOnly, DiskFull, Unavailable: the data folder cannot be used.
        """
        try:
            self._lock.acquire(timeout=timeout_s, poll_interval=0.02)
        except filelock.Timeout:
            return False
        except OSError as error:
            raise explain(error, self._path) from error
        return True

    def is_free(self) -> bool:
        """Whether no process is the owner at this moment. Raises as `take` does."""
        if self.is_held:
            return False
        is_free = self.take()
        self.give_back()
        return is_free

    def give_back(self) -> None:
        """Be the owner no longer."""
        self._lock.release()
