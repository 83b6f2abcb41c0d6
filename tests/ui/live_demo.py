"""The desktop over the demo facade as a program of its own, for a real display. Prints what happens as JSON lines."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from app.runtime.bus import Bus
from app.runtime.lanes import Lanes
from app.runtime.paths import Paths
from app.ui import app as desktop
from app.ui import session as session_module
from tests.ui.demo_facade import DemoFacade
from tests.ui.stage import House


def tell(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


class Watcher(QObject):
    """Tells when quick-ask can be typed into, and when it is gone."""

    def eventFilter(  # noqa: N802 - Qt's name
        self, watched: QObject, event: QEvent
    ) -> bool:
        told = {QEvent.Type.Show: "shown", QEvent.Type.WindowActivate: "typeable", QEvent.Type.Hide: "hidden"}
        if event.type() in told:
            tell(quick_ask=told[event.type()])
        return False


class ToldSession(session_module.Session):
    """Tells that it has started, and where its tray icon is."""

    async def start(self, *, is_hidden: bool) -> None:
        self._watcher = Watcher()
        self.quick_ask.view.installEventFilter(self._watcher)
        await super().start(is_hidden=is_hidden)
        if self.hotkey.is_active:
            await self._desk.blocking.run(self.hotkey._listener.wait)
        # the icon is nowhere until the tray at the right edge has swallowed it
        while self.tray.is_available() and not self.tray.icon.geometry().x():
            await asyncio.sleep(0)
        tell(
            tray=self.tray.is_available(),
            icon=list(self.tray.icon.geometry().getRect()),
            hotkey=self.hotkey.is_active,
            platform=QApplication.platformName(),
        )


def make_house(_door: desktop.Door) -> House:
    paths = Paths(Path(sys.argv[1]))
    paths.create()
    bus = Bus(asyncio.get_running_loop())
    return House(DemoFacade(bus), bus, Lanes(), paths)


if __name__ == "__main__":
    desktop.Session = ToldSession
    code = desktop.run(make_house, is_hidden=True)
    tell(ended=code)
    sys.exit(code)
