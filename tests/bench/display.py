"""A fresh X display with a window manager and a tray, as environments for the programs that are measured on it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
_NEEDED = ("Xvfb", "openbox", "trayer", "dbus-daemon")


def missing() -> list[str]:
    """The programs that a display needs and this machine lacks."""
    return [name for name in _NEEDED if shutil.which(name) is None]


@contextlib.contextmanager
def display() -> Iterator[dict[str, str]]:
    """The environment of a fresh display; everything that was started for it is ended afterwards."""
    with contextlib.ExitStack() as stack:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = kept | {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "xcb"}
        environment["DBUS_SESSION_BUS_ADDRESS"] = _first_line(
            stack, "dbus-daemon", "--session", "--nofork", "--print-address={pipe}"
        )
        screen = ("-screen", "0", "1280x800x24", "-nolisten", "tcp")
        environment["DISPLAY"] = ":" + _first_line(stack, "Xvfb", "-displayfd", "{pipe}", *screen)
        _start(stack, "openbox", env=environment)
        _start(stack, "trayer", "--edge", "top", "--align", "right", "--SetDockType", "true", env=environment)
        yield environment


def _first_line(stack: contextlib.ExitStack, *command: str) -> str:
    """Start a program that tells its address through a pipe."""
    reading, writing = os.pipe()
    _start(stack, *(part.format(pipe=writing) for part in command), pass_fds=(writing,))
    os.close(writing)
    with os.fdopen(reading) as lines:
        return lines.readline().strip()


def _start(stack: contextlib.ExitStack, *command: str, **options: object) -> None:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    stack.callback(process.wait, 10)
    stack.callback(process.terminate)
