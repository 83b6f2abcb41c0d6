"""The door: who is turned away before a token is looked at."""

import pytest

from app.domain.errors import Unavailable
from app.domain.text import msg
from app.mcp_server.door import LARGEST_BODY, Door

HOST = (b"host", b"127.0.0.1:8000")


async def _status(headers, app=None, **scope):
    sent = []

    async def inside(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    given = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": headers} | scope
    await Door(app or inside, 8000)(given, None, send)
    return sent[0]["status"]


@pytest.mark.parametrize("name", [b"127.0.0.1:8000", b"localhost:8000", b"[::1]:8000", b"LOCALHOST:8000"])
async def test_its_own_addresses_come_in(name):
    assert await _status([(b"host", name)]) == 200
    assert await _status([(b"host", name), (b"origin", b"http://" + name)]) == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([], 421),
        ([HOST, HOST], 421),
        ([(b"host", b"127.0.0.1")], 421),
        ([(b"host", b"127.0.0.1:8001")], 421),
        ([(b"host", b"127.0.0.1:8000.evil.example")], 421),
        ([(b"host", b"\xff")], 421),
        ([HOST, (b"origin", b"null")], 403),
        ([HOST, (b"origin", b"")], 403),
        ([HOST, (b"origin", b"http://127.0.0.1:8000"), (b"origin", b"http://evil")], 403),
        ([HOST, (b"origin", b"https://127.0.0.1:8000")], 403),
        ([HOST, (b"content-length", str(LARGEST_BODY).encode())], 200),
        ([HOST, (b"content-length", str(LARGEST_BODY + 1).encode())], 413),
        ([HOST, (b"content-length", b"9" * 5_000)], 413),
    ],
)
async def test_others_do_not(headers, status):
    assert await _status(headers) == status


async def test_a_request_has_one_token():
    one = (b"authorization", b"Bearer a")
    assert await _status([HOST, one]) == 200
    assert await _status([HOST, one, (b"authorization", b"Bearer b")]) == 400


async def test_a_stream_that_broke_begins_anew():
    seen = []

    async def inside(scope, receive, send):
        seen.extend(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    assert await _status([HOST, (b"last-event-id", b"5")], inside) == 200
    assert seen == [HOST]


async def test_only_the_one_path_without_a_query():
    assert await _status([HOST], path="/") == 404
    assert await _status([HOST], path="/mcp/") == 404
    assert await _status([HOST], query_string=b"token=x") == 400


async def test_an_owner_that_is_not_there_is_no_fault_of_the_client():
    async def inside(scope, receive, send):
        raise Unavailable(msg("Gone."), next_step=msg("Wait."))

    assert await _status([HOST], inside) == 503
