"""On a real X display with a real tray: icon, hotkey, quick-ask, and a clean end (D8.1, D8.2)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

NEEDED = ("Xvfb", "openbox", "trayer", "xdotool")
ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not all(shutil.which(name) for name in NEEDED),
    reason="needs an X server for tests, a window manager, a tray and a robot: " + ", ".join(NEEDED),
)


@contextlib.contextmanager
def running(*command, **options):
    """A program that is ended afterwards, by its id."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def display():
    """The environment of a fresh display with a tray."""
    reading, writing = os.pipe()
    server = ("Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp")
    with running(*server, pass_fds=(writing,)):
        os.close(writing)
        with os.fdopen(reading) as numbers:
            number = numbers.readline().strip()
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = kept | {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
        tray = ("trayer", "--edge", "top", "--align", "right", "--SetDockType", "true")
        with running("openbox", env=environment), running(*tray, env=environment):
            yield environment


class Program:
    """The desktop, and what it tells."""

    def __init__(self, process):
        self.process = process

    async def told(self, name, *values):
        """Read on until something is told, one of `values` if there are any."""
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
            assert line, "the program ended early"
            facts = json.loads(line)
            if name in facts and (not values or facts[name] in values):
                return facts


@contextlib.asynccontextmanager
async def desktop(environment, basedir):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.ui.live_demo",
        str(basedir),
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield Program(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def robot(environment, *arguments):
    process = await asyncio.create_subprocess_exec("xdotool", *arguments, env=environment)
    assert await process.wait() == 0


@pytest.mark.timeout(240)
async def test_tray_hotkey_and_a_clean_end(display, basedir):
    async with desktop(display, basedir) as program:
        started = await program.told("tray")
        assert started["platform"] == "xcb"
        assert started["tray"]
        assert started["icon"][2] > 0
        assert started["hotkey"]
        await robot(display, "key", "ctrl+alt+space")
        await program.told("quick_ask", "typeable")
        await robot(display, "key", "Escape")
        await program.told("quick_ask", "hidden")
        x, y, width, height = started["icon"]
        await robot(display, "mousemove", str(x + width // 2), str(y + height // 2), "click", "1")
        await program.told("quick_ask", "shown")
        program.process.send_signal(signal.SIGTERM)
        assert await program.told("ended") == {"ended": 0}
        assert await program.process.wait() == 0


@pytest.mark.timeout(240)
async def test_keys_that_another_program_holds_are_noticed(display, monkeypatch):
    from Xlib import XK, X
    from Xlib import display as x_display

    from app.ui.hotkey import is_taken

    monkeypatch.setenv("DISPLAY", display["DISPLAY"])
    assert not is_taken("<ctrl>+<alt>+<space>")
    other = x_display.Display(display["DISPLAY"])
    try:
        code = other.keysym_to_keycode(XK.string_to_keysym("space"))
        other.screen().root.grab_key(code, X.ControlMask | X.Mod1Mask, 1, X.GrabModeAsync, X.GrabModeAsync)
        other.sync()
        assert is_taken("<ctrl>+<alt>+<space>")
        assert not is_taken("<ctrl>+<alt>+k")
    finally:
        other.close()
