"""The real desktop, telling when it is how far; a process of its own, started by `desktop`.

    python -m tests.bench.desktop_child BASEDIR QUESTION

Prints JSON lines {event, at_s (monotonic, the same clock for all processes), cpu_s}: key, words, meaning, tray,
started, idle (all of the house is there, and nothing waits), and quick_ask whenever it can be typed into. Nothing of
the program is changed but that it is watched.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from app.bootstrap import household
from app.domain.context_item import SearchRequest
from app.domain.errors import Expected
from app.runtime.paths import Paths
from app.store import keys

_LOOK_S = 0.002


def tell(event: str) -> None:
    """One line for the parent."""
    print(json.dumps({"event": event, "at_s": time.monotonic(), "cpu_s": time.process_time()}), flush=True)


def watch_key() -> None:
    """Tell when the key is known; what comes before is the passphrase's own hardness."""
    unlock = keys.KeyRing.unlock

    def told(self: keys.KeyRing, *arguments: Any, **options: Any) -> Any:
        found = unlock(self, *arguments, **options)
        tell("key")
        return found

    keys.KeyRing.unlock = told


def watch_house(question: str) -> None:
    """Ask as soon as anything answers, and watch the tray and the windows."""
    make = household.Household.make.__func__

    def told(cls: Any, *arguments: Any, **options: Any) -> Any:
        watch_session()
        house = make(cls, *arguments, **options)
        house.probe = asyncio.get_running_loop().create_task(probe(house, question))
        house.look = asyncio.get_running_loop().create_task(watch_work(house))
        return house

    household.Household.make = classmethod(told)


async def probe(house: Any, question: str) -> None:
    """The first answers."""
    famulus = house.api
    while True:
        try:
            await famulus.search(SearchRequest(question, mode="words"))
            break
        except Expected:
            await asyncio.sleep(_LOOK_S)
    tell("words")
    while not famulus._vault.house.context.has_meaning:
        await asyncio.sleep(_LOOK_S)
    await famulus.search(SearchRequest(question))
    tell("meaning")


async def watch_work(house: Any) -> None:
    """Until the house has opened by itself, and has understood what waited."""
    vault = house.api._vault
    while not vault.is_open or vault.house.opened is None or not vault.house.opened.governing.queue.is_done:
        await asyncio.sleep(_LOOK_S)
    tell("idle")


def watch_session() -> None:
    """The window's library is loaded by now; see `app.ui.app.run`."""
    from PySide6.QtCore import QEvent, QObject

    from app.ui import app as desktop

    class Watcher(QObject):
        def __init__(self, event: str, kind: QEvent.Type) -> None:
            super().__init__()
            self._event, self._kind = event, kind

        def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
            if event.type() == self._kind:
                tell(self._event)
            return False

    class Told(desktop.Session):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self._seeing = asyncio.get_running_loop().create_task(self._see_tray())

        async def start(self, *, is_hidden: bool) -> None:
            await super().start(is_hidden=is_hidden)
            kinds = {"quick_ask": QEvent.Type.WindowActivate, "quick_ask_hidden": QEvent.Type.Hide}
            self._watchers = [Watcher(event, kind) for event, kind in kinds.items()]
            for watcher in self._watchers:
                self.quick_ask.view.installEventFilter(watcher)
            tell("started")

        async def _see_tray(self) -> None:
            # the icon is nowhere until the tray at the right edge has swallowed it
            while not self.tray.icon.geometry().x():
                await asyncio.sleep(_LOOK_S)
            tell("tray")

    desktop.Session = Told


if __name__ == "__main__":
    from app.bootstrap.desktop import run

    watch_key()
    watch_house(sys.argv[2])
    sys.exit(run(Paths(Path(sys.argv[1])), is_toggling=False))
