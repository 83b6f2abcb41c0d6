"""How long a connection may say nothing, on real sockets of this process."""

import asyncio
import contextlib

import uvicorn

from app.mcp_server.patience import impatient

_HEAD = b"GET / HTTP/1.1\r\nHost: a\r\n"


async def _app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@contextlib.asynccontextmanager
async def _serving(patience_s, most=100):
    config = uvicorn.Config(_app, http=impatient(most, patience_s), lifespan="off", log_config=None, ws="none")
    config.load()
    state = uvicorn.server.ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: config.http_protocol_class(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    try:
        yield server.sockets[0].getsockname()[1], state
    finally:
        server.close()


async def _read(reader):
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), 20)
    return b""


async def test_who_says_nothing_or_a_part_of_a_request_is_hung_up_on():
    async with _serving(0.05) as (port, state):
        for said in (b"", _HEAD):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            assert await _read(reader) == b""
            writer.close()
        assert not state.connections


async def test_a_request_is_answered_and_what_follows_it_has_to_end_too():
    async with _serving(0.3) as (port, _):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_HEAD + b"\r\n" + _HEAD)
        assert (await _read(reader)).endswith(b"\r\n\r\nok")
        writer.close()


async def test_where_there_are_too_many_the_longest_silent_goes():
    async with _serving(60, most=2) as (port, state):
        first, *_ = ends = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert await _read(first[0]) == b""
        ends[2][1].write(_HEAD + b"Connection: close\r\n\r\n")
        assert (await _read(ends[2][0])).endswith(b"ok")
        for _, writer in ends:
            writer.close()
        assert len(state.connections) <= 1
