"""`famulus mcp` as a program starts it: from the call to the answer of `initialize`, and to the list of tools."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from statistics import median
from typing import TYPE_CHECKING

from tests.bench.display import ROOT
from tests.bench.launch import BARE
from tests.bench.measures import Measure, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STARTS = 11
_INITIALIZE_BUDGET_S = 0.4
_PARAMS = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
_HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _PARAMS}
_LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
_LIBRARY = (sys.executable, "-c", "import mcp.server.lowlevel")


def start(folder: Path) -> Iterator[Measure]:
    """Medians; each run is a process of its own, and the baselines are run between them."""
    found: dict[str, list[float]] = {"hello": [], "list": [], "bare": [], "library": []}
    for _ in range(_STARTS):
        hello_s, list_s = _one(folder)
        found["hello"].append(hello_s)
        found["list"].append(list_s)
        found["bare"].append(seconds(lambda: subprocess.run(BARE, check=True)))
        found["library"].append(seconds(lambda: subprocess.run(_LIBRARY, check=True)))
    middle = {name: median(values) for name, values in found.items()}
    yield Measure(
        "MCP initialize, median", middle["hello"], "s", middle["bare"], "python -c pass", _INITIALIZE_BUDGET_S
    )
    yield Measure(
        "MCP list of tools, from the start, median", middle["list"], "s", middle["library"], "importing the library"
    )


def _one(folder: Path) -> tuple[float, float]:
    """Seconds from the call of the program to both answers."""
    command = (sys.executable, "-m", "app", "--basedir", str(folder), "mcp")
    began = time.perf_counter()
    with subprocess.Popen(command, cwd=ROOT, env=dict(os.environ), stdin=-1, stdout=-1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        moments: list[float] = []
        for asked in (_HELLO, _LIST):
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            moments.append(time.perf_counter() - began)
            assert answer["id"] == asked["id"]
            assert "result" in answer
        process.stdin.close()
    return moments[0], moments[1]
