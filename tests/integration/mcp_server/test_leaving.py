"""A program that goes away in the middle of something ends the process quietly, whenever that is (G4.6)."""

from __future__ import annotations

import asyncio
import json
import os
import signal

import pytest

from tests.integration.mcp_server.peers import call, initialize

_TIME_S = 60.0
_WAYS = ("closes its end", "closes both ends", "kills", "interrupts")
_ANSWERED = (2, 5)
"""How many lines were answered before it went: with one, signals may come before they are listened for."""


async def leave(world, way: str, steps: int) -> tuple[int, str]:
    """Ask something, and go after `steps` lines were answered; the exit code and what stood on stderr."""
    process = await asyncio.create_subprocess_exec(
        *world.command(),
        env=world.environment(world.tokens["mate"]),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    asked = [initialize(0), {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    asked += [call("search_context", number, query="the budget of Falcon") for number in range(1, 12)]
    process.stdin.write(b"".join(json.dumps(one).encode() + b"\n" for one in asked))
    await process.stdin.drain()
    for _ in range(steps):
        await asyncio.wait_for(process.stdout.readline(), _TIME_S)
    if way == "closes both ends":
        process.stdout._transport.close()
    if way in {"closes its end", "closes both ends"}:
        process.stdin.close()
    else:
        process.send_signal(signal.SIGTERM if way == "kills" else signal.SIGINT)
    told = await asyncio.wait_for(process.stderr.read(), _TIME_S)
    return await asyncio.wait_for(process.wait(), _TIME_S), told.decode()


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("way", _WAYS)
async def test_who_goes_in_the_middle_leaves_no_error_behind(world, way):
    for steps in _ANSWERED:
        assert await leave(world, way, steps) == (0, ""), steps
    said = [line for one in world.basedir.rglob("*.log") for line in one.read_text("utf-8").splitlines()]
    assert not [line for line in said if "Error" in line or "failed" in line]
