"""Keeps the memory allocator modest: glibc reserves 64 MiB or more of address space for every thread otherwise."""

from __future__ import annotations

import sys

_M_ARENA_MAX = -8
_ARENAS = 2


def be_modest() -> None:
    """Let all threads share two arenas. To be called before the first thread starts; does nothing without glibc."""
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 - Linux alone needs it

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, _ARENAS)
