"""A process for reading untrusted files: limited in time and memory, unable to write, replaced when it breaks.

The job and its result are JSON objects. The child side is `parse_child`.
"""

from __future__ import annotations

import contextlib
import json
import logging
import struct
import subprocess
import threading
from typing import TYPE_CHECKING, Any

from app.domain.errors import Unreadable
from app.domain.text import Text, msg
from app.runtime import environment
from app.runtime.lanes import Lane
from app.runtime.parse_child import FAILURE, LENGTH, OUT_OF_MEMORY, READY
from app.runtime.processes import own_command, with_own_package

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_REPLY_BYTES = 1 << 28
_START_TIMEOUT_S = 60.0
_MIB = 1 << 20
_log = logging.getLogger(__name__)


class ParseProcess:
    """Runs jobs one after another in a child process, which it starts with the first one.

    Args:
        target: the function that does a job, as `module:function`; dict in, dict out.
        timeout_s: seconds for one job.
        memory_bytes: address space that jobs may take beyond what the child has when it is ready.
    """

    def __init__(self, target: str, *, timeout_s: float = 15.0, memory_bytes: int = 1 << 30) -> None:
        self._target = target
        self._timeout_s = timeout_s
        self._memory_bytes = memory_bytes
        self._lane = Lane("parse")
        self._child: subprocess.Popen[bytes] | None = None

    async def run(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Do one job. Raises `Unreadable` when it took too long or too much memory, or broke the child."""
        return await self._lane.run(self.run_here, job)

    def call(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Like `run`, for threads: blocks the calling one until its turn has come and the job is done."""
        return self._lane.submit(self.run_here, job).result()

    def run_here(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Like `run`, blocking the calling thread. One caller at a time."""
        child = self._ready_child()
        payload = json.dumps(job).encode()
        reply, is_late = self._talk(child, LENGTH.pack(len(payload)) + payload, self._timeout_s)
        if reply is None:
            code = self._end_child()
            _log.warning("the parse process was lost, exit code %s, too late: %s", code, is_late)
            raise self._too_slow() if is_late else _broken()
        failure = reply.get(FAILURE)
        if failure is None:
            return reply
        self._end_child()  # after a failure nothing is known of its state
        raise self._too_big() if failure == OUT_OF_MEMORY else _broken()

    def close(self) -> None:
        """End the child and take no more jobs."""
        child = self._child
        if child is not None:
            child.kill()  # lets a running job end at once
        self._lane.close()
        self._end_child()

    def _ready_child(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self._end_child()
        arguments = ("parse-child", self._target, str(self._memory_bytes), str(self._timeout_s))
        self._child = subprocess.Popen(  # noqa: S603 - our own program, arguments as a list
            own_command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=with_own_package(environment.for_parsing()),
        )
        reply, _ = self._talk(self._child, b"", _START_TIMEOUT_S)
        if reply is None or READY not in reply:
            code = self._end_child()
            _log.error("the parse process did not start, exit code %s", code)
            raise Unreadable(
                msg("The process that reads files could not be started."),
                next_step=msg("Try again; if it stays so, `famulus selftest` shows what is wrong."),
            )
        return self._child

    def _talk(
        self, child: subprocess.Popen[bytes], message: bytes, timeout_s: float
    ) -> tuple[dict[str, Any] | None, bool]:
        """Send a message and take the answer; (None, was it late?) when the child is no more."""
        is_late = threading.Event()

        def too_late() -> None:
            is_late.set()
            child.kill()

        timer = threading.Timer(timeout_s, too_late)
        timer.daemon = True
        timer.start()
        try:
            return _exchange(child, message), False
        except (OSError, EOFError, ValueError):
            return None, is_late.is_set()
        finally:
            timer.cancel()
            timer.join()
            if is_late.is_set():
                self._end_child()  # also when the answer came in the same instant

    def _end_child(self) -> int | None:
        """Make sure that there is no child; returns its exit code."""
        child, self._child = self._child, None
        if child is None:
            return None
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what was still to be written goes nowhere
                    pipe.close()
        return child.wait()

    def _too_slow(self) -> Unreadable:
        return _unreadable(
            msg("Reading it takes longer than {seconds} seconds.", seconds=format(self._timeout_s, "g")),
            msg("Leave it out, or raise files.parse_timeout_s in the settings."),
        )

    def _too_big(self) -> Unreadable:
        return _unreadable(
            msg("Reading it takes more than {mib} MiB of memory.", mib=self._memory_bytes // _MIB),
            msg("Leave it out, or raise files.parse_memory_mib in the settings."),
        )


def _exchange(child: subprocess.Popen[bytes], message: bytes) -> dict[str, Any]:
    """Raises OSError, EOFError or ValueError when the child does not answer as it should."""
    if child.stdin is None or child.stdout is None:
        raise EOFError
    if message:
        child.stdin.write(message)
        child.stdin.flush()
    head = child.stdout.read(LENGTH.size)
    try:
        (size,) = LENGTH.unpack(head)
    except struct.error:
        raise EOFError from None
    if size > _MAX_REPLY_BYTES:
        raise ValueError("the reply is too long")
    body = child.stdout.read(size)
    if len(body) != size:
        raise EOFError
    reply = json.loads(body)
    if not isinstance(reply, dict):
        raise ValueError("the reply is no object")  # noqa: TRY004 - one kind of error for a broken child
    return reply


def _broken() -> Unreadable:
    return _unreadable(
        msg("The process that reads files broke down on it."),
        msg("Leave it out; if it opens elsewhere, saving it anew may help."),
    )


def _unreadable(what: Text, next_step: Text) -> Unreadable:
    return Unreadable(what, next_step=next_step)
