"""Streamable HTTP: the official client, who is turned away at the door, and whose session is whose (G4.6)."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys

import pytest
from mcp.shared.exceptions import MCPError

from app.domain.clients import Grant
from tests.integration.mcp_server.peers import MODERN, call, initialize

_PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


async def test_the_official_client_lists_searches_cites_and_is_refused(world):
    async with world.serving() as web, web.session(world.tokens["mate"]) as session:
        assert len((await session.list_tools()).tools) == 7
        found = await session.call_tool("search_context", {"query": "budget of Falcon"})
        (item,) = [one for one in found.structured_content["items"] if "42,000" in one["content"]]
        assert item["source_uri"].endswith("budget.md")
        assert (await session.read_resource(f"famulus://item/{item['item_id']}")).contents
        assert (await session.get_prompt("hand-over", {"work": "Falcon"})).messages
        assert (await session.call_tool("get_item", {"item_id": "a" * 26})).is_error
        async with web.session(world.tokens["other"]) as other:
            theirs = await other.call_tool("get_item", {"item_id": item["item_id"]})
            assert theirs.is_error  # an id of one client is nothing to another one
        await world.api.revoke_client("mate")
        with pytest.raises(MCPError):
            await session.call_tool("search_context", {"query": "budget of Falcon"})


async def test_no_request_comes_in_without_a_token_that_holds(world):
    async with world.serving() as web:
        old = world.tokens["mate"]
        world.tokens["mate"] = (await world.api.new_client_token("mate")).token
        for token in (None, "", "fam_" + "A" * 43, old, "x" * 100_000, "é"):
            answer = await web.ask(initialize(), token)
            assert answer.status in {401, 400, 431}, token
            assert answer.status != 401 or answer.headers["www-authenticate"].startswith("Bearer ")
            assert "mcp-session-id" not in answer.headers
        answer = await web.ask(initialize(), headers={"Authorization": f"Basic {world.tokens['mate']}"})
        assert answer.status == 401
        for method in ("GET", "DELETE", "PUT", "OPTIONS"):
            assert (await web.ask(None, method=method)).status in {401, 405}
        assert (await web.ask(initialize(), world.tokens["mate"])).status == 200


async def test_the_newest_revision_needs_no_session_and_a_token_all_the_same(world):
    async with world.serving() as web:
        asked = call("search_context", query="budget of Falcon")
        asked["params"] |= MODERN
        headers = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search_context"}
        found = await web.ask(asked, world.tokens["mate"], headers=headers)
        assert "42,000" in found.message["result"]["content"][0]["text"]
        theirs = await web.ask(asked, world.tokens["other"], headers=headers)
        assert "42,000" not in theirs.text
        assert (await web.ask(asked, headers=headers)).status == 401
        assert (await web.ask(asked, world.tokens["mate"], headers=headers | {"Host": "evil.example"})).status == 421


async def test_a_token_in_the_address_is_refused_and_not_read(world):
    token = world.tokens["mate"]
    async with world.serving() as web:
        for path in (f"/mcp?token={token}", f"/mcp?access_token={token}"):
            answer = await web.ask(initialize(), path=path)
            assert answer.status == 400
            assert (await web.ask(initialize(), token, path=path)).status == 400
        assert (await web.ask(initialize(), token, path=f"/mcp/{token}")).status == 404
        assert (await web.ask(initialize(), token, path="/mcp/../mcp")).status == 404
        web.process.send_signal(signal.SIGTERM)
        _, err = await asyncio.wait_for(web.process.communicate(), 60)
    assert web.process.returncode == 0
    assert token.encode() not in err


async def test_pages_of_a_browser_are_turned_away_at_the_door(world):
    token = world.tokens["mate"]
    async with world.serving() as web:
        for host in (
            "evil.example",
            "127.0.0.1",
            f"evil.example:{web.port}",
            "127.0.0.1:1",
            "",
            None,
            "localhost.evil",
        ):
            assert (await web.ask(initialize(), token, headers={"Host": host})).status in {400, 421}, host
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", f"http://evil.example:{web.port}", ""):
            assert (await web.ask(initialize(), token, headers={"Origin": origin})).status == 403, origin
        assert (await web.ask(initialize(), token, headers={"Origin": f"http://127.0.0.1:{web.port}"})).status == 200
        assert (await web.ask(initialize(), token, host=f"localhost:{web.port}")).status == 200


async def test_a_session_is_of_the_token_that_opened_it(world):
    async with world.serving() as web:
        mine, other = world.tokens["mate"], world.tokens["other"]
        session = {"Mcp-Session-Id": (await web.ask(initialize(), mine)).headers["mcp-session-id"]}
        assert (await web.ask(_PING, mine, headers=session)).message["result"] == {}
        for method in ("POST", "GET", "DELETE"):
            theirs = await web.ask(_PING, other, headers=session, method=method)
            assert theirs.status == 404
        assert (await web.ask(_PING, None, headers=session)).status == 401
        fresh = (await world.api.new_client_token("mate")).token
        assert (await web.ask(_PING, mine, headers=session)).status == 401
        assert (await web.ask(_PING, fresh, headers=session)).status == 404
        assert (await web.ask(_PING, fresh, headers={"Mcp-Session-Id": "../../etc/passwd"})).status == 404


async def test_what_is_too_big_or_no_message_is_refused_and_the_server_lives_on(world):
    token = world.tokens["mate"]
    async with world.serving() as web:
        announced = {"Content-Length": "10000000"}
        assert (await web.ask(b"{", token, headers=announced)).status == 413
        # who is turned away while it still sends may miss the answer
        ten_megabytes = call("search_context", query="x" * 10_000_000)
        assert (await web.ask(ten_megabytes, token)).status in {0, 413}
        chunks = b"".join(b"%x\r\n%s\r\n" % (65_536, b"x" * 65_536) for _ in range(40)) + b"0\r\n\r\n"
        unsized = {"Content-Length": None, "Transfer-Encoding": "chunked"}
        assert (await web.ask(chunks, token, headers=unsized)).status in {0, 413}
        session = {"Mcp-Session-Id": (await web.ask(initialize(), token)).headers["mcp-session-id"]}
        bodies = (
            b"{bad",
            b"[" * 100_000,
            b'{"a":' * 50_000,
            b"\xff",
            b"[]",
            json.dumps([_PING] * 1_000).encode(),
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"agenda","arguments":{"when":"\\ud800"}}}',
        )
        for body in bodies:
            answer = await web.ask(body, token, headers=session)
            assert answer.status in {200, 400}, body[:60]
            assert "Traceback" not in answer.text
            assert answer.status == 400 or "error" in answer.message or answer.message["result"]["isError"]
        unknown = await web.ask({"jsonrpc": "2.0", "id": 1, "method": "no/such"}, token, headers=session)
        assert unknown.message["error"]["code"] == -32601
        tricks = ("../secret", "%2e%2e/x", "a/b", "a" * 5_000, "", "a\u0000", "*", "1' OR 1=1", "C:\\x", "famulus://x")
        for trick in tricks:
            params = {"uri": f"famulus://item/{trick}"}
            asked = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params}
            answer = (await web.ask(asked, token, headers=session)).message
            told = answer["error"].pop("data")["uri"]
            assert answer["error"] == {"code": -32002, "message": "There is no such resource."}, trick
            assert len(told) <= 2_000, "what was asked for comes back, but not at any length"
            assert params["uri"].startswith(told.rstrip("…")), trick
        for uri in ("file:///etc/passwd", "famulus://item", "famulus://agenda/../about", "FAMULUS://about", ""):
            asked = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
            assert "error" in (await web.ask(asked, token, headers=session)).message, uri
        assert (await web.ask(_PING, token, headers=session)).message["result"] == {}


def _most_connections() -> int:
    try:
        import resource
    except ImportError:
        return 200
    return 1_000 if resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 4_096 else 100


def batched(numbers, size):
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


@pytest.mark.slow
async def test_a_thousand_requests_at_once_do_not_end_it(world):
    token = world.tokens["mate"]
    async with world.serving() as web:
        session = {"Mcp-Session-Id": (await web.ask(initialize(), token)).headers["mcp-session-id"]}

        async def one(number: int) -> int:
            await gate.wait()
            if number % 3 == 0:
                return (await web.ask(initialize(), "fam_" + "A" * 43)).status
            return (await web.ask(call("search_context", number, query="budget"), token, headers=session)).status

        # all at once, or as many as this system lets a process hold open
        gate, statuses = asyncio.Event(), []
        for some in batched(range(1_000), _most_connections()):
            asked = [asyncio.ensure_future(one(number)) for number in some]
            gate.set()
            statuses += await asyncio.gather(*asked)
        assert set(statuses) <= {200, 401, 503}
        assert statuses.count(200) > 0
        assert statuses.count(401) > 0
        assert (await web.ask(_PING, token, headers=session)).message["result"] == {}
        assert web.process.returncode is None


async def test_who_gives_every_request_the_same_id_is_answered_or_told_so(world):
    token = world.tokens["mate"]
    async with world.serving() as web:
        session = {"Mcp-Session-Id": (await web.ask(initialize(), token)).headers["mcp-session-id"]}
        asked = [
            web.ask(call("search_context", 1, query=f"budget {number}"), token, headers=session) for number in range(20)
        ]
        answers = await asyncio.gather(*asked)
        assert {one.status for one in answers} == {200, 400}
        assert all("id of its own" in one.text for one in answers if one.status == 400)


async def test_who_asks_very_much_at_once_keeps_nobody_out(world):
    async with world.serving() as web:
        sessions = {
            name: {"Mcp-Session-Id": (await web.ask(initialize(), token)).headers["mcp-session-id"]}
            for name, token in world.tokens.items()
        }

        async def ask(name: str, number: int):
            question = call("search_context", number, query=f"budget {number}")
            return await web.ask(question, world.tokens[name], headers=sessions[name])

        async def flood(lane: int) -> set[int]:
            return {(await ask("mate", lane * 1000 + number)).status for number in range(3)}

        floods = [asyncio.ensure_future(flood(lane)) for lane in range(80)]
        others = [await ask("other", number) for number in range(8)]
        assert [one.status for one in others] == [200] * 8
        assert not [one.text for one in others if one.message["result"].get("isError")]
        assert set().union(*await asyncio.gather(*floods)) == {200}


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors have no limit there")
async def test_who_opens_connections_and_says_nothing_keeps_nobody_out(bare):
    import resource

    from app.mcp_server.patience import most_connections

    given = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, given[1]))  # what a process gets on some systems
    try:
        assert most_connections(2_000) == 128
        serving = bare.serving()
        web = await serving.__aenter__()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, given)
    writers = []
    try:
        for number in range(300):
            _, writer = await asyncio.open_connection("127.0.0.1", web.port)
            writers.append(writer)
            writer.write(b"POST /mcp HTTP/1.1\r\nHost: 127" if number % 2 else b"")
        assert (await web.ask(initialize())).status == 401
        web.process.send_signal(signal.SIGTERM)
        _, err = await asyncio.wait_for(web.process.communicate(), 60)
        assert err == b""
    finally:
        for writer in writers:
            writer.close()
        await serving.__aexit__(None, None, None)


async def test_a_stream_that_broke_is_opened_again(world):
    async with world.serving() as web:
        token = world.tokens["mate"]
        session = {"Mcp-Session-Id": (await web.ask(initialize(), token)).headers["mcp-session-id"]}
        again = web.ask(None, token, headers=session | {"Last-Event-ID": "7"}, method="GET")
        listening = asyncio.ensure_future(again)
        assert (await web.ask(_PING, token, headers=session)).message["result"] == {}
        web.process.send_signal(signal.SIGTERM)
        assert (await listening).status == 200


async def test_who_opens_a_session_for_each_question_keeps_nobody_out(world):
    token = world.tokens["mate"]
    async with world.serving() as web:
        opened = [await web.ask(initialize(number), token) for number in range(210)]
        assert {one.status for one in opened} == {200}
        first, last = ({"Mcp-Session-Id": one.headers["mcp-session-id"]} for one in (opened[0], opened[-1]))
        assert (await web.ask(_PING, token, headers=first)).status == 404
        assert (await web.ask(_PING, token, headers=last)).message["result"] == {}
        assert (await web.ask(initialize(), world.tokens["other"])).status == 200


async def test_sessions_are_limited(world):
    grant = Grant(frozenset({"work"}), rate_per_minute=10_000)
    tokens = [(await world.api.add_client(f"client {number}", grant)).token for number in range(6)]
    async with world.serving() as web:
        statuses = [(await web.ask(initialize(number), tokens[number // 40])).status for number in range(210)]
        assert statuses[:200] == [200] * 200
        assert set(statuses[200:]) == {503}


async def test_a_port_that_is_taken_is_said_so_and_a_signal_ends_it_well(bare):
    async with bare.serving() as web:
        command = [*bare.command("--http", str(web.port))]
        second = await asyncio.create_subprocess_exec(
            *command, env=bare.environment(), stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        out, err = await asyncio.wait_for(second.communicate(), 60)
        assert second.returncode == 3
        assert f"Port {web.port} is taken" in err.decode()
        assert out == b""
        web.process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(web.process.wait(), 60) == 0
        assert await web.process.stderr.read() == b""


@pytest.mark.skipif(not socket.has_ipv6, reason="this system has one family of addresses")
async def test_a_port_that_is_taken_in_one_family_is_taken(bare):
    with socket.socket(socket.AF_INET6) as other:
        try:
            other.bind(("::1", 0))
        except OSError:
            pytest.skip("this system has no ::1")
        other.listen()
        port = other.getsockname()[1]
        process = await asyncio.create_subprocess_exec(
            *bare.command("--http", str(port)), env=bare.environment(), stderr=asyncio.subprocess.PIPE
        )
        _, err = await asyncio.wait_for(process.communicate(), 60)
    # who asks localhost would tell its token to the other program
    assert process.returncode == 3
    assert f"Port {port} is taken" in err.decode()


async def test_a_signal_ends_it_while_a_stream_is_open(world):
    async with world.serving() as web:
        token = world.tokens["mate"]
        session = {"Mcp-Session-Id": (await web.ask(initialize(), token)).headers["mcp-session-id"]}
        listening = asyncio.ensure_future(web.ask(None, token, headers=session, method="GET"))
        assert (await web.ask(_PING, token, headers=session)).message["result"] == {}
        web.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(web.process.wait(), 60) == 0
        await listening


async def test_where_nobody_owns_data_yet_it_says_so(bare, monkeypatch):
    monkeypatch.setenv("FAMULUS_PASSPHRASE", "x")
    async with bare.serving() as web:
        answer = await web.ask(initialize(), "fam_" + "A" * 43)
        assert answer.status == 503
        assert "nothing in Famulus yet" in answer.text
    quit_ = await asyncio.create_subprocess_exec(*bare.command()[:-1], "quit", env=bare.environment())
    assert await quit_.wait() == 0
