"""The desktop app: becomes the owner, or asks the running one to show itself."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from app.bootstrap.household import Household
from app.domain.errors import Expected
from app.famulus.api import LockState
from app.famulus.ownership import become_owner
from app.runtime import environment

if TYPE_CHECKING:
    from app.runtime.paths import Paths
    from app.ui.app import Door


def run(paths: Paths, *, is_toggling: bool) -> int:
    """Show the desktop until the person quits; returns the exit code.

    Raises:
        Expected: the data folder cannot be used, or another owner neither answers nor leaves.
        Unavailable: the window's libraries are not installed.
    """
    lock = asyncio.run(become_owner(paths, is_toggling=is_toggling))
    if lock is None:
        return 0
    from app.ui.app import run as run_window  # noqa: PLC0415 - only the owner needs Qt

    def make_house(door: Door) -> _Home:
        def show(is_toggling_too: bool) -> None:  # noqa: FBT001 - the facade's signature
            (door.toggle if is_toggling_too else door.show)()

        return _Home.make(paths, lock, quit_=door.quit, show=show)

    return run_window(make_house)


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
