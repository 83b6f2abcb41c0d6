"""The only clock. `now()` is aware, in the person's zone, and a request may bring its own (`--now`).

A request's time holds for that request alone: it lives in a context variable, which tasks and lanes carry on.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

_given: ContextVar[datetime | None] = ContextVar("given_now", default=None)
_LOCALTIME = Path("/etc/localtime")
_FIRST_YEAR, _LAST_YEAR = 1000, 8999
_LASTING: int | None = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
"""Linux has a clock of its own for it; that of macOS goes on anyway, and so does Python's on Windows."""


def now() -> datetime:
    """The present instant, with the person's zone; the given one inside `use`."""
    return _given.get() or datetime.now(zone())


def present() -> datetime:
    """The real present, whatever `use` says: for what happens by itself."""
    return datetime.now(local_zone())


def zone() -> tzinfo:
    """The person's time zone; inside `use`, that of the given instant where it differs from the person's then."""
    given = _given.get()
    local = local_zone()
    if given is None or given.astimezone(local).utcoffset() == given.utcoffset():
        return local
    return given.tzinfo or local


@contextlib.contextmanager
def use(instant: datetime | None) -> Iterator[None]:
    """Let `now()` be `instant` in this context; None changes nothing. Raises ValueError as `checked` does."""
    if instant is None:
        yield
        return
    token = _given.set(checked(instant))
    try:
        yield
    finally:
        _given.reset(token)


@contextlib.contextmanager
def by_itself() -> Iterator[None]:
    """Let `now()` be the present in this context: what goes on after a request has not the time that it brought."""
    token = _given.set(None)
    try:
        yield
    finally:
        _given.reset(token)


def checked(instant: datetime) -> datetime:
    """A time that can be the present: with an offset, and with centuries before and after it to count in.

    Raises:
        ValueError: it has no offset, or is not between the years 1000 and 9000.
    """
    if instant.utcoffset() is None:
        raise ValueError("a clock needs an offset")
    if not is_reckonable(instant):
        raise ValueError("a year that nothing can be reckoned from")
    return instant


def is_reckonable(instant: datetime) -> bool:
    """Whether a time has centuries before and after it to count in."""
    return _FIRST_YEAR <= instant.year <= _LAST_YEAR


def given() -> datetime | None:
    """The instant of `use`, or None: what a request to another process must take along."""
    return _given.get()


def monotonic_s() -> float:
    """Seconds on a clock that never jumps; for measuring and for time limits."""
    return time.monotonic()


def worked_s() -> float:
    """Seconds that this thread has worked: for limits of work that a busy machine must not cut short."""
    return time.thread_time()


def lasting_s() -> float:
    """The same, going on while the machine sleeps: for how long ago something was, whatever the clock was set to."""
    return time.clock_gettime(_LASTING) if _LASTING is not None else time.monotonic()


def system_ns() -> int:
    """The system's own clock in nanoseconds since 1970, whatever `use` says: for comparing with the times of files."""
    return time.time_ns()


@functools.cache
def local_zone() -> tzinfo:
    """The system's zone with its daylight saving rules where they can be named, else as the system computes them."""
    for name in _zone_names():
        try:
            return ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return SystemZone()


def _zone_names() -> Iterator[str]:
    if name := os.environ.get("TZ"):
        yield name.lstrip(":")
    elif _LOCALTIME.is_symlink():
        yield str(_LOCALTIME.readlink()).partition("zoneinfo/")[2]


class SystemZone(tzinfo):
    """The zone as the C library knows it: for systems that do not tell its name, such as Windows."""

    def utcoffset(self, dt: datetime | None) -> timedelta:
        """The offset that the system uses at a local time."""
        if dt is None:
            return timedelta(seconds=-time.timezone)
        return timedelta(seconds=self._at(dt).tm_gmtoff)

    def dst(self, dt: datetime | None) -> timedelta:
        """How much of the offset is daylight saving."""
        if dt is None or not self._at(dt).tm_isdst:
            return timedelta(0)
        return timedelta(seconds=time.timezone - time.altzone)

    def tzname(self, dt: datetime | None) -> str:
        """The system's abbreviation."""
        return time.tzname[0] if dt is None else self._at(dt).tm_zone

    def fromutc(self, dt: datetime) -> datetime:
        """The local time of a UTC time whose tzinfo is this zone."""
        seconds = (dt.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
        return dt + timedelta(seconds=_local(seconds).tm_gmtoff)

    def _at(self, local: datetime) -> time.struct_time:
        """The system's reading of a local wall time."""
        parts = (local.year, local.month, local.day, local.hour, local.minute, local.second, local.weekday(), 0, -1)
        try:
            return _local(int(time.mktime(parts)))
        except (OverflowError, OSError, ValueError):
            return time.localtime(0)


def _local(seconds: int) -> time.struct_time:
    try:
        return time.localtime(seconds)
    except (OverflowError, OSError, ValueError):
        return time.localtime(0)
