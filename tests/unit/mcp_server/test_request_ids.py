"""Requests that share an id with one that is under way."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from app.mcp_server.door import LARGEST_BODY
from app.mcp_server.request_ids import OwnIds


class Slow:
    """Answers when it is let, with what it was sent."""

    def __init__(self):
        self.may_answer = asyncio.Event()
        self.bodies = []

    async def __call__(self, scope, receive, send):
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        self.bodies.append(body)
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})


def _request(request_id):
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "ping"}).encode()


async def _ask(app, body, client="a", session=b"s", method="POST"):
    heard = []
    parts = [body[start : start + 1000] for start in range(0, len(body), 1000)] or [b""]
    messages = [
        {"type": "http.request", "body": part, "more_body": at + 1 < len(parts)} for at, part in enumerate(parts)
    ]

    async def receive():
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message):
        heard.append(message)

    headers = [(b"Mcp-Session-Id", session)] if session else []
    user = SimpleNamespace(access_token=SimpleNamespace(subject=client))
    await app({"type": "http", "method": method, "headers": headers, "user": user}, receive, send)
    return heard[0]["status"]


async def test_the_second_of_two_with_one_id_is_refused_until_the_first_is_answered():
    slow = Slow()
    app = OwnIds(slow)
    first = asyncio.ensure_future(_ask(app, _request(1)))
    await asyncio.sleep(0)
    # the library asks for answers by the text of an id
    assert [await _ask(app, _request(same)) for same in (1, "1")] == [400, 400]
    slow.may_answer.set()
    assert await first == 200
    assert await _ask(app, _request(1)) == 200


async def test_who_goes_makes_room():
    slow = Slow()
    app = OwnIds(slow)
    first = asyncio.ensure_future(_ask(app, _request(1)))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    slow.may_answer.set()
    assert await _ask(app, _request(1)) == 200


async def test_others_are_let_through_as_they_came():
    slow = Slow()
    app = OwnIds(slow)
    plain = [
        (_request(1), {}),
        (_request(2), {}),
        (_request(1), {"client": "b"}),
        (_request(1), {"session": b"t"}),
        (_request(1), {"session": None}),
        (_request(1), {"session": None}),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', {}),
        (b'{"jsonrpc":"2.0","method":"notifications/initialized"}', {}),
        (b"", {"method": "GET"}),
        (b"", {"method": "GET"}),
        (b"{bad", {}),
        (b"\xff", {}),
        (b"[]", {}),
        (b"[" * 100_000, {}),
        (b'{"id":' + b"9" * 5_000 + b',"method":"ping"}', {}),
        (b"x" * (LARGEST_BODY + 5_000), {}),
    ]
    asked = [asyncio.ensure_future(_ask(app, body, **options)) for body, options in plain]
    await asyncio.sleep(0)
    slow.may_answer.set()
    assert await asyncio.gather(*asked) == [200] * len(plain)
    assert sorted(slow.bodies) == sorted(body for body, _ in plain)
