"""The child side of `parse_process`: takes its limits upon itself, then does jobs until its input ends.

It can write no file, leaves no core dump, and what a library prints goes nowhere.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import signal
import struct
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from app.runtime import crash_dumps
from app.runtime.processes import fall_silent

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[dict[str, Any]], dict[str, Any]]

LENGTH = struct.Struct("!Q")
READY = "_ready"
FAILURE = "_failure"
OUT_OF_MEMORY = "memory"
_BROKEN = "broken"
_GRACE_S = 5


def main(target: str, memory_bytes: int, timeout_s: float) -> int:
    """Serve jobs on standard input and output; returns the exit code."""
    sys.dont_write_bytecode = True
    jobs = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    fall_silent()  # on the level of the system, where C libraries print
    module, _, function = target.partition(":")
    work: Work = getattr(importlib.import_module(module), function)
    crash_dumps.forbid()
    _limit(memory_bytes)
    _send(replies, {READY: True})
    while (job := _receive(jobs)) is not None:
        _send(replies, _do(work, job, timeout_s))
    return 0


def _do(work: Work, job: dict[str, Any], timeout_s: float) -> dict[str, Any]:
    """One job, with an alarm behind the parent's time limit, for the case that there is no parent any more."""
    if sys.platform != "win32":
        signal.alarm(math.ceil(timeout_s) + _GRACE_S)
    try:
        return work(job)
    except MemoryError:
        return {FAILURE: OUT_OF_MEMORY}
    except Exception:  # noqa: BLE001 - a border: whatever a file did to a parser, the answer is one word
        return {FAILURE: _BROKEN}
    finally:
        if sys.platform != "win32":
            signal.alarm(0)


def _limit(memory_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if sys.platform == "linux":  # macOS does not hold to this limit
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * resource.getpagesize() + memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _receive(jobs: IO[bytes]) -> dict[str, Any] | None:
    head = jobs.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    job: dict[str, Any] = json.loads(jobs.read(LENGTH.unpack(head)[0]))
    return job


def _send(replies: IO[bytes], reply: dict[str, Any]) -> None:
    try:
        payload = json.dumps(reply).encode()
    except MemoryError:
        payload = json.dumps({FAILURE: OUT_OF_MEMORY}).encode()
    except (TypeError, ValueError, RecursionError):
        payload = json.dumps({FAILURE: _BROKEN}).encode()
    replies.write(LENGTH.pack(len(payload)) + payload)
    replies.flush()
