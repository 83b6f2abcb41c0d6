"""The conformance suite of the protocol against `famulus mcp --http`: what applies passes; docs/mcp.md has the rest."""

from __future__ import annotations

import asyncio
import re
import shutil

import pytest

from tests.integration.mcp_server.token_proxy import TokenProxy

PACKAGES = ("-p", "node@22", "-p", "@modelcontextprotocol/conformance@0.1.16")
APPLYING = (
    "server-initialize",
    "ping",
    "completion-complete",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
"""The scenarios that ask for no tool, resource or prompt of a test server, and for nothing that is not offered."""
_TIME_S = 100

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("npx") is None, reason="npx is not installed"),
]


async def test_the_scenarios_that_apply_pass(world, tmp_path):
    async with world.serving() as web, TokenProxy(web.port, world.tokens["mate"]) as proxy:
        process = await asyncio.create_subprocess_exec(
            *(
                "npx",
                "--yes",
                "--offline",
                *PACKAGES,
                "conformance",
                "server",
                "--url",
                f"http://localhost:{proxy.port}/mcp",
            ),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=tmp_path,
        )
        out, err = await asyncio.wait_for(process.communicate(), _TIME_S)
    if b"ENOTCACHED" in err:
        pytest.skip("the package of the conformance suite is not in npm's cache")
    results = dict(re.findall(r"(?m)^[✓✗] ([\w-]+): \d+ passed, (\d+) failed", out.decode()))
    assert {name: results.get(name) for name in APPLYING} == dict.fromkeys(APPLYING, "0")
