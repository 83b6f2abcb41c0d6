"""One program at the other end of stdin and stdout, one JSON-RPC message a line. stdout carries nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from typing import TYPE_CHECKING, Any

from app.domain.errors import BadInput, Bug, Expected
from app.domain.text import msg
from app.mcp_server.opening import LONGEST_LINE, begin, packed
from app.mcp_server.owner import DistantOwner
from app.mcp_server.passports import OfProcess
from app.runtime.standard_streams import TooLong
from app.runtime.tasks import Tasks
from app.runtime.translation import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

    from app.mcp_server.opening import Opening
    from app.runtime.paths import Paths

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_GOODBYE_S = 2.0
_LAST_ANSWERS_S = 1.5
_FOR_PROGRAMS = msg("This speaks with programs that start it, and not with people. Ctrl+D ends it.")


def serve(paths: Paths, find_token: Callable[[], str] | None) -> int:
    """Serve the program that started this process, until it closes its end or ends us; returns the exit code.

    Args:
        find_token: finds the client's token; None asks the person for access at the first question.

    Raises:
        BadInput: there is no stdin or no stdout.
    """
    opening = _opening()
    try:
        if opening.first is not None:
            asyncio.run(_Session(opening, paths, find_token).serve(opening.first))
    finally:
        opening.streams.close()
    return 0


def _opening() -> Opening:
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(translate(_FOR_PROGRAMS) + "\n")
    try:
        return begin()
    except OSError as error:
        raise BadInput(
            msg("There is nobody at the other end: stdin or stdout is closed."),
            next_step=msg("Let a program start this command, or serve HTTP: famulus mcp --http 0"),
        ) from error


class _Session:
    """The life of one process."""

    def __init__(self, opening: Opening, paths: Paths, find_token: Callable[[], str] | None) -> None:
        self._streams = opening.streams
        self._early = opening.early
        self._owner = DistantOwner(paths)
        self._passport = OfProcess(self._owner, find_token)
        self._open: set[int | str] = set()
        self._all_answered = asyncio.Event()

    async def serve(self, first: bytes | TooLong) -> None:
        """Answer until the end of the stream, or a signal."""
        ended = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().add_signal_handler(number, ended.set)
        tasks = Tasks()
        talk = tasks.start(self._talk(first, tasks), "talk with a program")
        end = tasks.start(ended.wait(), "wait for the end")
        await asyncio.wait((talk, end), return_when=asyncio.FIRST_COMPLETED)
        await tasks.close()
        await self._leave()
        if not talk.cancelled():
            talk.result()

    async def _leave(self) -> None:
        with contextlib.suppress(Expected, TimeoutError):
            await asyncio.wait_for(self._passport.leave(), _GOODBYE_S)
        await self._owner.close()

    async def _talk(self, first: bytes | TooLong, tasks: Tasks) -> None:
        import anyio  # noqa: PLC0415 - the library is loaded after the greeting

        from app.mcp_server.loading import quick_imports  # noqa: PLC0415 - as above

        with quick_imports():
            from app.mcp_server.server import Counter  # noqa: PLC0415 - as above
        counter = Counter(self._owner, lambda _: self._passport)
        into, read = anyio.create_memory_object_stream[Any](0)
        written, out = anyio.create_memory_object_stream[Any](0)
        tasks.start(self._listen(first, into), "read what a program says")
        writing = tasks.start(self._tell(out), "write to a program")
        serving = tasks.start(counter.serve(read, written), "serve a program")
        try:
            await asyncio.wait((serving, writing), return_when=asyncio.FIRST_EXCEPTION)
            await asyncio.gather(serving, writing)
        finally:
            await counter.close()

    async def _listen(self, first: bytes | TooLong, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with into:
            await self._hear(first, into)
            async for line in self._streams.lines():
                await self._hear(line, into)
                await self._streams.drain()
            # at its end the library drops what it has not answered; a script that closes its end still reads
            if self._open:
                self._all_answered.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._all_answered.wait(), _LAST_ANSWERS_S)

    async def _hear(self, line: bytes | TooLong, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        from mcp.shared.message import SessionMessage  # noqa: PLC0415 - as above
        from mcp_types import JSONRPCNotification, JSONRPCRequest, jsonrpc_message_adapter  # noqa: PLC0415 - as above
        from pydantic import ValidationError  # noqa: PLC0415 - as above

        if isinstance(line, TooLong):
            self._refuse(None, _INVALID_REQUEST, f"A message is at most {LONGEST_LINE} bytes long.")
        elif line.strip():
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError:
                self._refuse(*_fault(line))
                return
            if isinstance(message, JSONRPCNotification) and _wants_answer(line):
                self._refuse(*_fault(line))
            else:
                if isinstance(message, JSONRPCRequest):
                    self._open.add(message.id)
                await into.send(SessionMessage(message))

    async def _tell(self, out: MemoryObjectReceiveStream[SessionMessage]) -> None:
        from mcp_types import JSONRPCError, JSONRPCResponse  # noqa: PLC0415 - as above

        async with out:
            async for message in out:
                told = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                if self._early is not None:
                    self._compare(json.loads(told))
                else:
                    self._streams.write(told.encode("utf-8", "replace"))
                if isinstance(message.message, JSONRPCResponse | JSONRPCError):
                    self._close(message.message.id)

    def _close(self, request_id: int | str | None) -> None:
        self._open -= {request_id}
        if not self._open:
            self._all_answered.set()

    def _compare(self, told: dict[str, Any]) -> None:
        """The library's own answer to `initialize`: the same as ours, or one of the two is wrong."""
        early, self._early = self._early, None
        if told != early:
            raise Bug("the early answer to initialize is not the library's")

    def _refuse(self, request_id: int | str | None, code: int, message: str) -> None:
        error = {"code": code, "message": message}
        self._streams.write(packed({"jsonrpc": "2.0", "id": request_id, "error": error}))


def _wants_answer(line: bytes) -> bool:
    """Whether what passes for a notification has an id of no known kind: a program would wait for its answer."""
    try:
        return "id" in json.loads(line)
    except (ValueError, RecursionError):
        return True


def _fault(line: bytes) -> tuple[int | str | None, int, str]:
    """What is wrong with a line: the id of its request where it has one, a code, and a word."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None, _PARSE_ERROR, "That is no JSON that can be read."
    request_id = found.get("id") if isinstance(found, dict) else None
    known = request_id if isinstance(request_id, int | str) and not isinstance(request_id, bool) else None
    return known, _INVALID_REQUEST, "That is no message of this protocol."
