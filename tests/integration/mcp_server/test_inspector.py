"""The MCP inspector on the command line, another independent client. Skipped where it is absent."""

from __future__ import annotations

import asyncio
import json
import shutil

import pytest

PACKAGES = ("-p", "node@22", "-p", "@modelcontextprotocol/inspector@2.12.0")
_TIME_S = 100

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npx") is None, reason="npx is not installed"),
]


async def _inspect(*words):
    """What the inspector printed, and its exit code; skips where its package is not on this machine."""
    process = await asyncio.create_subprocess_exec(
        *("npx", "--yes", "--offline", *PACKAGES, "mcp-inspector", "--cli", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), _TIME_S)
    if b"ENOTCACHED" in err:
        pytest.skip("the package of the MCP inspector is not in npm's cache")
    return process.returncode, out.decode(), err.decode()


async def test_it_lists_searches_and_is_refused_on_stdio(world):
    given = ("-e", f"FAMULUS_CLIENT_TOKEN={world.tokens['mate']}", *world.command())
    code, out, _ = await _inspect(*given, "--method", "tools/list")
    assert code == 0
    assert len(json.loads(out)["tools"]) == 7
    search = ("--method", "tools/call", "--tool-name", "search_context", "--tool-arg")
    code, out, _ = await _inspect(*given, *search, "query=budget of Falcon")
    assert code == 0
    assert "42,000" in json.loads(out)["content"][0]["text"]
    code, out, _ = await _inspect(*given, *search, "limit=0")
    assert code != 0
    assert json.loads(out)["isError"]


async def test_it_reads_over_http_with_a_token_alone(world):
    async with world.serving() as web:
        address = (f"http://127.0.0.1:{web.port}/mcp", "--transport", "http")
        token = ("--header", f"Authorization: Bearer {world.tokens['mate']}")
        code, out, _ = await _inspect(*address, *token, "--method", "resources/list")
        assert code == 0
        assert len(json.loads(out)["resources"]) == 3
        code, _, err = await _inspect(*address, "--method", "tools/list")
        assert code != 0
        assert "auth_required" in err
