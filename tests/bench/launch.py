"""Starting the program: `--version`, and the memory of an owner without a window."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil

from tests.bench.display import ROOT
from tests.bench.measures import Measure, alternating

if TYPE_CHECKING:
    from collections.abc import Iterator

_STARTS = 15
_VERSION_BUDGET_S = 0.2
MIB = 1 << 20
BARE = (sys.executable, "-c", "pass")


def version() -> Iterator[Measure]:
    """From the call to the end of the process."""
    ours, theirs = alternating(_STARTS, lambda: _run(sys.executable, "-m", "app", "--version"), lambda: _run(*BARE))
    yield Measure("famulus --version", ours, "s", theirs, "python -c pass", _VERSION_BUDGET_S)


def resident_bytes(process_id: int) -> int:
    """The memory that a process holds."""
    return int(psutil.Process(process_id).memory_info().rss)


def bare_python_bytes() -> int:
    """The same of a Python that does nothing."""
    process = subprocess.Popen((sys.executable, "-c", "input()"), stdin=subprocess.PIPE)
    try:
        psutil.Process(process.pid).cpu_percent(0.3)
        return resident_bytes(process.pid)
    finally:
        process.communicate(b"\n")


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT, env=dict(os.environ))
