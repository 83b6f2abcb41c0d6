"""The protocol's side, asked in this process: early answers, errors, and what never gets out."""

import asyncio
import json
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp import ClientSession
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams

from app.domain.errors import BadInput, Denied
from app.domain.serving import Served
from app.domain.text import msg
from app.mcp_server import greeting
from app.mcp_server.passports import Carried
from app.mcp_server.server import Counter
from tests.unit.mcp_server.makers import ITEM, PaperOwner
from tests.unit.mcp_server.makers import greeting as hello

_GREETING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@asynccontextmanager
async def talking(owner):
    counter = Counter(owner, lambda _: Carried("t"))
    async with create_client_server_memory_streams() as (ours, theirs), anyio.create_task_group() as tasks:
        tasks.start_soon(counter.serve, *theirs)
        async with ClientSession(*ours) as session:
            await session.initialize()
            yield session
        tasks.cancel_scope.cancel()
    await counter.close()


async def _initialized(params):
    """What the library itself answers."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    counter = Counter(PaperOwner(), lambda _: Carried("t"))
    async with create_client_server_memory_streams() as (ours, theirs), anyio.create_task_group() as tasks:
        tasks.start_soon(counter.serve, *theirs)
        read, write = ours
        request = {"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params}
        await write.send(SessionMessage(jsonrpc_message_adapter.validate_python(request)))
        told = (await read.receive()).message
        tasks.cancel_scope.cancel()
    return request, json.loads(told.model_dump_json(by_alias=True, exclude_unset=True))


@pytest.mark.parametrize("version", [*greeting.VERSIONS, "2024-11-05", "2025-03-26", "1999-01-01", "2026-07-28"])
@pytest.mark.parametrize("can", [{}, {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}}])
async def test_the_early_answer_is_the_librarys_answer(version, can):
    who = {"name": "test", "version": "1", "title": "Test"}
    request, told = await _initialized({"protocolVersion": version, "capabilities": can, "clientInfo": who})
    early = greeting.answer(json.dumps(request).encode())
    assert (early is not None) == (version in greeting.VERSIONS)
    assert early is None or early == told


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[]",
        b"[" * 9_000,
        b'"x"',
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":true,"method":"initialize","params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
        b"a" * 20_000,
    ],
)
def test_what_is_not_plain_waits_for_the_library(line):
    assert greeting.answer(line) is None


async def test_an_expected_error_is_a_sentence_in_the_result():
    owner = PaperOwner({"client_search": Denied(msg("No access."), next_step=msg("Ask the person."))})
    async with talking(owner) as session:
        found = await session.call_tool("search_context", {"query": "x"})
    assert found.is_error
    assert found.content[0].text == "No access. Ask the person."


async def test_our_own_fault_tells_nothing(caplog):
    owner = PaperOwner({"client_search": RuntimeError("secret words"), "client_tasks": RuntimeError("secret words")})
    async with talking(owner) as session:
        for asked in (session.call_tool("search_context", {"query": "x"}), session.read_resource("famulus://tasks")):
            with pytest.raises(MCPError) as caught:
                await asked
            assert "secret" not in str(caught.value)
    assert "a request of a client failed" in caplog.text


async def test_arguments_reach_the_owner_as_they_are_meant():
    owner = PaperOwner({"client_search": Served("q1", items=(ITEM,)), "client_remember": 7, "client_outcome": None})
    async with talking(owner) as session:
        await session.call_tool(
            "search_context",
            {"query": "x", "kinds": ["mail"], "limit": 3, "scope": "work", "since": "2025-05-12", "budget_tokens": 500},
        )
        await session.call_tool("profile_facts", {})
        await session.call_tool("list_tasks", {"include_done": True})
        await session.call_tool("remember_candidate", {"text": "t"})
        await session.call_tool("report_outcome", {"request_id": "q1", "cited": ["a"], "fields_total": 3})
    asked = {name: (args, kwargs) for name, args, kwargs in owner.asked}
    query = asked["client_search"][0][1]
    assert (query.text, query.limit, query.scope, query.budget_tokens) == ("x", 3, "work", 500)
    assert [kind.value for kind in query.kinds] == ["mail"]
    assert asked["client_facts"] == (("t", "me"), {"predicate": None})
    assert asked["client_tasks"] == (("t",), {"include_done": True})
    assert asked["client_remember"][0][1].text == "t"
    assert asked["client_outcome"][0][1].cited == ("a",)


async def test_a_hidden_item_and_none_are_the_same():
    owner = PaperOwner({"client_item": BadInput(msg("There is no such item."), next_step=msg("Search."))})
    async with talking(owner) as session:
        for uri in ("famulus://item/abc", "famulus://item/../abc", "famulus://nothing"):
            with pytest.raises(MCPError) as caught:
                await session.read_resource(uri)
            assert (caught.value.code, caught.value.message) == (-32002, "There is no such resource.")
            assert caught.value.error.data == {"uri": uri}


async def test_about_is_the_clients_own_grant():
    owner = PaperOwner({"client_hello": hello()})
    async with talking(owner) as session:
        read = await session.read_resource("famulus://about")
    assert json.loads(read.contents[1].text)["scopes"] == ["work"]
    assert owner.asked[0][2] == {"program": "mcp"}


async def test_without_templates_the_list_of_prompts_is_empty():
    owner = PaperOwner({"client_templates": Denied(msg("No."), next_step=msg("Ask."))})
    async with talking(owner) as session:
        assert (await session.list_prompts()).prompts == []


async def test_completions_are_phrases():
    from mcp_types import PromptReference

    async with talking(PaperOwner()) as session:
        found = await session.complete(PromptReference(name="plan-a-day"), {"name": "day", "value": "to"})
    assert found.completion.values == ["today", "tomorrow"]


@pytest.mark.parametrize("is_heard", [True, False])
async def test_a_program_that_goes_with_messages_on_their_way_is_no_fault(is_heard):
    """The library was handing one on; where it ended by a signal, that became a group of errors."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    counter = Counter(PaperOwner(), lambda _: Carried("t"))
    into, read = anyio.create_memory_object_stream(0)
    written, out = anyio.create_memory_object_stream(0)
    asked = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _GREETING},
        *({"jsonrpc": "2.0", "id": number, "method": "tools/list"} for number in range(1, 5)),
    ]

    async def feed():
        for one in asked:
            await into.send(SessionMessage(jsonrpc_message_adapter.validate_python(one, by_name=False)))

    serving, feeding = asyncio.create_task(counter.serve(read, written)), asyncio.create_task(feed())
    while into.statistics().tasks_waiting_send == 0 or written.statistics().tasks_waiting_send == 0:
        await asyncio.sleep(0)
    if not is_heard:
        out.close()
        feeding.cancel()
        into.close()
    else:
        serving.cancel()
    (ended,) = await asyncio.gather(serving, return_exceptions=True)
    assert ended is None or isinstance(ended, asyncio.CancelledError)
    feeding.cancel()
    for stream in (into, read, written, out):
        stream.close()
    await counter.close()
