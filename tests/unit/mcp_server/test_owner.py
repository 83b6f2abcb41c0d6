"""The way to the owner: how much goes over it at once."""

import asyncio

from app.famulus import ownership, server
from app.mcp_server.owner import AT_ONCE, DistantOwner
from app.runtime.paths import Paths


class Remote:
    """An owner that answers when it is let, and counts."""

    def __init__(self):
        self.api = self
        self.may_answer = asyncio.Event()
        self.under_way = self.most = 0

    async def client_hello(self, token):
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await self.may_answer.wait()
        self.under_way -= 1
        return token

    async def close(self):
        """Nothing is held."""


async def test_more_than_the_owner_takes_at_once_wait_for_their_turn(basedir, monkeypatch):
    remote = Remote()

    async def reach(_):
        return remote

    monkeypatch.setattr(ownership, "reach", reach)
    owner = DistantOwner(Paths(basedir))
    asked = [asyncio.ensure_future(owner.ask(lambda api, at=at: api.client_hello(at))) for at in range(200)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert remote.under_way == AT_ONCE < server._MAX_CALLS
    # whoever goes while waiting makes room
    asked[-1].cancel()
    asked[0].cancel()
    remote.may_answer.set()
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert answers[1:-1] == list(range(1, 199))
    assert remote.most == AT_ONCE
    await owner.close()
