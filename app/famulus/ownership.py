"""Who owns the data of an installation (DESIGN 3): find the owner, start one, or become it.

Two that start at once end up with one owner: the lock decides, and who did not get it talks to who did.
"""

from __future__ import annotations

import asyncio
import enum
import functools
import json
from typing import TYPE_CHECKING, Any

from app import __version__
from app.domain.errors import Expected, Unavailable
from app.domain.text import Text, msg
from app.famulus.client import RemoteFamulus
from app.famulus.line import Line
from app.famulus.wire import expected
from app.runtime import clock
from app.runtime.processes import is_alive, start_detached
from app.runtime.single_instance import OwnerLock

if TYPE_CHECKING:
    import subprocess

    from app.runtime.paths import Paths

START_TIMEOUT_S = 60.0
_QUIT_TIMEOUT_S = 60.0
_POLL_S = 0.02


async def reach(paths: Paths) -> RemoteFamulus:
    """The running owner; one without a window is started when there is none.

    Raises:
        Expected: the data folder cannot be used, or another version of Famulus owns it.
        Unavailable: no owner came up in time.
    """
    return RemoteFamulus(await _find_line(paths), functools.partial(_find_line, paths))


async def become_owner(paths: Paths, *, is_toggling: bool = False) -> OwnerLock | None:
    """The lock, for a process with a window; an owner without one makes way.

    Returns None when another window runs already: it was asked to show itself (or, toggling, to hide).

    Raises:
        Unavailable: the present owner neither answers nor leaves.
    """
    paths.create()
    lock = OwnerLock(paths)
    due_s = clock.monotonic_s() + START_TIMEOUT_S
    while not await _taken(lock):
        remote = await RemoteFamulus.connect(paths)
        if remote is not None:
            has_shown = remote.is_same_version and await remote.api.show_window(is_toggling=is_toggling)
            if not has_shown:
                await remote.api.shut_down()
            await remote.close()
            if has_shown:
                return None
        if clock.monotonic_s() > due_s:
            raise Unavailable(
                msg("Another process of Famulus holds the data and does not answer."),
                next_step=msg("End it, or restart the computer, then try again."),
            )
    return lock


class Ending(enum.Enum):
    """What came of ending the owner."""

    WAS_NOT_RUNNING = enum.auto()
    ENDED = enum.auto()
    RUNS_AGAIN = enum.auto()
    """It ended, and somebody whose question was under way has started another one."""


async def quit_owner(paths: Paths) -> Ending:
    """End the owner, of whatever version, and wait until it is gone.

    Raises:
        Unavailable: it did not end in time.
    """
    remote = await RemoteFamulus.connect(paths)
    if remote is None:
        return Ending.WAS_NOT_RUNNING
    await remote.api.shut_down()
    await remote.close()
    lock = OwnerLock(paths)
    due_s = clock.monotonic_s() + _QUIT_TIMEOUT_S
    # Until the process is gone it holds its log open, and a disk cannot be taken out.
    while is_alive(remote.hello.process_id) or not lock.is_free():
        if not is_alive(remote.hello.process_id) and await _owner(paths) not in {None, remote.hello.process_id}:
            return Ending.RUNS_AGAIN
        if clock.monotonic_s() > due_s:
            raise Unavailable(
                msg("Famulus is still busy with ending."),
                next_step=msg("Wait a little; the log says what it is doing: {path}", path=str(paths.log)),
            )
        await asyncio.sleep(_POLL_S)
    return Ending.ENDED


async def _owner(paths: Paths) -> int | None:
    """The process that answers as the owner; None where none does."""
    remote = await RemoteFamulus.connect(paths)
    if remote is None:
        return None
    await remote.close()
    return remote.hello.process_id


async def _find_line(paths: Paths, *, timeout_s: float = START_TIMEOUT_S) -> Line:
    """A connection to the owner, who is started when there is none.

    Raises:
        Expected: the data folder cannot be used, or another version of Famulus owns it.
        Unavailable: no owner came up in time.
    """
    paths.create()
    lock = OwnerLock(paths)
    started: subprocess.Popen[bytes] | None = None
    due_s = clock.monotonic_s() + timeout_s
    while clock.monotonic_s() < due_s:
        line = await Line.connect(paths)
        if line is not None:
            return await _checked(line)
        if started is None and lock.is_free():
            started = start_detached(_serve_arguments(paths), folder=paths.data)
        elif started is not None and started.poll() is not None:
            _check_end(started)
            started = None  # it met another owner, which is starting or leaving
        await asyncio.sleep(_POLL_S)
    raise Unavailable(
        msg("Famulus did not start within {seconds} seconds.", seconds=round(timeout_s)),
        next_step=msg("Try again; the log says what it was doing: {path}", path=str(paths.log)),
    )


async def _taken(lock: OwnerLock) -> bool:
    if lock.take():
        return True
    await asyncio.sleep(_POLL_S)
    return False


async def _checked(line: Line) -> Line:
    theirs = line.hello.version
    if theirs == __version__:
        return line
    await line.close()
    raise Unavailable(
        msg("Famulus {theirs} is running, and this is {ours}.", theirs=theirs, ours=__version__),
        next_step=msg("End the running one with `famulus quit`, then try again."),
    )


def _serve_arguments(paths: Paths) -> list[str]:
    place = ["--basedir", str(paths.basedir)] if paths.basedir is not None else []
    return ["--json", *place, "serve"]


def _check_end(started: subprocess.Popen[bytes]) -> None:
    """Raise what kept an owner from starting; nothing when it only met another one."""
    report, _ = started.communicate()
    if started.returncode == 0:
        return
    raise _read_report(report) or Unavailable(
        msg("The process that owns the data ended at once, with exit code {code}.", code=started.returncode),
        next_step=msg("Run `famulus serve` to see why."),
    )


def _read_report(report: bytes) -> Expected | None:
    """The error that a command with --json prints."""
    try:
        told: dict[str, Any] = json.loads(report)["error"]
        what, lost, next_step = (Text(str(told[name])) for name in ("what", "lost", "next_step"))
        return expected(str(told["code"]), what, lost=lost, next_step=next_step)
    except (ValueError, KeyError, TypeError):
        return None
