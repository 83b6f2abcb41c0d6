"""The desktop on a fresh X display with a tray: how long until it is there, until it answers, and what it holds."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from Xlib import XK, X
from Xlib import display as x_display
from Xlib.ext import xtest

from app.govern.indexing import model_of
from app.runtime.paths import Paths
from app.runtime.secrets import Keychain
from app.store.database import FILE_NAME
from app.store.keys import KeyRing
from app.store.store import Store
from tests.bench import corpus, world
from tests.bench.display import ROOT, display
from tests.bench.launch import MIB, bare_python_bytes, resident_bytes
from tests.bench.measures import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.inference.embedder import Embedder

_PASSPHRASE = "generated"
_CHUNKS = 2_000
_STARTS = 5
_TRAY_BUDGET_S, _WORDS_BUDGET_S, _MEANING_BUDGET_S, _SHOW_BUDGET_MS = 0.6, 0.5, 1.0, 100.0
_IDLE_BUDGET_MIB, _MODEL_BUDGET_MIB = 120.0, 330.0
_SHOWN = 15
_PATIENCE_S = 60.0
_SETTLED_S = 1.0
_BARE_WINDOW = """
import sys, time
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
class Window(QWidget):
    def paintEvent(self, event):
        print('{"event": "painted", "at_s": %r}' % time.monotonic(), flush=True)
application = QApplication(sys.argv)
window = Window()
window.show()
application.exec()
"""

_BARE_SHOWS = """
import json, sys, time
from PySide6.QtWidgets import QApplication, QWidget
class Window(QWidget):
    painted = False
    def paintEvent(self, event):
        self.painted = True
application = QApplication(sys.argv)
window, waits = Window(), []
for _ in range(int(sys.argv[1])):
    began = time.perf_counter()
    window.painted = False
    window.show()
    while not window.painted:
        application.processEvents()
    waits.append((time.perf_counter() - began) * 1000)
    window.hide()
    application.processEvents()
print(json.dumps(waits))
"""


class Started:
    """One start of a program that tells events as JSON lines."""

    def __init__(self, process: subprocess.Popen[bytes], began_s: float) -> None:
        self.process = process
        self.began_s = began_s
        self.events: list[dict[str, Any]] = []
        self._rest = b""

    def wait_for(self, event: str, *, after_s: float = 0.0) -> float:
        """The seconds from the beginning of the process to an event; waits for one that came after `after_s`."""
        while True:
            for known in self.events:
                if known["event"] == event and known["at_s"] >= after_s:
                    return known["at_s"] - self.began_s
            self._read()

    def _read(self) -> None:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], _PATIENCE_S)
        data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
        assert data, "the desktop ended, or told nothing more"
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.events += [json.loads(line) for line in lines]


def measure(folder: Path, models: Path, embedder: Embedder) -> Iterator[Measure]:
    """All rows that need a screen."""
    make_database(folder, embedder)
    with display() as environment:
        environment |= {"FAMULUS_PASSPHRASE": _PASSPHRASE, "FAMULUS_MODELS": str(models)}
        environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
        yield from _start_times(folder, environment)
        yield from _shows(folder, environment)
        yield from _memory(folder, environment)


def make_database(folder: Path, embedder: Embedder) -> None:
    """A small database as a person has one, locked with a passphrase; all of it is understood."""
    paths = Paths(folder)
    paths.create()
    made = KeyRing(paths.data, Keychain()).create(passphrase=_PASSPHRASE)
    store = Store.create(paths.data / FILE_NAME, made.key, now=corpus.NOW)
    world.fill(store, _CHUNKS)
    world.put(store, corpus.Vectors().take(_CHUNKS), model_of(embedder))
    world.understand(store)
    store.close()


def _start_times(folder: Path, environment: dict[str, str]) -> Iterator[Measure]:
    bare, tray, words, meaning = [], [], [], []
    for _ in range(_STARTS):
        with _begun(environment, sys.executable, "-c", _BARE_WINDOW) as window:
            bare.append(window.wait_for("painted"))
        with _desktop(folder, environment) as started:
            tray.append(started.wait_for("tray"))
            key, by_words = started.wait_for("key"), started.wait_for("words")
            words.append(by_words - key)
            meaning.append(started.wait_for("meaning") - max(key, by_words))
            started.wait_for("started")
    against = "a bare PySide6 window"
    first = float(np.median(bare))
    yield Measure("tray ready", float(np.median(tray)), "s", first, against, _TRAY_BUDGET_S)
    yield Measure("first answer by words, after the key", float(np.median(words)), "s", first, against, _WORDS_BUDGET_S)
    yield Measure(
        "first answer by meaning, after that", float(np.median(meaning)), "s", first, against, _MEANING_BUDGET_S
    )


def _shows(folder: Path, environment: dict[str, str]) -> Iterator[Measure]:
    """Quick-ask, built and hidden as it always is: by the real hotkey, and by itself (`tests.ui.show_time`)."""
    bare = float(np.median(_bare_shows(environment)))
    with _desktop(folder, environment) as started:
        for event in ("started", "tray", "meaning"):
            started.wait_for(event)
        waits = list(_hotkeys(started, environment["DISPLAY"]))
    against = "showing a bare widget"
    budget = _SHOW_BUDGET_MS
    yield Measure("hotkey to a typeable quick-ask, median", float(np.median(waits)) * 1000, "ms", bare, against, budget)
    command = (sys.executable, "-m", "tests.ui.show_time", str(_SHOWN))
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    yield Measure("quick-ask asked for, until painted, median", found["p50"], "ms", bare, against, budget)


def _bare_shows(environment: dict[str, str]) -> list[float]:
    command = (sys.executable, "-c", _BARE_SHOWS, str(_SHOWN))
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def _hotkeys(started: Started, display_name: str) -> Iterator[float]:
    """Seconds from the press of the hotkey to the window that takes keys."""
    robot = x_display.Display(display_name)
    try:
        for _ in range(_SHOWN):
            began = time.monotonic()
            _press(robot, "Control_L", "Alt_L", "space")
            yield started.wait_for("quick_ask", after_s=began) + started.began_s - began
            began = time.monotonic()
            _press(robot, "Escape")
            started.wait_for("quick_ask_hidden", after_s=began)
    finally:
        robot.close()


def _press(robot: x_display.Display, *names: str) -> None:
    """Press keys and let them go, as a keyboard does."""
    codes = [robot.keysym_to_keycode(XK.string_to_keysym(name)) for name in names]
    for kind, order in ((X.KeyPress, codes), (X.KeyRelease, codes[::-1])):
        for code in order:
            xtest.fake_input(robot, kind, code)
    robot.sync()


def _memory(folder: Path, environment: dict[str, str]) -> Iterator[Measure]:
    bare = bare_python_bytes() / MIB
    for name, models, event, budget in (
        ("without the model", str(folder / "no-models"), "words", _IDLE_BUDGET_MIB),
        ("with the model", environment["FAMULUS_MODELS"], "meaning", _MODEL_BUDGET_MIB),
    ):
        with _desktop(folder, environment | {"FAMULUS_MODELS": models}) as started:
            for awaited in (event, "started", "idle"):
                started.wait_for(awaited)
            time.sleep(_SETTLED_S)
            held = resident_bytes(started.process.pid) / MIB
        yield Measure(f"memory of the desktop, {name}", held, "MiB", bare, "a bare Python", budget)


@contextmanager
def _desktop(folder: Path, environment: dict[str, str]) -> Iterator[Started]:
    command = (sys.executable, "-m", "tests.bench.desktop_child", str(folder), corpus.question(1))
    with _begun(environment, *command) as started:
        yield started


@contextmanager
def _begun(environment: dict[str, str], *command: str) -> Iterator[Started]:
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        env=environment,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Started(process, began)
    finally:
        process.terminate()
        process.communicate()
