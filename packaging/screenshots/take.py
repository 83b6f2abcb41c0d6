"""Takes the screenshots of docs/screenshots with the real widgets, in both languages, light and dark.

    python packaging/screenshots/take.py [FOLDER]

Needs no display: the widgets are drawn offscreen at twice their size. The life that they show is invented (tests/ui).
"""

# ruff: noqa: E402 - the platform is chosen before Qt is loaded

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_SCALE_FACTOR"] = "1.5"
# the weekday and the times of the pictures are those of the invented life
os.environ["TZ"] = "Asia/Shanghai"

import qasync
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QApplication

from app.domain.progress import Progress
from app.domain.text import msg
from app.famulus.api import LockState, ModelState
from app.runtime import clock
from app.runtime.bus import Bus
from app.runtime.lanes import Lanes
from app.runtime.paths import Paths
from app.runtime.tasks import Tasks
from app.ui import theme
from app.ui.app import make_desk
from app.ui.main_window import MainWindow
from app.ui.quick_ask import QuickAsk
from tests.ui.demo_facade import DemoFacade
from tests.ui.demo_world import CHINESE, ENGLISH, NOW

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.ui.desk import Desk

WINDOW = QSize(1040, 790)
HOTKEY = "<ctrl>+<alt>+<space>"
BACKDROPS = {"light": ("#DCE5E3", "#C6D3D1"), "dark": ("#2A3433", "#171D1D")}
EDGE = 40
RADIUS = 12


@dataclass(frozen=True)
class Look:
    """One of the four combinations."""

    language: str
    theme: str

    @property
    def suffix(self) -> str:
        """The end of a picture's name."""
        return f"{self.language.partition('_')[0]}-{self.theme}"


LOOKS = tuple(Look(language, theme) for language in ("en", "zh_CN") for theme in ("light", "dark"))


class Home:
    """What the desktop stands on: the demo facade, in an empty folder."""

    def __init__(self, look: Look, folder: Path) -> None:
        self.bus = Bus(asyncio.get_running_loop())
        self.api = DemoFacade(self.bus, CHINESE if look.language.startswith("zh") else ENGLISH)
        self.api.settings |= {"interface.language": look.language, "interface.theme": look.theme}
        self.lanes = Lanes()
        self.paths = Paths(folder)

    async def start(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """End the lanes."""
        self.lanes.close()


class Photographer:
    """Takes all pictures of one look."""

    def __init__(self, look: Look, folder: Path) -> None:
        self._look = look
        self._folder = folder

    async def take_all(self, application: QApplication, scratch: Path) -> None:
        """Each picture has a fresh desk, so that none depends on another."""
        for name in (
            "quick_ask",
            "home",
            "tasks",
            "changes",
            "prepare",
            "sources",
            "agents",
            "activity",
            "suggestions",
            "metrics",
            "marking",
            "first_run",
        ):
            home, tasks = Home(self._look, scratch), Tasks()
            try:
                desk = await make_desk(application, home, tasks)
                await getattr(self, name)(desk)
            finally:
                for gate in home.api.gates.values():
                    gate.set()
                await tasks.close()
                await home.close()

    async def quick_ask(self, desk: Desk) -> None:
        """An answer with its sources."""
        await desk.status.refresh()
        ask = QuickAsk(desk)
        ask.open(desk.api.world.question)
        await settle()
        self._save("quick-ask", ask.view, is_framed=True)
        ask.close()

    async def home(self, desk: Desk) -> None:
        """A day on which all is well."""
        desk.api.listed = [source for source in desk.api.listed if source.problem is None]
        window = await self._window(desk)
        await self._keep("home", window)

    async def tasks(self, desk: Desk) -> None:
        """What is to be done."""
        window = await self._window(desk)
        window.show_page("tasks")
        await settle()
        await self._keep("tasks", window)

    async def changes(self, desk: Desk) -> None:
        """What is no longer so, with its reasons."""
        window = await self._window(desk)
        window.show_page("changes")
        await settle()
        await self._keep("changes", window)

    async def prepare(self, desk: Desk) -> None:
        """What a week needs."""
        window = await self._window(desk)
        window.show_page("prepare")
        await settle()
        window.book.prepare.open_template("weekly-report").run()
        await self._keep("prepare", window)

    async def agents(self, desk: Desk) -> None:
        """One that asks, and those that may read."""
        desk.api.ask_for_access()
        window = await self._window(desk)
        window.show_page("agents")
        await settle()
        next(iter(window.book.agents.clients.waiting.values())).fields.ticks["work"].setChecked(True)
        await self._keep("agents", window)

    async def activity(self, desk: Desk) -> None:
        """What was read this week."""
        await self._section(desk, "agents", "audit", "activity")

    async def suggestions(self, desk: Desk) -> None:
        """What agents would like to be remembered."""
        await self._section(desk, "agents", "inbox", "suggestions")

    async def metrics(self, desk: Desk) -> None:
        """The rates."""
        await self._section(desk, "metrics", "rates", "metrics")

    async def marking(self, desk: Desk) -> None:
        """The marks, and the weights that they propose."""
        window = await self._window(desk)
        window.show_page("metrics")
        window.book.metrics.open_section("marking")
        await settle()
        window.book.metrics.marking.tuning.propose()
        await self._keep("marking", window)

    async def _section(self, desk: Desk, page: str, section: str, name: str) -> None:
        window = await self._window(desk)
        window.show_page(page)
        getattr(window.book, page).open_section(section)
        await self._keep(name, window)

    async def sources(self, desk: Desk) -> None:
        """One that is being read, one at rest, one that needs the person."""
        name = desk.api.listed[0].name
        desk.api.gates["sync"] = asyncio.Event()
        desk.api.steps["sync"] = [Progress("sync:s1", msg("Collecting {name}", name=name), 120, 312)]
        window = await self._window(desk)
        window.show_page("sources")
        await settle()
        window.book.sources.cards["s1"].sync()
        await self._keep("sources", window)

    async def first_run(self, desk: Desk) -> None:
        """The welcome, and the first collection."""
        api = desk.api
        api.lock_state, api.model = LockState.NEW, ModelState.ABSENT
        api.listed = [replace(source, entry_count=0, last_sync_at=None) for source in api.listed[:2]]
        window = await self._window(desk)
        await self._keep("first-run-welcome", window, is_last=False)
        api.gates["sync"] = asyncio.Event()
        api.steps["sync"] = [Progress("sync:s1", msg("Collecting {name}", name=api.listed[0].name), 120, 312)]
        window.first_run.show_step(len(window.first_run.steps) - 2)
        await self._keep("first-run-reading", window)

    async def _window(self, desk: Desk) -> MainWindow:
        await desk.status.refresh()
        desk.attention.look()
        for question in desk.api.world.questions:
            desk.history.add(question)
        window = MainWindow(desk)
        window.resize(WINDOW)
        window.show_hotkey(HOTKEY, None)
        window.show_status()
        window.show()
        await settle()
        return window

    async def _keep(self, name: str, window: MainWindow, *, is_last: bool = True) -> None:
        await settle()
        self._save(name, window, is_framed=False)
        if is_last:
            window.hide()

    def _save(self, name: str, widget: QWidget, *, is_framed: bool) -> None:
        picture = on_backdrop(widget.grab(), BACKDROPS[self._look.theme], is_framed=is_framed)
        picture.save(str(self._folder / f"{name}-{self._look.suffix}.png"))


def on_backdrop(picture: QPixmap, colours: tuple[str, str], *, is_framed: bool) -> QPixmap:
    """The picture on a quiet ground; a window without a shadow of its own gets one, and round corners."""
    edge = EDGE // 4 if is_framed else EDGE
    size = picture.deviceIndependentSize().toSize()
    whole = QPixmap((QSize(size.width() + 2 * edge, size.height() + 2 * edge)) * picture.devicePixelRatio())
    whole.setDevicePixelRatio(picture.devicePixelRatio())
    painter = QPainter(whole)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = QLinearGradient(0, 0, 0, size.height())
    ground.setColorAt(0, QColor(colours[0]))
    ground.setColorAt(1, QColor(colours[1]))
    painter.fillRect(0, 0, whole.width(), whole.height(), ground)
    frame = QRectF(edge, edge, size.width(), size.height())
    if not is_framed:
        paint_shadow(painter, frame)
        outline = QPainterPath()
        outline.addRoundedRect(frame, RADIUS, RADIUS)
        painter.setClipPath(outline)
    painter.drawPixmap(QPoint(edge, edge), picture)
    painter.end()
    return whole


def paint_shadow(painter: QPainter, frame: QRectF) -> None:
    """Many faint rounded rectangles below each other."""
    painter.setPen(Qt.PenStyle.NoPen)
    for step in range(12):
        spread = 24 * (1 - step / 12)
        painter.setBrush(QColor(0, 0, 0, 5))
        painter.drawRoundedRect(
            frame.translated(0, 8).adjusted(-spread, -spread, spread, spread), RADIUS + spread, RADIUS + spread
        )


async def settle() -> None:
    """Let everything arrive and be laid out."""
    for _ in range(40):
        await asyncio.sleep(0.005)


async def main(application: QApplication, folder: Path) -> None:
    """Take all pictures of all looks."""
    with tempfile.TemporaryDirectory() as scratch:
        for look in LOOKS:
            await Photographer(look, folder).take_all(application, Path(scratch))


if __name__ == "__main__":
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    theme.prepare(app)
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screenshots"
    target.mkdir(parents=True, exist_ok=True)
    with qasync.QEventLoop(app) as loop, clock.use(NOW):
        loop.run_until_complete(main(app, target))
    print(f"{len(list(target.glob('*.png')))} pictures are in {target}")
