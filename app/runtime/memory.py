"""Keeps the memory allocator modest: glibc reserves 64 MiB for every thread otherwise, and keeps what was freed."""

from __future__ import annotations

import sys
from contextlib import suppress

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


def give_back() -> None:
    """Give freed memory back to the system, in about a millisecond; other C libraries do so by themselves.

    glibc would keep 25 MB after a model was loaded, 60 after it was unloaded, and a few after the start.
    """
    if sys.platform != "linux":
        return
    import ctypes  # noqa: PLC0415 - Linux alone needs it

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
