"""One connection to the owner of the data: calls out, answers and progress in, on the caller's loop."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput, Bug, Expected, Unavailable
from app.domain.instants import to_ixdtf
from app.domain.progress import Progress
from app.domain.text import msg
from app.famulus.codec import WireError, decode
from app.famulus.wire import Hello, Method, decode_error
from app.runtime import clock
from app.runtime.ipc.frames import MAX_REQUEST_BYTES, Frame, pack
from app.runtime.ipc.listener import connect
from app.runtime.stop import StopSwitch

if TYPE_CHECKING:
    from app.domain.progress import ProgressSink
    from app.runtime.ipc.channel import Channel
    from app.runtime.paths import Paths

_HELLO_TIMEOUT_S = 20.0


class NotBegun(Exception):
    """The owner left before it began a call, which may be tried with its successor."""


class Line:
    """See the module docstring. `hello` says who the owner is."""

    def __init__(self, channel: Channel, loop: asyncio.AbstractEventLoop) -> None:
        self._channel = channel
        self._loop = loop
        self._ids = itertools.count(1)
        self._calls: dict[int, _Call] = {}
        self._greeting: asyncio.Future[Hello] = loop.create_future()
        self._ended = asyncio.Event()
        self._has_said_goodbye = False
        self.hello = Hello("", 0)

    @classmethod
    async def connect(cls, paths: Paths) -> Line | None:
        """Reach the running owner; None when there is none, or it is just leaving."""
        loop = asyncio.get_running_loop()
        channel = connect(paths)
        if channel is None:
            return None
        line = cls(channel, loop)
        channel.start(
            lambda frame: loop.call_soon_threadsafe(line._on_frame, frame),
            lambda: loop.call_soon_threadsafe(line._on_end),
        )
        try:
            line.hello = await asyncio.wait_for(line._greeting, _HELLO_TIMEOUT_S)
        except (TimeoutError, ConnectionError):
            channel.cut()
            return None
        return line

    async def close(self) -> None:
        """Hang up; what still runs for us is stopped by the owner."""
        self._channel.cut()
        await self._ended.wait()

    async def call(self, method: Method, arguments: dict[str, Any]) -> object:
        """Run one method at the owner.

        Raises:
            Expected, Bug: what the owner raised.
            Unavailable: the owner died meanwhile.
            NotBegun: the owner left before it began.
        """
        values = {name: value for name, value in arguments.items() if name in method.parameters}
        switch = arguments.get("stop")
        call = _Call(next(self._ids), self._loop.create_future(), arguments.get("progress"))
        moment = clock.given()
        request = {
            "id": call.id,
            "method": method.name,
            "params": method.encode_arguments(values),
            "now": to_ixdtf(moment) if moment else None,
        }
        self._send(call, pack(request))
        unlisten = switch.listen(lambda button: self._press(call, button)) if isinstance(switch, StopSwitch) else None
        try:
            return _read_result(await call.answer, method)
        finally:
            self._calls.pop(call.id, None)
            if unlisten is not None:
                unlisten()

    def _send(self, call: _Call, packed: bytes) -> None:
        if len(packed) > MAX_REQUEST_BYTES:
            raise _too_long()
        if self._ended.is_set():
            raise NotBegun
        self._calls[call.id] = call
        self._channel.send(packed)

    def _press(self, call: _Call, button: str) -> None:
        """Called from any thread that turns the switch."""
        self._channel.send(pack({"id": call.id, "control": button}))

    def _on_frame(self, frame: Frame) -> None:
        try:
            self._understand(frame)
        except WireError:
            self._channel.cut()

    def _understand(self, frame: Frame) -> None:
        if "hello" in frame:
            if not self._greeting.done():
                self._greeting.set_result(decode(frame["hello"], Hello))
        elif "bye" in frame:
            self._has_said_goodbye = True
        elif (call := self._calls.get(frame.get("id", 0))) is None:
            return  # nobody waits for it any more
        elif "progress" in frame:
            call.tell(decode(frame["progress"], Progress))
        elif not call.answer.done():
            call.answer.set_result(frame)

    def _on_end(self) -> None:
        self._ended.set()
        if not self._greeting.done():
            self._greeting.set_exception(ConnectionError())
        for call in self._calls.values():
            if not call.answer.done():
                call.answer.set_exception(NotBegun() if self._has_said_goodbye else _owner_died())


class _Call:
    """A call that waits for its answer."""

    def __init__(self, call_id: int, answer: asyncio.Future[Frame], progress: ProgressSink | None) -> None:
        self.id = call_id
        self.answer = answer
        self._progress = progress

    def tell(self, progress: Progress) -> None:
        if self._progress is not None:
            self._progress(progress)


def _read_result(frame: Frame, method: Method) -> object:
    try:
        if "error" in frame:
            raise decode_error(frame["error"])
        return decode(frame["result"], method.returns)
    except (WireError, KeyError) as error:
        raise Bug(f"the owner's answer to {method.name} makes no sense") from error


def _owner_died() -> Expected:
    return Unavailable(
        msg("The Famulus process that owns the data ended unexpectedly."),
        lost=msg("What it had stored is safe; what it was just working on was not finished."),
        next_step=msg("Try again."),
    )


def _too_long() -> Expected:
    return BadInput(
        msg("That is too much to hand over at once."),
        next_step=msg("Give fewer paths or a shorter text at a time."),
    )
