"""The owner's side: serves a facade to the command line, and to whoever else can read the owner's key file.

Only the methods of `FamulusApi` can be called. A caller that goes away stops the long work that it asked for; short
work runs to its end, so that nothing is left half done.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from typing import TYPE_CHECKING, Any

from app import __version__
from app.domain.errors import Cancelled, Expected, Refused, Unavailable
from app.domain.instants import from_ixdtf
from app.domain.progress import Progress
from app.domain.text import msg
from app.famulus.codec import WireError, encode
from app.famulus.wire import Hello, Method, encode_error, methods
from app.runtime import clock
from app.runtime.ipc.frames import MAX_REPLY_BYTES, Frame, pack
from app.runtime.ipc.listener import Listener
from app.runtime.stop import PAUSE, RESUME, STOP, StopSwitch
from app.runtime.tasks import Tasks

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from app.famulus.api import FamulusApi
    from app.runtime.ipc.channel import Channel
    from app.runtime.lanes import Lane
    from app.runtime.paths import Paths

_MAX_CALLS = 32
_PROGRESS_EVERY_S = 0.05
_CLOSE_TIMEOUT_S = 10.0
_GOODBYE_TIMEOUT_S = 2.0
_log = logging.getLogger(__name__)


class Server:
    """Serves `api` from `start` to `close`. Only for the holder of the owner lock; made on the loop where it lives.

    Args:
        lane: where results are turned into bytes, off the loop.
    """

    def __init__(self, api: FamulusApi, paths: Paths, lane: Lane) -> None:
        self.api = api
        self.lane = lane
        self.tasks = Tasks()
        self.is_closing = False
        self._sessions: set[_Session] = set()
        self._listener = Listener(paths, self._arrived)
        self._loop = asyncio.get_running_loop()
        self._is_quiet = asyncio.Event()
        self._visited = asyncio.Event()
        self._is_quiet.set()

    async def start(self) -> None:
        """Begin to listen. Raises as `Listener.start` does."""
        await self.lane.run(self._listener.start)

    async def close(self) -> None:
        """Accept nothing new, stop long work, wait for the answers to go out, and say goodbye."""
        self.is_closing = True
        await self.lane.run(self._listener.close)
        for session in tuple(self._sessions):
            session.stop_calls()
        await self.tasks.settle(_CLOSE_TIMEOUT_S)
        await self.tasks.close()
        for session in tuple(self._sessions):
            session.say_goodbye()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._is_quiet.wait(), _GOODBYE_TIMEOUT_S)
        for session in tuple(self._sessions):
            session.cut()

    async def wait_until_idle(self, idle_s: float, is_busy: Callable[[], Awaitable[bool]]) -> None:
        """Return when for `idle_s` seconds nobody was connected, and `is_busy` says that nothing else is going on."""
        while True:
            await self._is_quiet.wait()
            self._visited.clear()
            try:
                await asyncio.wait_for(self._visited.wait(), idle_s)
            except TimeoutError:
                if not await is_busy():
                    return

    def left(self, session: _Session) -> None:
        """A session has ended."""
        self._sessions.discard(session)
        if not self._sessions:
            self._is_quiet.set()

    def _arrived(self, channel: Channel) -> None:
        """Called on a thread of the listener."""
        try:
            self._loop.call_soon_threadsafe(self._welcome, channel)
        except RuntimeError:
            channel.cut()  # the loop has closed

    def _welcome(self, channel: Channel) -> None:
        session = _Session(self, channel, self._loop)
        self._sessions.add(session)
        self._is_quiet.clear()
        self._visited.set()
        session.start()


class _Session:
    """One caller. All but the two callbacks of the channel's thread run on the loop."""

    def __init__(self, server: Server, channel: Channel, loop: asyncio.AbstractEventLoop) -> None:
        self._server = server
        self._channel = channel
        self._loop = loop
        self._switches: dict[int, StopSwitch] = {}
        self._tokens: list[str] = []
        self._has_ended = False

    def start(self) -> None:
        hello = Hello(__version__, os.getpid())
        self._channel.send(pack({"hello": encode(hello, Hello)}))
        self._channel.start(
            lambda frame: self._loop.call_soon_threadsafe(self._on_frame, frame),
            lambda: self._loop.call_soon_threadsafe(self._on_end),
        )

    def stop_calls(self) -> None:
        for switch in self._switches.values():
            switch.stop()

    def say_goodbye(self) -> None:
        self._channel.send(pack({"bye": True}))
        self._channel.finish()

    def cut(self) -> None:
        self._channel.cut()

    def _on_end(self) -> None:
        self._has_ended = True
        self.stop_calls()
        self._end_access()
        self._server.left(self)

    def _on_frame(self, frame: Frame) -> None:
        call_id = frame.get("id")
        if not isinstance(call_id, int) or self._server.is_closing:
            if not self._server.is_closing:
                self._channel.cut()
            return
        if "control" in frame:
            self._control(self._switches.get(call_id), frame["control"])
            return
        try:
            method, arguments, now = self._understand(call_id, frame)
        except WireError:
            _log.warning("a call made no sense")
            self._channel.send(pack({"id": call_id, "error": encode_error(WireError())}))
            return
        except Refused as problem:
            self._channel.send(pack({"id": call_id, "error": encode_error(problem)}))
            return
        switch = StopSwitch()
        self._switches[call_id] = switch
        self._server.tasks.start(self._serve(call_id, method, arguments, now), f"call {method.name}")

    def _understand(self, call_id: int, frame: Frame) -> tuple[Method, dict[str, Any], datetime | None]:
        name = frame.get("method")
        method = methods().get(name) if isinstance(name, str) else None
        if method is None or call_id in self._switches:
            raise WireError("no such call now")
        if len(self._switches) >= _MAX_CALLS:
            raise Refused(
                msg("Too many requests are under way."), next_step=msg("Wait for their answers, then ask again.")
            )
        now = frame.get("now")
        try:
            instant = None if now is None else clock.checked(from_ixdtf(str(now)))
        except (ValueError, OverflowError):
            raise WireError("no time") from None
        return method, method.decode_arguments(frame.get("params")), instant

    def _control(self, switch: StopSwitch | None, wish: object) -> None:
        """A wish for a call that has ended meanwhile is late, and no error."""
        if switch is None:
            return
        if wish == STOP:
            switch.stop()
        elif wish == PAUSE:
            switch.pause()
        elif wish == RESUME:
            switch.resume()

    async def _serve(self, call_id: int, method: Method, arguments: dict[str, Any], now: datetime | None) -> None:
        if method.has_progress:
            arguments["progress"] = _ProgressGate(call_id, self._channel)
        if method.has_stop:
            arguments["stop"] = self._switches[call_id]
        try:
            with clock.use(now):
                result = await getattr(self._server.api, method.name)(**arguments)
            if method.name == "ask_access" and result not in self._tokens:
                self._tokens.append(result)
                self._end_access()  # whoever asked may have gone meanwhile
            packed = await self._server.lane.run(_pack_result, call_id, result, method.returns)
        except (Expected, asyncio.CancelledError) as error:
            packed = pack({"id": call_id, "error": encode_error(self._explain(error))})
        except Exception:  # noqa: BLE001 - a border: a bug in one call must not end the others
            _log.exception("the call %s failed", method.name)
            packed = pack({"id": call_id, "error": encode_error(WireError())})
        finally:
            del self._switches[call_id]
        self._channel.send(packed)

    def _end_access(self) -> None:
        """Access that was asked for over this connection ends with it, however its process ended (G8.1)."""

        async def end(tokens: list[str]) -> None:
            with contextlib.suppress(Expected):
                for token in tokens:
                    await self._server.api.end_access(token)

        if self._has_ended and self._tokens and not self._server.is_closing:
            tokens, self._tokens = self._tokens, []
            self._server.tasks.start(end(tokens), "end access")

    def _explain(self, error: BaseException) -> Expected:
        """What the caller is told; it did not say stop when it was the owner who quit."""
        if isinstance(error, Expected) and not (isinstance(error, Cancelled) and self._server.is_closing):
            return error
        return Unavailable(
            msg("Famulus was quit while it was working on this."),
            lost=msg("Nothing was lost; what was done so far is kept."),
            next_step=msg("Try again."),
        )


class _ProgressGate:
    """Sends progress, but not more often than eyes can follow. Called from any thread."""

    def __init__(self, call_id: int, channel: Channel) -> None:
        self._call_id = call_id
        self._channel = channel
        self._task = ""
        self._due_s = 0.0

    def __call__(self, progress: Progress) -> None:
        moment_s = clock.monotonic_s()
        if progress.task == self._task and moment_s < self._due_s and progress.done != progress.total:
            return
        self._task, self._due_s = progress.task, moment_s + _PROGRESS_EVERY_S
        self._channel.offer(pack({"id": self._call_id, "progress": encode(progress, Progress)}))


def _pack_result(call_id: int, result: object, hint: Any) -> bytes:  # noqa: ANN401 - a type
    packed = pack({"id": call_id, "result": encode(result, hint)})
    if len(packed) > MAX_REPLY_BYTES:
        raise Refused(
            msg("The answer is too large to be handed over."),
            lost=msg("Nothing was lost; what was done is kept."),
            next_step=msg("Ask for less at a time."),
        )
    return packed
