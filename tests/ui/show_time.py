"""Measures how long the person waits for quick-ask, from the wish to the painted, typeable panel.

    python -m tests.ui.show_time [TIMES]

Prints milliseconds as JSON. A measurement, not a test: run it on a quiet machine.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from pathlib import Path

import qasync
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from app.runtime.bus import Bus
from app.runtime.lanes import Lanes
from app.runtime.paths import Paths
from app.runtime.tasks import Tasks
from app.ui import theme
from app.ui.app import make_desk
from app.ui.quick_ask import QuickAsk
from tests.ui.demo_facade import DemoFacade


class Paints(QObject):
    """Tells when its widget was painted."""

    def __init__(self) -> None:
        super().__init__()
        self.event_seen = asyncio.Event()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint:
            self.event_seen.set()
        return False


class House:
    """The demo facade behind the desktop's own seams."""

    def __init__(self, basedir: Path) -> None:
        self.bus = Bus(asyncio.get_running_loop())
        self.api = DemoFacade(self.bus)
        self.lanes = Lanes()
        self.paths = Paths(basedir)

    async def close(self) -> None:
        self.lanes.close()


async def measure(application: QApplication, times: int) -> dict[str, float]:
    tasks, house = Tasks(), House(Path("/nonexistent"))
    began = time.perf_counter()
    desk = await make_desk(application, house, tasks)
    await desk.status.refresh()
    quick_ask = QuickAsk(desk)
    built_ms = (time.perf_counter() - began) * 1000
    waits = []
    for _ in range(times):
        paints = Paints()
        quick_ask.view.frame.installEventFilter(paints)
        began = time.perf_counter()
        quick_ask.open()
        await paints.event_seen.wait()
        waits.append((time.perf_counter() - began) * 1000)
        quick_ask.view.frame.removeEventFilter(paints)
        quick_ask.close()
        await asyncio.sleep(0.05)
    await tasks.close()
    await house.close()
    return {
        "built_once": round(built_ms, 1),
        "first": round(waits[0], 1),
        "p50": round(statistics.median(waits), 1),
        "worst_after_first": round(max(waits[1:]), 1),
    }


def main() -> None:
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    theme.prepare(application)
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with qasync.QEventLoop(application) as loop:
        print(json.dumps(loop.run_until_complete(measure(application, times))))


if __name__ == "__main__":
    main()
