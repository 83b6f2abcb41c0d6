"""Runs the desktop: one Qt application, one loop for Qt and for coroutines, one set of windows.

The composition root gives the house (facade, bus, lanes, paths) and gets a `Door`, through which a second process asks
for quick-ask or the window of this one.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from typing import TYPE_CHECKING, Protocol

import qasync
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.runtime import memory
from app.runtime.tasks import Tasks
from app.settings.declarations import LANGUAGE, THEME
from app.ui import icons, theme
from app.ui.attention import Attention
from app.ui.collecting import Collecting
from app.ui.desk import Desk
from app.ui.doing import Doing
from app.ui.history import History
from app.ui.session import Session
from app.ui.status_watch import StatusWatch
from app.ui.theme import Theme
from app.ui.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.famulus.api import FamulusApi
    from app.runtime.bus import Bus
    from app.runtime.lanes import Lanes
    from app.runtime.paths import Paths


class House(Protocol):
    """What the desktop stands on."""

    @property
    def api(self) -> FamulusApi:
        """The facade."""

    @property
    def bus(self) -> Bus:
        """The events, on the running loop."""

    @property
    def lanes(self) -> Lanes:
        """Where blocking work goes."""

    @property
    def paths(self) -> Paths:
        """Where things are."""

    async def start(self) -> None:
        """Open the database with what is at hand."""

    async def close(self) -> None:
        """Close the database and end what runs; nothing happens the second time."""


class Door(QObject):
    """Requests from outside the window; each may come from any thread."""

    toggle_asked = Signal()
    show_asked = Signal()
    quit_asked = Signal()

    def toggle(self) -> None:
        """Open or hide quick-ask."""
        self.toggle_asked.emit()

    def show(self) -> None:
        """Open the window."""
        self.show_asked.emit()

    def quit(self) -> None:
        """End the program."""
        self.quit_asked.emit()


class Application(QApplication):
    """Ends only after the house is closed: the system's wish to quit is passed on instead of followed at once."""

    def __init__(self, door: Door) -> None:
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
        super().__init__(sys.argv[:1])
        self._door = door
        self.setApplicationName("famulus")
        self.setApplicationDisplayName("Famulus")
        self.setDesktopFileName("famulus")
        self.setWindowIcon(icons.app_icon())
        self.setQuitOnLastWindowClosed(False)
        theme.prepare(self)

    def event(self, event: QEvent) -> bool:
        """See the class."""
        if event.type() == QEvent.Type.Quit:
            event.ignore()
            self._door.quit()
            return True
        return super().event(event)


def run(make_house: Callable[[Door], House], *, is_hidden: bool = False) -> int:
    """Show the desktop until the person quits; returns the exit code.

    Args:
        make_house: called on the running loop; what it raises ends the program, as does what `House.start` raises.
        is_hidden: begin in the tray, without the window, as at login.
    """
    door = Door()
    application = Application(door)
    loop = qasync.QEventLoop(application)
    with loop:
        loop.run_until_complete(_live(application, door, make_house, is_hidden=is_hidden))
    return 0


async def _live(application: Application, door: Door, make_house: Callable[[Door], House], *, is_hidden: bool) -> None:
    house = make_house(door)
    tasks = Tasks()
    try:
        session = Session(await make_desk(application, house, tasks))
        door.toggle_asked.connect(session.toggle)
        door.show_asked.connect(session.open_window)
        door.quit_asked.connect(session.quit)
        _quit_on_signals(session)
        try:
            # the tray is there already: opening may wait for a keychain
            await house.start()
            await session.start(is_hidden=is_hidden)
            await house.lanes.blocking.run(memory.give_back)
            await session.until_end()
        finally:
            session.close()
    finally:
        await tasks.close()
        await house.close()


async def make_desk(application: QApplication, house: House, tasks: Tasks) -> Desk:
    """What every page has at hand, dressed and worded as the settings say."""
    doing = Doing(tasks.start)
    api, bus = house.api, house.bus
    return Desk(
        api=api,
        bus=bus,
        wording=Wording(await api.setting(LANGUAGE.name)),
        theme=Theme(application, await api.setting(THEME.name)),
        history=History(),
        doing=doing,
        status=StatusWatch(api, bus, doing),
        collecting=Collecting(api, bus, doing),
        attention=Attention(api, bus, doing),
        blocking=house.lanes.blocking,
        paths=house.paths,
    )


def _quit_on_signals(session: Session) -> None:
    """Let the terminal and the system's shutdown end the program cleanly."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, session.quit)
