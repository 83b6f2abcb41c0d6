"""The desktop app: becomes the owner, or asks the running one to show itself."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from app.bootstrap.household import Household
from app.domain.errors import Expected, Unavailable
from app.domain.text import msg
from app.famulus.api import LockState
from app.famulus.ownership import become_owner
from app.runtime import environment

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.runtime.paths import Paths
    from app.ui.app import Door, House


def run(paths: Paths, *, is_toggling: bool) -> int:
    """Show the desktop until the person quits; returns the exit code.

    Raises:
        Expected: the data folder cannot be used, or another owner neither answers nor leaves.
        Unavailable: there is no screen, or the window's libraries are not installed.
    """
    if not is_toggling:
        _require_screen()  # before an owner without a window makes way for nothing
    lock = asyncio.run(become_owner(paths, is_toggling=is_toggling))
    if lock is None:
        return 0
    try:
        run_window = _window()
    except Expected:
        lock.give_back()
        raise

    def make_house(door: Door) -> _Home:
        def show(is_toggling_too: bool) -> None:  # noqa: FBT001 - the facade's signature
            (door.toggle if is_toggling_too else door.show)()

        return _Home.make(paths, lock, quit_=door.quit, show=show)

    return run_window(make_house)


def _window() -> Callable[[Callable[[Door], House]], int]:
    """What shows the window; only its owner loads Qt."""
    _require_screen()
    try:
        from app.ui.app import run as run_window  # noqa: PLC0415 - see above
    except ImportError as error:
        raise Unavailable(
            msg("The window's libraries are not installed; the command line works without them."),
            next_step=msg("Install them with `make run`, or use the command line: famulus --help"),
        ) from error
    return run_window


def _require_screen() -> None:
    if not environment.has_screen():
        raise Unavailable(
            msg("There is no screen here; the command line works without one."),
            next_step=msg("Start it on a desktop, or use the command line: famulus --help"),
        )


class _Home(Household):
    """A household that is unlocked by the passphrase of the environment, where there is one."""

    async def start(self) -> None:
        """See `Household`."""
        await super().start()
        passphrase = environment.passphrase()
        if passphrase is not None and (await self.api.status()).lock is LockState.PASSPHRASE_NEEDED:
            # one that does not fit leaves the question to the window
            with contextlib.suppress(Expected):
                await self.api.unlock(passphrase=passphrase)
