"""Keeps what a process has in memory from being written to disk when it crashes (DESIGN 4)."""

from __future__ import annotations

import sys

_PR_SET_DUMPABLE = 4


def forbid() -> None:
    """No core dumps of this process and its children, from now on."""
    if sys.platform == "win32":
        return  # Windows Error Reporting writes dumps only for programs that were registered for them
    import resource  # noqa: PLC0415 - not on Windows

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - 10 ms that only Linux has to spend

        # The size limit does not hold where a program such as systemd-coredump takes the dumps.
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
